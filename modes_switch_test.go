package main

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"talaria/engine"
)

// visit is what one mode says in a session that goes from mode to mode: a round with two calls, then an answer. Every
// word of it is the mode's own, so that it can be found, or not found, in what others are sent.
type visit struct {
	s       speaker
	replies []said
	prompt  string
	shared  []string // what every later request must hold
	private []string // what no other mode may see
}

func newVisit(s speaker, which string) visit {
	name := fmt.Sprintf("%s%s", strings.ReplaceAll(string(s.mode), "_", ""), which)
	word := func(w string) string { return w + " " + name }
	secret := func(w string) string { return "U0VB" + w + name + "+/==" }
	file := name + ".txt"
	v := visit{s: s, prompt: word("question of"), replies: []said{
		{Thought: word("«first thought» of"), Seal: secret("one"), Hidden: hidden(s, name), Tag: secret("tag"), Text: word("remark – größer – of"), Calls: []engine.Call{
			{ID: "call-" + name + "-1", Name: "write_file", Args: args(obj{"path": file, "content": word("content of") + "\n"})},
			{ID: "call-" + name + "-2", Name: "search_files", Args: args(obj{"pattern": name, "path": "."})},
		}},
		{Thought: word("second thought of"), Seal: secret("two"), Text: word("answer of")},
	}}
	v.shared = []string{v.prompt, v.replies[0].Text, v.replies[1].Text, file, word("content of"), "write_file", "search_files"}
	for _, x := range v.replies {
		v.private = append(v.private, x.Thought, x.Seal, x.Tag, x.Hidden)
	}
	v.private = slices.DeleteFunc(v.private, func(p string) bool { return p == "" })
	return v
}

// hidden is reasoning that cannot be read: base64, since Bedrock's is bytes. Responses has none beside its seals.
func hidden(s speaker, name string) string {
	if s.mode == engine.CodexResponses {
		return ""
	}
	return strings.ReplaceAll("SElE"+name+strings.Repeat("A", 4-len("SElE"+name)%4), "_", "")
}

// hop runs one turn of v in p. Args choose the session.
func (v visit) hop(t *testing.T, p place, model string, server *station, more ...string) []thread {
	t.Helper()
	before := len(server.requests())
	server.mu.Lock()
	server.next = func(n int, body []byte) (h http.Handler) { return v.s.playing(model, v.replies...)(n-before, body) }
	server.mu.Unlock()
	argv := append([]string{"-p", v.prompt, "--api-mode", string(v.s.mode), "--base-url", server.URL, "-m", model, "--mode", "auto", "--output", "json"}, more...)
	code, stdout, stderr := p.run(argv...)
	if r := readReport(t, stdout); code != 0 || r.Final != v.replies[1].Text {
		t.Fatalf("%s: exit %d: %s%s", v.s.mode, code, stdout, stderr)
	}
	posts := server.requests()[before:]
	if len(posts) != 2 {
		t.Fatalf("%s: %d requests", v.s.mode, len(posts))
	}
	return v.s.valid(t, model, posts)
}

// holds: the request tells all that v said and did.
func (v visit) holds(t *testing.T, in thread, body []byte) {
	t.Helper()
	text := in.text()
	for _, want := range v.shared {
		if !strings.Contains(text, want) {
			t.Errorf("%q of %s is lost: %s", want, v.s.mode, body)
		}
	}
}

// leaks: nothing that is v's alone stands in a request to another.
func (v visit) leaks(t *testing.T, to speaker, body []byte) {
	t.Helper()
	for _, p := range v.private {
		quoted := strings.Trim(js(p), `"`)
		if at := max(strings.Index(string(body), p), strings.Index(string(body), quoted)); at >= 0 {
			t.Errorf("%s is sent %q of %s: ...%s...", to.mode, p, v.s.mode, body[max(0, at-150):min(len(body), at+150)])
		}
	}
}

