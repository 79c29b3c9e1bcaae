package markdown

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"

	"talaria/ui/style"
)

// plainWidth is wider than any line that somebody writes.
const plainWidth = 8000

// Plain is what src says as it is read, without colours, and without a break in a line that was only too long.
func (r *Renderer) Plain(src string) string {
	shift := r.shift
	r.shift = 0
	defer func() { r.shift = shift }()
	doc, p := r.parse(style.Safe(src), nil)
	lines := r.children(doc, column{p.src, plainWidth, plainWidth, true})
	for i, line := range lines {
		line = strings.TrimRight(ansi.Strip(line), " ")
		if len(line) > plainWidth/2 && strings.Trim(line, r.sheet.Glyphs.Rule) == "" {
			line = "---"
		}
		lines[i] = line
	}
	return strings.Join(lines, "\n")
}

// Fence is a code block of a text.
type Fence struct{ Lang, Code string }

// Fences are the code blocks of src, as they were written.
func (r *Renderer) Fences(src string) []Fence {
	doc, p := r.parse(style.Safe(src), nil)
	return fences(doc, p.src)
}

func fences(n ast.Node, src []byte) (out []Fence) {
	for k := n.FirstChild(); k != nil; k = k.NextSibling() {
		switch k.Kind() {
		case ast.KindFencedCodeBlock, ast.KindCodeBlock:
			f := Fence{Code: string(k.Lines().Value(src))}
			if fenced, ok := k.(*ast.FencedCodeBlock); ok {
				f.Lang = string(fenced.Language(src))
			}
			out = append(out, f)
		default:
			if k.Type() == ast.TypeBlock {
				out = append(out, fences(k, src)...)
			}
		}
	}
	return out
}
