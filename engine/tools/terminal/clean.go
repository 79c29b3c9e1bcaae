package terminal

import (
	"bytes"
	"unicode/utf8"
)

// Bounds of the cleaner: a line is passed on in pieces above maxLine bytes; a control string that has not ended after
// maxString bytes, or at the end of its line, was none.
const (
	maxLine   = 32 << 10
	maxString = 4 << 10
)

// cleaner turns what a program prints into plain text, however it is cut: escape sequences go, a line that was
// overwritten with \r or \b counts as it looked last, bytes that are no UTF-8 become U+FFFD.
type cleaner struct {
	commit func([]byte) // takes finished text: whole lines, or pieces of very long ones
	show   func([]byte) // takes the same for the screen, unfinished lines as well

	state  escape
	length int    // bytes of the control string so far
	carry  []byte // the beginning of a character
	line   []byte // the unfinished line
	shown  int    // how much of line the screen has
	back   bool   // \r came; what follows overwrites the line
}

type escape uint8

const (
	ground    escape = iota
	escaped          // after ESC
	charset          // ESC ( and the like: one byte follows
	sequence         // ESC [ : ends with a letter
	text             // ESC ] and the like: ends with BEL or ESC \
	textMaybe        // ESC inside text
)

// plain says of each byte whether it is printable ASCII, a tab or a line end.
var plain = func() (t [256]bool) {
	for b := ' '; b <= '~'; b++ {
		t[b] = true
	}
	t['\n'], t['\t'] = true, true
	return t
}()

// feed takes the next bytes.
func (c *cleaner) feed(p []byte) {
	for len(p) > 0 {
		if c.state == ground && !c.back && len(c.carry) == 0 {
			n := printable(p)
			c.addPlain(p[:n])
			if p = p[n:]; len(p) == 0 {
				return
			}
		}
		p = c.step(p)
	}
}

// printable is how many bytes at the beginning of p are plain characters, which need no thought.
func printable(p []byte) int {
	n := 0
	for n < len(p) {
		if p[n] < utf8.RuneSelf {
			if !plain[p[n]] {
				return n
			}
			n++
			continue
		}
		r, size := utf8.DecodeRune(p[n:])
		if size == 1 || r < 0xa0 { // broken, cut, or a control character
			return n
		}
		n += size
	}
	return n
}

// addPlain takes plain characters; whole lines are passed on in one piece.
func (c *cleaner) addPlain(run []byte) {
	last := bytes.LastIndexByte(run, '\n')
	if last >= 0 {
		if len(c.line) > 0 {
			first := bytes.IndexByte(run, '\n')
			c.line = append(c.line, run[:first]...)
			c.endLine()
			run, last = run[first+1:], last-first-1
		}
		if last >= 0 {
			c.commit(run[:last+1])
			c.show(run[:last+1])
			run = run[last+1:]
		}
	}
	c.add(run)
}

// add appends to the unfinished line.
func (c *cleaner) add(p []byte) {
	c.line = append(c.line, p...)
	if len(c.line) > maxLine {
		c.peek()
		c.commit(c.line)
		c.line, c.shown = c.line[:0], 0
	}
}

func (c *cleaner) endLine() {
	c.line = append(c.line, '\n')
	c.commit(c.line)
	c.show(c.line[c.shown:])
	c.line, c.shown, c.back = c.line[:0], 0, false
}

// unseen reports whether the screen lacks a part of the unfinished line.
func (c *cleaner) unseen() bool { return len(c.line) > c.shown }

// peek shows the unfinished line.
func (c *cleaner) peek() {
	if c.unseen() {
		c.show(c.line[c.shown:])
		c.shown = len(c.line)
	}
}

// finish passes on what is left.
func (c *cleaner) finish() {
	if len(c.carry) > 0 {
		c.carry = c.carry[:0]
		c.char(utf8.RuneError)
	}
	c.peek()
	if len(c.line) > 0 {
		c.commit(c.line)
	}
	c.line, c.shown = c.line[:0], 0
}

// step takes one byte or character and returns the rest.
func (c *cleaner) step(p []byte) []byte {
	if c.state != ground {
		return c.escape(p)
	}
	if len(c.carry) == 0 && p[0] < utf8.RuneSelf {
		c.ascii(p[0])
		return p[1:]
	}
	if len(c.carry) == 0 && utf8.FullRune(p) {
		r, size := utf8.DecodeRune(p)
		c.char(r)
		return p[size:]
	}
	// A character that was cut is put together in carry.
	for len(p) > 0 && !utf8.FullRune(c.carry) {
		c.carry, p = append(c.carry, p[0]), p[1:]
	}
	if !utf8.FullRune(c.carry) {
		return p
	}
	r, size := utf8.DecodeRune(c.carry)
	rest := append([]byte(nil), c.carry[size:]...) // bytes after a broken beginning stand for themselves
	c.carry = c.carry[:0]
	c.char(r)
	if len(rest) > 0 {
		return append(rest, p...)
	}
	return p
}

func (c *cleaner) char(r rune) {
	switch {
	case r == 0x9b: // the one-character forms of the escape sequences
		c.state = sequence
	case r == 0x90 || r == 0x98 || r >= 0x9d && r <= 0x9f:
		c.state, c.length = text, 0
	case r >= 0x80 && r < 0xa0:
	default:
		c.overwrite()
		c.add(utf8.AppendRune(nil, r))
	}
}

func (c *cleaner) ascii(b byte) {
	switch {
	case b == 0x1b:
		c.state = escaped
	case b == '\n':
		c.endLine()
	case b == '\r':
		c.back = true
	case b == '\b':
		if _, size := utf8.DecodeLastRune(c.line); size > 0 {
			c.line = c.line[:len(c.line)-size]
			c.shown = min(c.shown, len(c.line))
		}
	case plain[b]:
		c.overwrite()
		c.add([]byte{b})
	}
}

// overwrite drops the line that a \r sent the cursor back over. The screen shows the next state on a line of its own.
func (c *cleaner) overwrite() {
	if !c.back {
		return
	}
	if c.shown > 0 {
		c.show([]byte{'\n'})
	}
	c.line, c.shown, c.back = c.line[:0], 0, false
}

// escape takes one byte of an escape sequence.
func (c *cleaner) escape(p []byte) []byte {
	b := p[0]
	if b == '\n' { // no sequence spans lines: a stray ESC must not eat the rest of the output
		c.state = ground
		return p
	}
	switch c.state {
	case escaped:
		c.state = afterEscape(b)
		c.length = 0
	case charset:
		c.state = ground
	case sequence:
		if b >= 0x40 && b <= 0x7e {
			c.state = ground
		}
	case text, textMaybe:
		c.length++
		switch {
		case b == 0x07, c.state == textMaybe && b == '\\', c.length > maxString:
			c.state = ground
		case b == 0x1b:
			c.state = textMaybe
		default:
			c.state = text
		}
	}
	return p[1:]
}

func afterEscape(b byte) escape {
	switch b {
	case '[':
		return sequence
	case ']', 'P', 'X', '^', '_':
		return text
	case '(', ')', '*', '+', '#', '%', ' ':
		return charset
	case 0x1b:
		return escaped
	}
	return ground
}
