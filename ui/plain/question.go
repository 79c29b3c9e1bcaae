package plain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"talaria/engine"
	"talaria/ui/style"
)

// asks are the lines of a question: what is asked, all that the answer depends on, and the answers by number.
func asks(q engine.Question) []string {
	word := "Question:"
	if q.Kind == engine.Approval {
		word = "Needs approval:"
	}
	out := one("%s %s", word, strings.TrimSuffix(oneLine(q.Title), "."))
	if q.Danger != "" {
		out = append(out, one("Warning: in the danger table: %s.", q.Danger)...)
	}
	if q.Why != "" {
		out = append(out, one("Note: asked because %s.", strings.TrimSuffix(q.Why, "."))...)
	}
	out = append(out, body(q)...)
	var all []string
	for i, c := range choices(q) {
		text := fmt.Sprintf("%d %s", i+1, strings.TrimSuffix(oneLine(c.Label), "."))
		if c.Description != "" {
			text += " (" + oneLine(c.Description) + ")"
		}
		if c.Recommended {
			text += " (recommended)"
		}
		all = append(all, text)
	}
	if rule := oneLine(q.Rule); rule != "" {
		out = append(out, one("Note: session and always remember the rule %s", rule)...)
	}
	return append(out, one("%s%s", strings.Join(all, ", "), how(q, len(all)))...)
}

// body is what is asked about, exactly: characters that cannot be seen are spelled out.
func body(q engine.Question) []string {
	text := q.Body
	if q.Diff != "" {
		text = q.Diff
	}
	if strings.TrimSpace(text) == "" {
		return nil
	}
	var out []string
	for l := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		out = append(out, "  "+style.Visible(l))
	}
	return out
}

// how says how to answer.
func how(q engine.Question, n int) string {
	switch {
	case n == 0:
		return "Type your answer, or skip."
	case q.Kind == engine.Clarify && q.Multi:
		return ". Type numbers with commas between, your own answer, skip, or /later."
	case q.Kind == engine.Clarify:
		return ". Type a number, your own answer, skip, or /later."
	}
	return ". Type a number."
}

// order is how the answers to an approval stand, and what may be typed for each but its number.
var order = []struct{ value, words, letter string }{
	{engine.ChoiceOnce, "once", "y"},
	{engine.ChoiceSession, "session", "s"},
	{engine.ChoiceAlways, "always", "a"},
	{engine.ChoiceEdit, "edit", "e"},
	{engine.ChoiceDeny, "deny (a reason may follow)", "n"},
}

// choices are the answers in the order of their numbers.
func choices(q engine.Question) []engine.Choice {
	if q.Kind != engine.Approval {
		return q.Choices
	}
	var out []engine.Choice
	for _, o := range order {
		offered := slices.ContainsFunc(q.Choices, func(c engine.Choice) bool { return c.Value == o.value })
		always := o.value == engine.ChoiceOnce || o.value == engine.ChoiceDeny
		if (offered || always) && !(o.value == engine.ChoiceEdit && q.Draft == "") {
			out = append(out, engine.Choice{Value: o.value, Label: o.words})
		}
	}
	return out
}

// labels are the words for an answer, several joined by commas.
func labels(q engine.Question, choice string) string {
	var all []string
	for v := range strings.SplitSeq(choice, ",") {
		label := v
		for _, c := range choices(q) {
			if c.Value == v {
				label, _, _ = strings.Cut(c.Label, " (")
			}
		}
		all = append(all, oneLine(label))
	}
	return strings.Join(all, ", ")
}

// answer reads what was typed as an answer to q; ok is false when it is none.
func answer(q engine.Question, text string) (a engine.Answer, ok bool) {
	a.ID = q.ID
	head, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	head, rest = strings.ToLower(strings.Trim(head, ".,:")), strings.TrimSpace(rest)
	all := choices(q)
	for i, c := range all {
		means := head == strconv.Itoa(i+1) || head == c.Value || q.Kind == engine.Approval && head == letter(c.Value) || q.Kind == engine.Trust && head == c.Value[:1]
		if means && (rest == "" || c.Value == engine.ChoiceDeny) { // words behind a yes say that it is no plain yes
			a.Choice, a.Text = c.Value, rest
			return a, true
		}
	}
	if q.Kind != engine.Clarify {
		return a, false
	}
	text = strings.TrimSpace(text)
	if head == engine.ChoiceSkip && rest == "" || head == "s" && rest == "" {
		a.Choice = engine.ChoiceSkip
		return a, true
	}
	if picked := several(all, text); q.Multi && picked != "" {
		a.Choice = picked
		return a, true
	}
	a.Text = text
	return a, text != ""
}

func letter(value string) string {
	for _, o := range order {
		if o.value == value {
			return o.letter
		}
	}
	return ""
}

// several reads "1, 3" as choices; "" when it is something else.
func several(all []engine.Choice, text string) string {
	var values []string
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		n, err := strconv.Atoi(w)
		if err != nil || n < 1 || n > len(all) {
			return ""
		}
		if v := all[n-1].Value; !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return strings.Join(values, ",")
}

// guard is how long after a question opened a line of a person's cannot be meant for it (UX: 400 ms).
const guard = 400 * time.Millisecond

// asking is what is asked of the user: the questions that wait, those left for later, and what was typed meanwhile that
// was no answer.
type asking struct {
	open   []engine.Question
	later  []engine.Question
	opened time.Time // the first of open
	edit   *editing
	kept   []string
	list   *list // a numbered list waits for its number
	secret func(key string)
}

// editing is a call that is being typed anew.
type editing struct {
	q     engine.Question
	lines []string
}

func (a *asking) add(q engine.Question, now time.Time) {
	if len(a.open) == 0 {
		a.opened = now
	}
	a.open = append(a.open, q)
}

// drop forgets a question that needs no answer any more; next is the one that is the first now, if that is another.
func (a *asking) drop(id string, now time.Time) (next *engine.Question) {
	is := func(q engine.Question) bool { return q.ID == id }
	first := len(a.open) > 0 && is(a.open[0])
	a.open, a.later = slices.DeleteFunc(a.open, is), slices.DeleteFunc(a.later, is)
	if a.edit != nil && is(a.edit.q) {
		a.edit = nil
	}
	if !first || len(a.open) == 0 {
		return nil
	}
	a.opened = now
	return &a.open[0]
}

// refusals are the answers to all questions when nobody can answer any more.
func (a *asking) refusals() (all []engine.Op) {
	for _, q := range append(a.open, a.later...) {
		choice := map[engine.QuestionKind]string{engine.Clarify: engine.ChoiceSkip, engine.Trust: engine.ChoiceNo}[q.Kind]
		if choice == "" {
			choice = engine.ChoiceDeny
		}
		all = append(all, engine.Answer{ID: q.ID, Choice: choice, Text: "nobody is there to answer"})
	}
	a.open, a.later = nil, nil
	return all
}
