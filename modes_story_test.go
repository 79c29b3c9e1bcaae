package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"talaria/engine"
)

// mending is the story that all modes tell: two files are read at once, one is patched, a command runs, and the model
// thinks a second time before it answers.
func mending() []said {
	used := func(n int) engine.Usage {
		return engine.Usage{Input: 1000 + 100*n, Output: 40 + n, CacheRead: 800 + 10*n, CacheWrite: 50, Reasoning: 7}
	}
	call := func(id, name string, in obj) engine.Call { return engine.Call{ID: id, Name: name, Args: args(in)} }
	return []said{
		{Thought: "Two files have to be read; «both» at once.", Seal: "c2VhbDE+/w==", Text: "I read both files – größer first.\n",
			Calls: []engine.Call{call("call_1", "read_file", obj{"path": "sum.sh"}), call("call_2", "read_file", obj{"path": "test.sh"})}, Usage: used(0)},
		{Calls: []engine.Call{call("call_3", "patch", obj{"path": "sum.sh", "old_string": "$1 - $2", "new_string": "$1 + $2"})}, Usage: used(1)},
		{Text: "Now the test.", Calls: []engine.Call{call("call_4", "terminal", obj{"command": "sh test.sh && echo 'all <b>good</b> & well'"})}, Usage: used(2)},
		{Thought: "The test passes.\n\nNothing is left to do.", Seal: "c2VhbDI+/w==", Text: "The sum is right now: `$1 + $2`.", Usage: used(3)},
	}
}

func mendingPlace(t testing.TB) place {
	p := newPlace(t, quick)
	p.write("sum.sh", "#!/bin/sh\necho $(($1 - $2))\n")
	p.write("test.sh", "[ \"$(sh sum.sh 2 3)\" = 5 ] && echo PASS || { echo FAIL; exit 1; }\n")
	return p
}

// likened are the messages with what may differ from mode to mode made the same: ids of calls by their order, and the
// directory that the story took place in.
func likened(p place, messages []engine.ChatMessage) []engine.ChatMessage {
	place := map[string]string{}
	id := func(of string) string {
		if of != "" && place[of] == "" {
			place[of] = "call " + string(rune('A'+len(place)))
		}
		return place[of]
	}
	same := strings.NewReplacer(p.project, "DIR", filepath.Dir(p.project), "ROOT")
	for i, m := range messages {
		messages[i].Content, messages[i].ToolCallID = same.Replace(m.Content), id(m.ToolCallID)
		for j, c := range m.ToolCalls {
			m.ToolCalls[j].ID = id(c.ID)
		}
	}
	return messages
}

func TestTheSameStoryIsTheSameInAllFourModes(t *testing.T) {
	if err := build(); err != nil {
		t.Fatal(err)
	}
	if known, err := schemas(); err != nil || len(known) < 3 {
		t.Logf("the schemas (../shared/schemas) are not all here: requests go unchecked against them (%v)", err)
	}
	var first []engine.ChatMessage
	for i, s := range speakers {
		p, story := mendingPlace(t), mending()
		server := newStation(t, s.playing("m", story...))
		code, stdout, stderr := p.run("-p", "fix the sum", "--api-mode", string(s.mode), "--base-url", server.URL, "-m", "m", "--mode", "auto", "--output", "json")
		if code != 0 {
			t.Errorf("%s: exit %d: %s%s", s.mode, code, stdout, stderr)
			continue
		}
		r := readReport(t, stdout)
		if r.Exit != engine.ExitFinished || r.APIMode != s.mode || r.Final != story[3].Text {
			t.Errorf("%s: %s", s.mode, stdout)
		}
		s.told(t, r.Usage, story)
		read := s.valid(t, "m", server.requests())
		if len(read) != len(story) {
			t.Errorf("%s: %d requests", s.mode, len(read))
		}
		if last := read[len(read)-1].text(); !strings.Contains(last, "all <b>good</b> & well") || !strings.Contains(last, "PASS") || !strings.Contains(last, "fix the sum") {
			t.Errorf("%s: the last request does not hold the story: %s", s.mode, last)
		}
		fixed, err := os.ReadFile(filepath.Join(p.project, "sum.sh"))
		if err != nil || !strings.Contains(string(fixed), "$1 + $2") {
			t.Errorf("%s: sum.sh is %q, %v", s.mode, fixed, err)
		}
		got := likened(p, r.Messages)
		if i == 0 {
			first = got
			s.complete(t, got, story)
			continue
		}
		for j := range max(len(first), len(got)) {
			if j >= len(first) || j >= len(got) || !reflect.DeepEqual(first[j], got[j]) {
				t.Errorf("message %d differs between %s and %s:\n%s\n%s", j, speakers[0].mode, s.mode, js(first[min(j, len(first)-1)]), js(got[min(j, len(got)-1)]))
				break
			}
		}
	}
}

