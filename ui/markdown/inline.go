package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	astext "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"

	"talaria/themes"
	"talaria/ui/style"
)

// inline returns the spans of n's children, drawn in look where nothing else is said.
func (r *Renderer) inline(n ast.Node, c column, look style.Look) []style.Span {
	var out []style.Span
	for k := n.FirstChild(); k != nil; k = k.NextSibling() {
		out = append(out, r.span(k, c, look)...)
	}
	return out
}

func (r *Renderer) span(n ast.Node, c column, look style.Look) []style.Span {
	switch n := n.(type) {
	case *ast.Text:
		return []style.Span{{Text: textOf(n, c.src), Look: look}}
	case *ast.String:
		return []style.Span{{Text: oneLine(string(n.Value)), Look: look}}
	case *ast.CodeSpan:
		return r.codeSpan(n, c, look)
	case *ast.Emphasis:
		if n.Level >= 2 {
			look.Bold = true
		} else {
			look.Italic = true
		}
	case *astext.Strikethrough:
		look.Strike = true
	case *ast.Link:
		return r.link(n, string(n.Destination), c, look)
	case *ast.Image:
		return r.link(n, string(n.Destination), c, look)
	case *ast.AutoLink:
		look.Fg, look.Underline = themes.Link, true
		return []style.Span{{Text: oneLine(string(n.Label(c.src))), Look: look}}
	case *ast.RawHTML:
		return htmlSpan(n, c.src, look)
	case *astext.TaskCheckBox:
		if n.IsChecked {
			return []style.Span{{Text: "[x] ", Look: style.Look{Fg: themes.Success}}}
		}
		return []style.Span{{Text: "[ ] ", Look: style.Look{Fg: themes.FgMuted}}}
	}
	return r.inline(n, c, look)
}

// codeSpan keeps its backticks, faint: the sign that it is code does not hang on a colour.
func (r *Renderer) codeSpan(n ast.Node, c column, look style.Look) []style.Span {
	var b strings.Builder
	for k := n.FirstChild(); k != nil; k = k.NextSibling() {
		if t, ok := k.(*ast.Text); ok {
			b.Write(t.Value(c.src))
		}
	}
	tick := "`"
	code := oneLine(b.String())
	if strings.Contains(code, "`") {
		tick = "``"
	}
	mark, look := look, look
	mark.Fg, look.Fg = themes.FgFaint, themes.SynType
	return []style.Span{{Text: tick, Look: mark}, {Text: code, Look: look}, {Text: tick, Look: mark}}
}

// link shows the text and, when it differs, where it leads: a hidden address is how people are fooled.
func (r *Renderer) link(n ast.Node, to string, c column, look style.Look) []style.Span {
	inner := look
	inner.Fg, inner.Underline = themes.Link, true
	out := r.inline(n, c, inner)
	shown := ""
	for _, sp := range out {
		shown += sp.Text
	}
	to = oneLine(to)
	if to == "" || to == shown || "mailto:"+shown == to || strings.HasPrefix(to, "#") {
		return out
	}
	look.Fg, look.Underline = themes.FgMuted, false
	if shown == "" {
		return []style.Span{{Text: to, Look: inner}}
	}
	return append(out, style.Span{Text: " (" + to + ")", Look: look})
}

// htmlSpan shows a tag as it is written; only <br> means what it says.
func htmlSpan(n *ast.RawHTML, src []byte, look style.Look) []style.Span {
	var b strings.Builder
	for i := range n.Segments.Len() {
		seg := n.Segments.At(i)
		b.Write(seg.Value(src))
	}
	tag := oneLine(b.String())
	switch strings.ToLower(strings.ReplaceAll(tag, " ", "")) {
	case "<br>", "<br/>":
		return []style.Span{{Text: "\n", Look: look}}
	}
	look.Fg = themes.FgMuted
	return []style.Span{{Text: tag, Look: look}}
}

// textOf is what n says, with the line break that may follow it.
func textOf(n *ast.Text, src []byte) string {
	s := string(n.Value(src))
	if !n.IsRaw() {
		s = decode(s)
	}
	s = oneLine(s)
	switch {
	case n.HardLineBreak():
		return s + "\n"
	case n.SoftLineBreak() && !joins(s):
		return s + " "
	}
	return s
}

// joins reports whether s ends in a script that is written without blanks, so that a line break in the source is none.
func joins(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || strings.ContainsRune("。、，！？：；」』）", r) && r != utf8.RuneError
}

// decode resolves backslash escapes and entities, each once.
func decode(s string) string {
	if !strings.ContainsAny(s, `\&`) {
		return s
	}
	var b strings.Builder
	entities := func(part string) {
		b.Write(util.ResolveEntityNames(util.ResolveNumericReferences([]byte(part))))
	}
	start := 0
	for i := 0; i+1 < len(s); i++ {
		if s[i] == '\\' && util.IsPunct(s[i+1]) {
			entities(s[start:i])
			b.WriteByte(s[i+1])
			i++
			start = i + 1
		}
	}
	entities(s[start:])
	return b.String()
}

// oneLine cleans text after it was decoded, which may have made control characters, and keeps it on its line.
func oneLine(s string) string {
	s = style.Safe(s)
	if strings.ContainsAny(s, "\n\t") {
		s = strings.NewReplacer("\n", " ", "\t", " ").Replace(s)
	}
	return s
}
