package plain

import (
	"slices"
	"strings"

	"talaria/engine"
)

// reply is the answer under way. Its lines are told as they are complete, and are those of the message that is stored at
// the end: nothing is told twice, and what was told is never changed.
type reply struct {
	look    Look
	thought strings.Builder
	sealed  bool // a seal ended a piece of reasoning; what follows is another
	thinks  bool // the reasoning was told
	partial string
	blanks  int // empty lines that are told when something follows
	lines   int // of the answer
	told    []string
}

// think takes a piece of reasoning, which is told when it is over.
func (r *reply) think(d engine.ThoughtDelta) {
	if r.sealed && d.Text != "" {
		r.thought.WriteString("\n\n")
		r.sealed = false
	}
	r.thought.WriteString(d.Text)
	r.sealed = r.sealed || d.Signature != ""
}

// text takes a piece of the answer and returns the lines that it completed.
func (r *reply) text(s string) (out []string) {
	whole, rest, ok := cutLast(r.partial + s)
	r.partial = rest
	if !ok {
		return nil
	}
	for l := range strings.SplitSeq(whole, "\n") {
		out = append(out, r.line(strings.TrimSuffix(l, "\r"))...)
	}
	if len(out) > 0 && !r.thinks {
		out = append(r.thinking(r.thought.String()), out...)
	}
	return out
}

func cutLast(s string) (before, after string, ok bool) {
	i := strings.LastIndexByte(s, '\n')
	if i < 0 {
		return "", s, false
	}
	return s[:i], s[i+1:], true
}

// line tells one line of the answer, with the empty ones before it.
func (r *reply) line(l string) (out []string) {
	if strings.TrimSpace(l) == "" {
		if r.lines > 0 {
			r.blanks++
		}
		return nil
	}
	for ; r.blanks > 0; r.blanks-- {
		out = append(out, "")
	}
	switch {
	case r.lines == 0:
		l = "Assistant: " + l
	case passes(l):
		l = "  " + l
	}
	out = append(out, l)
	r.lines += len(out)
	r.told = append(r.told, out...)
	return out
}

// whole returns what is left to tell of a reply that is stored.
func (r *reply) whole(m engine.Message) []string {
	before, again := slices.Clone(r.told), reply{look: r.look}
	all := again.text(m.Text() + "\n")
	if !slices.Equal(again.told[:min(len(before), len(again.told))], before) {
		r.thinks = true
		return append([]string{"Note: the answer was changed at the end. This is the whole of it."}, again.told...)
	}
	if len(all) > 0 {
		all = again.told[len(before):]
	}
	if !r.thinks {
		all = append(r.thinking(m.Reasoning()), all...)
	}
	return all
}

// thinking tells reasoning: its beginning and its length, or all of it.
func (r *reply) thinking(text string) []string {
	r.thinks = true
	text = strings.TrimSpace(text)
	if text == "" || r.look.Reasoning == "hidden" || r.look.Level == "quiet" {
		return nil
	}
	if r.look.Reasoning == "full" || r.look.Level == "full" {
		return block("Thinking:", text)
	}
	first, more, _ := strings.Cut(text, "\n")
	if n := len(strings.Fields(more)); n > 0 {
		return one("Thinking: %s (and %s)", first, plural(n, "more word", "more words"))
	}
	return one("Thinking: %s", first)
}
