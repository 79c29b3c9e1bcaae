package think

import "strings"

// kind says what a piece of a reply is.
type kind uint8

// Dropped is what neither reader sees: the tags, and the blank edges of a reasoning block.
const (
	visible kind = iota
	thought
	dropped
)

// place says where in a reply the scrubber is.
type place uint8

const (
	outside place = iota
	inside        // reasoning that began at a block start
	midline       // behind an open tag in the middle of a line: reasoning if it is closed, else text
)

// scrubber parts a reply into text and reasoning. Pieces go to emit in their order; together they are the input.
type scrubber struct {
	emit func(k kind, s string)
	lex  *lexer

	place place
	name  string // the tag that is open
	depth int    // how many of that name
	spoke bool   // visible text came
	head  bool   // nothing but reasoning came so far: line breaks are not the answer's

	first bool            // nothing of this thought came yet
	gap   strings.Builder // whitespace in a thought that may be its end

	start  string          // the open tag of midline
	body   strings.Builder // what follows it
	quoted map[string]bool // names that stood in the text as themselves: never closed
}

func newScrubber(emit func(kind, string)) *scrubber {
	s := &scrubber{emit: emit, quoted: map[string]bool{}}
	s.lex = newLexer(s.text, s.tag)
	return s
}

// feed takes the next piece of the reply.
func (s *scrubber) feed(text string) { s.lex.feed(text) }

// flush decides all that waits, as at the end of a reply. Reasoning that began at a block start goes on.
func (s *scrubber) flush() {
	for s.lex.finish(); s.place == midline; s.lex.finish() {
		s.unhold()
	}
	clear(s.quoted)
}

// end is flush for the last time.
func (s *scrubber) end() {
	s.flush()
	s.drop(s.takeGap())
}

// unhold reads again what a mid-line tag kept back, now that it was never closed: the tag and its like are text, and
// other tags mean what they mean. Each name can do this once, so the whole stays linear.
func (s *scrubber) unhold() {
	start, body := s.start, s.body.String()
	s.body.Reset()
	s.quoted[s.name] = true
	s.place = outside
	s.lex.enter(false, true)
	s.text(start)
	s.lex.feed(body)
}

// text takes what the lexer found to be no tag.
func (s *scrubber) text(t string) {
	switch s.place {
	case outside:
		s.say(t)
	case inside:
		s.muse(t)
	case midline:
		s.body.WriteString(t)
	}
}

// tag takes a tag outside of code. It returns false for one that is text, or part of a thought.
func (s *scrubber) tag(t tag, raw string) bool {
	if s.place != outside {
		return s.nest(t, raw)
	}
	switch {
	case !t.open && s.quoted[t.name]:
		return false
	case !t.open: // nothing to close: the opener was the prompt's, or was lost
		s.drop(raw)
		return true
	case s.lex.blank:
		s.drop(raw)
		s.place, s.first = inside, true
		s.lex.enter(false, false)
	case s.quoted[t.name]:
		return false
	default:
		s.place, s.start = midline, raw
		s.lex.enter(false, true)
	}
	s.name, s.depth = t.name, 1
	return true
}

// nest counts the tags of the open block's name; its last close ends the block.
func (s *scrubber) nest(t tag, raw string) bool {
	switch {
	case t.name != s.name:
		return false
	case t.open:
		s.depth++
		return false
	}
	s.depth--
	if s.depth > 0 {
		return false
	}
	wasInside := s.place == inside
	s.place = outside
	if !wasInside {
		s.drop(s.start)
		s.first = true
		s.muse(s.body.String())
		s.body.Reset()
	}
	s.drop(s.takeGap())
	s.drop(raw)
	s.head = wasInside && !s.spoke
	s.lex.enter(wasInside, true)
	return true
}

// say gives visible text on, without the line breaks between a first block of reasoning and the answer.
func (s *scrubber) say(t string) {
	if s.head {
		rest := strings.TrimLeft(t, "\r\n")
		s.drop(t[:len(t)-len(rest)])
		if t = rest; t == "" {
			return
		}
		s.head = false
	}
	s.spoke = s.spoke || strings.TrimSpace(t) != ""
	s.emit(visible, t)
}

// muse gives reasoning on, without the whitespace at either end of it.
func (s *scrubber) muse(t string) {
	rest := strings.TrimLeft(t, whitespace)
	if s.first {
		s.drop(t[:len(t)-len(rest)])
		t = rest
	}
	if rest == "" {
		s.gap.WriteString(t)
		return
	}
	s.first = false
	core := strings.TrimRight(t, whitespace)
	s.emit(thought, s.takeGap()+core)
	s.gap.WriteString(t[len(core):])
}

const whitespace = " \t\r\n"

func (s *scrubber) takeGap() string {
	g := s.gap.String()
	s.gap.Reset()
	return g
}

func (s *scrubber) drop(t string) {
	if t != "" {
		s.emit(dropped, t)
	}
}
