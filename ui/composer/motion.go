package composer

import (
	"strings"
)

// span is what a motion or an object covers: from the cursor to where it goes, or around the cursor. With whole lines
// the ends may be anywhere in the first and the last one; with incl the unit at the end belongs to it.
type span struct {
	from, to    int
	lines, incl bool
}

// motion is where a command goes; ok is false when it cannot, or is none.
func (c *Composer) motion(o command) (s span, ok bool) {
	s = span{from: c.pos, to: c.pos}
	n := o.times()
	switch o.key {
	case "h", "l", " ", "0", "^", "$":
		s.to = c.within(o.key, n)
	case "w", "W", "b", "B", "e", "E":
		for range n {
			s.to = c.word(o.key, s.to)
		}
		s.incl = (o.key == "e" || o.key == "E") && s.to < len(c.text)
	case "f", "F", "t", "T":
		c.vim.sought = o
		return c.seek(o)
	case ";", ",":
		return c.seekAgain(o)
	case "gg", "G":
		s.lines = true
		s.to = c.firstInk(c.lineNumber(o))
	case "j", "k", "line":
		s.lines = true
		s.to, ok = c.linesAway(o)
		return s, ok
	case "{", "}":
		for range n {
			s.to = c.paragraph(o.key == "}", s.to)
		}
	default:
		return s, false
	}
	return s, true
}

// within are the motions that stay in the line.
func (c *Composer) within(key string, n int) int {
	start, end, at := c.lineStart(c.pos), c.lineEnd(c.pos), c.pos
	switch key {
	case "0":
		return start
	case "^":
		return c.firstInk(c.pos)
	case "$":
		for ; n > 1 && end < len(c.text); n-- {
			end = c.lineEnd(end + 1)
		}
		return end
	}
	for ; n > 0; n-- {
		if key == "h" && at > start {
			at -= previous(c.text, at)
		}
		if key != "h" && at < end {
			at += next(c.text[at:])
		}
	}
	return at
}

// firstInk is the first place of the line that is no blank.
func (b *buffer) firstInk(pos int) int {
	at, end := b.lineStart(pos), b.lineEnd(pos)
	for at < end && (b.text[at] == ' ' || b.text[at] == '\t') {
		at++
	}
	if at == end {
		return b.lineStart(pos)
	}
	return at
}

// kind tells words apart: 0 is a blank, 1 a word, 2 other signs; with big, what is no blank is one.
func kind(unit string, big bool) int {
	switch {
	case unit == "" || blank(unit):
		return 0
	case big || isWord(unit):
		return 1
	}
	return 2
}

// word is where w, b or e goes from a place.
func (b *buffer) word(key string, at int) int {
	big := key < "a"
	at0 := at
	look := func(at int) (int, int) { n := next(b.text[at:]); return n, kind(b.text[at:at+n], big) }
	empty := func(at int) bool { return b.text[at] == '\n' && (at == 0 || b.text[at-1] == '\n') }
	switch strings.ToLower(key) {
	case "w":
		if at == len(b.text) {
			return at
		}
		n, k := look(at)
		for at < len(b.text) && k != 0 {
			was := k
			if at += n; at == len(b.text) {
				return at
			}
			if n, k = look(at); k != was {
				break
			}
		}
		for at < len(b.text) && (at == at0 || !empty(at)) {
			if n, k = look(at); k != 0 {
				break
			}
			at += n
		}
		return at
	case "e":
		if at < len(b.text) {
			at += next(b.text[at:])
		}
		for at < len(b.text) {
			n, k := look(at)
			if k != 0 {
				return b.runEnd(at, big)
			}
			at += n
		}
		return b.lastUnit()
	}
	for at > 0 {
		n := previous(b.text, at)
		at -= n
		if _, k := look(at); k != 0 {
			return b.runStart(at, big)
		}
		if empty(at) {
			return at
		}
	}
	return 0
}

// lastUnit is the place of the last unit of the text.
func (b *buffer) lastUnit() int { return len(b.text) - previous(b.text, len(b.text)) }

// runEnd is the last unit of the word at a place, runStart its first.
func (b *buffer) runEnd(at int, big bool) int {
	n := next(b.text[at:])
	k := kind(b.text[at:at+n], big)
	for at+n < len(b.text) {
		m := next(b.text[at+n:])
		if kind(b.text[at+n:at+n+m], big) != k || b.text[at+n] == '\n' {
			break
		}
		at, n = at+n, m
	}
	return at
}

func (b *buffer) runStart(at int, big bool) int {
	n := next(b.text[at:])
	k := kind(b.text[at:at+n], big)
	for at > 0 {
		m := previous(b.text, at)
		if kind(b.text[at-m:at], big) != k || b.text[at-1] == '\n' {
			break
		}
		at -= m
	}
	return at
}

// seek is f F t T: the n-th such character of the line, or the place beside it.
func (c *Composer) seek(o command) (s span, ok bool) {
	s = span{from: c.pos, to: c.pos}
	at, start, end := c.pos, c.lineStart(c.pos), c.lineEnd(c.pos)
	forth := o.key == "f" || o.key == "t"
	for left := o.times(); left > 0; {
		if forth {
			at += next(c.text[at:end])
		} else if at > start {
			at -= previous(c.text, at)
		} else {
			return s, false
		}
		if forth && at >= end {
			return s, false
		}
		if c.text[at:at+next(c.text[at:])] == o.arg {
			left--
		}
	}
	switch o.key {
	case "t":
		at -= previous(c.text, at)
	case "T":
		at += next(c.text[at:])
	}
	s.to, s.incl = at, forth
	return s, true
}

// seekAgain is ";" and ",": the last search, or the same the other way. Beside a hit already, t and T go to the next one.
func (c *Composer) seekAgain(o command) (span, bool) {
	was := c.vim.sought
	if was.key == "" {
		return span{}, false
	}
	if o.key == "," {
		was.key = map[string]string{"f": "F", "F": "f", "t": "T", "T": "t"}[was.key]
	}
	was.count = o.count
	s, ok := c.seek(was)
	if ok && s.to == c.pos && o.times() == 1 {
		was.count = 2
		s, ok = c.seek(was)
	}
	return s, ok
}

// lineNumber is a place in the line that gg and G go to.
func (c *Composer) lineNumber(o command) int {
	n := o.count
	if n == 0 && o.key == "G" {
		return len(c.text)
	}
	at := 0
	for ; n > 1; n-- {
		end := c.lineEnd(at)
		if end == len(c.text) {
			break
		}
		at = end + 1
	}
	return at
}

// linesAway is a place in the line that an operator with j, k or itself reaches.
func (c *Composer) linesAway(o command) (int, bool) {
	n, at := o.times(), c.pos
	if o.key == "line" {
		n--
	}
	for i := range n {
		if o.key == "k" {
			start := c.lineStart(at)
			if start == 0 {
				return at, i > 0
			}
			at = start - 1
			continue
		}
		end := c.lineEnd(at)
		if end == len(c.text) {
			return at, o.key == "line" || i > 0
		}
		at = end + 1
	}
	return at, true
}

// paragraph is the next or last empty line behind a paragraph, or the end of the text there.
func (b *buffer) paragraph(forth bool, at int) int {
	at = b.lineStart(at)
	for text := false; ; {
		empty := b.lineEnd(at) == at
		if empty && text {
			return at
		}
		text = text || !empty
		switch {
		case forth && b.lineEnd(at) == len(b.text):
			return len(b.text)
		case forth:
			at = b.lineEnd(at) + 1
		case at == 0:
			return 0
		default:
			at = b.lineStart(at - 1)
		}
	}
}
