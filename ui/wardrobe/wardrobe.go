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

// first stand above the others, which come in this order too.
var first = []string{auto, "dusk", "paper", "signal", "contrast-dark", "contrast-light", "ember", "fjord", "linen"}

// notes say what a theme is for.
var notes = map[string]string{auto: " (follow terminal)", "signal": " · colour-blind safe", "contrast-dark": " · AAA", "contrast-light": " · AAA",
	"terminal": " · your 16 colours", "mono": " · no colour"}

// Feature is its key and its command, and the light and dark of the terminal.
func Feature(s *screen.State) screen.Feature {
	open := func() tea.Cmd {
		return s.Open(overlay.Overlay{ID: "theme", Key: "Esc put back", Quiet: true, Box: newView(s).b})
	}
	begun := false
	return screen.Feature{
		Keys: []keys.Binding{{ID: "theme", Keys: []string{"ctrl+x t"}, Name: "Theme", Do: open}},
		Commands: []command.Command{{Name: "theme", Args: "[name]", Help: "change the colours; alone: the list, with a preview", Group: command.Set, Busy: true, Values: themes.Names, Do: func(name string) tea.Cmd {
			if name == "" {
				return open()
			}
			return wear(s, name)
		}}},
		Init: follow,
		On: func(e engine.Event) tea.Cmd {
			if _, ok := e.(engine.Opened); ok && !begun {
				begun = true
				complain(s, s.Worn.Name)
			}
			return nil
		},
		Update: func(msg tea.Msg) tea.Cmd {
			switch m := msg.(type) {
			case savedMsg:
				if m.err != nil {
					s.Say(engine.NoteWarning, "The theme is worn, but it could not be kept for the next time: "+m.err.Error())
				}
			case editMsg:
				return editor(s, m)
			case editedMsg:
				return edited(s, m)
			}
			return told(s, msg)
		},
	}
}

// wear is /theme NAME: until the program ends.
func wear(s *screen.State, name string) tea.Cmd {
	t, err := s.Options.Themes.Load(name)
	switch {
	case name == auto:
		s.Chosen = false
		return tea.RequestBackgroundColor
	case err != nil:
		s.Say(engine.NoteInfo, "There is no theme "+name+". /theme NAME changes the colours: "+strings.Join(s.Options.Themes.Names(), ", ")+".")
		return nil
	}
	s.Chosen = true
	s.Wear(t)
	complain(s, name)
	return nil
}

