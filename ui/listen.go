package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
)

// frame is the least time between two deliveries of events: 30 a second are smooth, and an Update for every piece of a
// fast stream is not (LIBRARIES 2: 3.8 times the work).
const frame = 33 * time.Millisecond

// eventsMsg is what the engine told since the last delivery, stream pieces joined.
type eventsMsg []engine.Event

// closedMsg says that the engine has ended and everything is stored.
type closedMsg struct{}

// listener takes events from the engine. One command of it is under way at any time.
type listener struct {
	events <-chan engine.Event
	last   time.Time
}

func newListener(events <-chan engine.Event) *listener { return &listener{events: events} }

// next waits for an event and delivers what has come, at most once a frame. The first event after a pause comes at once.
func (l *listener) next() tea.Cmd {
	return func() tea.Msg {
		e, ok := <-l.events
		if !ok {
			return closedMsg{}
		}
		batch := eventsMsg{e}
		timer := time.NewTimer(frame - time.Since(l.last))
		defer timer.Stop()
		for {
			select {
			case e, ok := <-l.events:
				if !ok {
					return batch // the next call tells that it is closed
				}
				batch = batch.with(e)
			case <-timer.C:
				l.last = time.Now()
				return batch.drain(l.events)
			}
		}
	}
}

func (b eventsMsg) with(e engine.Event) eventsMsg {
	if joined, ok := engine.Merge(b[len(b)-1], e); ok {
		b[len(b)-1] = joined
		return b
	}
	return append(b, e)
}

// drain adds what is there already, without waiting.
func (b eventsMsg) drain(events <-chan engine.Event) eventsMsg {
	for {
		select {
		case e, ok := <-events:
			if !ok {
				return b
			}
			b = b.with(e)
		default:
			return b
		}
	}
}
