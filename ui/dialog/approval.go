package dialog

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/composer"
	"talaria/ui/style"
)

// Approver asks whether a call may run. It shows exactly what will happen, and the rule that an answer would make.
type Approver struct {
	guard
	sheet   style.Sheet
	q       engine.Question
	waiting int
	answer  func(engine.Answer) tea.Cmd
	choices []engine.Choice
	at      int
	reason  *composer.Line // non-nil while a reason for a denial is typed
	scroll  scroll
	laid    laid
	hides   bool // the diff holds characters that its drawing does not show
}

// laid is the diff or command as last laid out: it may be long, and the screen is drawn often.
type laid struct {
	width int
	full  bool
	lines []string
}

// scroll is the part of the diff or command that is in view.
type scroll struct {
	top, page, last int
	full            bool
}

func (s *scroll) by(n int) { s.top = max(0, min(s.top+n, s.last)) }

// Approval returns the dialog for q, opened at that time. Waiting is how many questions wait in all, this one included.
// Answer makes the command that sends the answer.
func Approval(sheet style.Sheet, q engine.Question, opened time.Time, waiting int, answer func(engine.Answer) tea.Cmd) *Approver {
	a := &Approver{guard: newGuard(opened), sheet: sheet, q: q, waiting: waiting, answer: answer, hides: hides(q.Diff)}
	a.choices = offered(q)
	if q.Danger != "" {
		a.at = len(a.choices) - 1
	}
	return a
}

// SetSheet changes the theme or the glyphs.
func (a *Approver) SetSheet(s style.Sheet) { a.sheet, a.laid = s, laid{} }

// SetWaiting changes how many questions are said to wait, this one included.
func (a *Approver) SetWaiting(n int) { a.waiting = n }

// offered returns the choices that this dialog can give, denial last; allowing for longer only if the question offers it.
func offered(q engine.Question) []engine.Choice {
	words := map[string]string{engine.ChoiceOnce: "Allow once", engine.ChoiceSession: "Allow for this session", engine.ChoiceDeny: "Deny and tell the agent why"}
	has := map[string]bool{engine.ChoiceOnce: true, engine.ChoiceDeny: true}
	for _, c := range q.Choices {
		if _, known := words[c.Value]; known {
			has[c.Value] = true
			if c.Label != "" {
				words[c.Value] = oneLine(c.Label)
			}
		}
	}
	var out []engine.Choice
	for _, v := range []string{engine.ChoiceOnce, engine.ChoiceSession, engine.ChoiceDeny} {
		if has[v] {
			out = append(out, engine.Choice{Value: v, Label: words[v]})
		}
	}
	return out
}

// letters are the keys of the choices; the digits are those of the full set, which has more members later.
var letters = map[string][2]string{engine.ChoiceOnce: {"y", "1"}, engine.ChoiceSession: {"s", "2"}, engine.ChoiceDeny: {"n", "5"}}

// Update takes keys and pastes. Scrolling and Esc work at once; what answers is guarded.
func (a *Approver) Update(msg tea.Msg) (tea.Cmd, bool) {
	if a.reason != nil {
		return a.typeReason(msg)
	}
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil, false
	}
	switch k.Keystroke() {
	case "esc":
		return a.give(engine.ChoiceDeny, ""), true
	case "pgup":
		a.scroll.by(-a.scroll.page)
		return nil, false
	case "pgdown":
		a.scroll.by(a.scroll.page)
		return nil, false
	case "shift+up":
		a.scroll.by(-1)
		return nil, false
	case "shift+down":
		a.scroll.by(1)
		return nil, false
	}
	if a.blocks(k, time.Now()) {
		return nil, false
	}
	switch k.Keystroke() {
	case "up", "ctrl+p":
		a.at = move(a.at, -1, len(a.choices))
	case "down", "ctrl+n", "tab":
		a.at = move(a.at, 1, len(a.choices))
	case "enter":
		return a.choose(a.choices[a.at].Value)
	}
	return a.byLetter(letter(k))
}

func (a *Approver) byLetter(key string) (tea.Cmd, bool) {
	if key == "d" && a.q.Diff+a.q.Body != "" {
		a.scroll.full = !a.scroll.full
		a.scroll.top = 0
	}
	for _, c := range a.choices {
		if l := letters[c.Value]; key != "" && (key == l[0] || key == l[1]) {
			return a.choose(c.Value)
		}
	}
	return nil, false
}

// choose answers, or asks for the reason of a denial first.
func (a *Approver) choose(value string) (tea.Cmd, bool) {
	if value == engine.ChoiceDeny {
		a.reason, a.at = &composer.Line{}, len(a.choices)-1
		return nil, false
	}
	return a.give(value, ""), true
}

func (a *Approver) typeReason(msg tea.Msg) (tea.Cmd, bool) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.Keystroke() {
		case "enter":
			return a.give(engine.ChoiceDeny, a.reason.Value()), true
		case "esc":
			return a.give(engine.ChoiceDeny, ""), true
		case "pgup":
			a.scroll.by(-a.scroll.page)
			return nil, false
		case "pgdown":
			a.scroll.by(a.scroll.page)
			return nil, false
		}
	}
	a.reason.Update(msg)
	return nil, false
}

func (a *Approver) give(choice, text string) tea.Cmd {
	return a.answer(engine.Answer{ID: a.q.ID, Choice: choice, Text: text})
}

// Keys lists what can be pressed.
func (a *Approver) Keys() []Binding {
	if a.reason != nil {
		return []Binding{{Keys: []string{"enter"}, Name: "deny with this reason"}, {Keys: []string{"esc"}, Name: "deny without"}}
	}
	var out []Binding
	for _, c := range a.choices {
		l := letters[c.Value]
		out = append(out, Binding{Keys: l[:], Name: c.Label})
	}
	return append(out, Binding{Keys: []string{"d"}, Name: "show it in full"}, Binding{Keys: []string{"pgup", "pgdown"}, Name: "scroll"},
		Binding{Keys: []string{"esc"}, Name: "deny"})
}

// edge colours the box of a dangerous call.
func (a *Approver) edge() themes.Role {
	if a.q.Danger != "" {
		return themes.ModeDanger
	}
	return themes.BorderFocus
}
