package textcalls

import (
	"context"
	"encoding/json"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"talaria/engine"
)

// offered are the tools of every test.
var offered = []engine.Spec{
	{Name: "read_file", Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"},"offset":{"type":"integer"},"limit":{"type":["integer","null"]}},"required":["path"]}`)},
	{Name: "write_file", Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}},"required":["path","content"]}`)},
	{Name: "search_files", Schema: json.RawMessage(`{"type":"object","properties":{"pattern":{"type":"string"},"globs":{"type":"array","items":{"type":"string"}},"hidden":{"type":"boolean"},"ratio":{"anyOf":[{"type":"number"},{"type":"null"}]},"options":{"type":"object"},"any":{}}}`)},
	{Name: "list_tasks", Schema: json.RawMessage(`{"type":"object","properties":{}}`)},
}

// played yields its deltas and then its error, if there is one.
type played struct {
	deltas []engine.Delta
	err    error
}

func (p played) Stream(context.Context, engine.Request) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		for _, d := range p.deltas {
			if !yield(d, nil) {
				return
			}
		}
		if p.err != nil {
			yield(nil, p.err)
		}
	}
}

// through returns what the wrapped provider tells, and the error at its end.
func through(p played, ts []engine.Spec) (out []engine.Delta, err error) {
	for d, e := range Wrap(p).Stream(context.Background(), engine.Request{Tools: ts}) {
		if e != nil {
			return out, e
		}
		out = append(out, d)
	}
	return out, nil
}

// outcome is what a consumer makes of a reply: its parts, in order, calls as name and arguments.
type outcome struct {
	parts []string
	stop  engine.Stop
}

func (o outcome) equal(p outcome) bool { return o.stop == p.stop && slices.Equal(o.parts, p.parts) }

func folded(ds []engine.Delta) outcome {
	var f engine.Fold
	for _, d := range ds {
		f.Add(d)
	}
	m := f.Message(time.Time{})
	o := outcome{stop: m.Stop}
	for _, p := range m.Parts {
		switch p := p.(type) {
		case engine.Text:
			o.parts = append(o.parts, "text "+p.Text)
		case engine.Thought:
			o.parts = append(o.parts, "thought "+p.Text)
		case engine.Call:
			o.parts = append(o.parts, "call "+p.Name+" "+p.Args)
		case engine.Opaque:
			o.parts = append(o.parts, "opaque "+p.Kind)
		case engine.Image, engine.Result, engine.Unknown:
			panic("no part of a reply")
		}
	}
	return o
}

func pieces(cut []string) []engine.Delta {
	var ds []engine.Delta
	for _, c := range cut {
		ds = append(ds, engine.TextDelta{Text: c})
	}
	return ds
}

func ended(ds []engine.Delta, stop engine.Stop) []engine.Delta {
	return append(slices.Clone(ds), engine.Done{Stop: stop})
}

func bytesOf(s string, n int) []string {
	var out []string
	for c := range slices.Chunk([]byte(s), n) {
		out = append(out, string(c))
	}
	return out
}

func randomCut(s string, r *rand.Rand) []string {
	var out []string
	for len(s) > 0 {
		n := 1 + r.IntN(len(s))
		out, s = append(out, s[:n]), s[n:]
	}
	return out
}

// cuts are several ways to cut s.
func cuts(s string, r *rand.Rand) [][]string {
	return [][]string{{s}, bytesOf(s, 1), bytesOf(s, 2), bytesOf(s, 3), bytesOf(s, 7), bytesOf(s, 50), randomCut(s, r), randomCut(s, r)}
}

// reply is what s comes to, the same however it is cut.
func reply(t *testing.T, s string) outcome {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(len(s)), 1))
	var want outcome
	for i, cut := range cuts(s, r) {
		ds, _ := through(played{deltas: ended(pieces(cut), engine.StopEnd)}, offered)
		got := folded(ds)
		if i == 0 {
			want = got
		}
		if !got.equal(want) {
			t.Fatalf("%q\nwhole: %q\ncut %q: %q", s, want, cut, got)
		}
	}
	return want
}

// calls checks that s comes to these parts, with stop tool_calls.
func calls(t *testing.T, s string, parts ...string) {
	t.Helper()
	if got := reply(t, s); got.stop != engine.StopCalls || !slices.Equal(got.parts, parts) {
		t.Errorf("%s\ngives %s, %s\nwant %s", s, got.stop, strings.Join(got.parts, " | "), strings.Join(parts, " | "))
	}
}

// stays checks that s stays what it is.
func stays(t *testing.T, s string) {
	t.Helper()
	if got := reply(t, s); got.stop != engine.StopEnd || !slices.Equal(got.parts, []string{"text " + s}) {
		t.Errorf("%s\ngives %s, %q\nwant it as text", s, got.stop, got.parts)
	}
}
