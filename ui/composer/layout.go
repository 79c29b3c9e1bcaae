package composer

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"talaria/themes"
	"talaria/ui/style"
)

// tabWidth is how many cells a tab takes in the prompt, wherever it stands.
const tabWidth = 4

// row is one row on screen: a range of the text without its line end.
type row struct{ start, end int }

// window is the part of the text that is on screen. Only rows near the cursor are ever laid out, so that a prompt of
// 100,000 lines costs what one of ten costs.
type window struct {
	width int // cells for text, 0 before the first View
	top   int // offset of the first row shown
	goal  int // column that Up and Down aim for, -1 for the cursor's own
	memo  struct {
		version uint64
		width   int
		rows    []row
	}
}

// line lays out the logical line around pos.
func (c *Composer) line(pos int) []row {
	w := c.window.width
	if w <= 0 {
		w = 1 << 20
	}
	m := &c.window.memo
	if m.rows != nil && m.version == c.version && m.width == w && m.rows[0].start <= pos && pos <= m.rows[len(m.rows)-1].end {
		return m.rows
	}
	m.version, m.width = c.version, w
	m.rows = c.wrap(c.lineStart(pos), c.lineEnd(pos), w)
	return m.rows
}

// wrap breaks the text between two offsets into rows of at most w cells: after a blank where one is in the row, else
// between two units. One blank may stand beyond the edge, in the column that is kept free.
func (c *Composer) wrap(from, to, w int) []row {
	rows, start, used := []row(nil), from, 0
	gap, gapUsed := from, 0 // after the last blank of this row
	for at := from; at < to; {
		n := next(c.text[at:to])
		unit := c.text[at : at+n]
		cells := c.cells(unit)
		for used+cells > w && at > start && (unit != " " || used > w) {
			cut, left := at, 0
			if gap > start {
				cut, left = gap, used-gapUsed
			}
			rows = append(rows, row{start, cut})
			start, used, gap, gapUsed = cut, left, cut, 0
		}
		used += cells
		at += n
		if unit == " " || unit == "\t" {
			gap, gapUsed = at, used
		}
	}
	return append(rows, row{start, to})
}

// rowAt returns the row that holds pos. A position between two rows of a line belongs to the second.
func (c *Composer) rowAt(pos int) row {
	rows := c.line(pos)
	for i := len(rows) - 1; i > 0; i-- {
		if rows[i].start <= pos {
			return rows[i]
		}
	}
	return rows[0]
}

func (c *Composer) above(r row) (row, bool) {
	if r.start == 0 {
		return r, false
	}
	// One byte back is in the row above, or is the line end that closes it.
	return c.rowAt(r.start - 1), true
}

func (c *Composer) below(r row) (row, bool) {
	if r.end >= len(c.text) {
		return r, false
	}
	if c.text[r.end] == '\n' {
		return c.rowAt(r.end + 1), true
	}
	return c.rowAt(r.end), true
}

// vertical moves the cursor a row up or down, or through the history at the first and last row.
func (c *Composer) vertical(by int) bool {
	here := c.rowAt(c.pos)
	to, ok := c.above(here)
	if by > 0 {
		to, ok = c.below(here)
	}
	switch {
	case ok:
		goal := c.window.goal
		if goal < 0 {
			goal = c.column(here, c.pos)
		}
		c.pos = c.at(to, goal)
		c.window.goal, c.undo.typing, c.kills.open = goal, false, false
		return true
	case by < 0:
		return c.older()
	}
	return c.newer()
}

// column is the number of cells between the start of r and pos.
func (c *Composer) column(r row, pos int) int {
	x := 0
	for at := r.start; at < pos; {
		n := next(c.text[at:pos])
		x += c.cells(c.text[at : at+n])
		at += n
	}
	return x
}

// at returns the position in r nearest to column x, from the left.
func (c *Composer) at(r row, x int) int {
	at := r.start
	for at < r.end {
		n := next(c.text[at:r.end])
		w := c.cells(c.text[at : at+n])
		if x < w || at+n == r.end && r.end < len(c.text) && c.text[r.end] != '\n' {
			break // the end of a wrapped row is the start of the next one
		}
		x -= w
		at += n
	}
	return at
}

