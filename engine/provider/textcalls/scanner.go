package textcalls

import "strings"

// verdict says what a text is found to be, when more of it may come.
type verdict uint8

const (
	no verdict = iota
	maybe
	yes
)

// maxSpan bounds, in bytes, how far the end of a code span or of a fence's first line is looked for.
const maxSpan = 4096

const space = " \t\r\n"

// scanner parts a growing text into text and blocks of calls. What it decides of a beginning holds for every text that
// begins so; what it cannot decide waits.
type scanner struct {
	tools tools
	tell  func(text string, calls []call) // calls nil: it is text

	pend  []byte // what is not decided
	tried int    // how much of it was looked at in vain

	head  bool // nothing but whitespace so far
	blank bool // nothing but whitespace on this line
	quote bool // this line is a Markdown quotation

	fence  byte // the open fence's character, 0 outside
	length int  // its run
	span   int  // the run that opened a code span on this line, 0 outside
	closes bool // and that is known to be closed

	cut bool // the text ended inside a block
}

func newScanner(ts tools, tell func(string, []call)) *scanner {
	return &scanner{tools: ts, tell: tell, head: true, blank: true}
}

// eager is how many bytes that wait are looked at again whenever more come. Beyond, they must have grown by an eighth:
// the whole costs linear time.
const eager = 128

// feed takes more text.
func (s *scanner) feed(t string) {
	s.pend = append(s.pend, t...)
	if len(s.pend) <= eager || len(s.pend) > s.tried+s.tried/8 {
		s.decide(false)
	}
}

// decide tells all that can be told; with whole, no more text comes and nothing is left.
func (s *scanner) decide(whole bool) {
	if len(s.pend) == 0 {
		return
	}
	t := string(s.pend)
	from, i := 0, 0
	for i < len(t) {
		n, calls, v := s.step(t[i:], whole)
		if v == maybe {
			break
		}
		if v == yes {
			s.give(t[from:i], nil)
			s.give(t[i:i+n], calls)
			from = i + n
		}
		i += n
	}
	s.give(t[from:i], nil)
	s.pend = append(s.pend[:0], t[i:]...)
	s.tried = len(s.pend)
}

func (s *scanner) give(t string, calls []call) {
	if t != "" {
		s.tell(t, calls)
	}
}

// step says of the first n bytes of t that they are text (no) or a block of calls (yes), or that more must come (maybe;
// never when t is whole).
func (s *scanner) step(t string, whole bool) (n int, calls []call, v verdict) {
	switch b := t[0]; {
	case b == '\n':
		s.blank, s.quote, s.span = true, false, 0
		return 1, nil, no
	case b == ' ' || b == '\t' || b == '\r':
		return 1, nil, no
	case s.fence != 0:
		n, v = s.fenceEnd(t, whole)
		return n, nil, v
	case b == '`' || b == '~':
		return s.run(t, whole)
	case b == '<' || b == '[' || s.head && b == '{':
		return s.opener(t, whole)
	default:
		s.quote = s.quote || s.blank && b == '>'
		s.letter()
		return 1, nil, no
	}
}

// letter notes that the line and the reply have begun.
func (s *scanner) letter() { s.head, s.blank = false, false }

// after notes that t was passed over as one piece.
func (s *scanner) after(t string) {
	s.head = false
	if i := strings.LastIndexByte(t, '\n'); i >= 0 {
		s.span, s.quote = 0, false
		s.blank = strings.TrimSpace(t[i:]) == ""
		return
	}
	s.blank = false
}

// fenceEnd deals with a character inside a fence.
func (s *scanner) fenceEnd(t string, whole bool) (int, verdict) {
	if !s.blank || t[0] != s.fence {
		s.letter()
		return 1, no
	}
	n := runLen(t)
	line, _, ended := strings.Cut(t[n:], "\n")
	if strings.TrimSpace(line) == "" {
		if !ended && !whole {
			return 0, maybe
		}
		if n >= s.length {
			s.fence = 0
		}
	}
	s.letter()
	return n, no
}

