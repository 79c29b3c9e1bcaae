package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// resizeSpan is how long sizes that follow a size are gathered (UX 4.10): a window that is dragged sends hundreds.
const resizeSpan = 30 * time.Millisecond

// sizeDueMsg says that the gathering is over.
type sizeDueMsg struct{}

// resizes lets the first size of a storm through at once, and of those that follow the newest. It belongs to the loop of
// the program; after calls send later, from anywhere.
type resizes struct {
	until time.Time
	next  *tea.WindowSizeMsg
	now   func() time.Time
	after func(d time.Duration, msg tea.Msg)
}

// filter is the program's message filter: nil drops a message.
func (r *resizes) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	if _, due := msg.(sizeDueMsg); due {
		size := r.next
		r.next = nil
		if size == nil {
			return nil
		}
		r.until = r.now().Add(resizeSpan)
		return *size
	}
	size, ok := msg.(tea.WindowSizeMsg)
	if !ok {
		return msg
	}
	now := r.now()
	if !now.Before(r.until) && r.next == nil {
		r.until = now.Add(resizeSpan)
		return msg
	}
	if r.next == nil {
		r.after(r.until.Sub(now), sizeDueMsg{})
	}
	r.next = &size
	return nil
}
