// Package markdown draws Markdown as lines of styled text, whole or while it arrives. It parses with goldmark. Running
// text (paragraphs, headings, the text of list items and quotes) and rules are drawn by glamour, which walks the same
// tree in the sheet's colours; a result counts only when it says the very words of the tree, none of them broken, within
// the width. All else is drawn here, because glamour would change it: text with what reason.go lists, and words it
// would break at a hyphen. So are the frames around the text. In a list glamour glues the second paragraph of an item to
// the first and hangs no line under it; its quotes have a bar in the colour of the text and break full lines twice; its
// tables take the whole width, have a margin that cannot be turned off and move addresses below; its code has margins
// and registers colours for the whole process; and a long open list or fence must be drawn piece by piece. Both ways
// look the same, cell by cell, so that a block may change hands while it grows.
//
// No control sequence can come out but the colours and attributes of the sheet, since all text is cleaned after its
// entities are decoded. The package refuses HTML (shown as it is written), terminal hyperlinks and anything wider than
// the width it is given.
package markdown

import (
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"talaria/themes"
	"talaria/ui/code"
	"talaria/ui/style"
)

// proseWidth is where prose wraps however wide the window is (UX 4.0); code and tables use the whole width.
const proseWidth = 100

// Renderer draws Markdown with one sheet. It is not safe for concurrent use.
type Renderer struct {
	sheet   style.Sheet
	base    style.Look
	parser  parser.Parser
	lexers  code.Lexers
	brushes brushes
	shift   int
}

// New returns a renderer that draws in the assistant's colour.
func New(s style.Sheet) *Renderer {
	return &Renderer{
		sheet:   s,
		base:    style.Look{Fg: themes.Assistant},
		parser:  goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser(),
		lexers:  code.Lexers{},
		brushes: brushes{},
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

// column is where blocks are laid out: their source, the width of code and tables, and that of prose. In a swift one
// glamour has no part.
type column struct {
	src          []byte
	width, prose int
	swift        bool
}

func (p parsed) column(width int) column {
	return column{p.src, max(1, width), max(1, min(width, proseWidth)), false}
}

// in is the column for what box holds, to the right of n cells; deep nesting in a narrow window leaves at least a few.
// A box is laid out as a whole while it grows, so a large one must be swift.
func (c column) in(n int, box ast.Node) column {
	return column{c.src, max(4, c.width-n), max(4, c.prose-n), c.swift || size(box) > maxGlamour}
}

// size is how much source n holds, in bytes, without the marks of its blocks.
func size(n ast.Node) int {
	total := n.Lines().Len() // the line ends, so that blank lines count
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		total += line.Len()
	}
	for k := n.FirstChild(); k != nil && k.Type() == ast.TypeBlock; k = k.NextSibling() {
		total += size(k)
	}
	return total
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
