// Package listen brings the events of the engine to the screen, as many as have come at most once a frame: an Update for
// every piece of a fast stream costs several times the work. It refuses to drop or to reorder anything (law 7).
package listen

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
)

// Frame is the least time between two deliveries of events: 30 a second are smooth, and an Update for every piece of a
// fast stream is not (LIBRARIES 2: 3.8 times the work).
const Frame = 33 * time.Millisecond

// gather is how long the first event after a pause waits for those that belong to it: an engine tells several at one
// moment, and without it the first would come alone and the rest a frame later.
const gather = time.Millisecond

// Batch is what the engine told since the last delivery, stream pieces joined.
type Batch []engine.Event

// Closed says that the engine has ended and everything is stored.
type Closed struct{}

// Listener takes events from the engine. One command of it is under way at any time.
type Listener struct {
	events <-chan engine.Event
	last   time.Time
}

// New returns the listener of a channel; it begins with Next.
func New(events <-chan engine.Event) *Listener { return &Listener{events: events} }

// Next waits for an event and delivers what has come, at most once a frame. After a pause that is as good as at once.
func (l *Listener) Next() tea.Cmd {
	return func() tea.Msg {
		e, ok := <-l.events
		if !ok {
			return Closed{}
		}
		batch := delivery{events: Batch{e}}
		timer := time.NewTimer(max(Frame-time.Since(l.last), gather))
		defer timer.Stop()
		for {
			select {
			case e, ok := <-l.events:
				if !ok {
					return batch.events // the next call tells that it is closed
				}
				batch.add(e)
			case <-timer.C:
				l.last = time.Now()
				batch.drain(l.events)
				return batch.events
			}
		}
	}
}

// delivery collects events. Pieces of a stream are joined in runs of limited length: joining copies, and a backlog of
// many thousand pieces would be copied as often.
type delivery struct {
	events Batch
	run    int // pieces in the last event
}

const longestRun = 128

func (d *delivery) add(e engine.Event) {
	last := len(d.events) - 1
	if joined, ok := d.join(last, e); ok {
		d.events[last] = joined
		d.run++
		return
	}
	d.events, d.run = append(d.events, e), 1
}

func (d *delivery) join(last int, e engine.Event) (engine.Event, bool) {
	if d.run >= longestRun {
		return nil, false
	}
	return engine.Merge(d.events[last], e)
}

// drain adds what is there already, without waiting.
func (d *delivery) drain(events <-chan engine.Event) {
	for {
		select {
		case e, ok := <-events:
			if !ok {
				return
			}
			d.add(e)
		default:
			return
		}
	}
}
