package think

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"talaria/engine"
)

// fake yields its deltas, then its error if there is one.
type fake struct {
	deltas []engine.Delta
	err    error
}

func (f fake) Stream(context.Context, engine.Request) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		for _, d := range f.deltas {
			if !yield(d, nil) {
				return
			}
		}
		if f.err != nil {
			yield(nil, f.err)
		}
	}
}

// through returns what a wrapped provider that yields ds tells.
func through(t *testing.T, ds ...engine.Delta) []engine.Delta {
	t.Helper()
	var out []engine.Delta
	for d, err := range Wrap(fake{deltas: ds}).Stream(t.Context(), engine.Request{}) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, d)
	}
	return out
}

func fold(ds []engine.Delta) (visible, reasoning string) {
	var f engine.Fold
	for _, d := range ds {
		f.Add(d)
	}
	m := f.Message(time.Time{})
	return m.Text(), m.Reasoning()
}

// reply folds the pieces of a reply as a consumer of the stream sees them.
func reply(t *testing.T, pieces ...string) (visible, reasoning string) {
	t.Helper()
	var ds []engine.Delta
	for _, p := range pieces {
		ds = append(ds, engine.TextDelta{Text: p})
	}
	return fold(through(t, append(ds, engine.Done{Stop: engine.StopEnd})...))
}

// bytesOf cuts s into pieces of n bytes.
func bytesOf(s string, n int) []string {
	var out []string
	for c := range slices.Chunk([]byte(s), n) {
		out = append(out, string(c))
	}
	return out
}

func TestT01TagsSplitAcrossDeltas(t *testing.T) {
	v, r := reply(t, "<think>", "Let me check", "</think>", "Answer")
	if v != "Answer" || r != "Let me check" {
		t.Errorf("text %q, reasoning %q", v, r)
	}
	whole := "<think>a</think>b"
	for i := range len(whole) {
		v, r := reply(t, whole[:i], whole[i:])
		if v != "b" || r != "a" {
			t.Errorf("cut at %d: text %q, reasoning %q", i, v, r)
		}
	}
}

func TestT02MidLineTagClosedInALaterDelta(t *testing.T) {
	whole := "Hello <think>secret reasoning</think> World"
	for _, pieces := range [][]string{{whole}, bytesOf(whole, 1), {"Hello <think>secret reasoning</thi", "nk> World"}} {
		v, r := reply(t, pieces...)
		if v != "Hello  World" || r != "secret reasoning" {
			t.Errorf("%q: text %q, reasoning %q", pieces, v, r)
		}
	}
}

func TestT03ClosingTagWithoutOpenerIsRemoved(t *testing.T) {
	for in, want := range map[string]string{
		"some reasoning\n</think>\n\nAnswer": "some reasoning\n\n\nAnswer",
		"Hello</think>world":                 "Helloworld",
		"Hello! 😊</think>\n\n":               "Hello! 😊\n\n",
		"</reasoning>a</ think >b":           "ab",
	} {
		if v, r := reply(t, bytesOf(in, 1)...); v != want || r != "" {
			t.Errorf("%q: text %q, reasoning %q", in, v, r)
		}
	}
}

func TestT06LiteralTagsAreShownAsTheyAre(t *testing.T) {
	for _, in := range []string{
		"Use the `<think>` tag to start.",
		"The pair `<think>x</think>` and ``a ` <think>`` too.",
		"Look:\n```xml\n<think>x</think>\n```\nDone.",
		"~~~\n<think>\n~~~ no end\n<think>\n~~~\nDone.",
		"Look:\n````\n```\n<think>x</think>\n```\n````\nDone.",
		"  ```<think>x</think>``` on one line",
		"if a <b then", "a < think it over > b", "a < think it over", "<thinker>x</thinker>", "<think/>", "x <think-hard>",
		"[think](https://example.com) about [THIN", "ends in <thi", "`<think>", "5 < 6 — ◁ and ▷",
	} {
		for _, pieces := range [][]string{{in}, bytesOf(in, 1)} {
			if v, r := reply(t, pieces...); v != in || r != "" {
				t.Errorf("%q: text %q, reasoning %q", in, v, r)
			}
		}
	}
}

func TestT06LessThanAsTheLastDeltaIsFlushed(t *testing.T) {
	if v, _ := reply(t, "a ", "<"); v != "a <" {
		t.Errorf("text %q", v)
	}
}

