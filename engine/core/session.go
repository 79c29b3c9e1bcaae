package core

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"

	"talaria/engine"
	"talaria/engine/config"
	"talaria/engine/core/journal"
	"talaria/engine/core/pages"
	"talaria/engine/core/past"
	"talaria/engine/prompt"
	"talaria/engine/provider/think"
)

// open makes a session current: a stored one, or with "" a new one that is written when the first message is sent.
func (c *Core) open(ctx context.Context, id string) error {
	if id != "" {
		return c.resume(ctx, id)
	}
	now := c.d.Now()
	repo, _ := prompt.Git(c.d.Dir)
	if c.route.Route.Model == "" {
		c.resolve(engine.Route{})
	}
	row := engine.Session{ID: engine.NewSessionID(now), Dir: c.d.Dir, Repo: repo, Created: now, Updated: now, Route: c.route.Route, Cost: free()}
	c.journal.Use(nil, row)
	c.back.Open(row.ID, nil)
	c.look.Opened(0)
	c.hints.Forget()
	c.past, c.prompt = nil, ""
	c.todo.Load(nil)
	c.outbox.Load(nil, nil)
	c.tellOpened(engine.Opened{Session: row})
	c.askTrust()
	return nil
}

// tellOpened tells the screen and the user's hooks that a session is open.
func (c *Core) tellOpened(e engine.Opened) {
	c.events.Push(e)
	c.out.Opened(e)
}

// free is the cost of a session that asked nothing yet: known, and nothing.
func free() *float64 { return new(float64) }

// resume opens a stored session and tells its end. What the engine itself needs of it, all of its messages, is read by
// rest: the screen must not wait for that.
func (c *Core) resume(ctx context.Context, id string) error {
	log, err := c.d.Store.Open(ctx, id)
	if err != nil {
		return fmt.Errorf("open session %s: %w", id, err)
	}
	page, err := c.Past().Earlier(ctx, engine.Place{Session: id}, pages.First)
	if err != nil {
		log.Close()
		return fmt.Errorf("read session %s: %w", id, err)
	}
	row := log.Session()
	c.journal.Use(log, row)
	c.look.Opened(row.Turns)
	c.hints.Forget()
	c.past, c.prompt = nil, row.System
	if c.chosen() {
		c.resolve(engine.Route{})
	} else {
		kept := row.Route
		if c.d.Resolver.Origins.Of("model.api_mode").Layer >= config.Environment {
			kept.APIMode = engine.APIMode(c.d.Resolver.Config.Model.APIMode) // the same model, asked in another way
		}
		c.resolve(kept)
	}
	same := c.route.Route.Model == row.Route.Model && c.route.Route.Provider == row.Route.Provider
	if !same {
		c.prompt = "" // it names the model: built anew with the next message
	}
	told := row
	told.Route = c.route.Route
	c.tellOpened(engine.Opened{Session: told, Resumed: true, Past: page.Records, Earlier: page.Next})
	c.rest = func(ctx context.Context) error { return c.restOf(ctx, log, same) }
	return nil
}

// restOf reads all of a session that was opened. With same the model is the one that its prompt names.
func (c *Core) restOf(ctx context.Context, log engine.Log, same bool) error {
	recs, err := log.Records(ctx)
	if err != nil {
		return fmt.Errorf("read session: %w", err)
	}
	s := past.Restore(recs)
	c.journal.Change(func(row *engine.Session) {
		for _, r := range recs {
			if r.Seq > row.Folded && r.Event != nil {
				journal.Count(row, r.Event, r.At) // what a crash kept from the database
			}
		}
	})
	row := c.journal.Session()
	c.back.Open(cmp.Or(row.Root, row.ID), recs)
	c.past = think.Messages(s.Messages)
	if c.prompt == "" && same {
		c.prompt = s.System
	}
	c.todo.Load(s.Tasks)
	c.outbox.Load(s.Steers, s.Queued)
	if len(s.Tasks) > 0 {
		c.events.Push(engine.Planned{Tasks: s.Tasks})
	}
	c.outbox.Retell(ctx)
	c.tellOpen(ctx, s.Open)
	c.askTrust()
	return nil
}

// readRest reads what open left for after the first frame. Nothing else may be done before.
func (c *Core) readRest(ctx context.Context) error {
	rest := c.rest
	if c.rest = nil; rest == nil {
		return nil
	}
	return rest(ctx)
}

// frameTime is how long the rest of a session waits for the first frame to be drawn, which needs the processor more.
const frameTime = 150 * time.Millisecond

