package markdown

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	astext "github.com/yuin/goldmark/extension/ast"

	"talaria/themes"
	"talaria/ui/style"
)

// block lays one block out; a block that shows nothing (a link definition) gives no lines.
func (r *Renderer) block(n ast.Node, c column) []string {
	switch n := n.(type) {
	case *ast.Paragraph, *ast.TextBlock:
		return r.text(n, c, r.base)
	case *ast.Heading:
		return r.text(n, c, headingLook(n.Level))
	case *ast.List:
		return r.list(n, c, n.Start)
	case *ast.Blockquote:
		bar := r.sheet.Ink(themes.Border, r.sheet.Glyphs.VLine) + " "
		return r.fit(prefixed(r.children(n, c.in(2, n)), bar, bar), c)
	case *ast.FencedCodeBlock:
		return r.code(string(n.Language(c.src)), raw(n, c.src), c)
	case *ast.CodeBlock:
		return r.code("", raw(n, c.src), c)
	case *ast.HTMLBlock:
		html := raw(n, c.src)
		if n.HasClosure() {
			html += string(n.ClosureLine.Value(c.src))
		}
		return r.plain(html, themes.FgMuted, c)
	case *ast.ThematicBreak:
		return r.rule(c)
	case *astext.Table:
		return r.table(n, c)
	case *ast.LinkReferenceDefinition:
		return nil
	}
	return r.children(n, c)
}

// headingLook tells the levels apart without marks: underlined, bold and coloured, bold, bold and slanted.
func headingLook(level int) style.Look {
	switch level {
	case 1:
		return style.Look{Fg: themes.Accent, Bold: true, Underline: true}
	case 2:
		return style.Look{Fg: themes.Accent, Bold: true}
	case 3:
		return style.Look{Fg: themes.Fg, Bold: true}
	}
	return style.Look{Fg: themes.Fg, Bold: true, Italic: true}
}

// text lays the running text of n out: by glamour where that shows the same words, else as spans.
func (r *Renderer) text(n ast.Node, c column, look style.Look) []string {
	spans := r.inline(n, c, look)
	if !c.swift && reasonAgainst(n, c.src) == "" {
		if lines, ok := r.drawn(n, c, look, words(spans)); ok {
			return lines
		}
	}
	return r.prose(spans, c)
}

// prose wraps spans at the prose width.
func (r *Renderer) prose(spans []style.Span, c column) []string {
	if len(spans) == 0 {
		return nil
	}
	return r.fit(r.sheet.WrapSpans(spans, c.prose), c)
}

// plain shows text line by line, as it is written.
func (r *Renderer) plain(text string, role themes.Role, c column) []string {
	text = strings.TrimRight(style.Untab(text), "\n")
	return r.fit(r.sheet.WrapSpans([]style.Span{{Text: text, Look: style.Look{Fg: role}}}, c.width), c)
}

// list lays a list out; first is the number of its first item.
func (r *Renderer) list(n *ast.List, c column, first int) []string {
	var out []string
	for i, item := first, n.FirstChild(); item != nil; i, item = i+1, item.NextSibling() {
		if item != n.FirstChild() && blankBefore(c.src, item.Pos()) {
			out = append(out, "")
		}
		out = append(out, r.item(n, item, i, c)...)
	}
	return out
}

// item lays one item out under its mark. Each item hangs on its own mark, so that a later one never moves it.
func (r *Renderer) item(n *ast.List, item ast.Node, number int, c column) []string {
	mark := r.sheet.Glyphs.Bullet
	if n.IsOrdered() {
		mark = strconv.Itoa(number) + string(n.Marker)
	}
	w := style.Width(mark) + 1
	lines := r.children(item, c.in(w, item))
	if len(lines) == 0 {
		lines = []string{""}
	}
	return r.fit(prefixed(lines, r.sheet.Ink(themes.FgMuted, mark)+" ", style.Blank(w)), c)
}

// blankBefore reports whether the line before the one that holds pos is blank. Marks of a quote count as blank.
func blankBefore(src []byte, pos int) bool {
	start := lineStart(src, pos)
	if start == 0 {
		return false
	}
	before := src[lineStart(src, start-1) : start-1]
	return len(bytes.Trim(before, " \t>")) == 0
}

// lineStart is where the line that holds pos begins.
func lineStart(src []byte, pos int) int {
	return bytes.LastIndexByte(src[:min(max(pos, 0), len(src))], '\n') + 1
}

// raw joins the source lines of a block.
func raw(n ast.Node, src []byte) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		b.Write(line.Value(src))
	}
	return b.String()
}