// cells is the width of a unit as drawn, never wider than the window.
func (c *Composer) cells(unit string) int {
	if len(unit) == 1 && unit[0] >= ' ' && unit[0] < 0x7f {
		return 1
	}
	s, _ := c.draw(unit)
	return ansi.StringWidth(s)
}

// draw returns what is shown for a unit and in which role. Nothing that steers a terminal comes out of it.
func (c *Composer) draw(unit string) (string, themes.Role) {
	s, role := shown(unit), themes.Fg
	if one, ok := c.pastes.of(unit); ok {
		s, role = one.label(), themes.Accent
	} else if unit == "\t" {
		s = style.Blank(tabWidth)
	} else if s != unit {
		role = themes.Warning
	}
	if limit := c.window.width; limit > 0 {
		s = c.sheet.Truncate(s, limit)
	}
	return s, role
}

// View draws the prompt in width cells and at most maxRows rows; at least one row comes back. The cursor is relative to
// the first of them.
func (c *Composer) View(width, maxRows int) ([]string, *tea.Cursor) {
	prompt := c.sheet.Glyphs.You + " "
	if width < 4 {
		prompt = ""
	}
	indent := ansi.StringWidth(prompt)
	// The last column stays free: the cursor must have room after a full row.
	c.window.width = max(width-indent-1, 1)
	if c.text == "" {
		text := c.sheet.Ink(themes.FgMuted, c.sheet.Truncate(c.placeholder, width-indent))
		return []string{c.sheet.Ink(themes.User, prompt) + text}, c.cursor(indent, 0, width)
	}
	rows := c.visible(max(maxRows, 1))
	out, here := make([]string, 0, len(rows)), c.rowAt(c.pos)
	x, y := 0, 0
	for i, r := range rows {
		out = append(out, c.gutter(prompt, i, rows)+c.render(r))
		if r.start == here.start {
			x, y = indent+c.column(r, c.pos), i
		}
	}
	return out, c.cursor(x, y, width)
}

func (c *Composer) cursor(x, y, width int) *tea.Cursor {
	cur := tea.NewCursor(min(x, max(width-1, 0)), y)
	cur.Shape = tea.CursorBar
	if c.vim.normal {
		cur.Shape = tea.CursorBlock
	}
	return cur
}

// gutter is the prompt sign on the first row of the text, and says where rows are hidden.
func (c *Composer) gutter(prompt string, i int, rows []row) string {
	g, r := c.sheet.Glyphs, rows[i]
	switch {
	case prompt == "":
		return ""
	case r.start == 0:
		return c.sheet.Ink(themes.User, prompt)
	case i == 0:
		return c.sheet.Ink(themes.FgMuted, g.Ellipsis+" ")
	case i == len(rows)-1 && r.end < len(c.text):
		return c.sheet.Ink(themes.FgMuted, g.More+" ")
	}
	return "  "
}

func (c *Composer) render(r row) string {
	var out, run strings.Builder
	role := themes.Fg
	flush := func() {
		if run.Len() > 0 {
			out.WriteString(c.sheet.Ink(role, run.String()))
			run.Reset()
		}
	}
	for at := r.start; at < r.end; {
		n := next(c.text[at:r.end])
		s, ro := c.draw(c.text[at : at+n])
		if ro != role {
			flush()
			role = ro
		}
		run.WriteString(s)
		at += n
	}
	flush()
	return out.String()
}

// visible returns the rows to show, at most n, the cursor's among them; it scrolls no further than it must.
func (c *Composer) visible(n int) []row {
	here := c.rowAt(c.pos)
	top := c.rowAt(min(c.window.top, len(c.text)))
	if top.start > here.start {
		top = here
	}
	rows, found := c.from(top, n, here)
	if !found {
		top = c.upFrom(here, n-1)
		rows, _ = c.from(top, n, here)
	}
	if len(rows) < n {
		top = c.upFrom(top, n-len(rows))
		rows, _ = c.from(top, n, here)
	}
	c.window.top = top.start
	return rows
}

// from lists n rows from top on and tells whether the row of the cursor is among them.
func (c *Composer) from(top row, n int, here row) (rows []row, found bool) {
	for r, ok := top, true; ok && len(rows) < n; r, ok = c.below(r) {
		rows = append(rows, r)
		found = found || r.start == here.start
	}
	return rows, found
}

func (c *Composer) upFrom(r row, n int) row {
	for ok := true; ok && n > 0; n-- {
		r, ok = c.above(r)
	}
	return r
}
