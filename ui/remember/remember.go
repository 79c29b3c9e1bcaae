// Package remember is "#" in the prompt: one line to be known in every conversation. It shows what would be kept and asks
// where; it refuses to keep anything before that, and what is not kept stays in the prompt.
package remember

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/dialog"
	"talaria/ui/overlay"
	"talaria/ui/screen"
	"talaria/ui/style"
)

// kept is how keeping ended.
type kept struct {
	text string
	err  error
}

// New returns the feature; without a memory there is none.
func New(s *screen.State) screen.Feature {
	if s.Views.Memory == nil {
		return screen.Feature{}
	}
	return screen.Feature{
		Sends: func(text string) (tea.Cmd, bool) {
			line, ok := strings.CutPrefix(text, "#")
			line = strings.TrimSpace(line)
			if !ok || line == "" || line[0] == '#' || strings.Contains(text, "\n") {
				return nil, false
			}
			return s.Open(overlay.Overlay{ID: "remember", Key: "Esc back", Quiet: true, Box: &box{s: s, line: line}}), true
		},
		Update: func(msg tea.Msg) tea.Cmd {
			k, ok := msg.(kept)
			switch {
			case !ok:
			case k.err != nil:
				s.Say(engine.NoteWarning, "Not remembered: "+k.err.Error()+".")
				if s.Prompt.Empty() {
					s.Prompt.SetValue("#" + k.text)
				}
			default:
				s.Say(engine.NoteInfo, "Remembered. New sessions know it; this one keeps what it began with. /memory shows all.")
			}
			return nil
		},
	}
}

// box asks where a line is kept.
type box struct {
	s    *screen.State
	line string
	at   int
}

var choices = []string{"The agent's notes (MEMORY.md)", "About you (USER.md)", "Nowhere: back to the prompt"}

// SetSheet changes nothing: the box draws with the screen's sheet.
func (b *box) SetSheet(style.Sheet) {}

// Update moves and chooses.
func (b *box) Update(msg tea.Msg) (tea.Cmd, bool) {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil, false
	}
	switch name := k.Keystroke(); name {
	case "esc", "3":
		return nil, true
	case "up", "ctrl+p":
		b.at = (b.at + len(choices) - 1) % len(choices)
	case "down", "ctrl+n":
		b.at = (b.at + 1) % len(choices)
	case "1", "2":
		return b.keep(name == "2"), true
	case "enter":
		if b.at == 2 {
			return nil, true
		}
		return b.keep(b.at == 1), true
	}
	return nil, false
}

func (b *box) keep(user bool) tea.Cmd {
	b.s.Prompt.Remember("#" + b.line)
	b.s.Prompt.Reset()
	book, ctx, line, page := b.s.Views.Memory, b.s.Context, b.line, "memory"
	if user {
		page = "user"
	}
	return func() tea.Msg { return kept{line, book.Change(ctx, page, "", line)} }
}

// View draws the line and the choices.
func (b *box) View(w, h int) (string, *tea.Cursor) {
	s := b.s.Sheet
	f := dialog.Frame{Sheet: s, Title: "Remember", Max: 72, Hints: []string{"1-2 choose", "Enter keep", "Esc back"}}
	var p dialog.Page
	for _, l := range style.Wrap(style.Safe(b.line), f.Inner(w)) {
		p.Body = append(p.Body, s.Ink(themes.Fg, l))
	}
	p.Body = append(p.Body, "")
	for i, c := range choices {
		sign, look := "  ", style.Look{Fg: themes.Fg}
		if i == b.at {
			sign, look = s.Glyphs.Focus+" ", style.Look{Fg: themes.Fg, Bg: themes.RowSel, Bold: true}
		}
		p.Foot = append(p.Foot, s.Paint(look, style.PadRight(s.Truncate(sign+string(rune('1'+i))+"  "+c, f.Inner(w)), f.Inner(w))))
	}
	p.Keep, p.Row, p.More = len(choices), b.at, dialog.Plain(s, "… #")
	return f.Draw(w, h, p)
}

// Keys lists what can be pressed.
func (b *box) Keys() []dialog.Binding {
	return []dialog.Binding{{Keys: []string{"1", "2"}, Name: "keep it there"}, {Keys: []string{"esc"}, Name: "back"}}
}
