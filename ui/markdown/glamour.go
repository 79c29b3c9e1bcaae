package markdown

import (
	"bytes"
	"strings"

	glamour "charm.land/glamour/v2/ansi"
	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	goldrender "github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"

	"talaria/themes"
	"talaria/ui/style"
)

// brush is what one glamour renderer is made for. The look is part of it because glamour pads each line with blanks in
// the colour of the block, one escape sequence a blank: with the colour on the text only, that is half the time and a
// third of the bytes.
type brush struct {
	width int
	look  style.Look
}

// brushes keeps the renderers that were needed. They hold state while they draw, so a set serves one Renderer only.
type brushes map[brush]goldrender.Renderer

// maxBrushes bounds what a window that is dragged through all widths leaves behind.
const maxBrushes = 64

func (b brushes) of(s style.Sheet, key brush) goldrender.Renderer {
	if g, ok := b[key]; ok {
		return g
	}
	if len(b) >= maxBrushes {
		clear(b)
	}
	options := glamour.Options{WordWrap: key.width, Styles: styles(s, key)}
	b[key] = goldrender.NewRenderer(goldrender.WithNodeRenderers(util.Prioritized(glamour.NewRenderer(options), 0)))
	return b[key]
}

// styles says in glamour's terms how this package draws: no margins, no prefixes, the sheet's roles.
func styles(s style.Sheet, key brush) glamour.StyleConfig {
	in := func(change func(*style.Look)) glamour.StylePrimitive {
		look := key.look
		change(&look)
		return primitive(s, look)
	}
	var c glamour.StyleConfig
	c.Text = in(func(*style.Look) {})
	c.Strong = glamour.StylePrimitive{Bold: new(true)}
	c.Emph = glamour.StylePrimitive{Italic: new(true)}
	c.Strikethrough = in(func(l *style.Look) { l.Strike = true })
	c.LinkText = in(func(l *style.Look) { l.Fg, l.Underline = themes.Link, true })
	c.Link = in(func(l *style.Look) { l.Fg, l.Underline = themes.FgMuted, false })
	c.Link.Prefix, c.Link.Suffix = "(", ")"
	mark, code := key.look, key.look
	mark.Fg, code.Fg = themes.FgFaint, themes.SynType
	c.Code.Prefix = s.Paint(mark, "`") + s.Pen(code)
	c.Code.Suffix = ansi.ResetStyle + s.Paint(mark, "`")
	c.HorizontalRule = primitive(s, style.Look{Fg: themes.Border})
	c.HorizontalRule.Prefix = s.Rule(key.width)
	return c
}

// primitive is a look in glamour's terms. What is off stays nil: false would undo the emphasis around it.
func primitive(s style.Sheet, l style.Look) glamour.StylePrimitive {
	var p glamour.StylePrimitive
	if hex, ok := s.Theme.Roles[l.Fg]; ok {
		p.Color = &hex
	}
	for _, a := range []struct {
		on bool
		to **bool
	}{{l.Bold, &p.Bold}, {l.Italic, &p.Italic}, {l.Strike, &p.CrossedOut}, {l.Underline, &p.Underline}} {
		if a.on {
			*a.to = new(true)
		}
	}
	return p
}

// drawn lets glamour draw the inline nodes of n in look. It is false when the result does not read, with its line ends
// as blanks, exactly as want: a word was changed, lost or broken, or a line is too wide.
func (r *Renderer) drawn(n ast.Node, c column, look style.Look, want string) ([]string, bool) {
	if want == "" || len(want) > maxGlamour {
		return nil, false
	}
	// A paragraph stands for headings and items of a list too: only in that does glamour join the lines of the source.
	paragraph := ast.NewParagraph()
	move(n, paragraph)
	lines := r.paint(paragraph, c, look)
	move(paragraph, n)
	return lines, reads(lines, want, c.prose)
}

// rule is a line over the column.
func (r *Renderer) rule(c column) []string {
	if !c.swift {
		if lines := r.paint(ast.NewThematicBreak(), c, style.Look{}); reads(lines, r.sheet.Rule(c.prose), c.prose) {
			return lines
		}
	}
	return []string{r.sheet.Ink(themes.Border, r.sheet.Rule(c.prose))}
}

// paint lets glamour draw one block, and cleans what comes; no lines when it fails.
func (r *Renderer) paint(block ast.Node, c column, look style.Look) []string {
	doc := ast.NewDocument()
	doc.AppendChild(doc, block)
	key := brush{c.prose, look}
	var out bytes.Buffer
	if err := r.brushes.of(r.sheet, key).Render(&out, c.src, doc); err != nil {
		delete(r.brushes, key) // it may be left in the middle of a block
		return nil
	}
	lines := strings.Split(strings.Trim(out.String(), "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(style.OnlySGR(line), " ")
	}
	return lines
}

// reads reports whether lines say want, end in no blank and are at most width cells wide.
func reads(lines []string, want string, width int) bool {
	for i, line := range lines {
		text := ansi.Strip(line)
		if strings.HasSuffix(text, " ") || style.Width(text) > width {
			return false
		}
		if i > 0 {
			text = " " + text
		}
		rest, ok := strings.CutPrefix(want, text)
		if !ok {
			return false
		}
		want = rest
	}
	return len(lines) > 0 && strings.TrimRight(want, " ") == ""
}

// move hands the children of one node to another.
func move(from, to ast.Node) {
	for k := from.FirstChild(); k != nil; k = from.FirstChild() {
		to.AppendChild(to, k)
	}
}

// words is what spans say.
func words(spans []style.Span) string {
	var b strings.Builder
	for _, sp := range spans {
		b.WriteString(sp.Text)
	}
	return b.String()
}
