package core

import (
	"cmp"
	"context"

	"talaria/engine"
	"talaria/engine/agent"
	"talaria/engine/compress"
	"talaria/engine/core/room"
	"talaria/engine/guard"
	"talaria/engine/provider/think"
)

// smallWindow is the size in tokens below which a model gets the core tools only (RULINGS 7).
const smallWindow = 16_000

// coreTools are the toolsets that a model with a small window gets.
var coreTools = []string{"file", "terminal"}

// makeRoom sets up the compressing of long histories.
func (c *Core) makeRoom() *room.Room {
	cfg := c.d.Resolver.Config.Compression
	return room.New(room.Deps{Enabled: cfg.Enabled,
		Settings: compress.Settings{Threshold: cfg.Threshold, TargetRatio: cfg.TargetRatio, KeepFirst: cfg.ProtectFirstN, KeepLast: cfg.ProtectLastN},
		Ask:      c.aux(engine.TaskCompression), Save: c.look.Save(), Clean: scrub, Size: agent.Size, Session: c.journal.Session, Begin: c.beginChild, Prompt: c.promptAnew,
		Tasks: c.todo.Tasks, Tell: c.journal.Emit, Now: c.d.Now})
}

// scrub takes reasoning that was written as text, and secrets, out of what is summarised.
func scrub(s string) string {
	visible, _ := think.Clean(s)
	return guard.Redact(visible)
}

// promptAnew builds the system prompt for a session that was compressed; the route is that of the turn that runs.
func (c *Core) promptAnew(ctx context.Context) string {
	main := c.asked.Load()
	if main == nil {
		return c.journal.Session().System
	}
	text := c.buildPrompt(ctx, main.Route)
	c.rebuilt.Store(&text)
	return text
}

// beginChild makes a compressed session the one that is written. It is whole on disk before the parent is given free.
func (c *Core) beginChild(ctx context.Context, child engine.Session, first []engine.Event, told engine.Compacted) error {
	child.Root = cmp.Or(child.Root, child.ParentID)
	log, err := c.d.Store.Create(ctx, child)
	if err != nil {
		return err
	}
	if tasks := c.todo.Tasks(); len(tasks) > 0 {
		first = append(first, engine.Planned{Tasks: tasks})
	}
	if err := c.journal.Move(ctx, log, child, first, told); err != nil {
		return err
	}
	c.outbox.Retell(ctx)
	c.hints.Forget()
	c.space.ForgetReads() // it is not in the history any more
	c.back.GoOn(child.ParentID, child.ID)
	c.journal.FoldSoon()
	return nil
}

// resultSize is how many characters of one result, and of all of a round, are sent to a model with that window: what the
// settings say, at most a quarter of it and half of it (RULINGS 7).
func (c *Core) resultSize(window int) (one, all int) {
	const charsPerToken = 3 // of code; the agent measures what it stores
	cfg := c.d.Resolver.Config.Tools
	one, all = cfg.ResultChars, cfg.TurnResultChars
	if most := compress.ResultCap(window) * charsPerToken; most > 0 {
		one, all = min(one, most), min(all, 2*most)
	}
	return one, all
}

// compact compresses between turns because the user asked.
func (c *Core) compact(ctx context.Context, how engine.Compact) {
	switch {
	case c.running != nil:
		c.note(ctx, engine.NoteWarning, "The agent is still working; it compacts by itself when that is needed. /compact works between turns.")
		return
	case c.compacting:
		c.recompact = &how
		return
	case len(c.past) == 0:
		c.note(ctx, engine.NoteInfo, "There is nothing to compact yet.")
		return
	}
	if _, err := c.provider(); err != nil {
		c.note(ctx, engine.NoteError, "Compacting needs a model: %v", err)
		return
	}
	box, _ := c.toolbox()
	main, row := c.route, c.journal.Session()
	fixed := agent.Estimate(c.prompt, nil, box.Specs())
	crowd := agent.Crowd{Messages: c.past, Route: main.Route, Window: c.window(main, main.Route), Fixed: fixed, Scale: 1,
		Tokens: max(row.Context, agent.Estimate(c.prompt, c.past, box.Specs()))}
	c.compacting = true
	engine.Go("compact", func() {
		s, err := c.room.Asked(ctx, crowd, how)
		if err != nil {
			s.Messages = nil // the history stays; why was told
		}
		c.compacted <- s.Messages
	})
}

// afterCompact takes over what /compact left and sends what was typed meanwhile.
func (c *Core) afterCompact(ctx context.Context, msgs []engine.Message) {
	again := c.recompact
	c.compacting, c.recompact = false, nil
	switch {
	case msgs != nil:
		c.past = msgs
		c.tookPrompt()
	case again != nil:
		c.compact(ctx, *again)
	}
	if c.running == nil && !c.compacting {
		c.sendNext(ctx)
	}
}

// tookPrompt makes the prompt that a compression built the session's, unless a change of the model has made it void.
func (c *Core) tookPrompt() {
	if p := c.rebuilt.Swap(nil); p != nil && c.prompt != "" {
		c.prompt = *p
	}
}

// boxFor is the toolbox of a model with that window.
func (c *Core) boxFor(ctx context.Context, window int) (agent.Toolbox, []engine.Gate) {
	box, gates := c.toolbox()
	if window <= 0 || window >= smallWindow {
		return c.hints.Box(c.out.Box(box)), gates
	}
	if !c.toldSmall {
		c.toldSmall = true
		c.note(ctx, engine.NoteInfo, "This model takes in %d tokens only, so it gets the file and terminal tools and no others.", window)
	}
	return c.hints.Box(box.Only(coreTools...)), gates
}
