package dialog

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/themes"
	"talaria/ui/style"
)

// Narrow is the width below which a dialog has no box: it fills the width, and its keys stand in the last line.
const Narrow = 60

// Widest is the most columns an overlay takes.
const Widest = 112

// RuleLine, as a line of a Page, is a rule across the box.
const RuleLine = "\x00rule"

// Frame is the box that all dialogs share. Note stands muted beside the title. Hints are "key verb" pairs for the
// bottom border; the first are dropped last. Max is the widest it wants to be.
type Frame struct {
	Sheet       style.Sheet
	Title, Note string
	Hints       []string
	Max         int
	Edge        themes.Role
	Fill        bool // take the whole height
}

// Page is what is in the box, lines already laid out for Frame.Inner. When there is not enough room, Body is cut to a
// window of its lines at Top, then Foot loses what is past the first Keep lines, then Head from its end.
// Row and Col place the cursor: Row counts in Foot, or in Head when OnHead is set; negative hides it.
type Page struct {
	Head, Body, Foot []string
	Keep             int
	Top              int
	More             string // what to press to see the rest of Body
	Row, Col         int
	OnHead           bool
}

// Size returns the columns of the box in a space of w columns. A box keeps a margin where there is room for one.
func (f Frame) Size(w int) int {
	if w < Narrow+4 {
		return max(w, 0)
	}
	return min(w-4, f.Max, Widest)
}

// Inner returns the columns for text in a space of w columns.
func (f Frame) Inner(w int) int {
	if w < Narrow {
		return max(w, 0)
	}
	return f.Size(w) - 4
}

// Draw fits p into w by h cells.
func (f Frame) Draw(w, h int, p Page) (string, *tea.Cursor) {
	if w <= 0 || h <= 0 {
		return "", nil
	}
	room, boxed := f.room(w, h)
	head, body, foot := p.fit(room, f.Sheet)
	lines := make([]string, 0, h)
	lines = append(append(append(lines, head...), body...), foot...)
	for f.Fill && len(lines) < room {
		lines = append(lines, "")
	}
	y := len(head) + len(body) + p.Row
	if p.OnHead {
		y = p.Row
	}
	hidden := p.Row < 0 || y >= len(lines) || p.OnHead && p.Row >= len(head)
	if !boxed {
		return f.bare(lines, w, h, f.cursor(hidden, p.Col, y, w))
	}
	return f.box(lines, f.Size(w)), f.cursor(hidden, p.Col+2, y+1, f.Size(w))
}

// ListRows is how many rows a list under a search line and a rule has in a space of w by h cells, at most most.
func ListRows(w, h, most int) int {
	room, _ := Frame{}.room(w, h)
	return max(1, min(room-3, most)) // a note may stand below
}

// Room returns the lines inside a box in a space of w by h cells.
func Room(w, h int) int {
	room, _ := Frame{}.room(w, h)
	return room
}

// room returns the lines inside a space of h lines, and whether there is a box.
func (f Frame) room(w, h int) (int, bool) {
	if w >= Narrow && h >= 5 {
		return h - 2, true
	}
	return max(h-1, min(h, 1), 0), false
}

func (f Frame) cursor(hidden bool, x, y, w int) *tea.Cursor {
	if hidden {
		return nil
	}
	c := tea.NewCursor(max(0, min(x, w-1)), y)
	c.Shape = tea.CursorBar
	return c
}

func (f Frame) bare(lines []string, w, h int, c *tea.Cursor) (string, *tea.Cursor) {
	out := make([]string, 0, len(lines)+1)
	for _, l := range lines {
		if l == RuleLine {
			l = f.Sheet.Ink(themes.Border, f.Sheet.Rule(w))
		}
		out = append(out, f.Sheet.Truncate(l, w))
	}
	if h > 1 {
		out = append(out, f.Sheet.Ink(themes.FgMuted, f.fitHints(w)))
	}
	return strings.Join(out, "\n"), c
}

func (f Frame) box(lines []string, w int) string {
	s, edge := f.Sheet, f.Edge
	if edge == "" {
		edge = themes.BorderFocus
	}
	side := s.Ink(edge, s.Glyphs.VLine)
	var b strings.Builder
	b.WriteString(f.topEdge(w, edge))
	for _, l := range lines {
		b.WriteString("\n" + side)
		if l == RuleLine {
			b.WriteString(s.Ink(themes.Border, s.Rule(w-2)))
		} else {
			b.WriteString(" " + style.PadRight(s.Truncate(l, w-4), w-4) + " ")
		}
		b.WriteString(side)
	}
	hints := f.fitHints(w - 6)
	end := s.Rule(w - 5 - style.Width(hints))
	if hints == "" {
		end = s.Rule(w - 3)
	} else {
		hints = " " + hints + " "
	}
	b.WriteString("\n" + s.Ink(edge, corners(s)[2]+s.Glyphs.Rule) + s.Ink(themes.FgMuted, hints) + s.Ink(edge, end+corners(s)[3]))
	return b.String()
}

