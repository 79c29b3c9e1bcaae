package core

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"talaria/engine"
	"talaria/engine/tools"
	"talaria/engine/tools/terminal"
)

// newShell makes the shell of this engine, which keeps directory, environment and background processes between turns.
func (c *Core) newShell(ctx context.Context, space *tools.Workspace) *terminal.Terminal {
	cfg := c.d.Resolver.Config.Terminal
	return terminal.New(space, terminal.Options{Timeout: cfg.Timeout.Duration(), Shell: cfg.Shell, Env: c.env(), Ended: func(p engine.Process) {
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

// List, Changed, Tail and End are the background as the screen sees it; see engine.Processes.

// List describes what runs in the background and what ended lately, oldest first.
func (c *Core) List() []engine.Process { return c.shell.List() }

// Changed is closed with the next change of List.
func (c *Core) Changed() <-chan struct{} { return c.shell.Changed() }

// Tail returns the last lines that a process printed, at most n.
func (c *Core) Tail(id string, n int) (string, error) { return c.shell.Tail(id, n) }

// End ends a process and everything it started.
func (c *Core) End(id string) error { return c.shell.End(id) }

// Shell runs a command that the user typed, in the session's shell and outside the model. With tell it becomes a message
// of the user: a steer while a turn runs, else the end of the history, which goes with the next request. Without, it is
// an aside. It is recorded with its output when it has ended.
func (c *Core) Shell(ctx context.Context, command string, tell bool) (engine.Result, error) {
	args, err := json.Marshal(map[string]string{"command": command})
	if err != nil {
		return engine.Result{}, fmt.Errorf("run the command: %w", err)
	}
	call := engine.Call{ID: engine.NewID("user_"), Name: "terminal", Args: string(args)}
	r, err := c.back.Watched(c.shell).Run(ctx, call, io.Discard)
	if err != nil {
		return r, fmt.Errorf("run the command: %w", err)
	}
	done := make(chan struct{})
	c.later(func(ctx context.Context) { defer close(done); c.record(ctx, command, r, tell) })
	select {
	case <-done:
		return r, nil
	case <-c.done:
		return r, errors.New("the program ended before the command could be recorded")
	}
}

// record keeps what a command of the user printed. It runs in the goroutine that owns the engine's state.
func (c *Core) record(ctx context.Context, command string, r engine.Result, tell bool) {
	text := c.masker()(fmt.Sprintf("I ran this command myself:\n\n$ %s\n\n%s", command, r.Text))
	if tell && c.running != nil {
		c.outbox.Steer(ctx, engine.Steer{Text: text})
		return
	}
	if err := c.firstWrite(ctx); err != nil {
		c.note(ctx, engine.NoteError, "%v", err)
	}
	m := engine.UserMessage(text, c.d.Now())
	m.Aside = !tell
	c.journal.Emit(ctx, engine.Appended{Message: m})
	if c.running == nil {
		c.past = append(c.past, m)
	}
}

// later hands f to the goroutine that owns the engine's state; it never blocks.
func (c *Core) later(f func(context.Context)) {
	c.opsMu.Lock()
	c.work = append(c.work, f)
	c.opsMu.Unlock()
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

func (c *Core) doWork(ctx context.Context) {
	c.opsMu.Lock()
	work := c.work
	c.work = nil
	c.opsMu.Unlock()
	for _, f := range work {
		c.settle(ctx)
		f(ctx)
	}
}
