package search

import (
	"bytes"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// severalTexts is how a second text part of a message shows: Text joins them without a gap, so that a word may begin in
// one and end in the next.
var severalTexts = []byte(`"type":"text"`)

// May reports for each word whether Find may find it in the Text of a message, given the JSON of its record; no means no.
// Reading the JSON is most of the cost of looking through a block, and this tells which of its records need not be read.
func (w Words) May(record []byte) (may []bool, n int) {
	h := hunt{words: w.list, seen: make([]bool, len(w.list))}
	if bytes.Count(record, severalTexts) > 1 || escapesLetters(record) {
		for i := range h.seen {
			h.seen[i] = true
		}
		return h.seen, len(h.seen)
	}
	h.pieces(record, w.infix)
	for _, o := range w.list {
		if first, _ := utf8.DecodeRuneInString(o.text); !w.infix && !o.raw() {
			h.firsts = append(h.firsts, first)
		}
	}
	if len(h.firsts) > 0 {
		h.through(record)
	}
	return h.seen, count(h.seen)
}

func count(seen []bool) (n int) {
	for _, s := range seen {
		if s {
			n++
		}
	}
	return n
}

// raw reports whether the word stands in a record as it is, maybe inside a longer one.
func (o word) raw() bool {
	first, _ := utf8.DecodeRuneInString(o.text)
	return o.dense || unicode.IsMark(first)
}

// pieces looks for the words that may be a part of another.
func (h *hunt) pieces(record []byte, infix bool) {
	if infix {
		record = lowered(make([]byte, 0, len(record)), record)
	}
	for i, o := range h.words {
		h.seen[i] = (infix || o.raw()) && bytes.Contains(record, []byte(o.text))
	}
}

// escapesLetters reports whether a letter may be written as \u and its number, which our own encoder never does.
func escapesLetters(record []byte) bool {
	for rest := record; ; {
		at := bytes.Index(rest, []byte(`\u`))
		if at < 0 {
			return false
		}
		if len(rest) < at+6 {
			return true
		}
		n, err := strconv.ParseUint(string(rest[at+2:at+6]), 16, 32)
		if err != nil || alnum[byte(n)] || n > 0x7f && n != 0x2028 && n != 0x2029 {
			return true
		}
		rest = rest[at+2:]
	}
}

// alnum are the letters and digits of ASCII.
var alnum = func() (is [256]bool) {
	for c := range is {
		is[c] = c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	}
	return is
}()

// hunt looks for words in the runs of a record: as runs and in do, but only those that begin like one of the words are
// compared.
type hunt struct {
	words  []word
	firsts []rune // of the words that are looked for
	seen   []bool
	room   []byte
}

func (h *hunt) through(b []byte) {
	var heads [utf8.RuneSelf]bool
	for _, r := range h.firsts {
		if r < utf8.RuneSelf {
			heads[r] = true
			heads[unicode.ToUpper(r)] = true
		}
	}
	dense := false // the last letter was of a dense script: marks belong to it
	for i := 0; i < len(b); {
		switch c := b[i]; {
		case c == '\\':
			dense = false
			if i += 2; i <= len(b) && b[i-1] == 'u' {
				i += 4
			}
		case c < utf8.RuneSelf && !alnum[c]:
			dense = false
			i++
		case c < utf8.RuneSelf:
			end := runEnd(b, i)
			if heads[c] {
				h.look(b[i:end])
			}
			dense = false
			i = end
		default:
			r, n := utf8.DecodeRune(b[i:])
			switch {
			case isDense(r), dense && unicode.IsMark(r):
				dense = true
				i += n
			case !inWord(r):
				dense = false
				i += n
			default:
				end := runEnd(b, i)
				h.look(b[i:end])
				dense = false
				i = end
			}
		}
	}
}

func isDense(r rune) bool { return r >= 0x0e00 && unicode.In(r, dense...) }

// inWord reports whether a rune above ASCII is part of a word.
func inWord(r rune) bool {
	return r >= 0x0430 && r <= 0x044f || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// runEnd is where the run of a script with spaces that begins at i ends.
func runEnd(b []byte, i int) int {
	for i < len(b) {
		if b[i] < utf8.RuneSelf {
			if !alnum[b[i]] {
				break
			}
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if !inWord(r) || isDense(r) && !unicode.IsMark(r) {
			break
		}
		i += n
	}
	return i
}

// look compares one run with the words that are left.
func (h *hunt) look(run []byte) {
	first, _ := utf8.DecodeRune(run)
	if first = unicode.ToLower(first); first == 'ё' {
		first = 'е'
	}
	if !slices.Contains(h.firsts, first) {
		return
	}
	h.room = lowered(h.room[:0], run)
	for i := range h.words {
		o := &h.words[i]
		if h.seen[i] || o.dense {
			continue
		}
		if !bytes.HasPrefix(h.room, []byte(o.head)) {
			continue
		}
		form, met := o.stems[string(h.room)]
		if form = form || o.prefix && bytes.HasPrefix(h.room, []byte(o.text)); !form && !met {
			_, _, form = o.in(string(h.room), false, false)
		}
		if form {
			h.seen[i] = true
		}
	}
}
