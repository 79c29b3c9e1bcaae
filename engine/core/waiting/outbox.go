package waiting

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"talaria/engine"
)

// Outbox is what the user said that no request took yet: steers, which go in with the next tool results, and queued
// messages, which follow the turn. Every change is told and so durable. Paused: after a stop nothing is sent by itself.
type Outbox struct {
	mu     sync.Mutex
	steers []engine.Waiting
	queued []engine.Waiting
	paused bool
	taken  string // the id of the message that a turn was started with and that is not stored yet
	emit   func(context.Context, engine.Event)
}

// NewOutbox returns an empty outbox that tells of every change.
func NewOutbox(emit func(context.Context, engine.Event)) *Outbox { return &Outbox{emit: emit} }

// Load takes over what a stored session left; it waits paused.
func (o *Outbox) Load(steers, queued []engine.Waiting) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.steers, o.queued, o.paused = steers, queued, len(steers)+len(queued) > 0
}

// edit adds, replaces or takes back one entry of list, as Steer and Queue say.
func edit(list []engine.Waiting, id, text string) []engine.Waiting {
	i := slices.IndexFunc(list, func(w engine.Waiting) bool { return w.ID == id && id != "" })
	list = slices.Clone(list)
	switch {
	case i >= 0 && text == "":
		return slices.Delete(list, i, i+1)
	case i >= 0:
		list[i].Text = text
		return list
	case text == "":
		return list
	}
	return append(list, engine.Waiting{ID: engine.NewID("msg_"), Text: text})
}

// trade lets two entries of a list change places; one that does not wait any more leaves the list as it is.
func trade(list []engine.Waiting, a, b string) []engine.Waiting {
	at := func(id string) int {
		return slices.IndexFunc(list, func(w engine.Waiting) bool { return w.ID == id })
	}
	i, j := at(a), at(b)
	if i < 0 || j < 0 {
		return list
	}
	list = slices.Clone(list)
	list[i], list[j] = list[j], list[i]
	return list
}

// Steer adds, replaces, moves or takes back a steer.
func (o *Outbox) Steer(ctx context.Context, s engine.Steer) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if s.Swap != "" {
		o.steers = trade(o.steers, s.ID, s.Swap)
	} else {
		o.steers = edit(o.steers, s.ID, s.Text)
	}
	o.emit(ctx, engine.Steered{Waiting: o.steers, Paused: o.paused})
}

// Queue adds, replaces, moves or takes back a queued message.
func (o *Outbox) Queue(ctx context.Context, q engine.Queue) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if q.Swap != "" {
		o.queued = trade(o.queued, q.ID, q.Swap)
	} else {
		o.queued = edit(o.queued, q.ID, q.Text)
	}
	o.emit(ctx, engine.Queued{Waiting: o.queued, Paused: o.paused})
}

// TakeSteers gives the steers to a request as messages of their own; the outbox is told empty once they are stored.
func (o *Outbox) TakeSteers(now func() time.Time) []engine.Message {
	o.mu.Lock()
	defer o.mu.Unlock()
	var out []engine.Message
	for _, w := range o.steers {
		m := engine.UserMessage(w.Text, now())
		m.ID, m.Steer = w.ID, true
		out = append(out, m)
	}
	o.steers = nil
	return out
}

// Told says that the steers were delivered, after their messages are stored.
func (o *Outbox) Told(ctx context.Context) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.emit(ctx, engine.Steered{Waiting: o.steers, Paused: o.paused})
}

// Pending is the text of the steers that no request took.
func (o *Outbox) Pending() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	var texts []string
	for _, w := range o.steers {
		texts = append(texts, w.Text)
	}
	return strings.Join(texts, "\n\n")
}

// Pause holds everything back; Next is false until it is released.
func (o *Outbox) Pause(ctx context.Context, on bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.paused == on {
		return
	}
	o.paused = on
	if len(o.steers) > 0 || on {
		o.emit(ctx, engine.Steered{Waiting: o.steers, Paused: on})
	}
	if len(o.queued) > 0 || on {
		o.emit(ctx, engine.Queued{Waiting: o.queued, Paused: on})
	}
}

// Next takes what is to be sent after a turn: the oldest steer, else the oldest queued message. Further steers stay: they
// go in behind it when the turn begins.
func (o *Outbox) Next() (engine.Waiting, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	take := func(list *[]engine.Waiting) engine.Waiting {
		w := (*list)[0]
		*list = slices.Clone((*list)[1:])
		o.taken = w.ID
		return w
	}
	switch {
	case o.paused:
		return engine.Waiting{}, false
	case len(o.steers) > 0:
		return take(&o.steers), true
	case len(o.queued) > 0:
		return take(&o.queued), true
	}
	return engine.Waiting{}, false
}

// Empty reports whether nothing waits.
func (o *Outbox) Empty() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.steers)+len(o.queued) == 0
}

// Retell tells both lists as they stand, after a message of them was stored.
func (o *Outbox) Retell(ctx context.Context) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.emit(ctx, engine.Steered{Waiting: o.steers, Paused: o.paused})
	o.emit(ctx, engine.Queued{Waiting: o.queued, Paused: o.paused})
}

// Delivered reports whether id is the message that Next gave out; it is stored now.
func (o *Outbox) Delivered(id string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	yes := id != "" && id == o.taken
	if yes {
		o.taken = ""
	}
	return yes
}
