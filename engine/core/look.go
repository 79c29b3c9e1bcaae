package core

import (
	"context"
	"slices"

	"talaria/engine"
	"talaria/engine/core/ledger"
	"talaria/engine/core/lens"
	"talaria/engine/core/notebook"
)

// Lens is what fills the window of the open session.
func (c *Core) Lens() engine.Lens { return lens.New(c.journal, c.specs, c.price) }

// Ledger is what the open session used.
func (c *Core) Ledger() engine.Ledger { return ledger.New(c.journal, c.d.Store.Tail) }

// Memory is what is remembered, nil when nothing is remembered.
func (c *Core) Memory() engine.Remembered { return notebook.New(c.notes) }

// left reports whether the user left a message out of what is sent; it counts from the next request on.
func (c *Core) left(id string) bool { return slices.Contains(c.journal.Session().Dropped, id) }

// specs are the tools of this engine. They belong to the goroutine that handles ops, so that is asked.
func (c *Core) specs(ctx context.Context) []engine.Spec {
	told := make(chan []engine.Spec, 1)
	c.later(func(context.Context) { box, _ := c.toolbox(); told <- c.out.Box(box).Specs() })
	select {
	case s := <-told:
		return s
	case <-ctx.Done():
	case <-c.done:
	}
	return nil
}
