package diffview

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"talaria/ui/style"
)

// span is a part of a line's text, in bytes; the zero value is none.
type span struct{ from, to int }

// mark finds in each line that took the place of another what is different. Lines that have little in common have no
// mark: all of them is different.
func mark(rows []row) {
	for i := 0; i < len(rows); {
		if rows[i].kind != deleted {
			i++
			continue
		}
		dels, adds := run(rows, i)
		for k := range min(dels, adds) {
			old, now := &rows[i+k], &rows[i+dels+k]
			old.mark, now.mark = changes(style.Untab(old.text), style.Untab(now.text))
		}
		i += dels + adds
	}
}

// run counts the deleted rows from i on and the added ones right after them.
func run(rows []row, i int) (dels, adds int) {
	for i+dels < len(rows) && rows[i+dels].kind == deleted {
		dels++
	}
	for i+dels+adds < len(rows) && rows[i+dels+adds].kind == added {
		adds++
	}
	return dels, adds
}

// changes are the parts between the words that a and b have in common at their beginning and at their end.
func changes(a, b string) (span, span) {
	x, y := words(a), words(b)
	head, tail, same := 0, 0, 0
	for head < len(x) && head < len(y) && x[head] == y[head] {
		same += len(strings.TrimSpace(x[head]))
		head++
	}
	for tail < len(x)-head && tail < len(y)-head && x[len(x)-1-tail] == y[len(y)-1-tail] {
		same += len(strings.TrimSpace(x[len(x)-1-tail]))
		tail++
	}
	if same*3 < max(len(a), len(b)) { // less than a third: another line
		return span{}, span{}
	}
	part := func(words []string, text string) span {
		from := len(strings.Join(words[:head], ""))
		return span{from, len(text) - len(strings.Join(words[len(words)-tail:], ""))}
	}
	return part(x, a), part(y, b)
}

// words splits a line into names and numbers, blanks, and single signs.
func words(s string) (out []string) {
	kind := func(r rune) int {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r), r == '_':
			return 1
		case unicode.IsSpace(r):
			return 2
		case r == '\u200d': // joins what is one sign
			return 1
		}
		return 0
	}
	start, last := 0, -1
	for i, r := range s {
		k := kind(r)
		if i > start && (k != last || k == 0) {
			out = append(out, s[start:i])
			start = i
		}
		last = k
	}
	if start < len(s) && utf8.ValidString(s[start:]) {
		out = append(out, s[start:])
	}
	return out
}
