package markdown

import (
	"strings"

	astext "github.com/yuin/goldmark/extension/ast"

	"talaria/themes"
	"talaria/ui/style"
)

// minCell is the narrowest a column may become, in cells; below that a table is shown row by row.
const minCell = 8

// grid is a table ready to be laid out.
type grid struct {
	head  [][]style.Span
	rows  [][][]style.Span
	align []astext.Alignment
}

// table lays a table out: as wide as it needs, narrower with wrapped cells when the column is, and as a list of
// "head: cell" when even that does not fit.
func (r *Renderer) table(n *astext.Table, c column) []string {
	g := grid{align: n.Alignments}
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		look := r.base
		_, isHead := row.(*astext.TableHeader)
		look.Bold = isHead
		var cells [][]style.Span
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			cells = append(cells, r.inline(cell, c, look))
		}
		if isHead {
			g.head = cells
		} else {
			g.rows = append(g.rows, cells)
		}
	}
	widths, ok := g.widths(c.width)
	if !ok {
		return r.records(g, c)
	}
	bar := r.sheet.Ink(themes.Border, r.sheet.Glyphs.VLine)
	out := r.row(g.head, widths, g.align, bar)
	var rule []string
	for _, w := range widths {
		rule = append(rule, r.sheet.Rule(w))
	}
	cross := r.sheet.Glyphs.Rule + r.sheet.Glyphs.Cross + r.sheet.Glyphs.Rule
	out = append(out, r.sheet.Ink(themes.Border, strings.Join(rule, cross)))
	for _, cells := range g.rows {
		out = append(out, r.row(cells, widths, g.align, bar)...)
	}
	return r.fit(out, c)
}

// widths shares width among the columns: each what it needs, the widest cut down to a common limit when that is too
// much. ok is false when a column would become unreadable.
func (g grid) widths(width int) ([]int, bool) {
	need := make([]int, len(g.head))
	for _, cells := range append([][][]style.Span{g.head}, g.rows...) {
		for i, cell := range cells[:min(len(cells), len(need))] {
			need[i] = max(need[i], cellWidth(cell), 1)
		}
	}
	room, limit := width-3*(len(need)-1), width
	for sum(need, limit) > room {
		if limit--; limit < minCell {
			return nil, false
		}
	}
	for i := range need {
		need[i] = min(need[i], limit)
	}
	return need, true
}

func sum(need []int, limit int) int {
	total := 0
	for _, n := range need {
		total += min(n, limit)
	}
	return total
}

// cellWidth is the widest line of a cell.
func cellWidth(spans []style.Span) int {
	widest := 0
	for line := range strings.SplitSeq(words(spans), "\n") {
		widest = max(widest, style.Width(line))
	}
	return widest
}

// row lays one row out; it is as high as its highest cell.
func (r *Renderer) row(cells [][]style.Span, widths []int, align []astext.Alignment, bar string) []string {
	columns, height := make([][]string, len(widths)), 1
	for i := range min(len(cells), len(widths)) {
		columns[i] = r.sheet.WrapSpans(cells[i], widths[i])
		height = max(height, len(columns[i]))
	}
	out := make([]string, height)
	for y := range out {
		parts := make([]string, len(widths))
		for i, w := range widths {
			line := ""
			if y < len(columns[i]) {
				line = columns[i][y]
			}
			parts[i] = aligned(line, w, align[i])
		}
		out[y] = strings.Join(parts, " "+bar+" ")
	}
	return out
}

func aligned(s string, w int, a astext.Alignment) string {
	free := w - style.Width(s)
	switch a {
	case astext.AlignRight:
		return style.Blank(free) + s
	case astext.AlignCenter:
		return style.Blank(free/2) + s + style.Blank(free-free/2)
	case astext.AlignLeft, astext.AlignNone:
	}
	return style.PadRight(s, w)
}

// records shows each row as lines of "head: cell", for columns too many for the width.
func (r *Renderer) records(g grid, c column) []string {
	var out []string
	for i, cells := range g.rows {
		if i > 0 {
			out = append(out, "")
		}
		for k, cell := range cells[:min(len(cells), len(g.head))] {
			spans := append(append([]style.Span{}, g.head[k]...), style.Span{Text: ": ", Look: r.base})
			out = append(out, r.prose(append(spans, cell...), c)...)
		}
	}
	if len(g.rows) == 0 {
		for _, head := range g.head {
			out = append(out, r.prose(head, c)...)
		}
	}
	return out
}
