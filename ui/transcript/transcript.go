// Package transcript shows a conversation: it is told events and gives exactly as many lines as the window has. A block
// is laid out when it is looked at and kept until it changes, so the length of a session costs nothing. It holds the
// place of a reader who scrolled up against anything that happens elsewhere. It refuses keys, timers and the engine:
// the screen calls it.
package transcript

import (
	"fmt"
	"slices"
	"time"

	"talaria/engine"
	"talaria/ui/style"
	"talaria/ui/transcript/feed"
)

// Transcript is the conversation's pane. It is not safe for concurrent use.
type Transcript struct {
	feed    *feed.Feed
	layout  layout
	view    view
	focus   focus
	older   older
	spool   spool
	mark    mark
	welcome []string
}

// New returns an empty transcript that follows.
func New(s style.Sheet) *Transcript {
	return &Transcript{feed: feed.New(s), view: view{following: true}, focus: focus{at: -1}}
}

// SetClock replaces the clock that times thoughts, tools and waits; for tests.
func (t *Transcript) SetClock(now func() time.Time) { t.feed.SetClock(now) }

// SetSheet changes the theme or the glyphs. Mode and place stay.
func (t *Transcript) SetSheet(s style.Sheet) {
	t.feed.SetSheet(s, t.layout.shift)
	t.layout.laid = 0
}

// SetWelcome sets what an empty conversation shows, from the top. The lines are the caller's own and may be styled.
func (t *Transcript) SetWelcome(lines []string) { t.welcome = lines }

// Welcome is what SetWelcome set.
func (t *Transcript) Welcome() []string { return t.welcome }

// On takes an event; replay says that it is from the past, so that nothing in it runs or is timed. Opened begins anew
// and draws its Past itself.
func (t *Transcript) On(e engine.Event, replay bool) {
	_, ok := e.(engine.Opened)
	if ok && !replay {
		t.layout.laid, t.older, t.focus, t.mark = 0, older{}, focus{at: -1}, mark{}
		t.follow()
	}
	t.feed.On(e, replay)
	if ok && !replay {
		t.spool = spool{past: len(t.feed.Entries), some: t.spool.some}
	}
}

// SetSize sets the pane's size in cells. The first row on screen stays, unless all below it fits now: then the view
// has reached the last row.
func (t *Transcript) SetSize(w, h int) {
	if w == t.layout.width && h == t.view.height {
		return
	}
	t.layout.width, t.view.height = max(0, w), max(0, h)
	if t.view.following || h <= 0 {
		return
	}
	if _, short, ok := t.top(); ok && short > 0 {
		t.follow()
	}
}

// Height is that of the view, in rows.
func (t *Transcript) Height() int { return t.view.height }

// Empty reports whether there is nothing to show but the welcome.
func (t *Transcript) Empty() bool { return t.after(-1) < 0 }

// Tick moves the clocks of what runs. Call it once a second while Busy.
func (t *Transcript) Tick(now time.Time) { t.feed.Tick(now) }

// Busy reports whether anything on the pane has a running clock; if not, no timer is needed.
func (t *Transcript) Busy() bool { return t.feed.Busy() }

// Pill is what to show over the last row while the reader is elsewhere; "" when there is nothing to say.
func (t *Transcript) Pill() string {
	words := ""
	switch n := t.NewLines(); {
	case t.older.top:
		words = "↑ reading older messages…"
	case t.view.following:
	case t.feed.Asking():
		words = "↓ needs you · Ctrl+End"
	case n == 1:
		words = "↓ 1 new line · Ctrl+End"
	case n > 0:
		words = fmt.Sprintf("↓ %d new lines · Ctrl+End", n)
	}
	return t.feed.Sheet().Words(words)
}

// View returns exactly as many lines as the pane is high, none wider than it. A short conversation stands at the bottom.
func (t *Transcript) View() []string {
	t.hold()
	out := make([]string, t.view.height)
	t.view.shown = slices.Repeat([]int{-1}, len(out))
	if t.view.height == 0 || t.layout.width == 0 {
		return out
	}
	p, short, ok := t.top()
	if !ok {
		copy(out, t.welcome)
		return t.fitted(out)
	}
	y := 0
	if t.view.following {
		y = short
	}
	first, i, row := p.block, p.block, p.row
	for y < len(out) && i >= 0 {
		lines := t.rows(i)
		for ; row < len(lines) && y < len(out); row, y = row+1, y+1 {
			if row >= 0 {
				out[y], t.view.shown[y] = lines[row], i
			} else if t.before(i) < 0 {
				out[y] = t.notice()
			}
		}
		if y == len(out) {
			break
		}
		if i = t.after(i); i >= 0 {
			row = -t.gap(i)
		}
	}
	if i < 0 {
		i = len(t.feed.Entries)
	}
	t.sweep(first, i)
	return t.fitted(out)
}

// fitted is the last gate: whatever a block gave, no line is wider than the pane.
func (t *Transcript) fitted(lines []string) []string {
	for i, line := range lines {
		if style.Width(line) > t.layout.width {
			lines[i] = t.feed.Sheet().Truncate(line, t.layout.width)
		}
	}
	return lines
}
