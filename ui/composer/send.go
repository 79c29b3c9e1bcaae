package composer

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// Where bracketed paste is missing, a pasted "line1 CR line2 CR" arrives as key presses, and the first CR would send.
// So an Enter is held for a moment, and what happens next decides: more input makes it a line break, silence sends.
// That is sound for input of one read: the reader hands its keys over one after the other without pause, and the next
// one is waiting before the timer can fire, however long drawing takes. A paste that stalls on a slow line for longer
// than the hold cannot be told from typing.
const (
	holdSend  = 8 * time.Millisecond  // no person strikes another key so soon after Enter
	holdBurst = 40 * time.Millisecond // after a key that came faster than fingers: a paste may be under way
	burstGap  = 8 * time.Millisecond
)

type hold struct {
	seq     int
	pending bool
	drop    bool // an Enter that ends a burst known to be a paste: it neither sends nor breaks the line
	pasted  bool // an Enter of this burst became a line break
	last    time.Time
}

// SendMsg says that an Enter was not followed by more input. The owner gives it to Send.
type SendMsg struct{ seq int }

// Enter is what the owner calls when Enter is to send. The command brings a SendMsg after at most 40 ms.
func (c *Composer) Enter(now time.Time) tea.Cmd {
	burst := now.Sub(c.hold.last) < burstGap
	c.followedBy(now)
	h := &c.hold
	h.drop = h.pasted && now.Sub(h.last) < holdBurst
	h.pending, h.last = true, now
	h.seq++
	wait, seq := holdSend, h.seq
	if burst || h.drop {
		wait = holdBurst
	}
	return tea.Tick(wait, func(time.Time) tea.Msg { return SendMsg{seq} })
}

// Send returns the text to send as Submit does; it is not ok when the Enter became a line break in the meantime.
func (c *Composer) Send(m SendMsg) (text string, ok bool) {
	if !c.hold.pending || m.seq != c.hold.seq {
		return "", false
	}
	drop := c.hold.drop
	c.hold.pending, c.hold.drop, c.hold.pasted = false, false, false
	if drop {
		return "", false
	}
	return c.Submit()
}

// Bursting reports whether keys come faster than fingers, as in a paste without brackets. The owner then gives Tab to
// the composer instead of acting on it.
func (c *Composer) Bursting(now time.Time) bool {
	return c.hold.pending || c.hold.pasted && now.Sub(c.hold.last) < holdBurst
}

// followedBy turns an Enter that is still held into the line break it was.
func (c *Composer) followedBy(now time.Time) {
	if c.hold.pending {
		c.hold.pending, c.hold.pasted = false, true
		c.insertText("\n", false)
	} else if now.Sub(c.hold.last) >= holdBurst {
		c.hold.pasted = false
	}
}
