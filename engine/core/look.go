package core

import (
	"context"
	"slices"

	"talaria/engine"
	"talaria/engine/core/ledger"
	"talaria/engine/core/lens"
	"talaria/engine/core/notebook"
)

// Lens is what fills the window of the open session. It may be used from any goroutine.
func (c *Core) Lens() engine.Lens {
	return lens.Lens{Records: c.journal.Records, Session: c.journal.Session, Fixed: c.fixed,
		Change: func(f func(*engine.Session)) {
			c.journal.Change(f)
			c.journal.FoldSoon()
		},
		Price: func(tokens int) *float64 { return c.price(c.journal.Session().Route, engine.Usage{Input: tokens}) }}
}

// Ledger is what the open session used. It may be used from any goroutine.
func (c *Core) Ledger() engine.Ledger {
	return ledger.Ledger{Session: c.journal.Session, Records: c.journal.Records, Tail: c.d.Store.Tail}
}

// Notebook is the memory, nil when nothing is remembered. It may be used from any goroutine.
func (c *Core) Notebook() engine.Notebook {
	if c.notes == nil {
		return nil
	}
	return notebook.Notebook{Files: c.notes}
}

// left reports whether the user left a message out of what is sent; it counts from the next request on.
func (c *Core) left(id string) bool { return slices.Contains(c.journal.Session().Dropped, id) }

// fixed is what every request begins with. Both belong to the goroutine that handles ops, so that is asked.
func (c *Core) fixed(ctx context.Context) (system string, specs []engine.Spec) {
	type look struct {
		system string
		specs  []engine.Spec
	}
	told := make(chan look, 1)
	c.later(func(ctx context.Context) {
		box, _ := c.toolbox()
		told <- look{c.prompt, c.out.Box(box).Specs()}
	})
	select {
	case l := <-told:
		return l.system, l.specs
	case <-ctx.Done():
	case <-c.done:
	}
	return c.journal.Session().System, nil
}