func (f Frame) topEdge(w int, edge themes.Role) string {
	s := f.Sheet
	title := s.Truncate(f.Title, w-8)
	used := style.Width(title)
	out := s.Ink(edge, corners(s)[0]+s.Glyphs.Rule+" ") + s.Paint(style.Look{Fg: themes.Fg, Bold: true}, title)
	if f.Note != "" && used+style.Width(f.Note)+3 <= w-6 {
		out += "   " + s.Ink(themes.FgMuted, f.Note)
		used += 3 + style.Width(f.Note)
	}
	return out + s.Ink(edge, " "+s.Rule(w-5-used)+corners(s)[1])
}

func (f Frame) fitHints(w int) string { return Hints(f.Sheet, f.Hints, w) }

// Hints joins as many "key verb" pairs as fit into w cells. The last, which is how to leave, stays longest.
func Hints(s style.Sheet, all []string, w int) string {
	hints, dot := append([]string(nil), all...), Plain(s, " · ")
	for len(hints) > 1 && style.Width(Plain(s, strings.Join(hints, dot))) > w {
		hints = append(hints[:len(hints)-2], hints[len(hints)-1])
	}
	return s.Truncate(Plain(s, strings.Join(hints, dot)), w)
}

// fit cuts the page to room lines.
func (p Page) fit(room int, s style.Sheet) (head, body, foot []string) {
	head, foot = p.Head, p.Foot
	least := min(len(p.Body), 3)
	for len(head)+least+len(foot) > room && len(foot) > max(p.Keep, 0) {
		foot = foot[:len(foot)-1]
	}
	for len(head)+least+len(foot) > room && len(head) > 1 {
		head = head[:len(head)-1]
	}
	for len(head)+least+len(foot) > room && least > 0 {
		least--
	}
	if over := len(head) + len(foot) - room; over > 0 && len(head) > 0 {
		head = head[:max(0, len(head)-over)]
	}
	if len(foot) > room { // the row in use stays
		from := max(0, min(p.Row-room+1, len(foot)-room))
		if p.OnHead || p.Row < 0 {
			from = 0
		}
		foot = foot[from : from+room]
	}
	return head, window(p.Body, p.Top, room-len(head)-len(foot), s.Ink(themes.FgMuted, p.More)), foot
}

// window returns the n lines from top on; when some are hidden the last of them says how many.
func window(lines []string, top, n int, more string) []string {
	if len(lines) <= n {
		return lines
	}
	if n <= 0 {
		return nil
	}
	top = max(0, min(top, len(lines)-n+1))
	out := append([]string(nil), lines[top:top+n-1]...)
	return append(out, strings.Replace(more, "#", hidden(top, len(lines)-top-n+1), 1))
}

// hidden says how many lines are out of sight above and below.
func hidden(above, below int) string {
	if above == 0 {
		return fmt.Sprintf("%d more lines", below)
	}
	return fmt.Sprintf("%d lines above, %d below", above, below)
}

func corners(s style.Sheet) [4]string {
	if ascii(s) {
		return [4]string{"+", "+", "+", "+"}
	}
	return [4]string{"╭", "╮", "╰", "╯"}
}

func ascii(s style.Sheet) bool { return s.Glyphs.Ellipsis != "…" }

// asciiKeys name the arrow keys; other signs of our words are the sheet's to spell.
var asciiKeys = strings.NewReplacer("↑↓", "Up/Down", "←→", "Left/Right", "↑", "Up", "↓", "Down", "←", "Left")

// Plain writes words of our own in ASCII where the sheet asks for it. Text that is agreed to never goes through it.
func Plain(s style.Sheet, words string) string {
	if ascii(s) {
		return s.Words(asciiKeys.Replace(words))
	}
	return words
}

// Shown returns how many lines of the body are in view in w by h cells.
func (p Page) Shown(w, h int, s style.Sheet) int {
	room, _ := Frame{}.room(w, h)
	head, _, foot := p.fit(room, s)
	return room - len(head) - len(foot)
}
