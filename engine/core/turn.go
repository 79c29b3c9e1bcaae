package core

import (
	"context"
	"slices"
	"time"

	"talaria/engine"
	"talaria/engine/agent"
	"talaria/engine/core/dial"
	"talaria/engine/core/ward"
	pictures "talaria/engine/image"
	"talaria/engine/prompt"
	"talaria/engine/tools"
)

// start begins a turn with the user's message. id is that of a message that waited, "" for a new one.
func (c *Core) start(ctx context.Context, s engine.Submit, id string) {
	in := agent.Input{Text: c.out.Expand(s.Text), ID: id}
	main := c.route.Route
	eyes, seen := dial.Eyes(c.d.Resolver, main)
	for _, path := range append(slices.Clone(s.Attachments), pictures.Mentions(s.Text)...) {
		if dial.Blind(main) && !seen {
			c.note(ctx, engine.NoteWarning, "%s cannot see pictures; %s was not attached. Choose another model with /model, or set auxiliary.vision.", main.Model, path)
			continue
		}
		img, err := readImage(c.space, path)
		if err != nil {
			c.note(ctx, engine.NoteWarning, "%s was not attached: %v", path, err)
			continue
		}
		if seen {
			c.note(ctx, engine.NoteInfo, "%s cannot see pictures; %s describes %s to it.", main.Model, modelName(eyes), path)
		}
		in.Attachments = append(in.Attachments, img)
	}
	c.launch(ctx, in)
}

func (c *Core) startContinue(ctx context.Context) { c.launch(ctx, agent.Input{Continue: true}) }

// launch runs a turn in a goroutine of its own. What keeps it from starting (no model, no key) ends it as a failed turn,
// with the message stored.
func (c *Core) launch(ctx context.Context, in agent.Input) {
	c.back.Drop()
	if err := c.firstWrite(ctx); err != nil {
		c.note(ctx, engine.NoteError, "%v", err)
	}
	provider, err := c.provider()
	if err != nil {
		provider = failing{engine.AsError(err)}
	}
	main := c.route
	if _, ok := dial.Eyes(c.d.Resolver, main.Route); ok {
		provider = c.sight.Tell(provider, c.aux(engine.TaskVision))
	} else if dial.Blind(main.Route) {
		provider = c.sight.Tell(provider, nil) // of pictures that a model before it could see
	}
	box, gates := c.boxFor(ctx, c.window(main, main.Route))
	c.newPrograms()
	c.yield(main.Route)
	text := c.prompt
	route, room := main.Route, c.window(main, main.Route) // a quarter of the window, at four bytes a token
	mask := c.masker()
	c.space.Mask(ward.Kept(mask))
	row := c.tally.begin(c.journal.Session)
	in.History = c.past
	if in.History == nil {
		in.History = []engine.Message{}
	}
	chars, most := c.resultSize(c.window(main, main.Route))
	c.space.SetLimit(chars)
	c.deps = agent.Deps{
		Provider: c.out.Provider(provider), Tools: box, Gates: gates, Emit: c.emitOfTurn, Keep: c.journal.Keep,
		System: func(string) string { return text }, Sanitise: prompt.SanitiseInput, Mask: mask, Redact: ward.Redact, Live: func() agent.Masker { return ward.NewLive(mask) },
		Context: func(ctx context.Context, text string) (string, error) {
			said, err := c.out.Context(ctx, text, route)
			return mask(c.typed.Context(ctx, text, said, room)), err
		},
		Steers: func() []engine.Message { return c.outbox.TakeSteers(c.d.Now) }, Pending: c.outbox.Pending,
		Line: lineOf, Price: c.price, Now: c.d.Now, Wait: c.wait, Offer: c.offer(), Route: main.Route, Session: row,
		Window: func(r engine.Route) int { return c.window(main, r) },
		Limit:  func(r engine.Route) int { return c.room.Limit(c.window(main, r)) }, Compact: c.room.Make, Dropped: c.left,
		Ask: c.askUser(), Real: tools.Real, Shorten: c.space.Shorten, ResultChars: chars, TurnChars: most,
		MaxTokens: c.route.MaxOutput, MaxTurns: c.limits.Load().turns, Budget: func() float64 { return c.limits.Load().money }, Workers: c.d.Resolver.Config.Agent.ToolWorkers,
	}
	a := agent.New(c.deps)
	c.running = a
	c.turn.Store(a)
	if err == nil && c.d.Attended { // a single turn would end before the answer
		c.windows.Ask(context.WithoutCancel(ctx), c.route)
	}
	engine.Go("turn", func() {
		o, _ := a.RunConversation(ctx, in) // the error is in the outcome
		c.keepTrajectory(ctx, o, box.Specs())
		c.ended <- o
	})
}

// emitOfTurn tells an event of the running turn. Once a steer is stored as a message the waiting list is told without it.
func (c *Core) emitOfTurn(ctx context.Context, e engine.Event) {
	if _, ok := e.(engine.Stepped); ok {
		c.journal.FoldSoon()
	}
	if _, ok := e.(engine.Ended); ok {
		c.over.Store(true) // before it is told: an answer to it must find it so
	}
	if used, ok := e.(engine.Used); ok {
		c.billed(ctx, used)
		return
	}
	c.journal.Emit(ctx, e)
	m, ok := e.(engine.Appended)
	if !ok || m.Message.Role != engine.RoleUser {
		return
	}
	c.journal.FoldSoon() // other windows can find the session while its first answer is still being written
	if m.Message.Steer {
		c.outbox.Told(ctx)
		return
	}
	c.back.Begin(m.Message.ID)
	if c.outbox.Delivered(m.Message.ID) {
		c.outbox.Retell(ctx)
	}
}

// afterTurn takes over what the turn left: the history, and what is to be sent next.
func (c *Core) afterTurn(ctx context.Context, o engine.Outcome) {
	c.running, c.stopNow = nil, false
	c.over.Store(false)
	c.past = o.Stored
	c.tookPrompt()
	c.windows.Learn(o.Route, c.window(c.route, o.Route), o.Err)
	c.journal.FoldSoon()
	c.look.After(ctx, o, c.deps, c.mayLook(), *c.mode.Load() == ModePlan)
	if waiting := c.after; len(waiting) > 0 {
		c.after = nil
		for _, s := range waiting {
			c.submit(ctx, s) // stop and send: the first starts, the others queue behind it
		}
		return
	}
	if c.again {
		c.again = false
		c.goOn(ctx)
		return
	}
	if o.Interrupted || o.Err != nil {
		if !c.outbox.Empty() {
			c.outbox.Pause(ctx, true)
		}
		return
	}
	c.sendNext(ctx)
	if c.running == nil {
		c.nameIt(ctx, o)
	}
}

// sendNext starts the next turn with what waits, if anything does.
func (c *Core) sendNext(ctx context.Context) {
	w, ok := c.outbox.Next()
	if !ok {
		return
	}
	c.start(ctx, engine.Submit{Text: w.Text}, w.ID)
}

// wait sleeps for d; RetryNow ends it early, so that a key on the screen cuts any wait short.
func (c *Core) wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-c.retry:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// keepTrajectory writes the turn for training, when that is asked for. A turn is over whether that works or not.
func (c *Core) keepTrajectory(ctx context.Context, o engine.Outcome, specs []engine.Spec) {
	if c.d.Trajectory == nil || c.d.NoTrace {
		return
	}
	if err := c.d.Trajectory(o, specs, c.d.Now()); err != nil {
		c.note(context.WithoutCancel(ctx), engine.NoteWarning, "This turn is not in the trajectory file: %v", err)
	}
}
