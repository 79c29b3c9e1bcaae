package board

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/themes"
	"talaria/ui/dialog"
	"talaria/ui/style"
)

// indent stands before each line of a page, whose edge is the screen's.
const indent = " "

// View draws the board in a box, or as a page.
func (b *Board) View(w, h int) (string, *tea.Cursor) {
	if w <= 0 || h <= 0 {
		return "", nil
	}
	if b.Page {
		return b.page(w, h)
	}
	f := dialog.Frame{Sheet: b.sheet, Title: b.Title, Note: dialog.Plain(b.sheet, b.Note), Max: b.Max, Hints: b.hints()}
	inner := f.Inner(w)
	lines, x, y := b.arrange(inner, dialog.Room(w, h))
	return f.Draw(w, h, dialog.Page{Foot: lines, Keep: len(lines), Row: y, Col: x})
}

// page fills w by h cells: a heading, what there is, and the keys in the last row.
func (b *Board) page(w, h int) (string, *tea.Cursor) {
	s := b.sheet
	title := s.Paint(style.Look{Fg: themes.Fg, Bold: true}, s.Truncate(b.Title, w-1))
	head := []string{s.Spread(indent+title, s.Ink(themes.FgMuted, dialog.Plain(s, b.Note))+indent, w), s.Ink(themes.Border, s.Rule(w))}
	if h < 10 {
		head = head[:min(1, max(0, h-2))]
	}
	if style.Width(b.Title)+style.Width(b.Note)+3 > w && len(head) > 0 {
		head[0] = indent + title
	}
	foot := s.Ink(themes.FgMuted, indent+dialog.Hints(s, b.hints(), w-2))
	body, x, y := b.arrange(w-1, h-len(head)-1)
	lines := head
	for _, l := range body {
		if l == dialog.RuleLine {
			lines = append(lines, s.Ink(themes.Border, s.Rule(w)))
		} else {
			lines = append(lines, s.Truncate(indent+l, w))
		}
	}
	for len(lines) < h-1 {
		lines = append(lines, "")
	}
	lines = append(lines[:h-1], foot)
	if y += len(head); y < len(head) || y >= h-1 {
		return strings.Join(lines, "\n"), nil
	}
	c := tea.NewCursor(min(x+1, w-1), y)
	c.Shape = tea.CursorBar
	return strings.Join(lines, "\n"), c
}

func (b *Board) hints() []string {
	if b.edit != nil {
		return []string{"Enter keep", "Ctrl+J new line", "Esc leave it as it was"}
	}
	var out []string
	hints := b.Hints
	if len(b.Rows) == 0 && b.Bare != nil {
		hints = b.Bare
	}
	for _, h := range hints {
		out = append(out, dialog.Plain(b.sheet, h))
	}
	return out
}

// arrange lays what there is into room lines of w columns: choices, a text that is being changed and what was said first,
// then the row in use, then the rest. X and y place the cursor; y is negative where there is none.
func (b *Board) arrange(w, room int) (lines []string, x, y int) {
	w = max(w, 1)
	foot, x, footRow := b.foot(w, room)
	left := max(0, room-len(foot))
	if b.Side > 0 && w >= 2*b.Side && b.Detail != nil {
		lines, y = b.beside(w, left)
		return append(lines, foot...), 0, y
	}
	var detail []string
	if b.Detail != nil {
		detail = b.Detail(b.at, w)
	}
	rules := 0
	if len(detail) > 0 && left >= 5 {
		rules = 1
		left--
	}
	n := len(b.Rows)
	if n == 0 && b.Empty != "" {
		n = 2
	}
	list := min(n, left, max(left-len(detail), (left+1)/2))
	if b.Wide {
		list = min(n, 1, left)
	}
	lines, y = b.list(w, list)
	if room := left - list; len(detail) > 0 && room > 0 {
		if rules > 0 && list > 0 {
			lines = append(lines, dialog.RuleLine)
		}
		lines = append(lines, b.window(detail, room)...)
	}
	if footRow >= 0 {
		y = len(lines) + footRow
	} else {
		x = 0
	}
	return append(lines, foot...), x, y
}

// beside draws the detail on the right of the list, in at most room lines.
func (b *Board) beside(w, room int) (lines []string, y int) {
	right := b.window(b.Detail(b.at, w-b.Side-3), room)
	left, y := b.list(b.Side, min(room, len(b.Rows)))
	for i := range max(len(left), len(right)) {
		l, r := "", ""
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		lines = append(lines, style.PadRight(l, b.Side)+b.sheet.Ink(themes.Border, " "+b.sheet.Glyphs.VLine+" ")+r)
	}
	return lines, y
}

// list draws n rows around the one in use; y is where that stands, negative without one.
func (b *Board) list(w, n int) (lines []string, y int) {
	if n <= 0 {
		return nil, -1
	}
	if len(b.Rows) == 0 {
		said := style.Wrap(dialog.Plain(b.sheet, b.Empty), w)
		return said[:min(n, len(said))], -1
	}
	from := max(0, min(b.at-n/2, len(b.Rows)-n))
	for i := from; i < min(from+n, len(b.Rows)); i++ {
		lines = append(lines, b.row(b.Rows[i], i == b.at, w))
	}
	return lines, b.at - from
}

