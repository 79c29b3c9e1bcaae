package composer

import "strings"

// operate is d, c or y over what a motion or an object covers.
func (c *Composer) operate(o command) {
	s, ok := c.covers(o)
	if !ok {
		return
	}
	b := c.buffer
	if s.lines {
		s.from, s.to = b.lineStart(s.from), b.lineEnd(s.to)
	}
	text := b.text[s.from:s.to]
	c.vim.register, c.vim.lines = text, s.lines
	if s.lines {
		c.vim.register += "\n"
	}
	c.kills.add(c.vim.register, false, false)
	c.kills.open = false
	switch o.op {
	case "y":
		if !s.lines || s.from < c.lineStart(c.pos) {
			c.pos = s.from
		}
		c.window.goal = -1
		return
	case "d":
		c.remove(b, s)
	case "c":
		b.cut(s.from, s.to)
		c.change(b, false)
		c.vim.normal = false
	}
}

// remove takes a span away; whole lines go with one line end.
func (c *Composer) remove(b buffer, s span) {
	switch {
	case !s.lines:
	case s.to < len(b.text):
		s.to++
	case s.from > 0:
		s.from--
	}
	b.cut(s.from, s.to)
	if s.lines {
		b.pos = b.firstInk(b.pos)
	}
	c.change(b, false)
}

// covers is the text that an operator works on, from its first to behind its last byte.
func (c *Composer) covers(o command) (s span, ok bool) {
	if o.key == "i" || o.key == "a" {
		return c.object(o)
	}
	if _, k := c.here(); o.op == "c" && (o.key == "w" || o.key == "W") && k != 0 {
		// a word is changed without the blanks behind it; one that the cursor ends on is changed alone
		big := o.key == "W"
		s = span{from: c.pos, to: c.runEnd(c.pos, big)}
		for range o.times() - 1 {
			s.to = c.word(map[bool]string{false: "e", true: "E"}[big], s.to)
		}
		s.to += next(c.text[s.to:])
		return s, true
	}
	if s, ok = c.motion(o); !ok {
		return s, false
	}
	if s.incl {
		s.to += next(c.text[s.to:])
	}
	if s.to < s.from {
		s.from, s.to = s.to, s.from
	}
	if o.key == "w" || o.key == "W" {
		s.to = stayInLine(c.text, s)
	}
	return s, s.lines || s.to > s.from
}

// here is the unit under the cursor, and its kind.
func (c *Composer) here() (unit string, k int) {
	n := next(c.text[c.pos:])
	unit = c.text[c.pos : c.pos+n]
	return unit, kind(unit, false)
}

// stayInLine ends a span of words at the line end behind the last of them.
func stayInLine(text string, s span) int {
	covered := text[s.from:s.to]
	last := len(strings.TrimRight(covered, " \t\n"))
	if i := strings.IndexByte(covered[last:], '\n'); i >= 0 {
		return s.from + last + i
	}
	return s.to
}

// brackets are the pairs that i and a know by either sign.
var brackets = map[string]string{"(": "()", ")": "()", "b": "()", "[": "[]", "]": "[]", "{": "{}", "}": "{}", "B": "{}", "<": "<>", ">": "<>"}

// object is what "iw" or "a(" name.
func (c *Composer) object(o command) (s span, ok bool) {
	around := o.key == "a"
	switch {
	case o.arg == "w" || o.arg == "W":
		return c.wordObject(o.arg == "W", around)
	case len(o.arg) == 1 && strings.Contains("\"'`", o.arg):
		return c.quoted(o.arg[0], around)
	}
	pair, ok := brackets[o.arg]
	if !ok {
		return s, false
	}
	from, depth := c.pos, 0
	for ; from >= 0; from-- {
		if from < len(c.text) && c.text[from] == pair[1] && from != c.pos {
			depth++
		} else if from < len(c.text) && c.text[from] == pair[0] {
			if depth == 0 {
				break
			}
			depth--
		}
	}
	if from < 0 {
		return s, false
	}
	depth = 0
	for to := from; to < len(c.text); to++ {
		switch c.text[to] {
		case pair[0]:
			depth++
		case pair[1]:
			depth--
		}
		if depth == 0 {
			return inside(from, to, around), true
		}
	}
	return s, false
}

// inside is the text between two signs of one byte, or with them.
func inside(from, to int, around bool) span {
	if around {
		return span{from: from, to: to + 1}
	}
	return span{from: from + 1, to: to}
}

// wordObject is the word or the blanks under the cursor; around, the blanks behind it too, or else those before it.
func (c *Composer) wordObject(big, around bool) (s span, ok bool) {
	unit, _ := c.here()
	if unit == "" || unit == "\n" {
		return s, false
	}
	at := c.runEnd(c.pos, big)
	s = span{from: c.runStart(c.pos, big), to: at + next(c.text[at:])}
	if !around {
		return s, true
	}
	rest := c.text[s.to:c.lineEnd(s.to)]
	if n := len(rest) - len(strings.TrimLeft(rest, " \t")); n > 0 {
		s.to += n
		return s, true
	}
	s.from -= len(c.text[c.lineStart(s.from):s.from]) - len(strings.TrimRight(c.text[c.lineStart(s.from):s.from], " \t"))
	return s, true
}

// quoted is what stands between quotes in the line, at the cursor or behind it.
func (c *Composer) quoted(q byte, around bool) (span, bool) {
	at, end := c.lineStart(c.pos), c.lineEnd(c.pos)
	for {
		from := strings.IndexByte(c.text[at:end], q)
		if from < 0 {
			return span{}, false
		}
		from += at
		to := strings.IndexByte(c.text[from+1:end], q)
		if to < 0 {
			return span{}, false
		}
		if to += from + 1; to >= c.pos {
			return inside(from, to, around), true
		}
		at = to + 1
	}
}

// put is p and P: the register behind the cursor, or before it.
func (c *Composer) put(behind bool, times int) {
	text := strings.Repeat(c.vim.register, times)
	if text == "" {
		return
	}
	b := c.buffer
	switch {
	case !c.vim.lines:
		if behind && b.pos < b.lineEnd(b.pos) {
			b.pos += next(b.text[b.pos:])
		}
		b.insert(text)
		b.pos -= previous(b.text, b.pos)
	case behind:
		b.pos = b.lineEnd(b.pos)
		at := b.pos + 1
		b.insert("\n" + strings.TrimSuffix(text, "\n"))
		b.pos = b.firstInk(at)
	default:
		b.pos = b.lineStart(b.pos)
		at := b.pos
		b.insert(text)
		b.pos = b.firstInk(at)
	}
	c.change(b, false)
}