func TestReasoningIsTakenOutWhateverItsTag(t *testing.T) {
	for in, want := range map[string][2]string{
		"<THINKING>a</Thinking>b":                                        {"b", "a"},
		"<REASONING_SCRATCHPAD>\na\n</REASONING_SCRATCHPAD>\n\nb":        {"b", "a"},
		"<mm:think>a</mm:think>b":                                        {"b", "a"},
		"<思考>a</思考>b":                                                    {"b", "a"},
		"[THINK]a[/THINK]b":                                              {"b", "a"},
		"◁think▷a◁/think▷b":                                              {"b", "a"},
		"< think >a< / think >b":                                         {"b", "a"},
		"<think budget=\"1 > 0\" x=y>a</think>b":                         {"b", "a"},
		"<reflection>a</reflection>b":                                    {"b", "a"},
		"\n  <thought>a</thought>b":                                      {"\n  b", "a"},
		"x\n<think>a":                                                    {"x\n", "a"},
		"<think>a<think>b</think>c</think>d":                             {"d", "a<think>b</think>c"},
		"<think>a</reasoning>b</think>c":                                 {"c", "a</reasoning>b"},
		"<think>a `</think>` b</think>c":                                 {"c", "a `</think>` b"},
		"<think>a ` b</think>c":                                          {"c", "a ` b"},
		"<think>\n```go\nx := 1</think>\n\nc":                            {"c", "```go\nx := 1"},
		"<think>\n\n</think>\n\nc":                                       {"c", ""},
		"<think>a</think>\n<think>b</think>\nc":                          {"c", "a\n\nb"},
		"<think>a</think>b <think>c</think> d":                           {"b  d", "a\n\nc"},
		"a ` stray <think>b</think> c":                                   {"a ` stray  c", "b"},
		"a `` stray <think>b</think> `c` <think>\nd</think>":             {"a `` stray  `c` ", "b\n\nd"},
		"Write a <think> tag.\n<think>\nhm\n</think>\nOK":                {"Write a <think> tag.\n\nOK", "hm"},
		"Use <think> freely. <reasoning>hm</reasoning> OK":               {"Use <think> freely.  OK", "hm"},
		"one <think> two <think> three </think> four":                    {"one <think> two <think> three </think> four", ""},
		"Wrap it in <think> and:\n```\n</think>\n```\nOK":                {"Wrap it in <think> and:\n```\n</think>\n```\nOK", ""},
		"<think>a</think>    code":                                       {"    code", "a"},
		"a <reasoning> b\n<think>\n```\nc\n</think>\nd <think>e</think>": {"a <reasoning> b\n\nd ", "```\nc\n\ne"},
	} {
		for _, n := range []int{1, 2, 3, 7, len(in)} {
			if v, r := reply(t, bytesOf(in, n)...); v != want[0] || r != want[1] {
				t.Errorf("%q in pieces of %d:\n text %q, reasoning %q\n want %q, %q", in, n, v, r, want[0], want[1])
			}
		}
		if v, r := Clean(in); v != want[0] || r != want[1] {
			t.Errorf("Clean(%q): text %q, reasoning %q", in, v, r)
		}
	}
}

func TestTextIsShownAsSoonAsItCannotBeATag(t *testing.T) {
	for _, c := range []struct{ in, text, thought string }{
		{"Hello world `co", "Hello world `co", ""},
		{"a <", "a ", ""},
		{"a <b", "a <b", ""},
		{"a </thinki", "a ", ""},
		{"```\n<think", "```\n<think", ""},
		{"<think>a b", "", "a b"},
		{"Use `<think", "Use `", ""},
		{"Use `<think>` n", "Use `<think>` n", ""},
		{"— ◁", "— ", ""},
		{"a <think>b</think", "a ", ""},
	} {
		for _, n := range []int{1, len(c.in)} {
			ch := newChannel()
			var got []engine.Delta
			for _, piece := range bytesOf(c.in, n) {
				got = append(got, ch.add(engine.TextDelta{Text: piece})...)
			}
			if v, r := fold(got); v != c.text || r != c.thought {
				t.Errorf("%q in pieces of %d: text %q, thought %q so far", c.in, n, v, r)
			}
		}
	}
}