// complete: the messages hold what the model said, in its order.
func (s speaker) complete(t *testing.T, got []engine.ChatMessage, story []said) {
	t.Helper()
	n := 0
	for _, m := range got {
		if m.Role != "assistant" {
			continue
		}
		x := story[n]
		n++
		if m.Content != x.Text || m.Reasoning != x.Thought || len(m.ToolCalls) != len(x.Calls) {
			t.Errorf("%s: reply %d is %s", s.mode, n, js(m))
			continue
		}
		for i, c := range x.Calls {
			if f := m.ToolCalls[i].Function; f.Name != c.Name || f.Arguments != c.Args {
				t.Errorf("%s: reply %d calls %s", s.mode, n, js(f))
			}
		}
	}
	if n != len(story) {
		t.Errorf("%s: %d replies of %d", s.mode, n, len(story))
	}
}

// told: the usage is the story's, as far as the wire can tell it.
func (s speaker) told(t *testing.T, got engine.Usage, story []said) {
	t.Helper()
	var want engine.Usage
	for _, x := range story {
		want = want.Add(x.Usage)
	}
	switch s.mode {
	case engine.ChatCompletions, engine.CodexResponses:
		want.CacheWrite = 0
	case engine.AnthropicMessages, engine.BedrockConverse:
		want.Reasoning = 0
	}
	if got != want {
		t.Errorf("%s: usage %+v, want %+v", s.mode, got, want)
	}
}

func TestAnAPIModeThatDoesNotExistIsAnErrorThatNamesThem(t *testing.T) {
	if err := build(); err != nil {
		t.Fatal(err)
	}
	server := newStation(t, speakers[0].playing("m"))
	p := newPlace(t, quick)
	code, stdout, stderr := p.run("-p", "hi", "--api-mode", "nonsense", "--base-url", server.URL, "-m", "m")
	if code != 2 || stdout != "" || !strings.Contains(stderr, "nonsense") {
		t.Errorf("exit %d, %q, %q", code, stdout, stderr)
	}
	for _, s := range speakers {
		if !strings.Contains(stderr, string(s.mode)) {
			t.Errorf("%s is not named in %q", s.mode, stderr)
		}
	}
	if n := len(server.requests()); n != 0 {
		t.Errorf("%d requests were made", n)
	}
}

func TestTheValidatorsRefuseBrokenRequests(t *testing.T) {
	good := thread{System: "s", Turns: []turn{{Role: "user", Text: "x"}, {Role: "assistant", Calls: []engine.Call{{ID: "a", Name: "f", Args: "{}"}, {ID: "b", Name: "f", Args: "{}"}}},
		{Role: "tool", Results: []engine.Result{{CallID: "a", Text: "1"}, {CallID: "b", Text: "2"}}}}}
	if w := good.wrong(); len(w) > 0 {
		t.Fatal(w)
	}
	for name, turns := range map[string][]turn{
		"an unanswered call":        {good.Turns[0], good.Turns[1], {Role: "tool", Results: good.Turns[2].Results[:1]}},
		"no result":                 good.Turns[:2],
		"a result without its call": {good.Turns[0], {Role: "assistant", Text: "x"}, good.Turns[2]},
		"two users":                 {good.Turns[0], good.Turns[0]},
		"an empty message":          {{Role: "user"}},
		"the assistant first":       {{Role: "assistant", Text: "x"}, good.Turns[0]},
		"arguments that are none":   {good.Turns[0], {Role: "assistant", Calls: []engine.Call{{ID: "a", Name: "f", Args: `{"a`}}}, {Role: "tool", Results: []engine.Result{{CallID: "a", Text: "1"}}}},
		"nothing":                   nil,
	} {
		if len((thread{System: "s", Turns: turns}).wrong()) == 0 {
			t.Errorf("%s was taken", name)
		}
	}
}
