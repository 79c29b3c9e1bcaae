package dialog

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// How long keys that answer are ignored: after opening, and after a key that was meant for the prompt. Somebody who
// presses the same key again after a pause of guardPause means it; typing and a key that is held down are faster.
const (
	guardOpen  = 400 * time.Millisecond
	guardTyped = 700 * time.Millisecond
	guardPause = 250 * time.Millisecond
)

// Guard keeps a dialog from being answered by keys that were meant for something else. Somebody who types on while it
// appears is typing, not answering, so an ignored key prolongs it.
type Guard struct {
	until time.Time
	last  string // the key that was ignored last, "" when none was since one was taken
	at    time.Time
}

// NewGuard returns the guard of a dialog that opened at that time.
func NewGuard(opened time.Time) Guard { return Guard{until: opened.Add(guardOpen)} }

// Typed tells that a key went to the prompt at that time.
func (g *Guard) Typed(at time.Time) {
	if u := at.Add(guardTyped); u.After(g.until) {
		g.until = u
	}
}

// Blocks reports whether k, which comes now, is to be ignored.
func (g *Guard) Blocks(k tea.KeyPressMsg, now time.Time) bool {
	key := k.Keystroke()
	if !now.Before(g.until) {
		g.last = ""
		return false
	}
	if key != g.last || now.Sub(g.at) < guardPause {
		g.until = now.Add(guardOpen)
	}
	g.last, g.at = key, now
	return true
}

// Told are the hints, after a key that was ignored with a word about it: a key without an effect must not look broken.
func (g *Guard) Told(s []string) []string {
	if g.last == "" || len(s) == 0 {
		return s
	}
	return []string{s[len(s)-1], "Too early: press it again"} // the last stays longest where there is no room
}

// Typist is a dialog that wants to know when keys go to the prompt instead of to it.
type Typist interface{ Typed(at time.Time) }
