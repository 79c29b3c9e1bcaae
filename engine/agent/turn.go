package agent

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"runtime/debug"
	"strings"

	"talaria/engine"
)

//go:embed last.md
var lastNotice string

// tooManyRefused is how many batches in a row may hold no usable call before the turn ends (BEHAVIOUR 6.1).
const tooManyRefused = 3

// loop is the agent loop: ask, run, ask again. Retries, key rotation and fallback happen inside the provider's Stream.
func (a *Agent) loop(ctx context.Context, c *conversation) engine.Outcome {
	extra, err := a.d.Context(ctx, c.newest())
	switch {
	case stopped(ctx):
		return c.interrupted()
	case err != nil:
		return c.failed(engine.AsError(err))
	}
	c.extra = c.d.Sanitise(extra)
	for {
		grace := c.budget.grace()
		a.makeRoom(ctx, c)
		specs := c.budget.tools(a.d.Tools.Specs())
		reply, err := a.reply(ctx, c, specs)
		switch {
		case stopped(ctx):
			return c.interrupted()
		case err != nil && a.overflowed(ctx, c, engine.AsError(err)):
			continue
		case stopped(ctx):
			return c.interrupted()
		case err != nil:
			return c.failed(engine.AsError(err))
		}
		if grace {
			reply = withoutCalls(reply)
		}
		reply, c.nudge = a.mended(reply), ""
		if before := c.answered(); before != "" && silent(reply) {
			c.budget.rounds++
			return c.finishedWith(before)
		}
		c.add(ctx, reply)
		calls := reply.Calls()
		if grace {
			return c.exhausted(reply)
		}
		c.budget.rounds++
		if c.announced(reply, specs) {
			c.goOn(ctx)
		} else if end, ok := c.endOf(reply, calls); ok {
			return end
		}
		if len(calls) > 0 {
			a.run(ctx, c, reply, calls)
			a.collect(c)
		}
		if stopped(ctx) || a.stop.stopping() {
			return c.interrupted()
		}
		if end, ok := c.halted(); ok {
			return end
		}
		if end, ok := a.circling(ctx, c); ok {
			return end
		}
		c.add(ctx, a.d.Steers()...)
		c.budget.spend(calls)
		c.emit(ctx, engine.Stepped{Iteration: c.budget.rounds + 1, Calls: names(calls)})
	}
}

// protect runs the loop so that a bug in it costs the turn, not the program: what was done is stored, calls answered.
func (a *Agent) protect(ctx context.Context, c *conversation) (o engine.Outcome) {
	defer func() {
		if v := recover(); v != nil {
			err := &engine.Error{Reason: engine.ReasonUnknown, Code: engine.CodeInternal, Message: fmt.Sprintf("the agent loop failed: %v", v),
				Hint: "The conversation is saved. Send a message to go on; please report this.", Err: fmt.Errorf("panic: %v\n%s", v, debug.Stack())}
			o = c.failed(err)
		}
	}()
	return a.loop(ctx, c)
}

// stopped reports that the user, or the end of the program, cut the turn short.
func stopped(ctx context.Context) bool { return ctx.Err() != nil }

// endOf says whether the reply ends the turn, and how.
func (c *conversation) endOf(reply engine.Message, calls []engine.Call) (engine.Outcome, bool) {
	switch {
	case reply.Stop == engine.StopContentFilter || reply.Stop == engine.StopRefusal:
		return c.declined(reply), true
	case len(calls) > 0 || reply.Stop == engine.StopPause:
		return engine.Outcome{}, false
	case reply.Stop == engine.StopLength:
		return c.truncated(reply.Text()), true
	case strings.TrimSpace(reply.Text()) == "":
		return c.failed(&engine.Error{Reason: engine.ReasonEmptyResponse, Message: "the model sent an answer without any text",
			Hint: "Press Enter to ask again, or choose another model with /model."}), true
	}
	return c.finished(reply), true
}

// declined is the end of a turn whose reply was refused or filtered. What the model said stays the answer.
func (c *conversation) declined(reply engine.Message) engine.Outcome {
	err := &engine.Error{Reason: engine.ReasonContentPolicy, Message: "the model declined to answer", Hint: "Put it in other words, or choose another model with /model."}
	if reply.Stop == engine.StopContentFilter {
		err.Message = "the provider's content filter stopped the answer"
	}
	o := c.failed(err)
	o.Final, o.Partial, o.Exit = reply.Text(), reply.Text() != "", engine.ExitBlocked
	return o
}

func (c *conversation) truncated(text string) engine.Outcome {
	return engine.Outcome{Final: text, Partial: text != "", Exit: engine.ExitTruncated,
		Err: &engine.Error{Reason: engine.ReasonFormatError, Message: "the answer was cut by the model's output limit",
			Hint: "Ask it to go on, or raise model.max_output_tokens."}}
}

// halted says whether the batch that just ran ends the turn.
func (c *conversation) halted() (engine.Outcome, bool) {
	switch {
	case c.needsUser != "":
		return engine.Outcome{Final: c.lastText(), Exit: engine.ExitApproval}, true
	case c.cut >= tooManyRefused:
		return c.truncated(c.lastText()), true
	case c.refused >= tooManyRefused:
		return engine.Outcome{Final: c.lastText(), Partial: c.lastText() != "", Exit: engine.ExitInvalidCalls,
			Err: &engine.Error{Reason: engine.ReasonFormatError, Message: fmt.Sprintf("the model made %d rounds of tool calls that cannot be run", c.refused),
				Hint: "Say what it should do in other words, or choose another model with /model."}}, true
	case c.d.Budget != nil && c.priced && c.d.Budget() > 0 && c.spent >= c.d.Budget():
		return engine.Outcome{Final: cmp.Or(c.lastText(), "The budget of this turn was reached before the model said anything. What was done is above."),
			Exit: engine.ExitBudget}, true
	}
	return engine.Outcome{}, false
}

// mended returns the reply with its calls as they will be run: names and arguments repaired where that is safe. It is
// what is stored, so that the history tells what was done (S23).
func (a *Agent) mended(m engine.Message) engine.Message {
	if m.Stop == engine.StopLength {
		return m // none of these calls is run
	}
	parts := append(engine.Parts(nil), m.Parts...)
	for i, p := range parts {
		call, ok := p.(engine.Call)
		if !ok {
			continue
		}
		if _, better, refused := a.d.Tools.Resolve(call); refused == nil {
			parts[i] = better
		}
	}
	m.Parts = parts
	return m
}

func withoutCalls(m engine.Message) engine.Message {
	var parts engine.Parts
	for _, p := range m.Parts {
		if _, ok := p.(engine.Call); !ok {
			parts = append(parts, p)
		}
	}
	m.Parts = parts
	if strings.TrimSpace(m.Text()) == "" {
		m.Parts = append(m.Parts, engine.Text{Text: "(the limit of rounds was reached; no summary was given)"})
	}
	return m
}

func names(calls []engine.Call) []string {
	var out []string
	for _, c := range calls {
		out = append(out, c.Name)
	}
	return out
}