// keep wears a theme from now on, also the next time.
func keep(s *screen.State, name string, t themes.Theme) tea.Cmd {
	save, ctx := s.Save, s.Context
	s.Wear(t)
	s.Chosen = name != auto
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

// view is one open picker, with what was worn before.
type view struct {
	s      *screen.State
	b      *board.Board
	names  []string
	before themes.Theme
}

func newView(s *screen.State) *view {
	v := &view{s: s, before: s.Worn}
	v.names = append(append(append(v.names, first...), s.Options.Themes.Own()...), "terminal", "mono")
	for _, n := range themes.Names() {
		if !slices.Contains(v.names, n) {
			v.names = append(v.names, n)
		}
	}
	v.b = board.New(s.Sheet, board.Words{Title: "Theme", Max: 102, Side: 29, Hints: []string{"↑↓ preview", "Enter keep", "e edit a copy", "l lock", "Esc put back"}})
	v.b.Press, v.b.Detail = v.press, v.detail
	var rows []board.Row
	at := 0
	for i, n := range v.names {
		if n == v.before.Name {
			at = i
		}
		note := notes[n]
		if s.Options.Themes.Has(n) {
			note = " · yours"
		}
		rows = append(rows, board.Row{Key: n, Text: n + note})
	}
	v.b.Fill(rows)
	v.b.Go(at)
	return v
}

func (v *view) press(key string, at int) (tea.Cmd, bool) {
	switch key {
	case "esc", "q":
		v.s.Wear(v.before)
		return nil, true
	case "move":
		v.s.Wear(v.theme(at))
	case "enter":
		return keep(v.s, v.names[at], v.theme(at)), true
	case "l": // what is worn stays, whatever the terminal's background becomes
		return keep(v.s, v.s.Worn.Name, v.s.Worn), true
	case "e":
		return edit(v.s, v.names[at]), true
	}
	return nil, false
}

// theme is that of a row; auto is what the program wears for this terminal.
func (v *view) theme(at int) themes.Theme {
	if t, err := v.s.Options.Themes.Load(v.names[at]); err == nil {
		return t
	}
	name := "dusk"
	if v.s.Back == themes.Light || v.s.Back == "" && v.before.Kind == themes.Light {
		name = "paper"
	}
	t, _ := themes.Load(name)
	return t
}

// detail is how things look in the theme that is worn, and its lowest contrast.
func (v *view) detail(at, w int) []string {
	s := v.b.Sheet()
	ink := func(r themes.Role, text string) string { return s.Ink(r, dialog.Plain(s, text)) }
	fill := func(fg, bg themes.Role, text string) string {
		return s.Paint(style.Look{Fg: fg, Bg: bg}, style.PadRight(s.Truncate(dialog.Plain(s, text), w), w))
	}
	told := append(v.faults(at, w), readout(s, w)...)
	var lines []string
	if v.s.W < 2*v.b.Side+8 { // it stands below the list, where little room is left
		lines = append(told, ink(themes.User, "❯ your message"), ink(themes.DiffAdd, "+ added line")+"   "+ink(themes.DiffDel, "− removed line"),
			ink(themes.Success, "✓ ok")+"  "+ink(themes.Error, "✗ error")+"  "+ink(themes.Warning, "▲ warning"))
	} else {
		lines = []string{ink(themes.User, "❯ your message looks like this"), "",
			ink(themes.Assistant, "Assistant text with ") + ink(themes.SynType, "`code`") + ink(themes.Assistant, ", ") + s.Paint(style.Look{Fg: themes.Link, Underline: true}, "a link") +
				ink(themes.Assistant, " and ") + s.Paint(style.Look{Fg: themes.Assistant, Bold: true}, "bold") + ink(themes.Assistant, "."),
			ink(themes.Thinking, "∴ Thinking · 4s"), ink(themes.Success, "✓") + ink(themes.Tool, " Read src/cart.ts  1–80"), ink(themes.Error, "✗ $ npm test  exit 1"), ink(themes.Warning, "▲ Context 82% full"), "",
			fill(themes.DiffDel, themes.DiffDelBg, "  41  − if (inFlight) return inFlight;"), fill(themes.DiffAdd, themes.DiffAddBg, "  41  + const run = inFlight.get(id);"), "",
			ink(themes.FgMuted, "ask") + ink(themes.ModePlan, "   plan") + ink(themes.ModeAuto, "   edit") + "   " + s.Paint(style.Look{Fg: themes.ModeDanger, Bold: true}, "AUTO"), ""}
		lines = append(append(lines, told...), ink(themes.FgMuted, v.ground()))
	}
	for i := range lines {
		lines[i] = s.Truncate(lines[i], w)
	}
	return lines
}

// ground is what the terminal told about itself.
func (v *view) ground() string {
	depth := map[int]string{themes.TrueColours: "24-bit colour", themes.Indexed: "256 colours", themes.Few: "16 colours: terminal is worn for every palette", themes.Two: "no colours here"}[v.s.Colours]
	back := map[themes.Kind]string{themes.Dark: "terminal is dark", themes.Light: "terminal is light", "": "its background is unknown"}[v.s.Back]
	if depth == "" {
		return back
	}
	return depth + " · " + back
}

// faults are the mistakes in the file of a row's theme.
func (v *view) faults(at, w int) (lines []string) {
	for _, f := range v.s.Options.Themes.Faults(v.names[at]) {
		f = strings.TrimPrefix(f, v.s.Options.Themes.Dir+"/") // the list says whose it is
		for _, l := range style.Wrap(dialog.Plain(v.b.Sheet(), f), w) {
			lines = append(lines, v.b.Sheet().Ink(themes.Warning, l))
		}
	}
	return lines
}

// readout is the lowest contrast of text in a theme, and every pair that fails its floor with the nearest colour that
// does not.
func readout(s style.Sheet, w int) []string {
	t := s.Theme
	pairs := t.Pairs()
	switch {
	case t.Kind == themes.None:
		return []string{s.Ink(themes.FgMuted, s.Truncate("No colours at all; signs say the same.", w))}
	case len(pairs) == 0:
		return []string{s.Ink(themes.FgMuted, s.Truncate("Contrast is your terminal's.", w))}
	}
	low, verdict := pairs[0], "AA pass"
	var failing []string
	for _, p := range pairs {
		if !p.OK() {
			try := ""
			if c, ok := t.Passing(p.Fg, nil); ok {
				try = " · try " + c
			}
			failing = append(failing, s.Ink(themes.Warning, s.Truncate(dialog.Plain(s, fmt.Sprintf("%s on %s %.1f:1, wants %.1f%s", p.Fg, p.Bg, p.Ratio, p.Floor, try)), w)))
		}
		if p.Floor >= t.MinContrast && p.Ratio < low.Ratio {
			low = p
		}
	}
	switch {
	case len(failing) > 0:
		verdict = fmt.Sprintf("%d too low", len(failing))
	case low.Ratio >= 7:
		verdict = "AAA pass"
	}
	return append([]string{s.Ink(themes.FgMuted, s.Truncate(dialog.Plain(s, fmt.Sprintf("Lowest text contrast %.1f:1 · %s", low.Ratio, verdict)), w))}, failing...)
}
