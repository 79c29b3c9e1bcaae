// Package palette is the list of everything that can be done: each command and each key that does something, found by
// typing a part of its name. It refuses to run what cannot be done now, and says why it cannot.
package palette

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/themes"
	"talaria/ui/command"
	"talaria/ui/composer"
	"talaria/ui/dialog"
	"talaria/ui/keys"
	"talaria/ui/overlay"
	"talaria/ui/picker"
	"talaria/ui/screen"
	"talaria/ui/style"
)

// Tables are what there is: asked when the palette opens, since keys may change. Slash runs a command line.
type Tables struct {
	Keys     func() *keys.Map
	Commands func() *command.Table
	Slash    func(line string) tea.Cmd
}

// Feature is its key and its command.
func Feature(s *screen.State, t Tables) screen.Feature {
	open := func() tea.Cmd {
		return s.Open(overlay.Overlay{ID: "palette", Key: "Esc back", Quiet: true, Box: newBox(s, t)})
	}
	return screen.Feature{
		Keys:     []keys.Binding{{ID: "palette", Keys: []string{"ctrl+x p"}, Name: "Command palette", Do: open}},
		Commands: []command.Command{{Name: "palette", Help: "everything that can be done", Group: command.Help, Busy: true, Do: func(string) tea.Cmd { return open() }}},
	}
}

// box is the dialog.
type box struct {
	s      *screen.State
	menu   *picker.Menu
	filter composer.Line
	does   map[string]func() tea.Cmd // by the name of the row
	step   int
}

func newBox(s *screen.State, t Tables) *box {
	b := &box{s: s, does: map[string]func() tea.Cmd{}, step: 1}
	var items []picker.Item
	add := func(i picker.Item, do func() tea.Cmd) {
		if _, twice := b.does[i.Name]; !twice {
			items = append(items, i)
			b.does[i.Name] = do
		}
	}
	table := t.Commands()
	for _, c := range table.All() {
		name := "/" + c.Name
		add(picker.Item{Name: name, Help: c.Help, Why: table.Why(c)}, func() tea.Cmd {
			if c.Args != "" && !strings.HasPrefix(c.Args, "[") && s.Prompt.Empty() {
				s.Prompt.SetValue(name + " ") // it wants words
				return nil
			}
			return t.Slash(name)
		})
	}
	for _, k := range t.Keys().All() {
		if k.Do == nil || k.ID == "leader" || k.ID == "palette" {
			continue
		}
		help := k.Help
		if len(k.Keys) > 0 {
			help = strings.TrimSpace(keys.Name(k.Keys[0]) + "  " + k.Help)
		}
		add(picker.Item{Name: k.Name, Help: help, Why: k.Why()}, k.Do)
	}
	b.menu = picker.NewMenu(s.Sheet, items)
	return b
}

// SetSheet changes the theme or the glyphs.
func (b *box) SetSheet(sheet style.Sheet) { b.menu.SetSheet(sheet) }

// Update moves, narrows, and does what is chosen.
func (b *box) Update(msg tea.Msg) (tea.Cmd, bool) {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		if p, pasted := msg.(tea.PasteMsg); pasted {
			b.filter.Update(p)
			b.menu.Filter(b.filter.Value())
		}
		return nil, false
	}
	switch k.Keystroke() {
	case "esc":
		if b.filter.Value() == "" {
			return nil, true
		}
		b.filter.Set("")
	case "up", "ctrl+p":
		b.menu.Move(-1)
	case "down", "ctrl+n":
		b.menu.Move(1)
	case "pgup":
		b.menu.Move(-min(b.step, b.menu.At()))
	case "pgdown":
		b.menu.Move(min(b.step, b.menu.Len()-1-b.menu.At()))
	case "enter":
		item, found := b.menu.Selected()
		if !found || item.Why != "" {
			return nil, false
		}
		return b.does[item.Name](), true
	default:
		b.filter.Update(k)
	}
	b.menu.Filter(b.filter.Value())
	return nil, false
}

// View draws the search line and the rows.
func (b *box) View(w, h int) (string, *tea.Cursor) {
	s := b.s.Sheet
	f := dialog.Frame{Sheet: s, Title: "Commands", Max: 84, Hints: []string{dialog.Plain(s, "↑↓ move"), "Enter do it", "Esc back"}}
	inner := f.Inner(w)
	text, x := b.filter.View(s, max(4, inner-9))
	p := dialog.Page{Head: []string{s.Ink(themes.FgMuted, "Search  ") + text, dialog.RuleLine}, Row: 0, Col: 8 + x, OnHead: true}
	b.step = dialog.ListRows(w, h, 18)
	if p.Body = b.menu.Rows(inner, b.step); len(p.Body) == 0 {
		p.Body = []string{s.Ink(themes.FgMuted, "Nothing matches '"+s.Truncate(style.Safe(b.filter.Value()), 30)+"'. Esc clears.")}
	}
	return f.Draw(w, h, p)
}

// Keys lists what can be pressed.
func (b *box) Keys() []dialog.Binding {
	return []dialog.Binding{{Keys: []string{"enter"}, Name: "do it"}, {Keys: []string{"esc"}, Name: "back"}}
}