// begin is what comes before the first op: the rest of the session that was opened. An op does not wait for the frame.
func (c *Core) begin(ctx context.Context) {
	if c.rest != nil {
		select {
		case <-ctx.Done():
		case <-time.After(frameTime):
		case <-c.wake:
			select {
			case c.wake <- struct{}{}: // for the loop
			default: // somebody else has
			}
		}
	}
	if err := c.readRest(ctx); err != nil {
		c.note(ctx, engine.NoteError, "%v. A new session was started.", err)
		_ = c.journal.Close(ctx) // it is as it was
		_ = c.open(ctx, "")      // a new session is made in memory: it cannot fail
	}
}

// Past reads the conversation of a session back. It may be used from any goroutine.
func (c *Core) Past() engine.Past { return pages.Reader{Library: c.d.Store} }

// tellOpen says what the user was being asked when the program was cut off: the dialog itself cannot come back, since what
// waited for its answer is gone with the program.
func (c *Core) tellOpen(ctx context.Context, open []engine.Question) {
	for _, q := range open {
		what := "You were being asked when the program ended: " + q.Title
		if q.Kind == engine.Approval {
			what = "The program ended before this could run, and nothing of it happened: " + q.Title
		}
		if line, _, _ := strings.Cut(strings.TrimSpace(q.Body), "\n"); line != "" {
			what += ": " + line
		}
		c.note(ctx, engine.NoteWarning, "%s. Enter goes on with the turn, and you are asked again.", what)
	}
}

// chosen reports whether a flag or the environment named a model, which then wins over a resumed session's.
func (c *Core) chosen() bool {
	o := c.d.Resolver.Origins
	for _, key := range []string{"model.name", "model.provider", "model.base_url"} {
		if o.Of(key).Layer >= config.Environment {
			return true
		}
	}
	return false
}

// reopen changes to another session, or a new one.
func (c *Core) reopen(ctx context.Context, id string) {
	if c.running != nil {
		c.note(ctx, engine.NoteWarning, "The agent is still working. Stop it first (Esc), then change the session.")
		return
	}
	if id != "" && id == c.journal.Session().ID {
		return
	}
	before := c.journal.Session().ID
	if err := c.journal.Close(ctx); err != nil {
		c.note(ctx, engine.NoteError, "The session could not be closed: %v", err)
	}
	err := c.open(ctx, id)
	if err == nil {
		err = c.readRest(ctx)
	}
	if err == nil {
		return
	}
	c.note(ctx, engine.NoteError, "%v. This session stays open.", err)
	_ = c.journal.Close(ctx) // of one that could not be read
	if err := c.open(ctx, before); err != nil {
		c.note(ctx, engine.NoteError, "%v. A new session was started.", err)
		_ = c.open(ctx, "") // a new session is made in memory: it cannot fail
	}
	c.begin(ctx)
}

// firstWrite puts the session on disk with its first message, and builds the prompt where it is not built yet.
func (c *Core) firstWrite(ctx context.Context) error {
	if c.prompt == "" {
		c.prompt = c.buildPrompt(ctx, c.route.Route)
		c.journal.Change(func(s *engine.Session) { s.System = c.prompt })
	}
	c.journal.Change(func(s *engine.Session) { s.Route = c.route.Route })
	row := c.journal.Session()
	if c.journal.Attached() {
		return nil
	}
	log, err := c.d.Store.Create(ctx, row)
	if err != nil {
		return fmt.Errorf("the session cannot be saved: %w. The conversation goes on in memory", err)
	}
	c.journal.Begin(log, engine.Opened{Session: row})
	return nil
}

// buildPrompt makes the system prompt of the session (law 8).
func (c *Core) buildPrompt(ctx context.Context, r engine.Route) string {
	if c.d.System != "" {
		return strings.TrimSpace(c.d.System + "\n\n" + c.d.Append)
	}
	var rules []prompt.Rule
	if c.trusted() && !c.d.NoRules {
		found, warnings := prompt.Rules(c.d.Dir)
		rules = found
		for _, w := range warnings {
			c.note(ctx, engine.NoteWarning, "%s", w)
		}
	}
	soul, warnings := prompt.Soul(c.d.Paths.Soul)
	for _, w := range warnings {
		c.note(ctx, engine.NoteWarning, "%s", w)
	}
	box, _ := c.toolbox()
	repo, branch := prompt.Git(c.d.Dir)
	return prompt.Build(prompt.Input{Dir: c.d.Dir, Repo: repo, Branch: branch, State: prompt.State(repo), Soul: soul, OS: runtime.GOOS + "/" + runtime.GOARCH, Date: c.d.Now().Format(time.DateOnly),
		Model: r.Model, Provider: r.Provider, Tools: box.Specs(), Rules: rules, Skills: c.out.Index(), Memory: c.remembered(ctx), Append: c.d.Append})
}
