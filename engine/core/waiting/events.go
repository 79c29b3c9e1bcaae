// Package waiting holds what waits between the engine and the person: events for the screen that reads them, and the words
// of the user that no request took yet. Both keep their order and lose nothing. It refuses to decide when anything is sent.
package waiting

import (
	"context"
	"sync"
	"time"

	"talaria/engine"
)

// Events holds events until the reader takes them. It is unbounded, so the engine never waits for drawing, and keeps
// their order; neighbouring pieces of one stream become one piece, so a slow reader costs little memory (law 7).
type Events struct {
	mu     sync.Mutex
	items  []engine.Event
	closed bool
	wake   chan struct{}
	out    chan engine.Event
}

// NewEvents returns an empty queue.
func NewEvents() *Events {
	return &Events{wake: make(chan struct{}, 1), out: make(chan engine.Event, 64)}
}

// Push adds an event; it never blocks.
func (q *Events) Push(e engine.Event) {
	q.mu.Lock()
	if n := len(q.items); n > 0 {
		if joined, ok := engine.Merge(q.items[n-1], e); ok {
			q.items[n-1] = joined
			q.mu.Unlock()
			return
		}
	}
	q.items = append(q.items, e)
	q.mu.Unlock()
	q.signal()
}

// Out is the reader's end; it closes after Close, when all is taken.
func (q *Events) Out() <-chan engine.Event { return q.out }

// Close lets the reader take what is left, then closes the channel.
func (q *Events) Close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	q.signal()
}

func (q *Events) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

func (q *Events) pop() (e engine.Event, ok, closed bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return nil, false, q.closed
	}
	e = q.items[0]
	q.items[0] = nil
	q.items = q.items[1:]
	return e, true, false
}

// drainTime is how long a reader has, after the end, to take what is left before it is given up.
const drainTime = 2 * time.Second

// Run hands events over until the queue is closed and empty. A reader that has gone away must not keep it: after ctx
// is done each hand-over waits at most drainTime.
func (q *Events) Run(ctx context.Context) {
	defer close(q.out)
	for {
		e, ok, closed := q.pop()
		switch {
		case closed:
			return
		case !ok:
			<-q.wake
			continue
		}
		select {
		case q.out <- e:
			continue
		default:
		}
		if !q.hand(ctx, e) {
			return
		}
	}
}

func (q *Events) hand(ctx context.Context, e engine.Event) bool {
	select {
	case q.out <- e:
		return true
	case <-ctx.Done():
	}
	timer := time.NewTimer(drainTime)
	defer timer.Stop()
	select {
	case q.out <- e:
		return true
	case <-timer.C:
		return false
	}
}
