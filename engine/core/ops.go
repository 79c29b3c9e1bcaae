package core

import (
	"context"
	"fmt"

	"talaria/engine"
)

// The approval modes (CONTRACT 2).
const (
	ModeAsk  = "ask"
	ModeEdit = "edit"
	ModePlan = "plan"
	ModeAuto = "auto"
)

func (c *Core) note(ctx context.Context, kind engine.NoteKind, format string, args ...any) {
	c.journal.Emit(ctx, engine.Noted{Kind: kind, Text: fmt.Sprintf(format, args...)})
}

// handle does what op asks. It runs in the goroutine that owns the engine's state.
func (c *Core) handle(ctx context.Context, op engine.Op) {
	c.settle(ctx)
	c.journal.Op(op)
	switch op := op.(type) {
	case engine.Submit:
		c.submit(ctx, op)
	case engine.Steer:
		if c.running == nil && op.ID == "" {
			c.submit(ctx, engine.Submit{Text: op.Text})
		} else {
			c.outbox.Steer(ctx, op)
		}
	case engine.Queue:
		if c.running == nil && op.ID == "" {
			c.submit(ctx, engine.Submit{Text: op.Text})
		} else {
			c.outbox.Queue(ctx, op)
		}
	case engine.Interrupt:
		c.interrupt(ctx, op.Graceful)
	case engine.Continue:
		c.goOn(ctx)
	case engine.Answer:
		c.answer(ctx, op)
	case engine.RetryNow:
		select {
		case c.retry <- struct{}{}:
		default: // nothing waits
		}
	case engine.Open:
		c.reopen(ctx, op.Session)
	case engine.Switch:
		c.switchTo(ctx, op)
	case engine.Set:
		c.set(ctx, op)
	case engine.Compact:
		c.compact(ctx, op)
	case engine.Undo:
		c.undo(ctx, op)
	case engine.Unknown:
		c.note(ctx, engine.NoteWarning, "This version does not know the operation %q; it was ignored.", op.Type)
	}
}

// settle takes over a turn that has told its end: what comes now may answer it, and the turn must not count as running.
func (c *Core) settle(ctx context.Context) {
	if c.running != nil && c.over.Load() {
		c.afterTurn(ctx, <-c.ended)
	}
}

// undo takes turns back, or brings them back. It runs between turns only.
func (c *Core) undo(ctx context.Context, op engine.Undo) {
	c.back.Drop()
	switch {
	case c.running != nil:
		c.note(ctx, engine.NoteWarning, "The agent is still working. Stop it first (Esc), then undo.")
	case c.compacting:
		c.note(ctx, engine.NoteWarning, "The conversation is being compacted. Undo when that is done.")
	default:
		c.back.Undo(ctx, op)
	}
}

// submit starts a turn, or keeps the message until one can start.
func (c *Core) submit(ctx context.Context, s engine.Submit) {
	switch {
	case s.Text == "" && len(s.Attachments) == 0:
	case c.trust == trustAsked:
		c.deferred = append(c.deferred, s)
	case c.running != nil && c.stopNow:
		c.after = append(c.after, s)
	case c.running != nil, c.compacting:
		c.outbox.Queue(ctx, engine.Queue{Text: s.Text})
	default:
		c.outbox.Pause(ctx, false)
		c.start(ctx, s, "")
	}
}

func (c *Core) interrupt(ctx context.Context, graceful bool) {
	c.recompact = nil
	if c.room.Cancel() && graceful {
		return // the first Esc ends the compressing alone: the turn goes on as it is
	}
	if c.running == nil {
		return
	}
	c.stopNow = c.stopNow || !graceful
	if c.running.Stop(graceful) {
		c.note(ctx, engine.NoteStopping, "Stopping after the running tool. Esc again: stop now")
	}
}

// goOn repeats the request from the stored history; what was paused is sent again after it.
func (c *Core) goOn(ctx context.Context) {
	switch {
	case c.running != nil:
		c.again = c.stopNow // stop and continue: with another model, perhaps
	case !unanswered(c.past):
		if c.outbox.Empty() {
			c.note(ctx, engine.NoteInfo, "There is nothing to continue: the last message was answered.")
			return
		}
		c.outbox.Pause(ctx, false)
		c.sendNext(ctx)
	default:
		c.outbox.Pause(ctx, false)
		c.startContinue(ctx)
	}
}

// unanswered reports whether the history ends with something the model has not answered; calls without results, which a
// crash leaves, are that too.
func unanswered(msgs []engine.Message) bool {
	for i := len(msgs) - 1; i >= 0; i-- {
		if !msgs[i].Aside {
			return msgs[i].Role != engine.RoleAssistant || len(msgs[i].Calls()) > 0
		}
	}
	return false
}

func (c *Core) answer(ctx context.Context, a engine.Answer) {
	if c.trust == trustAsked && a.ID == trustID {
		c.trustAnswered(ctx, a)
		return
	}
	if !c.asks.Answer(a) {
		c.note(ctx, engine.NoteInfo, "That question does not wait for an answer any more.")
	}
}

// limits are what a turn may take: dollars and rounds, 0 for no cap.
type limits struct {
	money float64
	turns int
}

// words says it in a line.
func (l limits) words() string {
	money, turns := "no cap on money", "no cap on rounds"
	if l.money > 0 {
		money = fmt.Sprintf("$%.2f", l.money)
	}
	if l.turns > 0 {
		turns = fmt.Sprintf("%d rounds", l.turns)
	}
	return money + ", " + turns
}

func (c *Core) set(ctx context.Context, op engine.Set) {
	if op.Budget != nil || op.Turns != nil {
		l := *c.limits.Load()
		if op.Budget != nil {
			l.money = max(0, *op.Budget)
		}
		if op.Turns != nil {
			l.turns = max(0, *op.Turns)
		}
		c.limits.Store(&l)
		c.note(ctx, engine.NoteInfo, "A turn may take: %s.", l.words())
	}
	switch mode := op.Mode; mode {
	case "":
	case ModeAsk, ModeEdit, ModePlan, ModeAuto:
		c.setMode(mode)
		c.note(ctx, engine.NoteMode, "%s", mode)
	default:
		c.note(ctx, engine.NoteError, "There is no mode %q; the modes are ask, edit, plan and auto.", mode)
	}
}
