// Package code splits source text into spans of the theme's syntax roles. It refuses to guess a language, and to colour
// what would take longer than anybody waits: there, text stays as it is.
package code

import (
	"path"
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"
	chromalexers "github.com/alecthomas/chroma/v2/lexers"

	"talaria/themes"
	"talaria/ui/style"
)

// maxLine is the length of a line, in bytes, above which nothing is coloured.
const maxLine = 2 << 10

// Lexers keeps the lexer of each language that was met; nil for one that is not known.
type Lexers map[string]chroma.Lexer

func (l Lexers) of(lang string) chroma.Lexer {
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

// languages keeps what was found for a name or its ending: looking is slow.
var languages sync.Map

// Language is what a file is written in by its name, "" where that does not say.
func Language(file string) string {
	name := path.Base(file)
	key := path.Ext(name)
	if key == "" {
		key = name
	}
	if known, ok := languages.Load(key); ok {
		return known.(string)
	}
	lang := ""
	if lexer := chromalexers.Match(name); lexer != nil {
		lang = lexer.Config().Name
	}
	languages.Store(key, lang)
	return lang
}

// Highlight splits code into lines of coloured spans; there is at least one line, and never more than code has.
func (l Lexers) Highlight(lang, code string) [][]style.Span {
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
	lexer := l.of(lang)
	if lexer == nil || longestLine(code) > maxLine {
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