// stateless: in the first request to a mode there is no reasoning and no state at all, of whatever name.
func stateless(t *testing.T, to speaker, in thread, body []byte) {
	t.Helper()
	if seals := in.seals(); len(seals) > 0 {
		t.Errorf("%s is sent %q", to.mode, seals)
	}
	for _, word := range []string{"reasoning_content", "reasoning_details", "thought_signature", "redacted", "reasoningContent", `"thinking"`, "rs_", "msg_srv", "encrypted_content\":"} {
		if strings.Contains(string(body), word) {
			t.Errorf("%s is sent %s: %s", to.mode, word, body)
		}
	}
}

func TestASessionGoesOnInAnotherModeAndBack(t *testing.T) {
	if err := build(); err != nil {
		t.Fatal(err)
	}
	for _, a := range speakers {
		for _, b := range speakers {
			if a.mode == b.mode {
				continue
			}
			t.Run(string(a.mode)+" to "+string(b.mode), func(t *testing.T) {
				t.Parallel()
				p := newPlace(t, quick)
				serverA, serverB := newStation(t, nil), newStation(t, nil)
				first, second, third := newVisit(a, "first"), newVisit(b, "second"), newVisit(a, "third")
				first.hop(t, p, "m-a", serverA)
				read := second.hop(t, p, "m-b", serverB, "-c")
				for i, r := range read {
					body := serverB.requests()[i].body
					first.holds(t, r, body)
					first.leaks(t, b, body)
				}
				stateless(t, b, read[0], serverB.requests()[0].body)
				back := third.hop(t, p, "m-a", serverA, "-c")
				for i, r := range back {
					body := serverA.requests()[2+i].body
					first.holds(t, r, body)
					second.holds(t, r, body)
					second.leaks(t, a, body)
				}
				first.back(t, back[0], serverA.requests()[2].body)
			})
		}
	}
}

// back: in its own mode v's sealed reasoning comes back byte for byte, where that mode takes it back.
func (v visit) back(t *testing.T, in thread, body []byte) {
	t.Helper()
	one, two := v.replies[0], v.replies[1]
	var want []string
	switch v.s.mode {
	case engine.ChatCompletions: // a server of which nothing is known: no reasoning, but what came with a call
		want = []string{one.Tag, one.Tag}
	case engine.CodexResponses:
		want = []string{one.Seal, two.Seal}
	case engine.AnthropicMessages, engine.BedrockConverse:
		want = []string{one.Thought, one.Seal, one.Hidden, two.Thought, two.Seal}
	}
	if got := in.seals(); !slices.Equal(got, want) {
		t.Errorf("%s gets back %q, want %q: %s", v.s.mode, got, want, body)
	}
	if v.s.mode == engine.CodexResponses && !strings.Contains(string(body), js(obj{"text": one.Thought, "type": "summary_text"})) &&
		!strings.Contains(string(body), `{"type":"summary_text","text":`+js(one.Thought)+`}`) {
		t.Errorf("the summary does not come back with its seal: %s", body)
	}
}

// A model of the same name behind another mode may be the same model, and Claude's seals hold on Anthropic's servers and on
// Amazon's. But what belongs to the mode does not go along, and a reply whose thinking would come back in part is refused:
// its thinking goes back whole or not at all.
func TestTheSameModelNameInAnotherModeGetsNoProviderState(t *testing.T) {
	if err := build(); err != nil {
		t.Fatal(err)
	}
	for _, a := range speakers {
		for _, b := range speakers {
			if a.mode == b.mode {
				continue
			}
			t.Run(string(a.mode)+" to "+string(b.mode), func(t *testing.T) {
				t.Parallel()
				p := newPlace(t, quick)
				first, second := newVisit(a, "first"), newVisit(b, "second")
				first.hop(t, p, "m", newStation(t, nil))
				server := newStation(t, nil)
				read := second.hop(t, p, "m", server, "-c")
				if a.claude() && b.claude() {
					whole := first.replies[1]
					first.private = slices.DeleteFunc(first.private, func(s string) bool { return s == whole.Thought || s == whole.Seal })
				} else {
					stateless(t, b, read[0], server.requests()[0].body)
				}
				for i, r := range read {
					first.holds(t, r, server.requests()[i].body)
					first.leaks(t, b, server.requests()[i].body)
				}
			})
		}
	}
}

