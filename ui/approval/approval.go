package approval

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/composer"
	"talaria/ui/dialog"
	"talaria/ui/diffview"
	"talaria/ui/style"
)

// Approval asks whether a call may run. It is a dialog.Dialog.
type Approval struct {
	dialog.Guard
	sheet   style.Sheet
	q       engine.Question
	waiting int
	answer  func(engine.Answer) tea.Cmd
	choices []engine.Choice
	at      int
	rung    int // of q.Rungs: what a longer yes would allow
	opened  time.Time
	typed   typed
	scroll  scroll
	laid    laid
	note    string // what came of an editor
	hides   bool   // the diff holds characters that its drawing does not show
}

// typed are the lines that are being typed, nil when none is: the reason of a denial, the command as it shall be.
type typed struct{ reason, command *composer.Line }

func (t typed) line() *composer.Line {
	if t.reason != nil {
		return t.reason
	}
	return t.command
}

// laid is the diff or command as last laid out: it may be long, and the screen is drawn often. Of a diff only what came
// into view is drawn: its lines begin at from, and are empty until then.
type laid struct {
	width int
	shown shown
	lines []string
	patch *diffview.Diff
	from  int
}

// shown says what stands in the body: the diff or command, whole when full, the diff in the other form when other; or why
// it is asked.
type shown struct{ full, explain, other bool }

// scroll is the part of the body that is in view.
type scroll struct {
	top, page, last int
	shown
}

func (s *scroll) by(n int) { s.top = max(0, min(s.top+n, s.last)) }

// New returns the dialog for q, opened at that time. Waiting is how many questions wait in all, this one included.
// Answer makes the command that sends the answer.
func New(sheet style.Sheet, q engine.Question, opened time.Time, waiting int, answer func(engine.Answer) tea.Cmd) *Approval {
	a := &Approval{Guard: dialog.NewGuard(opened), sheet: sheet, q: q, waiting: waiting, answer: answer, opened: opened, hides: hides(q.Diff)}
	a.choices = offered(q)
	a.rung = max(0, min(q.At, len(q.Rungs)-1))
	if q.Danger != "" {
		a.at = len(a.choices) - 1
	}
	return a
}

// SetSheet changes the theme or the glyphs.
func (a *Approval) SetSheet(s style.Sheet) { a.sheet, a.laid = s, laid{} }

// SetWaiting changes how many questions are said to wait, this one included.
func (a *Approval) SetWaiting(n int) { a.waiting = n }

// order is how the choices stand, with the words for one that brings none and the keys; denial is last.
var order = []struct{ value, words, key, digit, short string }{
	{engine.ChoiceOnce, "Allow once", "y", "1", "once"},
	{engine.ChoiceSession, "Allow for this session", "s", "2", "session"},
	{engine.ChoiceAlways, "Always allow in this project", "a", "3", "always"},
	{engine.ChoiceEdit, "Edit it first", "e", "4", "edit"},
	{engine.ChoiceDeny, "Deny and tell the agent why", "n", "5", "deny + say why"},
}

// offered returns the choices that this dialog can give; allowing for longer, or editing, only if the question offers it.
func offered(q engine.Question) (out []engine.Choice) {
	labels := map[string]string{engine.ChoiceOnce: "", engine.ChoiceDeny: ""}
	for _, c := range q.Choices {
		labels[c.Value] = c.Label
	}
	for _, o := range order {
		label, ok := labels[o.value]
		if label = dialog.OneLine(label); label == "" {
			label = o.words
		}
		if ok && !(o.value == engine.ChoiceEdit && q.Draft == "") {
			out = append(out, engine.Choice{Value: o.value, Label: label})
		}
	}
	return out
}

// Update takes keys and pastes, and what an editor left. Scrolling and Esc work at once; what answers is guarded.
func (a *Approval) Update(msg tea.Msg) (tea.Cmd, bool) {
	if e, ok := msg.(editedMsg); ok && e.id == a.q.ID {
		return a.fromEditor(e)
	}
	if a.typed.line() != nil {
		return a.typeLine(msg)
	}
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil, false
	}
	if k.Keystroke() == "esc" {
		return a.give(engine.Answer{Choice: engine.ChoiceDeny}), true
	}
	if a.scrolls(k.Keystroke()) || a.Blocks(k, time.Now()) {
		return nil, false
	}
	switch k.Keystroke() {
	case "up", "ctrl+p":
		a.at = dialog.Step(a.at, -1, len(a.choices))
	case "down", "ctrl+n":
		a.at = dialog.Step(a.at, 1, len(a.choices))
	case "tab":
		a.widen(1)
	case "shift+tab":
		a.widen(-1)
	case "enter":
		return a.choose(a.choices[a.at].Value)
	}
	return a.byLetter(dialog.Letter(k))
}

