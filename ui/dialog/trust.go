package dialog

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/style"
)

// Truster asks whether a directory's own instructions and settings may be used. Its first focus is No.
type Truster struct {
	Guard
	sheet   style.Sheet
	q       engine.Question
	answer  func(engine.Answer) tea.Cmd
	at, top int
}

// Trust returns the dialog for q, opened at that time: Title asks, Body lists what was found, one to a line.
func Trust(sheet style.Sheet, q engine.Question, opened time.Time, answer func(engine.Answer) tea.Cmd) *Truster {
	return &Truster{Guard: NewGuard(opened), sheet: sheet, q: q, answer: answer, at: 1}
}

// SetSheet changes the theme or the glyphs.
func (t *Truster) SetSheet(s style.Sheet) { t.sheet = s }

// Update takes keys: y and n answer, Esc is no.
func (t *Truster) Update(msg tea.Msg) (tea.Cmd, bool) {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil, false
	}
	switch k.Keystroke() {
	case "esc":
		return t.give(engine.ChoiceNo), true
	case "pgup":
		t.top = max(0, t.top-5)
		return nil, false
	case "pgdown":
		t.top += 5
		return nil, false
	}
	if t.Blocks(k, time.Now()) {
		return nil, false
	}
	switch k.Keystroke() {
	case "up", "ctrl+p":
		t.at = 0
	case "down", "ctrl+n", "tab":
		t.at = 1
	case "enter":
		return t.give([]string{engine.ChoiceYes, engine.ChoiceNo}[t.at]), true
	}
	switch Letter(k) {
	case "y", "1":
		return t.give(engine.ChoiceYes), true
	case "n", "2":
		return t.give(engine.ChoiceNo), true
	}
	return nil, false
}

func (t *Truster) give(choice string) tea.Cmd {
	return t.answer(engine.Answer{ID: t.q.ID, Choice: choice})
}

// View draws the question with what was found in the directory.
func (t *Truster) View(w, h int) (string, *tea.Cursor) {
	s := t.sheet
	f := Frame{Sheet: s, Title: "Do you trust this?", Max: 84, Hints: t.Told([]string{"Enter choose", "Esc no"})}
	inner := f.Inner(w)
	p := Page{Top: t.top, More: Plain(s, "… # · PgUp/PgDn")}
	for _, l := range style.Wrap(OneLine(t.q.Title), inner) {
		p.Head = append(p.Head, s.Paint(style.Look{Fg: themes.Fg, Bold: true}, l))
	}
	for _, text := range []string{t.q.Why, t.q.Danger} {
		if text != "" {
			for _, l := range style.Wrap(OneLine(text), inner) {
				p.Head = append(p.Head, s.Ink(themes.FgMuted, l))
			}
		}
	}
	if t.q.Body != "" {
		p.Body = append(p.Body, "")
		for _, l := range strings.Split(visibleText(t.q.Body), "\n") {
			p.Body = append(p.Body, style.Wrap(l, inner)...)
		}
	}
	lines, starts := Options(s, t.choiceRows(), t.at, inner)
	p.Foot = append([]string{""}, lines...)
	p.Row, p.Keep = 1+starts[t.at], len(p.Foot)
	return f.Draw(w, h, p)
}

func (t *Truster) choiceRows() []Option {
	all := []Option{{Key: "y", Label: "Yes, use what this directory says"}, {Key: "n", Label: "No, work without it"}}
	for _, c := range t.q.Choices {
		if c.Label == "" {
			continue
		}
		switch c.Value {
		case engine.ChoiceYes:
			all[0].Label = OneLine(c.Label)
		case engine.ChoiceNo:
			all[1].Label = OneLine(c.Label)
		}
	}
	return all
}

// Keys lists what can be pressed.
func (t *Truster) Keys() []Binding {
	return []Binding{{Keys: []string{"y"}, Name: "trust it"}, {Keys: []string{"n", "esc"}, Name: "do not"}}
}
