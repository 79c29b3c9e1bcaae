package shell

import (
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// Join writes words as a shell would read them.
func Join(words []string) string {
	var all []string
	for _, w := range words {
		q, err := syntax.Quote(w, syntax.LangBash)
		if err != nil {
			q = fmt.Sprintf("%q", w)
		}
		all = append(all, q)
	}
	return strings.Join(all, " ")
}

// Split reads the words of a rule, as Join writes them. Nothing in them expands; what is no such text is split at blanks.
func Split(s string) []string {
	var words []string
	err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Words(strings.NewReader(s), func(w *syntax.Word) bool {
		for _, p := range w.Parts {
			switch p.(type) {
			case *syntax.Lit, *syntax.SglQuoted, *syntax.DblQuoted:
			default:
				words = nil
				return false
			}
		}
		text, err := expand.Literal(nil, w)
		words = append(words, text)
		return err == nil
	})
	if err != nil || len(words) == 0 {
		return strings.Fields(s)
	}
	return words
}
