package composer

import "strings"

// buffer is a text and the cursor in it, a byte offset that is always between two units. A copy is a snapshot.
type buffer struct {
	text string
	pos  int
}

func (b *buffer) insert(s string) {
	b.text = b.text[:b.pos] + s + b.text[b.pos:]
	b.pos += len(s)
}

// cut removes the text from here to there, leaves the cursor in its place, and returns it.
func (b *buffer) cut(from, to int) string {
	s := b.text[from:to]
	b.text = b.text[:from] + b.text[to:]
	b.pos = from
	return s
}

func (b *buffer) lineStart(pos int) int { return strings.LastIndexByte(b.text[:pos], '\n') + 1 }

func (b *buffer) lineEnd(pos int) int {
	if i := strings.IndexByte(b.text[pos:], '\n'); i >= 0 {
		return pos + i
	}
	return len(b.text)
}

func (b *buffer) wordLeft() int {
	at, inWord := b.pos, false
	for at > 0 {
		n := previous(b.text, at)
		w := isWord(b.text[at-n : at])
		if inWord && !w {
			break
		}
		inWord = inWord || w
		at -= n
	}
	return at
}

func (b *buffer) wordRight() int {
	at, inWord := b.pos, false
	for at < len(b.text) {
		n := next(b.text[at:])
		w := isWord(b.text[at : at+n])
		if inWord && !w {
			break
		}
		inWord = inWord || w
		at += n
	}
	return at
}

// blankLeft is where Ctrl+W cuts: the start of the run of non-blanks before the cursor.
func (b *buffer) blankLeft() int {
	at, seen := b.pos, false
	for at > 0 {
		n := previous(b.text, at)
		if gap := blank(b.text[at-n : at]); gap && seen {
			break
		} else if !gap {
			seen = true
		}
		at -= n
	}
	return at
}

// key applies an editing key. Killed is the text that a kill command removed; ok is false for a key that edits nothing.
func (b *buffer) key(stroke string) (killed string, ok bool) {
	switch stroke {
	case "left", "ctrl+b":
		b.pos -= previous(b.text, b.pos)
	case "right", "ctrl+f":
		b.pos += next(b.text[b.pos:])
	case "alt+b", "ctrl+left", "alt+left":
		b.pos = b.wordLeft()
	case "alt+f", "ctrl+right", "alt+right":
		b.pos = b.wordRight()
	case "home", "ctrl+a":
		b.pos = b.lineStart(b.pos)
	case "end", "ctrl+e":
		b.pos = b.lineEnd(b.pos)
	case "backspace", "shift+backspace":
		b.cut(b.pos-previous(b.text, b.pos), b.pos)
	case "delete", "ctrl+d":
		b.cut(b.pos, b.pos+next(b.text[b.pos:]))
	case "ctrl+k":
		killed = b.cut(b.pos, max(b.lineEnd(b.pos), b.pos+b.newlineHere()))
	case "ctrl+u":
		killed = b.cut(b.lineStart(b.pos), b.pos)
	case "ctrl+w":
		killed = b.cut(b.blankLeft(), b.pos)
	case "alt+backspace", "ctrl+backspace":
		killed = b.cut(b.wordLeft(), b.pos)
	case "alt+d":
		killed = b.cut(b.pos, b.wordRight())
	default:
		return "", false
	}
	return killed, true
}

// newlineHere is 1 at the end of a line that has a successor: Ctrl+K there joins the two.
func (b *buffer) newlineHere() int {
	if b.pos < len(b.text) && b.text[b.pos] == '\n' {
		return 1
	}
	return 0
}
