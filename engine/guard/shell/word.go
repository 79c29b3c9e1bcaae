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
	front := true // variables of the command, which a quote would make a program
	for _, w := range words {
		set := ""
		if front = front && IsAssignment(w); front {
			i := strings.IndexByte(w, '=') + 1
			set, w = w[:i], w[i:]
			if w == "" {
				all = append(all, set)
				continue
			}
		}
		q, err := syntax.Quote(w, syntax.LangBash)
		if err != nil {
			q = fmt.Sprintf("%q", w)
		}
		all = append(all, set+q)
	}
	return strings.Join(all, " ")
}

// Split reads the words of a rule, as Join writes them. Nothing in them expands; what is no such text is split at blanks.
func Split(s string) []string {
	var words []string
	for w, err := range syntax.NewParser(syntax.Variant(syntax.LangBash)).WordsSeq(strings.NewReader(s)) {
		if err != nil || !unexpanded(w) {
			return strings.Fields(s)
		}
		text, err := expand.Literal(nil, w)
		if err != nil {
			return strings.Fields(s)
		}
		words = append(words, text)
	}
	if len(words) == 0 {
		return strings.Fields(s)
	}
	return words
}

// unexpanded reports a word in which nothing expands.
func unexpanded(w *syntax.Word) bool {
	for _, p := range w.Parts {
		switch p.(type) {
		case *syntax.Lit, *syntax.SglQuoted, *syntax.DblQuoted:
		default:
			return false
		}
	}
	return true
}
