// Package wardrobe is the theme picker: the whole screen wears the theme in use while the list is open, with its lowest
// contrast told. It refuses to change anything before Enter: Esc puts back what was worn.
package wardrobe

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/board"
	"talaria/ui/command"
	"talaria/ui/dialog"
	"talaria/ui/keys"
	"talaria/ui/overlay"
	"talaria/ui/screen"
	"talaria/ui/style"
)

// savedMsg is how keeping a theme for the next time ended.
type savedMsg struct{ err error }

// auto stands for what fits the terminal.
const auto = "auto"

// Feature is its key and its command.
func Feature(s *screen.State) screen.Feature {
	open := func() tea.Cmd {
		return s.Open(overlay.Overlay{ID: "theme", Key: "Esc put back", Quiet: true, Box: newView(s).b})
	}
	return screen.Feature{
		Keys: []keys.Binding{{ID: "theme", Keys: []string{"ctrl+x t"}, Name: "Theme", Do: open}},
		Commands: []command.Command{{Name: "theme", Args: "[name]", Help: "change the colours; alone: the list, with a preview", Group: command.Set, Busy: true, Do: func(name string) tea.Cmd {
			if name == "" {
				return open()
			}
			return wear(s, name)
		}}},
		Update: func(msg tea.Msg) tea.Cmd {
			if m, ok := msg.(savedMsg); ok && m.err != nil {
				s.Say(engine.NoteWarning, "The theme is worn, but it could not be kept for the next time: "+m.err.Error())
			}
			return nil
		},
	}
}

// wear is /theme NAME: until the program ends.
func wear(s *screen.State, name string) tea.Cmd {
	t, err := themes.Load(name)
	if err != nil {
		s.Say(engine.NoteInfo, "/theme NAME changes the colours: "+strings.Join(themes.Names(), ", ")+".")
		return nil
	}
	s.Chosen = true
	s.Wear(t)
	return nil
}

// view is one open picker, with what was worn before.
type view struct {
	s      *screen.State
	b      *board.Board
	names  []string
	before themes.Theme
}

func newView(s *screen.State) *view {
	v := &view{s: s, names: []string{auto}, before: s.Sheet.Theme}
	first := []string{"dusk", "paper"}
	v.names = append(v.names, first...)
	v.names = append(v.names, slices.DeleteFunc(themes.Names(), func(n string) bool { return slices.Contains(first, n) })...)
	v.b = board.New(s.Sheet, board.Words{Title: "Theme", Max: 102, Side: 28, Hints: []string{"↑↓ preview", "Enter keep", "Esc put back"}})
	v.b.Press, v.b.Detail = v.press, v.detail
	var rows []board.Row
	at := 0
	for i, n := range v.names {
		if n == v.before.Name {
			at = i
		}
		rows = append(rows, board.Row{Key: n, Text: n + notes[n]})
	}
	v.b.Fill(rows)
	v.b.Go(at)
	return v
}

// notes say what a theme is for.
var notes = map[string]string{auto: " (follow terminal)", "signal": " · colour-blind safe", "contrast-dark": " · AAA", "contrast-light": " · AAA", "mono": " · no colour"}

func (v *view) press(key string, at int) (tea.Cmd, bool) {
	switch key {
	case "esc", "q":
		v.s.Wear(v.before)
		return nil, true
	case "move":
		v.s.Wear(v.theme(at))
	case "enter":
		return v.keep(at), true
	}
	return nil, false
}

// theme is that of a row; auto is what the program wears for this terminal.
func (v *view) theme(at int) themes.Theme {
	if t, err := themes.Load(v.names[at]); err == nil {
		return t
	}
	return v.s.Theme(v.before.Kind != themes.Light, false)
}

// keep wears the theme from now on, also the next time.
func (v *view) keep(at int) tea.Cmd {
	name, save, ctx := v.names[at], v.s.Save, v.s.Context
	v.s.Wear(v.theme(at))
	v.s.Chosen = name != auto
	var cmds []tea.Cmd
	if name == auto {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	if save != nil {
		cmds = append(cmds, func() tea.Msg {
			ctx, cancel := context.WithTimeout(ctx, screen.LibraryTime)
			defer cancel()
			return savedMsg{save.Save(ctx, "ui.theme", name)}
		})
	}
	return tea.Batch(cmds...)
}

// detail is how things look in the theme that is worn, and its lowest contrast.
func (v *view) detail(_, w int) []string {
	s := v.b.Sheet()
	ink := func(r themes.Role, text string) string { return s.Ink(r, dialog.Plain(s, text)) }
	fill := func(fg, bg themes.Role, text string) string {
		return s.Paint(style.Look{Fg: fg, Bg: bg}, style.PadRight(s.Truncate(dialog.Plain(s, text), w), w))
	}
	lines := []string{ink(themes.User, "❯ your message looks like this"), "",
		ink(themes.Assistant, "Assistant text, ") + s.Paint(style.Look{Fg: themes.Link, Underline: true}, "a link") + ink(themes.Assistant, " and ") + s.Paint(style.Look{Fg: themes.Assistant, Bold: true}, "bold"),
		ink(themes.Thinking, s.Words("∴ Thinking · 4s")), ink(themes.Success, s.Words("✓")) + ink(themes.Tool, " Read src/cart.ts  1–80"), ink(themes.Error, s.Words("✗ $ npm test  exit 1")), ink(themes.Warning, s.Words("▲ Context 82% full")), "",
		fill(themes.DiffDel, themes.DiffDelBg, "  41  − if (inFlight) return inFlight;"), fill(themes.DiffAdd, themes.DiffAddBg, "  41  + const run = inFlight.get(id);"), "",
		ink(themes.FgMuted, "ask") + ink(themes.ModePlan, "   plan") + ink(themes.ModeAuto, "   edit") + "   " + s.Paint(style.Look{Fg: themes.ModeDanger, Bold: true}, "AUTO"), ""}
	if told := readout(s, w); v.s.W < dialog.Narrow {
		lines = append(told, lines...) // there the end is cut
	} else {
		lines = append(lines, told...)
	}
	for i := range lines {
		lines[i] = s.Truncate(lines[i], w)
	}
	return lines
}

// readout is the lowest contrast of text in a theme, and every pair that fails its floor.
func readout(s style.Sheet, w int) []string {
	t := s.Theme
	pairs := t.Pairs()
	if len(pairs) == 0 {
		return []string{s.Ink(themes.FgMuted, "No colours: the terminal's own are used.")}
	}
	low, verdict := pairs[0], "AA pass"
	var failing []string
	for _, p := range pairs {
		if !p.OK() {
			failing = append(failing, s.Ink(themes.Warning, fmt.Sprintf("%s on %s: %.1f:1, wants %.1f:1", p.Fg, p.Bg, p.Ratio, p.Floor)))
		}
		if p.Floor >= t.MinContrast && p.Ratio < low.Ratio {
			low = p
		}
	}
	switch {
	case len(failing) > 0:
		verdict = fmt.Sprintf("%d pairs too low", len(failing))
	case low.Ratio >= 7:
		verdict = "AAA pass"
	}
	return append([]string{s.Ink(themes.FgMuted, s.Truncate(dialog.Plain(s, fmt.Sprintf("Lowest text contrast %.1f:1 · %s", low.Ratio, verdict)), w))}, failing...)
}
