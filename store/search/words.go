package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/russian"
)

// longest is the length in bytes from which a run is no word any more (a hash, base64): only its beginning is kept.
const longest = 48

// dense are the scripts that are written without spaces between words.
var dense = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// run is a piece of a text: bytes from start to end that are one word, or a row of letters of a dense script.
type run struct {
	start, end int
	dense      bool
}

// runs cuts s into its words. Everything but letters, digits and their marks separates, so that a path or an identifier
// with underscores is found by each of its words.
func runs(s string) []run {
	var out []run
	open := false
	for i, r := range s {
		if r < utf8.RuneSelf && !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9') {
			open = false
			continue
		}
		if r >= utf8.RuneSelf && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			open = false
			continue
		}
		cjk := r >= 0x0e00 && unicode.In(r, dense...)
		if unicode.IsMark(r) && open {
			cjk = out[len(out)-1].dense
		}
		if end := i + utf8.RuneLen(r); open && out[len(out)-1].dense == cjk {
			out[len(out)-1].end = end
		} else {
			out, open = append(out, run{i, end, cjk}), true
		}
	}
	return out
}

// lower is a word as it is compared: small letters, ё as е.
func lower(s string) string {
	return strings.ReplaceAll(strings.ToLower(s), "ё", "е")
}

// stem takes the ending off a lower-cased word.
func stem(word string) string {
	word = cutWord(word)
	first, _ := utf8.DecodeRuneInString(word)
	switch {
	case unicode.Is(unicode.Cyrillic, first):
		env := snowballstem.NewEnv(word)
		russian.Stem(env)
		return env.Current()
	case unicode.Is(unicode.Latin, first):
		env := snowballstem.NewEnv(word)
		english.Stem(env)
		return env.Current()
	}
	return word
}

// pairs are the overlapping pairs of letters of a dense run, or the one letter it has.
func pairs(s string) []string {
	letters := []rune(s)
	if len(letters) < 2 {
		return []string{s}
	}
	out := make([]string, 0, len(letters)-1)
	for i := range letters[1:] {
		out = append(out, string(letters[i:i+2]))
	}
	return out
}

// tokens is the tokenizer of the index; what it makes needs no filter.
type tokens struct{}

// Tokenize returns the terms of a text.
func (tokens) Tokenize(text []byte) analysis.TokenStream {
	s := string(text)
	var out analysis.TokenStream
	for n, r := range runs(s) {
		terms := []string{""}
		if r.dense {
			terms = pairs(s[r.start:r.end])
		} else {
			terms[0] = stem(lower(s[r.start:r.end]))
		}
		for _, t := range terms {
			out = append(out, &analysis.Token{Term: []byte(t), Start: r.start, End: r.end, Position: n + 1})
		}
	}
	return out
}

// word is one word of a query.
type word struct {
	text   string   // lower-cased
	terms  []string // what stands for it in the index; all must be there
	dense  bool
	prefix bool            // it may go on: the user still types it
	head   string          // how all forms of it begin
	stems  map[string]bool // of words that were met: whether they are a form of this one
}

// Words is a query as it is looked for. It is for one goroutine.
type Words struct {
	list  []word
	infix bool
}

// Parse cuts a query into words. A word that the query ends with may be the beginning of a longer one.
func Parse(query string) Words {
	var w Words
	all := runs(query)
	for i, r := range all {
		one := word{text: lower(query[r.start:r.end]), dense: r.dense, stems: map[string]bool{}}
		if r.dense {
			one.terms = pairs(one.text)
		} else {
			one.terms = []string{stem(one.text)}
			one.head = headOf(one.terms[0])
			one.prefix = i == len(all)-1 && r.end == len(query) && utf8.RuneCountInString(one.text) >= 3
		}
		if !slices.ContainsFunc(w.list, func(o word) bool { return o.text == one.text }) {
			w.list = append(w.list, one)
		}
	}
	return w
}

// Infix returns the same query with its words looked for inside longer ones too, as a scan does it.
func (w Words) Infix() Words { return Words{w.list, true} }

// In reports whether the words are looked for inside longer ones.
func (w Words) In() bool { return w.infix }

// Empty reports whether there is nothing to look for.
func (w Words) Empty() bool { return len(w.list) == 0 }

// Short reports whether a word is one letter: of use only as a part of others.
func (w Words) Short() bool {
	return slices.ContainsFunc(w.list, func(o word) bool { return utf8.RuneCountInString(o.text) == 1 })
}

// Texts are the words, lower-cased.
func (w Words) Texts() []string {
	out := make([]string, len(w.list))
	for i, one := range w.list {
		out[i] = one.text
	}
	return out
}

// All is the number of words.
func (w Words) All() int { return len(w.list) }

// Find returns the bytes of text where the words stand, in order, and how many of the words do.
func (w Words) Find(text string) (marks [][2]int, found int) {
	marks, seen := w.Where(text)
	return marks, count(seen)
}

// Where is Find that tells which of the words stand in text.
func (w Words) Where(text string) (marks [][2]int, seen []bool) {
	seen = make([]bool, len(w.list))
	for _, r := range runs(text) {
		piece := lower(text[r.start:r.end])
		exact := len(piece) == r.end-r.start // else offsets in piece are not those in text
		for i, one := range w.list {
			from, to, ok := one.in(piece, r.dense, w.infix)
			if !ok {
				continue
			}
			seen[i] = true
			if !exact {
				from, to = 0, r.end-r.start
			}
			marks = append(marks, [2]int{r.start + from, r.start + to})
		}
	}
	return join(marks), seen
}

// headOf is how every word with that stem begins: stemming changes two letters of an ending at most (dying, die) and leaves
// the first alone.
func headOf(stem string) string {
	letters := []rune(stem)
	return string(letters[:min(len(letters), max(1, len(letters)-2))])
}

// in reports where the word stands in a run.
func (o word) in(piece string, dense, infix bool) (from, to int, ok bool) {
	if dense || infix {
		at := strings.Index(piece, o.text)
		return at, at + len(o.text), at >= 0
	}
	switch {
	case o.dense:
		return 0, 0, false
	case piece == o.text:
		return 0, len(piece), true
	case !strings.HasPrefix(piece, o.head):
		return 0, 0, false
	}
	form, met := o.stems[piece]
	if !met {
		form = stem(piece) == o.terms[0]
		o.stems[piece] = form
	}
	if !form && o.prefix && strings.HasPrefix(piece, o.text) {
		return 0, len(o.text), true
	}
	return 0, len(piece), form
}

// join sorts marks and makes one of those that touch.
func join(marks [][2]int) [][2]int {
	slices.SortFunc(marks, func(a, b [2]int) int { return a[0] - b[0] })
	out := marks[:0]
	for _, m := range marks {
		if n := len(out); n > 0 && m[0] <= out[n-1][1] {
			out[n-1][1] = max(out[n-1][1], m[1])
			continue
		}
		out = append(out, m)
	}
	return out
}
