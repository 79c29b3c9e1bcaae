package core

import (
	"cmp"
	"context"
	"sync"

	"talaria/engine"
	"talaria/engine/core/ledger"
	"talaria/engine/provider/think"
)

// aux is what asks the model of the side task name. It may be used from any goroutine.
func (c *Core) aux(name string) engine.Aux {
	return func(ctx context.Context, req engine.Request) (engine.Message, error) {
		main := c.asked.Load()
		if main == nil || c.d.Aux == nil {
			return engine.Message{}, &engine.Error{Reason: engine.ReasonAuth, Code: engine.CodeNoKey, Message: "no model is connected for the side task " + name}
		}
		stack, route, err := c.d.Aux(name, *main)
		if err != nil {
			return engine.Message{}, err
		}
		req.Cache = cmp.Or(req.Cache, engine.CacheOff) // nothing comes back to this prompt
		var fold engine.Fold
		used := engine.Usage{}
		for d, failed := range stack.Stream(ctx, req) {
			if failed != nil {
				err = failed
				used = engine.AsError(failed).Usage
				break
			}
			fold.Add(d)
			if r, ok := d.(engine.Retry); ok && r.Route != nil {
				route = *r.Route
			}
		}
		m := think.Message(fold.Message(c.d.Now()))
		if m.Usage != nil {
			used = used.Add(*m.Usage)
		}
		c.bill(ctx, route, used.Add(fold.Lost()))
		if err == nil && !fold.Done() {
			err = &engine.Error{Reason: engine.ReasonTimeout, Code: engine.CodeCut, Message: "the reply ended before it was complete"}
		}
		return m, err
	}
}

// tally is what side tasks cost since the running turn began. The turn adds up its own from what the session had cost
// before, so what came beside it is added to what it tells.
type tally struct {
	mu       sync.Mutex
	usage    engine.Usage
	cost     float64
	unpriced bool
	last     engine.Used // the newest of the conversation itself: what its window holds
}

// begin returns the session as it stands, from which a turn counts.
func (t *tally) begin(row func() engine.Session) engine.Session {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.usage, t.cost, t.unpriced = engine.Usage{}, 0, false
	return row()
}

// bill counts the usage of a side task in the session.
func (c *Core) bill(ctx context.Context, r engine.Route, used engine.Usage) {
	if used == (engine.Usage{}) {
		return
	}
	paid := c.price(r, used)
	t := &c.tally
	t.mu.Lock()
	defer t.mu.Unlock()
	row := c.journal.Session()
	t.usage = t.usage.Add(used)
	e := engine.Used{Usage: used, Total: row.Usage.Add(used), Context: row.Context, Window: t.last.Window}
	if paid == nil {
		t.unpriced = true
	} else {
		t.cost += *paid
		e.Cost = plus(row.Cost, *paid)
	}
	c.journal.Emit(context.WithoutCancel(ctx), e)
}

// billed tells what a request of the turn used, with what side tasks cost meanwhile.
func (c *Core) billed(ctx context.Context, e engine.Used) {
	t := &c.tally
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = e
	e.Total = e.Total.Add(t.usage)
	if e.Cost = plus(e.Cost, t.cost); t.unpriced {
		e.Cost = nil
	}
	c.journal.Emit(ctx, e)
}

func plus(cost *float64, more float64) *float64 {
	if cost == nil {
		return nil
	}
	sum := *cost + more
	return &sum
}

// Ledger is what the open session used.
func (c *Core) Ledger() engine.Ledger { return ledger.New(c.journal, c.d.Store.Tail) }
