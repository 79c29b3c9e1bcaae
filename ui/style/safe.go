package style

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Safe makes text from outside harmless to print: control sequences go whole (CSI, OSC, DCS and the like, in their
// 7-bit, 8-bit and UTF-8 forms), and so do lone control characters but "\n" and "\t", and the marks that reorder a
// line. A string sequence that never ends within its line loses only its introducer, so no text is swallowed.
// "\r\n" and a lone "\r" become "\n". Bytes that are not UTF-8 become U+FFFD.
func Safe(s string) string {
	if clean(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		c := control(s, i, r, n)
		switch {
		case c != 0:
			i += n + sequence(c, s[i+n:])
		case r == '\r':
			i += n
			if !strings.HasPrefix(s[i:], "\n") {
				b.WriteByte('\n')
			}
		case r == '\n' || r == '\t' || r >= ' ' && r != del && !reorders(r):
			b.WriteRune(r)
			i += n
		default:
			i += n
		}
	}
	return b.String()
}

const (
	esc = 0x1b
	del = 0x7f
	csi = 0x9b
	osc = 0x9d
	st  = 0x9c
	bel = 0x07
)

// clean reports whether Safe has nothing to do, which is so for nearly all text.
func clean(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' && c != '\n' && c != '\t' || c == del || c >= utf8.RuneSelf {
			return c >= utf8.RuneSelf && cleanRunes(s[i:])
		}
	}
	return true
}

func cleanRunes(s string) bool {
	for i, r := range s {
		if r < ' ' && r != '\n' && r != '\t' || r >= del && r < 0xa0 || reorders(r) {
			return false
		}
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") {
			return false
		}
	}
	return true
}

// control returns esc or the C1 control that begins at s[i], 0 if none does. r and n are the rune there.
func control(s string, i int, r rune, n int) byte {
	switch {
	case r == esc:
		return esc
	case r >= 0x80 && r < 0xa0:
		return byte(r)
	case r == utf8.RuneError && n == 1 && s[i] >= 0x80 && s[i] < 0xa0:
		return s[i]
	}
	return 0
}

// sequence returns how many bytes of rest belong to the control that came before it.
func sequence(c byte, rest string) int {
	skip := 0
	if c == esc {
		if c, skip = escaped(rest); c == 0 {
			return skip
		}
	}
	switch c {
	case csi:
		return skip + csiLength(rest[skip:])
	case osc, 0x90, 0x98, 0x9e, 0x9f:
		return skip + stringLength(rest[skip:])
	}
	return skip
}

// escaped reads what follows an ESC: the C1 control it stands for and the length of its second byte, or 0 and the
// length of a short sequence (ESC c, ESC 7, ESC ( B).
func escaped(rest string) (byte, int) {
	i := 0
	for i < len(rest) && rest[i] >= ' ' && rest[i] <= '/' {
		i++
	}
	switch {
	case i == len(rest) || rest[i] < '0' || rest[i] > '~':
		return 0, i
	case i == 0 && rest[0] >= '@' && rest[0] <= '_':
		return rest[0] + 0x40, 1
	}
	return 0, i + 1
}

// csiLength is the length of parameters, intermediates and the final byte. A byte that fits nowhere ends it.
func csiLength(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] >= '@' && s[i] <= '~' {
			return i + 1
		}
		if s[i] < ' ' || s[i] > '?' {
			return i
		}
	}
	return len(s)
}

// stringLength is the length of an OSC, DCS, SOS, PM or APC body with its terminator; 0 when the line ends first.
// An ESC that is no terminator ends the search, as it ends the sequence in a terminal, so the scan stays linear.
func stringLength(s string) int {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == bel || r == st || r == utf8.RuneError && n == 1 && s[i] == st:
			return i + n
		case r == esc && strings.HasPrefix(s[i:], "\x1b\\"):
			return i + 2
		case r == esc || r == '\n' || r == '\r':
			return 0
		}
		i += n
	}
	return 0
}

// reorders reports whether r changes the order in which a terminal shows a line, or is a byte order mark.
func reorders(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0xfeff
}

// OnlySGR removes every control sequence from text of our own making but colours and attributes. It is the last gate
// after a renderer that decodes entities.
func OnlySGR(s string) string {
	if !strings.Contains(s, "\x1b") {
		return Safe(s)
	}
	var b strings.Builder
	for {
		i := strings.Index(s, "\x1b[")
		if i < 0 {
			b.WriteString(Safe(s))
			return b.String()
		}
		b.WriteString(Safe(s[:i]))
		n := csiLength(s[i+2:])
		if seq := s[i : i+2+n]; isSGR(seq) {
			b.WriteString(seq)
		}
		s = s[i+2+n:]
	}
}

func isSGR(seq string) bool {
	return strings.HasSuffix(seq, "m") && strings.Trim(seq[2:len(seq)-1], "0123456789;:") == ""
}

// Visible shows text that is about to be agreed to exactly as it is: control characters as \x1b or \t, characters that
// cannot be seen or that reorder the line as <U+202E>, bytes that are not UTF-8 as \xff, and "⏎" before a real line end.
func Visible(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\n':
			b.WriteString("⏎\n")
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r < ' ' || r == del:
			fmt.Fprintf(&b, `\x%02x`, r)
		case hidden(r):
			fmt.Fprintf(&b, "<U+%04X>", r)
		default:
			b.WriteRune(r)
		}
		i += n
	}
	return b.String()
}

// hidden reports whether r looks like nothing, or like a plain space.
func hidden(r rune) bool {
	switch r {
	case ' ':
		return false
	case 0x034f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x2800, 0x3164, 0xffa0, 0xfffc:
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zs, unicode.Zl, unicode.Zp, unicode.Variation_Selector) ||
		!unicode.IsPrint(r)
}
