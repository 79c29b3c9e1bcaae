package composer

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// Where bracketed paste is missing, a pasted "line1 CR line2 CR" arrives as key presses, and the first CR would send.
// So an Enter is held for a moment, and what happens next decides: more input makes it a line break, silence sends.
// That is sound for input of one read, however long drawing takes: the reader hands its keys over one after the other,
// and the next one waits for the screen before the timer can fire. Silence is always told by a timer's message, never
// by the clock, which would count the drawing. A paste that stalls on a slow line for longer than the hold cannot be
// told from typing.
const (
	holdSend  = 8 * time.Millisecond  // no person strikes another key so soon after Enter
	holdBurst = 40 * time.Millisecond // after a key that came faster than fingers: a paste may be under way
	burstGap  = 8 * time.Millisecond
)

type hold struct {
	seq     int // of the newest timer; older ones say nothing
	pending bool
	pasted  bool // an Enter of this burst became a line break: the burst is a paste
	last    time.Time
}

// SendMsg says that an Enter, or a burst of keys, was not followed by more input. The owner gives it to Send.
type SendMsg struct {
	seq   int
	quiet bool // the burst is over, there was no Enter
}

// Enter is what the owner calls when Enter is to send. The command brings a SendMsg after at most 40 ms.
func (c *Composer) Enter(now time.Time) tea.Cmd {
	burst := now.Sub(c.hold.last) < burstGap
	c.followed()
	c.hold.pending, c.hold.last = true, now
	if burst || c.hold.pasted {
		return c.after(holdBurst, false)
	}
	return c.after(holdSend, false)
}

func (c *Composer) after(d time.Duration, quiet bool) tea.Cmd {
	c.hold.seq++
	msg := SendMsg{c.hold.seq, quiet}
	return tea.Tick(d, func(time.Time) tea.Msg { return msg })
}

// Send returns the text to send as Submit does. It is not ok when the Enter became a line break in the meantime, or
// when it ends a burst that is known to be a paste: that one neither sends nor breaks the line.
func (c *Composer) Send(m SendMsg) (text string, ok bool) {
	if m.seq != c.hold.seq {
		return "", false
	}
	sends := c.hold.pending && !c.hold.pasted && !m.quiet
	c.hold.pending, c.hold.pasted = false, false
	if !sends {
		return "", false
	}
	return c.Submit()
}

// Bursting reports whether a paste without brackets is under way. The owner then gives Tab to the composer instead of
// acting on it. A burst that nobody ended is forgotten after a second.
func (c *Composer) Bursting(now time.Time) bool {
	return c.hold.pending || c.hold.pasted && now.Sub(c.hold.last) < time.Second
}

// followed turns an Enter that is still held into the line break it was.
func (c *Composer) followed() {
	if c.hold.pending {
		c.hold.pending, c.hold.pasted = false, true
		c.insertText("\n", false)
	}
}

// typedOn is what every printed key does: it follows a held Enter, and goes on with a paste that is under way.
func (c *Composer) typedOn(text string) tea.Cmd {
	c.followed()
	c.hold.last = time.Now()
	c.insertText(clean(text), true)
	if c.hold.pasted {
		return c.after(holdBurst, true)
	}
	return nil
}
