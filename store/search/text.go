package search

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"talaria/engine"
)

// How much of a call's arguments and of a result is looked at, in bytes: what was read or printed beyond that is a file's
// text rather than the conversation's.
const (
	argsKept   = 2 << 10
	resultKept = 8 << 10
)

// Text is what a message is found by: what was said, what was called with what, what came back.
func Text(m engine.Message) string {
	parts := []string{m.Text()}
	for _, c := range m.Calls() {
		parts = append(parts, c.Name+" "+cut(c.Args, argsKept))
	}
	for _, r := range m.Results() {
		parts = append(parts, cut(r.Text, resultKept))
	}
	return strings.TrimSpace(strings.Join(parts, "\n"))
}

// cut returns the first n bytes of s without the word that would be cut in two, unless that is a very long one.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	s = strings.ToValidUTF8(s[:n], "")
	end := strings.LastIndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
	if end < len(s)-2*longest {
		return s
	}
	return s[:end]
}

// Before and after the first mark, a snippet shows this many bytes, more or less.
const (
	snippetBefore = 60
	snippetAfter  = 160
)

// Snippet cuts text around its first mark and sets it in one line; marks are those of the snippet.
func Snippet(text string, marks [][2]int) (string, [][2]int) {
	from, to := 0, min(len(text), snippetBefore+snippetAfter)
	if len(marks) > 0 {
		from, to = max(0, marks[0][0]-snippetBefore), min(len(text), marks[0][0]+snippetAfter)
	}
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	if from > 0 { // begin with a whole word, if one begins soon
		if at := strings.IndexByte(text[from:], ' '); at >= 0 && (len(marks) == 0 || from+at < marks[0][0]) && at < snippetBefore/2 {
			from += at + 1
		}
	}
	var b strings.Builder
	if from > 0 {
		b.WriteString("…")
	}
	moved := make([]int, to-from+1) // where a byte of text stands in the snippet
	space := false
	for i := from; i < to; {
		_, n := utf8.DecodeRuneInString(text[i:])
		n = min(n, to-i)
		for k := range n {
			moved[i-from+k] = b.Len()
		}
		switch c := text[i]; {
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			if !space {
				b.WriteByte(' ')
			}
			space = true
		default:
			b.WriteString(text[i : i+n])
			space = false
		}
		i += n
	}
	moved[to-from] = b.Len()
	if to < len(text) {
		b.WriteString("…")
	}
	var out [][2]int
	for _, m := range marks {
		if m[0] >= from && m[0] < to {
			out = append(out, [2]int{moved[m[0]-from], moved[min(m[1], to)-from]})
		}
	}
	return b.String(), out
}

// lowered appends text in small letters to b; what is no ASCII takes the long way only where it has a case.
func lowered(b, text []byte) []byte {
	n := len(b)
	b = append(b, text...)
	for i := n; i < len(b); i++ {
		c := b[i]
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		} else if c >= 0xc3 && cased(b[i:]) {
			return append(b[:n], strings.ReplaceAll(string(bytes.ToLower(text)), "ё", "е")...)
		}
	}
	return b
}

// cased reports whether a letter with a case may begin here: all of two bytes (Latin, Greek, Cyrillic and their like), and
// of the longer ones those that change.
func cased(b []byte) bool {
	switch c := b[0]; {
	case c < 0xe0:
		return true
	case c == 0xe0 || c > 0xe2 && c < 0xea || c > 0xea && c < 0xef: // Indic, kana, Han, most of Hangul
		return false
	}
	r, _ := utf8.DecodeRune(b)
	return unicode.ToLower(r) != r
}
