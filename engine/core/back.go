package core

import (
	"context"
	"path/filepath"

	"talaria/engine"
	"talaria/engine/core/past"
	"talaria/engine/core/rewind"
	"talaria/engine/provider/think"
)

// newRewinder is what keeps files and goes back in the session.
func (c *Core) newRewinder(ctx context.Context) *rewind.Rewinder {
	dir := ""
	if !c.d.NoTrace && c.d.Paths.Data != "" {
		dir = filepath.Join(c.d.Paths.Data, "checkpoints")
	}
	return rewind.New(ctx, rewind.Deps{Store: c.d.Store, Journal: c.journal, Space: c.space, Watch: c.d.Dir, Dir: dir, Copies: c.d.Resolver.Config.Checkpoints,
		Ask: c.askUser(), Do: c.Do, Tell: c.events.Push, Retell: c.outbox.Retell, Now: c.d.Now, Restored: func(s past.State) {
			c.past = think.Messages(s.Messages)
			c.todo.Load(s.Tasks)
		}})
}

// Timeline is what the timeline screen asks of the open session.
func (c *Core) Timeline() engine.Timeline { return c.back.Timeline() }

// ForkSession makes a copy of a stored session, also of one that another window has, and returns the copy's id. Of a
// lineage of compressions the newest is copied.
func (c *Core) ForkSession(ctx context.Context, id string) (string, error) {
	return c.back.Fork(ctx, id)
}
