package think

import "strings"

// lexer cuts a growing text into plain text and tags, and knows what is code: there, tags are text. It gives each piece
// on as soon as no later byte can change what it is.
//
// A fence is a run of three or more backticks or tildes at the start of a line. A code span is a run of backticks whose
// like follows on the same line. A tag behind an open run waits for that like or the end of the line.
type lexer struct {
	text func(s string)                  // takes plain text
	tag  func(t tag, s string) (is bool) // takes a tag; false means that it was text after all

	pend   string // the start of what may become a tag
	blank  bool   // only whitespace so far on this line
	fences bool   // fences count: not inside reasoning, which may stop in the middle of one

	fence  byte // the open fence's character, 0 outside
	length int  // the open fence's run
	ending bool // this line may be the fence's last

	run  int  // length of the run of mark in progress
	mark byte // '`' or '~'

	span   int             // length of the run that opened a code span, 0 outside
	opener bool            // the span may be a fence's first line instead
	hold   bool            // a tag stands in the span: wait
	held   strings.Builder // the text from that tag on
	known  map[int]int     // runs still to come on this line, by length; nil when the line is not known to its end
}

func newLexer(text func(string), tag func(tag, string) bool) *lexer {
	return &lexer{text: text, tag: tag, blank: true, fences: true}
}

// enter forgets all code state; the line so far is blank or not.
func (l *lexer) enter(blank, fences bool) {
	l.blank, l.fences, l.fence, l.ending, l.run, l.span, l.opener = blank, fences, 0, false, 0, 0, false
}

// feed takes more text.
func (l *lexer) feed(s string) {
	s = l.pend + s
	l.pend = ""
	l.pend = l.scan(s, false)
}

// finish says that the text has ended: what waits is decided.
func (l *lexer) finish() {
	pend := l.pend
	l.pend = ""
	l.scan(pend, true)
	l.endRun()
	l.endSpan()
	l.known = nil
}

// scan gives on the pieces of s and returns its undecided end, which is empty when s is known to be whole.
func (l *lexer) scan(s string, whole bool) (rest string) {
	from := 0 // start of the text that was not given on yet
	for i := 0; i < len(s); {
		c := s[i]
		if c == '`' || c == '~' {
			l.extend(c)
			i++
			continue
		}
		if l.run > 0 {
			l.write(s[from:i])
			from = i
			l.endRun()
		}
		switch {
		case c == '\n':
			l.write(s[from:i])
			from = i
			l.endLine()
			i++
		case starts(c) && l.fence == 0:
			t, n, v := match(s[i:])
			if v == maybe && !whole {
				l.write(s[from:i])
				return s[i:]
			}
			if v == yes {
				l.write(s[from:i])
				l.take(t, s[i:i+n])
				i += n
				from = i
				continue
			}
			l.letter(c)
			i++
		default:
			l.letter(c)
			i++
		}
	}
	l.write(s[from:])
	return ""
}

// letter notes a character that has no meaning here but may be the first on its line.
func (l *lexer) letter(c byte) {
	if c != ' ' && c != '\t' && c != '\r' {
		l.blank, l.ending = false, false
	}
}

// write gives text on, or keeps it while a span is undecided.
func (l *lexer) write(s string) {
	switch {
	case s == "":
	case l.hold:
		l.held.WriteString(s)
	default:
		l.text(s)
	}
}

// take deals with a tag outside a fence.
func (l *lexer) take(t tag, s string) {
	switch {
	case l.span == 0:
		if l.tag(t, s) {
			return
		}
		l.text(s)
	case l.known != nil: // the span will be closed
		l.text(s)
	default:
		l.hold = true
		l.held.WriteString(s)
	}
	l.blank = false
}

// extend counts one more character of a run.
func (l *lexer) extend(c byte) {
	if l.run > 0 && l.mark != c {
		l.endRun()
	}
	l.mark = c
	l.run++
}

// endRun decides what a run means, now that its length is known.
func (l *lexer) endRun() {
	n, first := l.run, l.blank
	if n == 0 {
		return
	}
	l.run, l.blank = 0, false
	l.ending = l.fence == l.mark && first && n >= l.length
	if l.fence != 0 {
		return
	}
	opens := first && n >= 3 && l.fences
	if l.mark == '~' {
		if opens && l.span == 0 {
			l.fence, l.length = '~', n
		}
		return
	}
	switch {
	case l.span == n:
		l.span, l.opener = 0, false
		l.release()
	case l.span > 0:
		l.opener = false // a fence's first line holds no other backtick
	default:
		if l.known != nil {
			l.known[n]--
		}
		if l.known == nil || l.known[n] > 0 {
			l.span, l.opener = n, opens
		}
		return
	}
	if l.known != nil {
		l.known[n]--
	}
}

// endLine deals with what a line break decides.
func (l *lexer) endLine() {
	l.endSpan()
	if l.ending {
		l.fence = 0
	}
	l.blank, l.ending, l.known = true, false, nil
}

// endSpan ends a span that found no like of its run: it was the first line of a fence, or a stray backtick.
func (l *lexer) endSpan() {
	switch {
	case l.span == 0:
	case l.opener:
		l.fence, l.length = '`', l.span
		l.span, l.opener = 0, false
		l.release()
	default:
		l.span = 0
		l.reread()
	}
}

// release gives on the text of a span as what it is, text.
func (l *lexer) release() {
	if l.hold {
		l.hold = false
		l.text(l.held.String())
		l.held.Reset()
	}
}

// reread scans the held rest of a line again, behind a backtick that turned out to be stray. The line is known to its
// end now, so this happens once a line.
func (l *lexer) reread() {
	if !l.hold {
		return
	}
	s := l.held.String()
	l.hold = false
	l.held.Reset()
	l.known = runs(s)
	l.scan(s, true)
	l.endRun()
	l.span = 0
}

// runs counts the runs of backticks of s by length.
func runs(s string) map[int]int {
	counts, n := map[int]int{}, 0
	for i := range len(s) + 1 {
		if i < len(s) && s[i] == '`' {
			n++
		} else if n > 0 {
			counts[n]++
			n = 0
		}
	}
	return counts
}