// run deals with a run of backticks or tildes outside a fence.
func (s *scanner) run(t string, whole bool) (int, []call, verdict) {
	n := runLen(t)
	if n == len(t) && !whole {
		return 0, nil, maybe
	}
	if s.blank && n >= 3 {
		info, v := firstLine(t[n:], t[0], whole)
		if v == maybe {
			return 0, nil, maybe
		}
		if v == yes {
			return s.open(t, n, info, whole)
		}
	}
	s.letter()
	switch {
	case t[0] == '~':
	case s.span == 0:
		s.span, s.closes = n, false
	case s.span == n:
		s.span = 0
	}
	return n, nil, no
}

// open deals with the first line of a fence, which may be that of a call.
func (s *scanner) open(t string, n int, info string, whole bool) (int, []call, verdict) {
	if mayCall(info) && !s.quote {
		c := &cursor{s: t, whole: whole, tools: s.tools}
		calls, v := c.fences()
		switch {
		case v == maybe && !whole:
			return 0, nil, maybe
		case v == yes:
			return c.i, calls, yes
		}
		s.cut = s.cut || v == maybe
		if c.i > 0 { // whole blocks, and behind them more that is no call
			s.after(t[:c.i])
			return c.i, nil, no
		}
	}
	s.letter()
	s.fence, s.length = t[0], n
	return n + len(info), nil, no
}

// firstLine says whether rest, which follows a run of mark at the start of a line, makes that run open a fence.
func firstLine(rest string, mark byte, whole bool) (info string, v verdict) {
	look := rest[:min(len(rest), maxSpan)]
	i := strings.IndexByte(look, '\n')
	if mark == '`' {
		i = strings.IndexAny(look, "\n`")
	}
	switch {
	case i >= 0 && look[i] == '\n':
		return look[:i], yes
	case i >= 0 || len(rest) >= maxSpan || whole:
		return "", no
	}
	return "", maybe
}

// opener deals with what may begin a block of calls.
func (s *scanner) opener(t string, whole bool) (int, []call, verdict) {
	form, size, v := match(t)
	if v == maybe && !whole {
		return 0, nil, maybe
	}
	c := &cursor{s: t, i: size, whole: whole, tools: s.tools}
	switch {
	case v == yes && !s.quote:
		if code := s.code(t, whole); code == maybe {
			return 0, nil, maybe
		} else if code == yes {
			s.letter()
			return 1, nil, no
		}
	case v != yes && s.head:
		form = (*cursor).bare
	default:
		s.letter()
		return 1, nil, no
	}
	calls, v := form(c)
	if end := c.i; v == yes && !s.blank {
		v = c.alone()
		c.i = end
	}
	switch {
	case v == yes:
		s.head = false // blank stays: another block may follow on this line
		return c.i, calls, yes
	case v == maybe && !whole:
		return 0, nil, maybe
	case v == maybe:
		c.i, s.cut = len(t), true
	}
	n := max(c.i, 1)
	s.after(t[:n])
	return n, nil, no
}

// code says whether the place where t begins is in a code span: its like must follow on the same line.
func (s *scanner) code(t string, whole bool) verdict {
	if s.span == 0 {
		return no
	}
	if s.closes {
		return yes
	}
	look := t[:min(len(t), maxSpan)]
	line, _, ended := strings.Cut(look, "\n")
	for i := strings.IndexByte(line, '`'); i >= 0; {
		n := runLen(line[i:])
		if i+n == len(line) && !ended && !whole && len(t) < maxSpan {
			return maybe // the run may grow
		}
		if n == s.span {
			s.closes = true
			return yes
		}
		next := strings.IndexByte(line[i+n:], '`')
		if next < 0 {
			break
		}
		i += n + next
	}
	if ended || whole || len(t) >= maxSpan {
		s.span = 0 // a stray backtick
		return no
	}
	return maybe
}

// runLen is the length of the run of one character that t begins with.
func runLen(t string) int { return len(t) - len(strings.TrimLeft(t, t[:1])) }
