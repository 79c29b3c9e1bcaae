package search

import (
	"strings"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis"
)

// gram is how many letters of a word are looked up together when it may be a part of a longer one.
const gram = 3

// gramsOf are the terms by which a part of a word is found: all of them stand in every block that holds the part. Words of
// dense scripts have their pairs for that, so that of them only single letters are needed here.
func (o word) gramsOf() (terms []string) {
	n := min(utf8.RuneCountInString(o.text), gram)
	if o.dense {
		n = 1
	}
	pieces(o.text, n, func(piece string) { terms = append(terms, piece) })
	return terms
}

// pieces yields all rows of n letters of a word.
func pieces(s string, n int, yield func(string)) {
	var starts [gram + 1]int // of the last letters, the newest first
	count := 0
	for i, r := range s {
		copy(starts[1:], starts[:gram])
		starts[0] = i
		if count++; count >= n {
			yield(s[starts[n-1] : i+utf8.RuneLen(r)])
		}
	}
}

// wholeMark stands before a whole word with its ending, among the parts: beginnings are looked up there.
const wholeMark = "="

// cutWord is what is kept of a word that is none: its beginning.
func cutWord(word string) string {
	if len(word) > longest {
		word = strings.ToValidUTF8(word[:longest], "")
	}
	return word
}

// gramTokens is the tokenizer of the field that finds parts of words: each row of one, two and three letters once, and
// each word as it is written.
type gramTokens struct{}

// Tokenize returns the terms of a text.
func (gramTokens) Tokenize(text []byte) analysis.TokenStream {
	var out analysis.TokenStream
	s := string(text)
	seen := map[string]struct{}{}
	add := func(piece string) {
		if _, ok := seen[piece]; !ok {
			seen[piece] = struct{}{}
			out = append(out, &analysis.Token{Term: []byte(piece), Position: 1})
		}
	}
	words := map[string]struct{}{} // most stand there often
	for _, r := range runs(s) {
		if r.dense {
			pieces(lower(s[r.start:r.end]), 1, add)
			continue
		}
		w := lower(s[r.start:r.end])
		if _, ok := words[w]; ok {
			continue
		}
		words[w] = struct{}{}
		out = append(out, &analysis.Token{Term: []byte(wholeMark + cutWord(w)), Position: 1})
		for n := 1; n <= gram; n++ {
			pieces(w, n, add)
		}
	}
	return out
}
