package export

import (
	"bytes"
	_ "embed"
	"html/template"
	"io"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{"markdown": markdown, "diff": diffLines}).Parse(pageText))

// writePage writes a document as one HTML page that loads nothing, runs nothing and follows the reader's light or dark.
func writePage(w io.Writer, d document) error { return page.Execute(w, d) }

var converter = goldmark.New(goldmark.WithExtensions(extension.GFM),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(plain{}, 1))))

// markdown turns Markdown into HTML. HTML in it is shown as text, and addresses that would run something lead nowhere.
func markdown(s string) template.HTML {
	var b bytes.Buffer
	if converter.Convert([]byte(s), &b) != nil {
		return template.HTML("<p>" + template.HTMLEscapeString(s) + "</p>")
	}
	return template.HTML(b.String())
}

// plain writes as text what goldmark would take over or leave out: tags, and pictures from elsewhere, which a page that
// is passed on must not fetch.
type plain struct{}

// RegisterFuncs takes the nodes that carry HTML and pictures.
func (p plain) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindRawHTML, p.inline)
	r.Register(ast.KindHTMLBlock, p.block)
	r.Register(ast.KindImage, p.image)
	r.Register(ast.KindFencedCodeBlock, p.fenced)
}

// fenced writes code; a diff in it looks like any other.
func (plain) fenced(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	block := n.(*ast.FencedCodeBlock)
	diff := string(block.Language(source)) == "diff"
	_, _ = w.WriteString("<pre><code>")
	lines := block.Lines()
	for i := range lines.Len() {
		s := lines.At(i)
		text := s.Value(source)
		if class := classOf(string(text)); diff && class != "" {
			_, _ = w.WriteString(`<span class="` + class + `">`)
			_, _ = w.Write(util.EscapeHTML(bytes.TrimRight(text, "\n")))
			_, _ = w.WriteString("</span>\n")
			continue
		}
		_, _ = w.Write(util.EscapeHTML(text))
	}
	_, _ = w.WriteString("</code></pre>\n")
	return ast.WalkContinue, nil
}

func (plain) inline(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		raw := n.(*ast.RawHTML).Segments
		for i := range raw.Len() {
			s := raw.At(i)
			_, _ = w.Write(util.EscapeHTML(s.Value(source)))
		}
	}
	return ast.WalkSkipChildren, nil
}

func (plain) block(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	b := n.(*ast.HTMLBlock)
	if !entering {
		return ast.WalkContinue, nil
	}
	_, _ = w.WriteString("<pre>")
	lines := b.Lines()
	for i := range lines.Len() {
		s := lines.At(i)
		_, _ = w.Write(util.EscapeHTML(s.Value(source)))
	}
	if b.HasClosure() {
		_, _ = w.Write(util.EscapeHTML(b.ClosureLine.Value(source)))
	}
	_, _ = w.WriteString("</pre>\n")
	return ast.WalkContinue, nil
}

func (plain) image(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString("[picture ")
		_, _ = w.Write(util.EscapeHTML(n.(*ast.Image).Destination))
		_, _ = w.WriteString(": ")
	} else {
		_, _ = w.WriteString("]")
	}
	return ast.WalkContinue, nil
}

// row is a line of a diff and what it does: add, del, at, or "".
type row struct{ Class, Text string }

func diffLines(s string) []row {
	var rows []row
	for line := range strings.SplitSeq(strings.TrimRight(s, "\n"), "\n") {
		rows = append(rows, row{classOf(line), line})
	}
	return rows
}

func classOf(line string) string {
	switch {
	case strings.HasPrefix(line, "+"):
		return "add"
	case strings.HasPrefix(line, "-"):
		return "del"
	case strings.HasPrefix(line, "@"):
		return "at"
	}
	return ""
}

// Line is what is known of the session.
func (h head) Line() string { return h.line() }

// Heading is the line of a tool.
func (b block) Heading() string { return b.title() }