// widen makes the rule that a longer yes would make wider or narrower; past the end it begins anew. Without such a rule
// it moves through the choices.
func (a *Approval) widen(by int) {
	if n := len(a.q.Rungs); n > 0 {
		a.rung = (a.rung + by + n) % n
		return
	}
	a.at = dialog.Step(a.at, by, len(a.choices))
}

func (a *Approval) scrolls(key string) bool {
	switch key {
	case "pgup":
		a.scroll.by(-a.scroll.page)
	case "pgdown":
		a.scroll.by(a.scroll.page)
	case "shift+up":
		a.scroll.by(-1)
	case "shift+down":
		a.scroll.by(1)
	default:
		return false
	}
	return true
}

func (a *Approval) byLetter(key string) (tea.Cmd, bool) {
	switch {
	case key == "d" && a.q.Diff+a.q.Body != "":
		a.scroll.full, a.scroll.explain = !a.scroll.full, false
		a.scroll.top = 0
	case key == "t" && a.q.Diff != "":
		a.scroll.other, a.scroll.full, a.scroll.explain = !a.scroll.other, false, false
		a.scroll.top = 0
	case key == "?":
		a.scroll.explain, a.scroll.full = !a.scroll.explain, false
		a.scroll.top = 0
	}
	for _, c := range a.choices {
		if o := rowOf(c.Value); key != "" && (key == o.key || key == o.digit) {
			return a.choose(c.Value)
		}
	}
	return nil, false
}

func rowOf(value string) struct{ value, words, key, digit, short string } {
	for _, o := range order {
		if o.value == value {
			return o
		}
	}
	return order[len(order)-1]
}

// choose answers; a denial asks for its reason first, and an edit opens the text.
func (a *Approval) choose(value string) (tea.Cmd, bool) {
	for i, c := range a.choices {
		if c.Value == value {
			a.at = i
		}
	}
	switch value {
	case engine.ChoiceDeny:
		a.typed.reason = &composer.Line{}
		return nil, false
	case engine.ChoiceEdit:
		return a.edit(), false
	case engine.ChoiceSession, engine.ChoiceAlways:
		ans := engine.Answer{Choice: value}
		if len(a.q.Rungs) > 0 {
			ans.Rule = a.q.Rungs[a.rung].Rule
		}
		return a.give(ans), true
	}
	return a.give(engine.Answer{Choice: value}), true
}

// typeLine takes a key or a paste for the line being typed. Esc leaves a command as it was; out of a reason it denies.
func (a *Approval) typeLine(msg tea.Msg) (tea.Cmd, bool) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch key := k.Keystroke(); {
		case key == "enter" && a.typed.reason != nil:
			return a.give(engine.Answer{Choice: engine.ChoiceDeny, Text: a.typed.reason.Value()}), true
		case key == "esc" && a.typed.reason != nil:
			return a.give(engine.Answer{Choice: engine.ChoiceDeny}), true
		case key == "esc":
			a.typed.command = nil
			return nil, false
		case key == "enter":
			return a.edited(a.typed.command.Value())
		case a.scrolls(key):
			return nil, false
		}
	}
	a.typed.line().Update(msg)
	return nil, false
}

func (a *Approval) give(ans engine.Answer) tea.Cmd {
	ans.ID = a.q.ID
	return a.answer(ans)
}

// Keys lists what can be pressed.
func (a *Approval) Keys() []dialog.Binding {
	switch {
	case a.typed.reason != nil:
		return []dialog.Binding{{Keys: []string{"enter"}, Name: "deny with this reason"}, {Keys: []string{"esc"}, Name: "deny without"}}
	case a.typed.command != nil:
		return []dialog.Binding{{Keys: []string{"enter"}, Name: "run it so"}, {Keys: []string{"esc"}, Name: "leave it as it was"}}
	}
	var out []dialog.Binding
	for _, c := range a.choices {
		o := rowOf(c.Value)
		out = append(out, dialog.Binding{Keys: []string{o.key, o.digit}, Name: c.Label})
	}
	if len(a.q.Rungs) > 1 {
		out = append(out, dialog.Binding{Keys: []string{"tab"}, Name: "widen the rule"}, dialog.Binding{Keys: []string{"shift+tab"}, Name: "narrow the rule"})
	}
	if a.q.Diff != "" {
		out = append(out, dialog.Binding{Keys: []string{"t"}, Name: "side by side"})
	}
	return append(out, dialog.Binding{Keys: []string{"d"}, Name: "show it in full"}, dialog.Binding{Keys: []string{"?"}, Name: "why am I asked"},
		dialog.Binding{Keys: []string{"pgup", "pgdown"}, Name: "scroll"}, dialog.Binding{Keys: []string{"esc"}, Name: "deny"})
}

// edge colours the box of a dangerous call.
func (a *Approval) edge() themes.Role {
	if a.q.Danger != "" {
		return themes.ModeDanger
	}
	return themes.BorderFocus
}
