package picker

import (
	"talaria/themes"
	"talaria/ui/style"
)

// MenuRows is the most rows a menu takes.
const MenuRows = 8

// Item is one entry of a menu. Why says why it cannot be used now, "" if it can. Group is the part of the menu it stands
// in, "" for none: the first row of each part that is in view says it.
type Item struct{ Name, Help, Why, Group string }

// Menu is the short list that opens above the prompt while a command is typed. The owner filters and moves it.
type Menu struct {
	sheet style.Sheet
	list  list[Item]
}

// NewMenu returns a menu of items in their order.
func NewMenu(sheet style.Sheet, items []Item) *Menu {
	m := &Menu{sheet: sheet, list: list[Item]{all: items, text: func(i Item) string { return i.Name }}}
	m.list.apply()
	return m
}

// SetSheet changes the theme or the glyphs.
func (m *Menu) SetSheet(s style.Sheet) { m.sheet = s }

// Filter narrows the menu to what is typed, with or without its first "/".
func (m *Menu) Filter(typed string) {
	if typed != "" && typed[0] == '/' {
		typed = typed[1:]
	}
	if typed == m.list.filter.Value() {
		return
	}
	m.list.filter.Set(typed)
	m.list.at, m.list.top = 0, 0
	m.list.apply()
}

// Move goes by rows; past an end it comes in at the other.
func (m *Menu) Move(by int) {
	if n := len(m.list.shown); n > 0 {
		m.list.at = ((m.list.at+by)%n + n) % n
	}
}

// Selected returns the row in use; ok is false when nothing fits.
func (m *Menu) Selected() (Item, bool) { return m.list.current() }

// Len is how many items fit the filter.
func (m *Menu) Len() int { return len(m.list.shown) }

// View draws at most maxRows rows, and never more than MenuRows. An item that cannot be used says why.
func (m *Menu) View(width, maxRows int) []string { return m.Rows(width, min(maxRows, MenuRows)) }

// Index is the place of the row in use among all items; ok is false when nothing fits.
func (m *Menu) Index() (int, bool) {
	if m.list.at >= len(m.list.shown) {
		return 0, false
	}
	return m.list.shown[m.list.at], true
}

// Wide draws at most maxRows rows whose names take the width; what helps stands at the right.
func (m *Menu) Wide(width, maxRows int) []string {
	if width <= 0 || maxRows <= 0 {
		return nil
	}
	s := m.sheet
	from, to := m.list.window(maxRows)
	var out []string
	for i := from; i < to; i++ {
		one := m.list.all[m.list.shown[i]]
		sign, look := "  ", style.Look{Fg: themes.Fg}
		if i == m.list.at {
			sign, look = s.Glyphs.Focus+" ", style.Look{Fg: themes.Fg, Bg: themes.RowSel, Bold: true}
		}
		room := width
		if one.Help != "" {
			room -= style.Width(one.Help) + 1
		}
		row := s.Truncate(sign+one.Name, max(1, room))
		if one.Help != "" {
			row = style.PadRight(row, max(1, room)) + " " + one.Help
		}
		out = append(out, s.Paint(look, s.Truncate(style.PadRight(row, width), width)))
	}
	return out
}

// At is the place of the row in use among those that fit the filter.
func (m *Menu) At() int { return m.list.at }

// Rows draws at most maxRows rows around the one in use. What the filter found in a name stands out.
func (m *Menu) Rows(width, maxRows int) []string {
	if width <= 0 || maxRows <= 0 {
		return nil
	}
	name := 8
	from, to := m.list.window(maxRows)
	for i := from; i < to; i++ {
		name = min(max(name, style.Width(m.list.all[m.list.shown[i]].Name)), max(8, width/3))
	}
	var out []string
	for i := from; i < to; i++ {
		one := m.list.all[m.list.shown[i]]
		if i > from && one.Group == m.list.all[m.list.shown[i-1]].Group || width < groupsFrom {
			one.Group = ""
		}
		out = append(out, m.row(one, i == m.list.at, name, width))
	}
	return out
}

// groupsFrom is the width from which a menu has room for its groups.
const groupsFrom = 60

// row draws one item whose name takes so many cells.
func (m *Menu) row(one Item, here bool, name, width int) string {
	s, sign, fg, help := m.sheet, "  ", themes.Fg, one.Help
	look := style.Look{Fg: fg}
	if here {
		sign, look = s.Glyphs.Focus+" ", style.Look{Bg: themes.RowSel, Bold: true}
	}
	if one.Why != "" {
		fg, help = themes.FgMuted, one.Why
	}
	room := width
	if one.Group != "" {
		room -= style.Width(one.Group) + 1
	}
	label := s.Truncate(one.Name, name)
	rest := s.Truncate(style.Blank(name-style.Width(label))+"  "+help, max(0, room-2-style.Width(label)))
	pad := style.Blank(width - 2 - style.Width(label) - style.Width(rest) - style.Width(one.Group))
	look.Fg = fg
	row := s.Paint(look, sign) + m.found(label, look)
	if !here {
		look.Fg = themes.FgMuted
	}
	row += s.Paint(look, rest)
	if look.Fg = themes.FgMuted; here || one.Group != "" {
		row += s.Paint(look, pad+one.Group)
	}
	return s.Truncate(row, width)
}

// found paints a name with what the filter found in it.
func (m *Menu) found(name string, look style.Look) string {
	out, at := "", 0
	hit := look
	hit.Fg, hit.Underline, hit.Bold = themes.Accent, true, true
	for _, h := range pieces(m.list.filter.Value(), name) {
		out += m.sheet.Paint(look, name[at:h[0]]) + m.sheet.Paint(hit, name[h[0]:h[1]])
		at = h[1]
	}
	return out + m.sheet.Paint(look, name[at:])
}
