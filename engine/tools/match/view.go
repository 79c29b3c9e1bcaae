package match

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// view is the text of a file as a matcher reads it: LF line ends and, when plain, ASCII in place of typographic quotes,
// dashes and spaces. The file itself is never decoded, so what lies outside an edit stays byte for byte.
type view struct {
	data  []byte
	text  []byte
	at    []int // at[i] is where text[i] begins in data, at[len(text)] its end; nil when text is data
	plain bool
}

// Edit replaces the bytes from Start to End of a file by Text.
type Edit struct {
	Start, End int
	Text       []byte
}

func newView(data []byte, plain bool) view {
	if !plain && bytes.IndexByte(data, '\r') < 0 {
		return view{data: data, text: data}
	}
	v := view{data: data, plain: plain, text: make([]byte, 0, len(data)), at: make([]int, 0, len(data)+1)}
	for i := 0; i < len(data); {
		n, b := 1, data[i]
		if b == '\r' && i+1 < len(data) && data[i+1] == '\n' {
			n, b = 2, '\n'
		} else if plain && b >= utf8.RuneSelf {
			r, size := utf8.DecodeRune(data[i:])
			if p := plainRune(r); p != 0 {
				n, b = size, p
			}
		}
		v.text, v.at = append(v.text, b), append(v.at, i)
		i += n
	}
	v.at = append(v.at, len(data))
	return v
}

// pos is where the i-th byte of the view begins in the file.
func (v view) pos(i int) int {
	if v.at == nil {
		return i
	}
	return v.at[i]
}

// find returns where s stands in the view; places do not overlap.
func (v view) find(s []byte) []int {
	var hits []int
	for from := 0; len(s) > 0; {
		i := bytes.Index(v.text[from:], s)
		if i < 0 {
			break
		}
		hits = append(hits, from+i)
		from += i + len(s)
	}
	return hits
}

// spliced is the edit that turns old, which stands at hit, into new. What both begin and end with is left out of it, so
// that it stays as the file has it.
func (v view) spliced(hit int, old, new string) Edit {
	p := samePrefix(old, new)
	s := sameSuffix(old[p:], new[p:])
	start := hit + v.width(old[:p])
	end := hit + v.width(old[:len(old)-s])
	whole := v.data[v.pos(hit):v.pos(hit+v.width(old))]
	return Edit{v.pos(start), v.pos(end), withEnds(new[p:len(new)-s], v.lineEnd(whole, v.pos(end)))}
}

// width is how many bytes s has in the view.
func (v view) width(s string) int {
	if v.plain {
		s = plainText(s)
	}
	return len(s)
}

// lineEnd is the line end that new lines get: that of most lines in the replaced part, or of the line it stands in.
func (v view) lineEnd(part []byte, after int) string {
	lf := bytes.Count(part, []byte("\n"))
	if lf == 0 {
		i := bytes.IndexByte(v.data[after:], '\n')
		if i < 0 {
			i = bytes.LastIndexByte(v.data[:after], '\n') - after
		}
		i += after
		if i < 0 {
			return "\n"
		}
		part, lf = v.data[max(i-1, 0):i+1], 1
	}
	if 2*bytes.Count(part, []byte("\r\n")) > lf {
		return "\r\n"
	}
	return "\n"
}

// withEnds gives s, whose lines end in LF, the line end end.
func withEnds(s, end string) []byte {
	if end == "\n" {
		return []byte(s)
	}
	return []byte(strings.ReplaceAll(s, "\n", end))
}

// Splice returns data with the edits made; they are in order and do not overlap.
func Splice(data []byte, edits []Edit) []byte {
	var out []byte
	from := 0
	for _, e := range edits {
		out = append(append(out, data[from:e.Start]...), e.Text...)
		from = e.End
	}
	return append(out, data[from:]...)
}

// samePrefix is the length of what a and b begin with, in whole characters.
func samePrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) {
		r, size := utf8.DecodeRuneInString(a[n:])
		s, other := utf8.DecodeRuneInString(b[n:])
		if r != s || size != other || a[n:n+size] != b[n:n+size] {
			break
		}
		n += size
	}
	return n
}

// sameSuffix is the length of what a and b end with, in whole characters.
func sameSuffix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) {
		r, size := utf8.DecodeLastRuneInString(a[:len(a)-n])
		s, other := utf8.DecodeLastRuneInString(b[:len(b)-n])
		if r != s || size != other || a[len(a)-n-size:len(a)-n] != b[len(b)-n-size:len(b)-n] {
			break
		}
		n += size
	}
	return n
}

func plainText(s string) string {
	return strings.Map(func(r rune) rune {
		if p := plainRune(r); p != 0 {
			return rune(p)
		}
		return r
	}, s)
}

// plainRune is the ASCII character that stands for a typographic quote, dash or space; 0 for any other.
func plainRune(r rune) byte {
	switch r {
	case '‘', '’', '‚', '‛', '′':
		return '\''
	case '“', '”', '„', '‟', '″':
		return '"'
	case '‐', '‑', '‒', '–', '—', '―', '−':
		return '-'
	case '\u00A0', '\u202F', '\u205F', '\u3000':
		return ' '
	}
	if r >= '\u2000' && r <= '\u200A' {
		return ' '
	}
	return 0
}