// claude reports whether the mode's thinking is sealed by signatures.
func (s speaker) claude() bool {
	return s.mode == engine.AnthropicMessages || s.mode == engine.BedrockConverse
}

// Some servers of chat completions demand reasoning beside calls, or sealed details. They get their own model's only
// (BEHAVIOUR 5, step 2).
func TestAServerThatWantsReasoningBackGetsNoForeignOne(t *testing.T) {
	if err := build(); err != nil {
		t.Fatal(err)
	}
	chat, messages := speakers[0], speakers[2]
	for _, c := range []struct {
		provider string
		before   speaker
	}{{"deepseek", messages}, {"kimi", messages}, {"mimo", messages}, {"openrouter", messages}, {"deepseek", chat}, {"kimi", chat}, {"openrouter", chat}} {
		t.Run(string(c.before.mode)+" to "+c.provider, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, quick)
			first, second := newVisit(c.before, "first"), newVisit(chat, "second")
			first.hop(t, p, "m-a", newStation(t, nil))
			server := newStation(t, nil)
			for i, r := range second.hop(t, p, "m-b", server, "-c", "--provider", c.provider) {
				first.holds(t, r, server.requests()[i].body)
				first.leaks(t, chat, server.requests()[i].body)
			}
			third := newVisit(chat, "third")
			third.hop(t, p, "m-b", server, "-c", "--provider", c.provider) // its own comes back
			body := string(server.requests()[2].body)
			own, sealed := second.replies[0].Thought, second.replies[0].Hidden
			if wants := c.provider != "openrouter"; strings.Contains(body, js(own)) != wants {
				t.Errorf("its own reasoning: %v in %s", !wants, body)
			}
			if wants := c.provider == "openrouter"; strings.Contains(body, sealed) != wants {
				t.Errorf("its own details: %v in %s", !wants, body)
			}
			first.leaks(t, chat, []byte(body))
		})
	}
}

// Without -m or --base-url it is the same model at the same address, and --api-mode alone says how it is asked. A session
// keeps its mode as it keeps its model.
func TestOnlyTheModeChangesWhereTheAddressStays(t *testing.T) {
	if err := build(); err != nil {
		t.Fatal(err)
	}
	for name, configuration := range map[string]string{
		"an address":          "model: {base_url: URL, name: m}\n",
		"a provider":          "model: {provider: mine, name: m}\nproviders: {mine: {base_url: URL}}\n",
		"an address and mode": "model: {base_url: URL, name: m, api_mode: chat_completions}\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, b := speakers[0], speakers[2]
			first, second := newVisit(a, "first"), newVisit(b, "second")
			server := newStation(t, nil)
			server.next = func(n int, _ []byte) http.Handler {
				if strings.HasSuffix(server.asked[n].path, "/messages") {
					return b.answer("m", second.replies[1])
				}
				return a.answer("m", first.replies[1])
			}
			p := newPlace(t, quick+strings.ReplaceAll(configuration, "URL", js(server.URL)))
			for _, argv := range [][]string{{"-p", "one"}, {"-p", "two", "-c", "--api-mode", string(b.mode)}, {"-p", "three", "-c"}} {
				if code, stdout, stderr := p.run(argv...); code != 0 {
					t.Fatalf("%v: exit %d: %s%s", argv, code, stdout, stderr)
				}
			}
			asked := server.requests()
			if len(asked) != 3 {
				t.Fatalf("%d requests", len(asked))
			}
			for i, want := range []string{"/chat/completions", "/messages", "/messages"} {
				kept := i == 2 && name == "an address and mode" // the configuration names the mode of this address
				if !strings.HasSuffix(asked[i].path, want) && !kept {
					t.Errorf("request %d went to %s, want %s", i+1, asked[i].path, want)
				}
			}
			if t.Failed() {
				return
			}
			read := b.valid(t, "m", asked[1:2])
			if text := read[0].text(); !strings.Contains(text, "one") || !strings.Contains(text, first.replies[1].Text) {
				t.Errorf("the first turn is lost: %s", asked[1].body)
			}
			stateless(t, b, read[0], asked[1].body)
		})
	}
}
