package rebind

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/themes"
	"talaria/ui/composer"
	"talaria/ui/dialog"
	"talaria/ui/keys"
	"talaria/ui/picker"
	"talaria/ui/screen"
	"talaria/ui/style"
)

// box is the dialog: the list, or, while a key is asked for, what was pressed.
type box struct {
	s      *screen.State
	k      Keys
	menu   *picker.Menu
	filter composer.Line
	ask    *asking // nil while the list has the keys
	note   string  // of the last change
	step   int
}

// asking is the action that gets a key, and what was pressed for it.
type asking struct {
	id, name string
	key      string // in the form of the table, "" before a press
	why      string // why it cannot be had
	clash    string // whose it is
	pair     bool   // the leader was pressed: the second key follows
}

func newBox(s *screen.State, k Keys) *box {
	b := &box{s: s, k: k, step: 1}
	b.list()
	return b
}

// list builds the rows anew; the filter stays.
func (b *box) list() {
	var items []picker.Item
	for _, one := range b.k.Map().All() {
		if one.ID == "" {
			continue
		}
		var names []string
		for _, key := range one.Keys {
			names = append(names, dialog.Plain(b.s.Sheet, keys.Name(key)))
		}
		items = append(items, picker.Item{Name: one.Name, Help: strings.Join(names, "  ")})
	}
	b.menu = picker.NewMenu(b.s.Sheet, items)
	b.menu.Filter(b.filter.Value())
}

// SetSheet changes the theme or the glyphs.
func (b *box) SetSheet(sheet style.Sheet) { b.menu.SetSheet(sheet) }

// Update moves, narrows, and asks for a key.
func (b *box) Update(msg tea.Msg) (tea.Cmd, bool) {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil, false
	}
	if b.ask != nil {
		return b.pressed(k), false
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
		b.begin()
		return nil, false
	default:
		b.filter.Update(k)
	}
	b.menu.Filter(b.filter.Value())
	return nil, false
}

func (b *box) begin() {
	item, ok := b.menu.Selected()
	if !ok {
		return
	}
	for _, one := range b.k.Map().All() {
		if one.Name == item.Name && one.ID != "" {
			b.ask, b.note = &asking{id: one.ID, name: one.Name}, ""
		}
	}
}

// pressed is a key while one is asked for: Esc goes back, Enter takes what was pressed before, all else is looked at.
func (b *box) pressed(k tea.KeyPressMsg) tea.Cmd {
	a, key := b.ask, k.String()
	switch {
	case key == "esc":
		b.ask = nil
		return nil
	case key == "enter" && a.key != "" && a.why == "" && !a.pair:
		b.ask = nil
		cmd := b.change(a.id, a.name, []string{a.key})
		b.list()
		return cmd
	case key == "enter" && a.why != "":
		return nil
	case a.pair:
		a.pair, key = false, keys.Lead+" "+key
	case key == b.k.Map().Lead() && a.id != "leader":
		a.key, a.why, a.clash, a.pair = key, "", "", true
		return nil
	}
	m := b.k.Map()
	a.key, a.why = m.Allowed(a.id, key)
	a.clash = ""
	if owner := m.Owner(a.id, a.key); owner != "" {
		a.clash = owner
	}
	return nil
}

// View draws the list, or the question for a key.
func (b *box) View(w, h int) (string, *tea.Cursor) {
	s := b.s.Sheet
	f := dialog.Frame{Sheet: s, Title: "Keys", Max: 76, Hints: []string{dialog.Plain(s, "↑↓ move"), "Enter change", "Esc back"}}
	inner := f.Inner(w)
	if b.ask != nil {
		f.Hints = b.askHints()
		return f.Draw(w, h, dialog.Page{Head: b.askLines(inner), Row: -1})
	}
	text, x := b.filter.View(s, max(4, inner-9))
	p := dialog.Page{Head: []string{s.Ink(themes.FgMuted, "Search  ") + text, dialog.RuleLine}, Row: 0, Col: 8 + x, OnHead: true}
	b.step = dialog.ListRows(w, h, 18)
	if p.Body = b.menu.Rows(inner, b.step); len(p.Body) == 0 {
		p.Body = []string{s.Ink(themes.FgMuted, "Nothing matches '"+s.Truncate(style.Safe(b.filter.Value()), 30)+"'. Esc clears.")}
	}
	if b.note != "" {
		for _, line := range style.Wrap(s.Words(b.note), inner) {
			p.Foot = append(p.Foot, s.Ink(themes.FgMuted, line))
		}
	}
	return f.Draw(w, h, p)
}

func (b *box) askHints() []string {
	if a := b.ask; a.key == "" || a.why != "" || a.pair {
		return []string{"Esc back"}
	}
	return []string{"Enter keep it", "another key: try that", "Esc back"}
}

func (b *box) askLines(w int) []string {
	s, a := b.s.Sheet, b.ask
	lines := []string{"", s.Truncate("Press the new key for: "+a.name, w), ""}
	if a.key == "" {
		return append(lines, s.Ink(themes.FgMuted, s.Truncate("For a pair press "+keys.Name(b.k.Map().Lead())+" first.", w)), "")
	}
	name := dialog.Plain(s, keys.Name(style.Visible(a.key)))
	lines = append(lines, s.Truncate("Received: "+s.Ink(themes.Accent, name), w))
	switch {
	case a.pair:
		lines = append(lines, s.Ink(themes.FgMuted, "and now the second key"))
	case a.why != "":
		lines = append(lines, s.Ink(themes.Warning, s.Truncate(s.Glyphs.Warning+" It cannot be had: "+a.why+".", w)))
	case a.clash != "":
		lines = append(lines, s.Ink(themes.Warning, s.Truncate(s.Glyphs.Warning+" It is "+a.clash+" now, which would lose it.", w)))
	default:
		lines = append(lines, s.Ink(themes.Success, s.Glyphs.Done+" Nothing else has it."))
	}
	return append(lines, "")
}

// Keys lists what can be pressed.
func (b *box) Keys() []dialog.Binding {
	return []dialog.Binding{{Keys: []string{"enter"}, Name: "change"}, {Keys: []string{"esc"}, Name: "back"}}
}
