package markdown

import (
	"strings"

	"github.com/alecthomas/chroma/v2"
	chromalexers "github.com/alecthomas/chroma/v2/lexers"
	"github.com/charmbracelet/x/ansi"

	"talaria/themes"
	"talaria/ui/style"
)

// Above these sizes, in bytes, code is coloured line by line, or not at all: colour is not worth a pause.
const (
	maxWholeCode = 64 << 10
	maxCodeLine  = 2 << 10
)

// lexers keeps the lexer of each language that was met; nil for one that is not known.
type lexers map[string]chroma.Lexer

func (l lexers) of(lang string) chroma.Lexer {
	if lang == "" || len(lang) > 40 {
		return nil
	}
	lexer, ok := l[lang]
	if !ok {
		if lexer = chromalexers.Get(lang); lexer != nil {
			lexer = chroma.Coalesce(lexer)
		}
		l[lang] = lexer
	}
	return lexer
}

// code lays a code block out: from column 1, without frame or margin, one row a line; what is cut shows as such.
func (r *Renderer) code(lang, text string, c column) []string {
	text = strings.TrimRight(style.Untab(text), "\n")
	if text == "" {
		return nil
	}
	if len(text) > maxWholeCode {
		var out []string
		for line := range strings.SplitSeq(text, "\n") {
			out = append(out, r.codeLine(lang, line, c))
		}
		return out
	}
	var out []string
	for _, spans := range r.highlight(lang, text) {
		out = append(out, r.cut(spans, c))
	}
	return out
}

// codeLine lays one line of code out by itself; what depends on earlier lines (a long comment) is not seen.
func (r *Renderer) codeLine(lang, line string, c column) string {
	return r.cut(r.highlight(lang, style.Untab(line))[0], c)
}

// highlight splits code into lines of coloured spans; there is at least one line.
func (r *Renderer) highlight(lang, code string) [][]style.Span {
	lines := [][]style.Span{nil}
	add := func(text string, look style.Look) {
		for i, part := range strings.Split(text, "\n") {
			if i > 0 {
				lines = append(lines, nil)
			}
			if part != "" {
				lines[len(lines)-1] = append(lines[len(lines)-1], style.Span{Text: part, Look: look})
			}
		}
	}
	want := strings.Count(code, "\n") + 1
	lexer := r.lexers.of(lang)
	if lexer == nil || longestLine(code) > maxCodeLine {
		add(code, style.Look{Fg: themes.Fg})
		return lines
	}
	tokens, err := lexer.Tokenise(nil, code)
	if err != nil {
		add(code, style.Look{Fg: themes.Fg})
		return lines
	}
	for t := tokens(); t != chroma.EOF; t = tokens() {
		add(t.Value, tokenLook(t.Type))
	}
	return lines[:max(1, min(want, len(lines)))] // a lexer may add a final line end
}

func longestLine(s string) int {
	longest := 0
	for line := range strings.SplitSeq(s, "\n") {
		longest = max(longest, len(line))
	}
	return longest
}

// tokenLook maps chroma's token types to the roles of a theme.
func tokenLook(t chroma.TokenType) style.Look {
	switch {
	case t.InCategory(chroma.Comment):
		return style.Look{Fg: themes.SynComment}
	case t == chroma.KeywordType || t == chroma.NameClass || t == chroma.NameBuiltin || t == chroma.NameBuiltinPseudo || t == chroma.NameTag:
		return style.Look{Fg: themes.SynType}
	case t.InCategory(chroma.Keyword) || t == chroma.OperatorWord:
		return style.Look{Fg: themes.SynKeyword}
	case t == chroma.NameFunction || t == chroma.NameFunctionMagic || t == chroma.NameDecorator || t == chroma.NameAttribute:
		return style.Look{Fg: themes.SynFunc}
	case t.InSubCategory(chroma.LiteralNumber) || t == chroma.NameConstant:
		return style.Look{Fg: themes.SynNumber}
	case t.InCategory(chroma.Literal):
		return style.Look{Fg: themes.SynString}
	case t == chroma.GenericInserted:
		return style.Look{Fg: themes.DiffAdd}
	case t == chroma.GenericDeleted:
		return style.Look{Fg: themes.DiffDel}
	case t == chroma.GenericHeading || t == chroma.GenericSubheading:
		return style.Look{Fg: themes.FgMuted}
	}
	return style.Look{Fg: themes.Fg}
}

// cut draws one line of code, at most c.width cells; a sign marks what is cut off.
func (r *Renderer) cut(spans []style.Span, c column) string {
	total := -r.shift
	for _, sp := range spans {
		total += style.Width(sp.Text)
	}
	skip, room, over := r.shift, c.width, total > c.width
	if over {
		room -= style.Width(r.sheet.Glyphs.Cut)
	}
	var b strings.Builder
	for _, sp := range spans {
		text := style.Safe(sp.Text)
		if w := style.Width(text); w <= skip {
			skip -= w
			continue
		}
		text, skip = ansi.TruncateLeft(text, skip, ""), 0
		if w := style.Width(text); w > room {
			text = ansi.Truncate(text, room, "")
		}
		room -= style.Width(text)
		b.WriteString(r.sheet.Paint(sp.Look, text))
		if room <= 0 {
			break
		}
	}
	if over {
		b.WriteString(r.sheet.Ink(themes.FgFaint, r.sheet.Glyphs.Cut))
		return b.String()
	}
	return strings.TrimRight(b.String(), " ")
}