func (b *Board) row(r Row, focus bool, w int) string {
	s, sign, fg := b.sheet, "  ", themes.Fg
	if focus {
		sign = s.Glyphs.Focus + " "
	}
	if r.Dim {
		fg = themes.FgMuted
	}
	if b.Page && w < dialog.Narrow {
		r.Mark = "" // names matter more
	}
	mark := s.Truncate(dialog.Plain(s, oneLine(r.Mark)), max(0, w/2))
	room := max(0, w-style.Width(mark))
	text := style.PadRight(s.Truncate(sign+oneLine(r.Text), max(0, room-min(2, style.Width(mark)))), room)
	if !focus {
		return s.Ink(fg, text) + s.Ink(themes.FgMuted, mark)
	}
	return s.Paint(style.Look{Fg: fg, Bg: themes.RowSel, Bold: true}, text) + s.Paint(style.Look{Fg: themes.FgMuted, Bg: themes.RowSel}, mark)
}

// oneLine shows text from outside on one line.
func oneLine(s string) string {
	return strings.ReplaceAll(style.Safe(strings.TrimSpace(s)), "\n", " ")
}

// window is n lines of the detail; where some are hidden the last says how many.
func (b *Board) window(detail []string, n int) []string {
	if len(detail) <= n {
		b.scroll = 0
		return detail
	}
	b.scroll = max(0, min(b.scroll, len(detail)-n+1))
	out := append([]string(nil), detail[b.scroll:b.scroll+n-1]...)
	return append(out, b.sheet.Ink(themes.FgMuted, dialog.Plain(b.sheet, fmt.Sprintf("… %d more lines", len(detail)-b.scroll-n+1))))
}

// foot is what is never hidden: choices, the text that is being changed, what was said.
func (b *Board) foot(w, room int) (lines []string, x, y int) {
	if b.edit != nil {
		rows, cur := b.edit.text.View(w, max(1, min(8, room/2)))
		lines = append([]string{b.sheet.Ink(themes.FgMuted, b.sheet.Truncate(dialog.Plain(b.sheet, b.edit.label), w))}, rows...)
		if cur != nil {
			return lines, cur.X, 1 + cur.Y
		}
		return lines, 0, -1
	}
	lines = b.choices(w, room)
	if b.Say != "" && room > len(lines)+1 {
		said := style.Wrap(dialog.Plain(b.sheet, dialog.OneLine(b.Say)), w)
		for _, l := range said[:min(len(said), 2)] {
			lines = append(lines, b.sheet.Ink(themes.Warning, l))
		}
	}
	return lines, 0, -1
}

// choices are one line each where there is room, else as many in a line as fit, by their short labels.
func (b *Board) choices(w, room int) (lines []string) {
	if len(b.Choices) == 0 {
		return nil
	}
	if roomy := w >= dialog.Narrow && room >= len(b.Choices)+8; roomy {
		lines = append(lines, "")
		for i, c := range b.Choices {
			lines = append(lines, b.choice(i, c.Label, c.Why, w))
		}
		return lines
	}
	line := ""
	for i, c := range b.Choices {
		one := b.choice(i, c.Short, "", w)
		switch {
		case line == "":
			line = one
		case style.Width(line)+style.Width(one)+1 <= w:
			line += " " + one
		default:
			lines = append(lines, line)
			line = one
		}
		if c.Why != "" && i == b.pick && room > 12 {
			line = b.sheet.Truncate(line, w)
		}
	}
	lines = append(lines, line)
	if c := b.Choices[min(b.pick, len(b.Choices)-1)]; c.Why != "" && room > len(lines)+3 {
		lines = append(lines, b.sheet.Ink(themes.Warning, b.sheet.Truncate(dialog.Plain(b.sheet, c.Why), w)))
	}
	return lines
}

func (b *Board) choice(i int, label, why string, w int) string {
	s, sign, look := b.sheet, "  ", style.Look{Fg: themes.Fg}
	if i == b.pick {
		sign, look.Bold = s.Glyphs.Focus+" ", true
	}
	if b.Choices[i].Why != "" {
		look.Fg = themes.FgMuted
	}
	text := fmt.Sprintf("%s%d %s", sign, i+1, dialog.Plain(s, label))
	if why != "" {
		text += dialog.Plain(s, "   ("+why+")")
	}
	return s.Paint(look, s.Truncate(text, w))
}

// Pairs draws labels and values, the values wrapped beside their labels and none empty.
func Pairs(s style.Sheet, pairs [][2]string, w int) (lines []string) {
	width := 0
	for _, p := range pairs {
		if p[1] != "" {
			width = max(width, style.Width(p[0])+2)
		}
	}
	width = min(width, max(1, w/2))
	for _, p := range pairs {
		if p[1] == "" {
			continue
		}
		for i, l := range style.Wrap(dialog.Plain(s, oneLine(p[1])), max(1, w-width)) {
			label := p[0]
			if i > 0 {
				label = ""
			}
			lines = append(lines, s.Ink(themes.FgMuted, style.PadRight(s.Truncate(label, width), width))+l)
		}
	}
	return lines
}
