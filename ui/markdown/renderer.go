// Package markdown draws Markdown as lines of styled text, whole or while it arrives. It parses with goldmark and draws
// every node itself: text stands exactly as the model wrote it, and no control sequence can come out but the colours
// and attributes of the sheet, since each piece of text is cleaned after its entities are decoded. It refuses HTML
// (shown as it is written), terminal hyperlinks and anything wider than the width it is given.
package markdown

import (
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"talaria/themes"
	"talaria/ui/style"
)

// proseWidth is where prose wraps however wide the window is (UX 4.0); code and tables use the whole width.
const proseWidth = 100

// Renderer draws Markdown with one sheet. It is not safe for concurrent use.
type Renderer struct {
	sheet  style.Sheet
	base   style.Look
	parser parser.Parser
	lexers lexers
	shift  int
}

// New returns a renderer that draws in the assistant's colour.
func New(s style.Sheet) *Renderer {
	return &Renderer{
		sheet:  s,
		base:   style.Look{Fg: themes.Assistant},
		parser: goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser(),
		lexers: lexers{},
	}
}

// Shift scrolls code sideways: lines of code begin at column n, from 0. Streams lay out anew by themselves.
func (r *Renderer) Shift(n int) { r.shift = max(0, n) }

// Render lays src out in lines of at most width cells. Lines carry no blanks at their end.
func (r *Renderer) Render(src string, width int) []string {
	doc, p := r.parse(style.Safe(src), nil)
	return r.children(doc, p.column(width))
}

// parsed is a source with what its links may refer to.
type parsed struct {
	src  []byte
	refs []parser.Reference
}

// parse reads src; refs are definitions that came before it.
func (r *Renderer) parse(src string, refs []parser.Reference) (ast.Node, parsed) {
	pc := parser.NewContext()
	for _, ref := range refs {
		pc.AddReference(ref)
	}
	b := []byte(src)
	doc := r.parser.Parse(text.NewReader(b), parser.WithContext(pc))
	return doc, parsed{b, pc.References()}
}

// column is where blocks are laid out: their source, the width of code and tables, and that of prose.
type column struct {
	src          []byte
	width, prose int
}

func (p parsed) column(width int) column {
	return column{p.src, max(1, width), max(1, min(width, proseWidth))}
}

// in is the column to the right of n cells; deep nesting in a narrow window leaves at least a few.
func (c column) in(n int) column {
	return column{c.src, max(4, c.width-n), max(4, c.prose-n)}
}

// children lays the blocks of n out with one blank line between them; inside a list item only where the source has one.
func (r *Renderer) children(n ast.Node, c column) []string {
	var out []string
	tight := n.Kind() == ast.KindListItem
	for b := n.FirstChild(); b != nil; b = b.NextSibling() {
		lines := r.block(b, c)
		if len(lines) == 0 {
			continue
		}
		if len(out) > 0 && (!tight || b.HasBlankPreviousLines()) {
			out = append(out, "")
		}
		out = append(out, lines...)
	}
	return out
}

// fit is the last gate: nothing but colours, no blanks at the end, no line wider than the column.
func (r *Renderer) fit(lines []string, c column) []string {
	for i, line := range lines {
		line = strings.TrimRight(style.OnlySGR(line), " ")
		if style.Width(line) > c.width {
			line = r.sheet.Truncate(line, c.width)
		}
		lines[i] = line
	}
	return lines
}

// prefixed puts first before the first line and rest before the others.
func prefixed(lines []string, first, rest string) []string {
	for i, line := range lines {
		switch {
		case i == 0:
			lines[i] = first + line
		case line != "" || strings.TrimSpace(rest) != "":
			lines[i] = rest + line
		}
	}
	return lines
}
