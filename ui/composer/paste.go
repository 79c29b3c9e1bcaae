package composer

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A paste of more lines or characters than these is shown as one piece (UX "Paste").
const (
	collapseLines = 8
	collapseChars = 800
)

// paste is a text that stands in the prompt as one piece. Number counts from 1 within a draft. A chip has a name instead.
type paste struct {
	text   string
	number int
	name   string
}

type pastes struct {
	byID   map[int]paste
	lastID int
	inHand int // pastes of the present draft
}

// lines counts lines as people do: a line end at the very end does not begin another.
func lines(s string) int { return strings.Count(strings.TrimSuffix(s, "\n"), "\n") + 1 }

// label is what a paste looks like: "[Pasted 47 lines #1]", or its characters when it is one long line.
func (p paste) label() string {
	if p.name != "" {
		return p.name
	}
	if n := lines(p.text); n > 1 {
		return fmt.Sprintf("[Pasted %d lines #%d]", n, p.number)
	}
	return fmt.Sprintf("[Pasted %d characters #%d]", utf8.RuneCountInString(p.text), p.number)
}

// collapse keeps s and returns the mark that stands for it.
func (p *pastes) collapse(s string) string {
	p.lastID++
	p.inHand++
	p.byID[p.lastID] = paste{text: s, number: p.inHand}
	return mark(p.lastID)
}

func mark(id int) string {
	return string([]byte{pasteOpen}) + strconv.Itoa(id) + string([]byte{pasteClose})
}

// of returns the paste that unit stands for.
func (p *pastes) of(unit string) (paste, bool) {
	if len(unit) < 3 || unit[0] != pasteOpen {
		return paste{}, false
	}
	id, _ := strconv.Atoi(unit[1 : len(unit)-1])
	one, ok := p.byID[id]
	return one, ok
}

// expand replaces every mark in s by its text.
func (p *pastes) expand(s string) string {
	if strings.IndexByte(s, pasteOpen) < 0 {
		return s
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(s, pasteOpen)
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		n := next(s[i:])
		one, _ := p.of(s[i : i+n])
		b.WriteString(s[:i] + one.text)
		s = s[i+n:]
	}
}

// find returns the mark in s whose text is text, or "".
func (p *pastes) find(s, text string) string {
	for id, one := range p.byID {
		if m := mark(id); one.text == text && strings.Contains(s, m) {
			return m
		}
	}
	return ""
}

// forget drops the pastes that none of the kept texts holds, and starts numbering again.
func (p *pastes) forget(kept ...[]string) {
	p.inHand = 0
	all := slices.Concat(kept...)
	maps.DeleteFunc(p.byID, func(id int, _ paste) bool {
		return !slices.ContainsFunc(all, func(s string) bool { return strings.Contains(s, mark(id)) })
	})
}

// paste inserts s, which is clean. A long text becomes one piece; the same text once more opens that piece instead.
func (c *Composer) paste(s string) {
	if m := c.pastes.find(c.text, s); m != "" {
		c.open(strings.Index(c.text, m), len(m))
		c.foreign = true
		return
	}
	if lines(s) > collapseLines || utf8.RuneCountInString(s) > collapseChars {
		s = c.pastes.collapse(s)
	}
	first := c.pos == 0
	c.insertText(s, false)
	c.led, c.foreign = c.led || first, true
}

// Expand shows the paste at or before the cursor as plain text; false when there is none.
func (c *Composer) Expand() bool {
	if n := next(c.text[c.pos:]); n > 0 && c.text[c.pos] == pasteOpen {
		return c.open(c.pos, n)
	}
	if n := previous(c.text, c.pos); n > 0 && c.text[c.pos-n] == pasteOpen {
		return c.open(c.pos-n, n)
	}
	return false
}

func (c *Composer) open(at, n int) bool {
	one, ok := c.pastes.of(c.text[at : at+n])
	if ok {
		b := buffer{c.text[:at] + one.text + c.text[at+n:], at + len(one.text)}
		c.change(b, false)
	}
	return ok
}
