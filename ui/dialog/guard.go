package dialog

import "time"

// How long keys that answer are ignored: after opening, and after a key that was meant for the prompt.
const (
	guardOpen  = 400 * time.Millisecond
	guardTyped = 700 * time.Millisecond
)

// guard keeps a dialog from being answered by keys that were meant for something else. Somebody who types on while it
// appears is typing, not answering, so an ignored key prolongs it.
type guard struct{ until time.Time }

func newGuard(opened time.Time) guard { return guard{opened.Add(guardOpen)} }

// Typed tells that a key went to the prompt at that time.
func (g *guard) Typed(at time.Time) {
	if u := at.Add(guardTyped); u.After(g.until) {
		g.until = u
	}
}

// blocks reports whether a key that comes now is to be ignored.
func (g *guard) blocks(now time.Time) bool {
	if !now.Before(g.until) {
		return false
	}
	g.until = now.Add(guardOpen)
	return true
}

// Typist is a dialog that wants to know when keys go to the prompt instead of to it.
type Typist interface{ Typed(at time.Time) }