func TestWhileAMidLineTagIsOpenTheScreenSeesThinking(t *testing.T) {
	c := newChannel()
	c.add(engine.TextDelta{Text: "Hello <think>"})
	got := c.add(engine.TextDelta{Text: "secret"})
	if len(got) != 1 || got[0] != (engine.Delta)(engine.ThoughtDelta{}) {
		t.Errorf("got %#v", got)
	}
}

func TestOtherDeltasKeepTheirPlace(t *testing.T) {
	call := engine.CallDelta{ID: "c1", Name: "ls"}
	native := engine.ThoughtDelta{Text: "native"}
	opaque := engine.OpaqueDelta{Opaque: engine.Opaque{Kind: "k"}}
	var f engine.Fold
	for _, d := range through(t, native, engine.TextDelta{Text: "a <think>b"}, opaque, engine.TextDelta{Text: "</think> c <thi"},
		call, engine.TextDelta{Text: "d <"}, engine.Done{}) {
		f.Add(d)
	}
	got, _ := engine.Marshal(f.Message(time.Time{}).Parts)
	want := `[{"type":"thought","text":"native"},{"type":"text","text":"a "},{"type":"thought","text":"b"},` +
		`{"type":"opaque","mode":"","kind":"k","data":null},{"type":"text","text":" c <thi"},` +
		`{"type":"call","id":"c1","name":"ls","args":"{}"},{"type":"text","text":"d <"}]`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestARetryForgetsWhatTheDeadAttemptHeld(t *testing.T) {
	v, r := fold(through(t, engine.TextDelta{Text: "<think>old"}, engine.Retry{Action: engine.ActionRetry},
		engine.TextDelta{Text: "Hello <"}, engine.Done{Stop: engine.StopEnd}))
	if v != "Hello <" || r != "" {
		t.Errorf("text %q, reasoning %q", v, r)
	}
	v, r = fold(through(t, engine.TextDelta{Text: "a <think>b"}, engine.Retry{Action: engine.ActionContinue, Keep: true},
		engine.TextDelta{Text: "c</think> d"}, engine.Done{Stop: engine.StopEnd}))
	if v != "a  d" || r != "bc" {
		t.Errorf("kept: text %q, reasoning %q", v, r)
	}
}

func TestAReplyThatBreaksOffShowsWhatWasHeld(t *testing.T) {
	broken := errors.New("reset")
	var got []engine.Delta
	var last error
	for d, err := range Wrap(fake{[]engine.Delta{engine.TextDelta{Text: "a <think>b"}}, broken}).Stream(t.Context(), engine.Request{}) {
		if last = err; err == nil {
			got = append(got, d)
		}
	}
	if v, _ := fold(got); v != "a <think>b" || last != broken {
		t.Errorf("text %q, error %v", v, last)
	}
}

func TestAConsumerMayStopAtAnyDelta(t *testing.T) {
	in := []engine.Delta{engine.TextDelta{Text: "a\n<think>b</think>c <"}, engine.CallDelta{Name: "x"}, engine.Done{}}
	for n := 1; n < 6; n++ {
		seen := 0
		for range Wrap(fake{deltas: in}).Stream(t.Context(), engine.Request{}) {
			if seen++; seen == n {
				break
			}
		}
		if seen != n {
			t.Errorf("stopped after %d of %d", seen, n)
		}
	}
}

func TestRecordedRepliesWithInlineReasoning(t *testing.T) {
	file := shared(t, "fixtures/expected.json")
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]struct {
		Content string
		Split   *struct{ Content, Reasoning string } `json:"think_split"`
	}
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	checked := 0
	for id, e := range all {
		v, r := Clean(e.Content)
		if e.Split != nil {
			checked++
			if v != e.Split.Content || r != e.Split.Reasoning {
				t.Errorf("%s: text %q, reasoning %q", id, v, r)
			}
		} else if !strings.Contains(strings.ToLower(e.Content), "think") && v != e.Content {
			t.Errorf("%s: text changed: %q", id, v)
		}
	}
	if checked == 0 {
		t.Error("no reply to check")
	}
}

// shared finds a file of the pages beside the repository, or skips.
func shared(t *testing.T, name string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		file := filepath.Join(filepath.Dir(dir), "shared", name)
		if _, err := os.Stat(file); err == nil {
			return file
		}
	}
	t.Skipf("no ../shared/%s beside the repository", name)
	return ""
}
