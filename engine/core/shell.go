package core

import (
	"context"
	"fmt"

	"talaria/engine"
	"talaria/engine/tools/terminal"
)

// newShell makes the shell of this engine, which keeps directory, environment and background processes between turns.
func (c *Core) newShell(ctx context.Context) *terminal.Terminal {
	cfg := c.d.Resolver.Config.Terminal
	return terminal.New(c.space, terminal.Options{Timeout: cfg.Timeout.Duration(), Shell: cfg.Shell, Env: c.env(), Ended: func(p engine.Process) {
		kind, how := engine.NoteInfo, "has ended"
		if p.Exit != 0 {
			kind, how = engine.NoteWarning, fmt.Sprintf("has ended with exit code %d", p.Exit)
		}
		c.note(context.WithoutCancel(ctx), kind, "%s in the background %s: %s", p.ID, how, p.Command)
	}})
}

// closeShell ends what commands left running: no process outlives the program unannounced.
func (c *Core) closeShell() { c.swept, _ = c.shell.Close() } // what cannot be ended cannot be helped either

// Swept are the processes that ran in the background when the program ended, and were ended with it. It is known once
// Done is closed.
func (c *Core) Swept() []engine.Process { return c.swept }
