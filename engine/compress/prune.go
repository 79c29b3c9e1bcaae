package compress

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"talaria/engine"
)

// Sizes in characters from which something old is shortened (BEHAVIOUR 10.3).
const (
	longResult = 200
	longArgs   = 500
	longLeaf   = 200
)

// prune returns a copy of msgs in which what stands before the index tail is short: a result that came again later
// points there, a long old result is one line, long arguments are clipped, old pictures are gone. Nothing is removed, so
// calls keep their results.
func prune(msgs []engine.Message, tail int) []engine.Message {
	out := append([]engine.Message(nil), msgs...)
	newest := newestResults(msgs)
	picture := newestPicture(msgs)
	lines := map[string]string{}
	for i, m := range msgs {
		for _, c := range m.Calls() {
			lines[c.ID] = c.Name + " " + clip(oneLine(c.Args), 120)
		}
		if i >= tail || m.Summary {
			continue
		}
		parts := append(engine.Parts(nil), m.Parts...)
		for k, p := range parts {
			switch p := p.(type) {
			case engine.Result:
				parts[k] = shortResult(p, i, newest, lines)
			case engine.Call:
				if len(p.Args) > longArgs {
					p.Args = shortArgs(p.Args)
					parts[k] = p
				}
			case engine.Image:
				if i < picture {
					parts[k] = engine.Text{Text: "[picture " + p.Name + ", no longer shown]"}
				}
			case engine.Text, engine.Thought, engine.Opaque, engine.Unknown:
			}
		}
		out[i].Parts = parts
	}
	return out
}

// newestResults tells for each long text of a result the last message that holds it.
func newestResults(msgs []engine.Message) map[string]int {
	at := map[string]int{}
	for i, m := range msgs {
		for _, r := range m.Results() {
			if len(r.Text) >= longResult {
				at[r.Text] = i
			}
		}
	}
	return at
}

// newestPicture is the newest user message with a picture; older ones are not shown to the model any more.
func newestPicture(msgs []engine.Message) int {
	newest := -1
	for i, m := range msgs {
		for _, p := range m.Parts {
			if _, ok := p.(engine.Image); ok && m.Role == engine.RoleUser {
				newest = i
			}
		}
	}
	return newest
}

func shortResult(r engine.Result, at int, newest map[string]int, lines map[string]string) engine.Result {
	switch {
	case len(r.Text) < longResult:
	case newest[r.Text] > at:
		r.Text = "[the same result came again later; it stands there]"
	default:
		what := lines[r.CallID]
		if what == "" {
			what = r.Name
		}
		r.Text = fmt.Sprintf("[%s: %s, %d lines, %d characters; shortened, run it again to see it. It began: %s]", what, r.Status,
			strings.Count(r.Text, "\n")+1, len(r.Text), clip(oneLine(r.Text), 80))
	}
	return r
}

// shortArgs clips the long texts inside arguments; what is no JSON stays, since it must go back as it is.
func shortArgs(args string) string {
	dec := json.NewDecoder(strings.NewReader(args))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return args
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(clipLeaves(v)) != nil {
		return args
	}
	return strings.TrimSpace(b.String())
}

func clipLeaves(v any) any {
	switch v := v.(type) {
	case string:
		return clip(v, longLeaf)
	case []any:
		for i := range v {
			v[i] = clipLeaves(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = clipLeaves(v[k])
		}
	}
	return v
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// clip shortens s to about n characters, and says so.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return fmt.Sprintf("%s… [%d more characters]", string(r[:n]), len(r)-n)
}
