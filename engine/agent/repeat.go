package agent

import (
	"context"
	"fmt"
	"hash/maphash"

	"talaria/engine"
)

// When a model goes in circles (BEHAVIOUR 8.8): the second time the same call has the same result it is told so, each third
// time the user is asked, and where nobody can be asked the fifth time ends the turn.
const (
	repeatTold  = 2
	repeatAsked = 3
	repeatEnd   = 5
)

// repeats counts calls of a turn that had the same result before.
type repeats struct {
	seen  map[string]*repeat
	loops *repeat // the call that the user is to be asked about
}

// hashSeed makes equal results have equal sums in this process; the sums are kept nowhere else.
var hashSeed = maphash.MakeSeed()

type repeat struct {
	call   engine.Call
	result uint64
	times  int
}

// repeated counts the call of t. A change that succeeded begins the count anew: the same command after it is a new try.
func (c *conversation) repeated(t *task) {
	r := t.result
	if t.tool == nil || r.Status != engine.StatusDone && r.Status != engine.StatusFailed {
		return
	}
	if len(r.Changed) > 0 {
		c.repeats = repeats{}
		return
	}
	if c.repeats.seen == nil {
		c.repeats.seen = map[string]*repeat{}
	}
	args, _ := c.memo.canonical(t.call.Args)
	key := t.call.Name + "\x00" + args
	sum := maphash.String(hashSeed, string(r.Status)+"\x00"+r.Text)
	one := c.repeats.seen[key]
	if one == nil || one.result != sum {
		one = &repeat{call: t.call, result: sum}
		c.repeats.seen[key] = one
	}
	if one.times++; one.times >= repeatTold {
		r.Text += fmt.Sprintf("\n(This is the same call with the same result for the %s time. Do something else.)", ordinal(one.times))
	}
	if one.times >= repeatAsked {
		c.repeats.loops = one
	}
}

func ordinal(n int) string {
	if n == 2 {
		return "second"
	}
	if n == 3 {
		return "third"
	}
	return fmt.Sprintf("%dth", n)
}

// The answers to the question about a loop.
const (
	choiceGoOn = "go_on"
	choiceStop = "stop"
)

// circling asks the user what to do about a model that goes in circles. Words of theirs become a steer.
func (a *Agent) circling(ctx context.Context, c *conversation) (engine.Outcome, bool) {
	loop := c.repeats.loops
	c.repeats.loops = nil
	switch {
	case loop == nil:
		return engine.Outcome{}, false
	case a.d.Ask == nil && loop.times >= repeatEnd:
		return engine.Outcome{Final: c.lastText(), Partial: c.lastText() != "", Exit: engine.ExitInvalidCalls,
			Err: &engine.Error{Reason: engine.ReasonFormatError, Message: fmt.Sprintf("the model made the same call %d times with the same result: %s", loop.times, a.d.Line(loop.call)),
				Hint: "Say what it should do in other words, or choose another model with /model."}}, true
	case a.d.Ask == nil || loop.times%repeatAsked != 0:
		return engine.Outcome{}, false
	}
	answer, err := a.d.Ask(ctx, engine.Question{Kind: engine.Clarify, Title: fmt.Sprintf("The agent made the same call %d times with the same result.", loop.times),
		Body: a.d.Line(loop.call), Esc: choiceStop, Choices: []engine.Choice{
			{Value: choiceGoOn, Label: "let it go on", Recommended: true}, {Value: choiceStop, Label: "stop", Description: "or type what it should do instead"}}})
	switch {
	case err != nil, answer.Choice == choiceStop:
		return c.interrupted(), true
	case answer.Text != "":
		m := engine.UserMessage(c.d.Sanitise(answer.Text), c.d.Now())
		m.Steer = true
		c.add(ctx, m)
		c.repeats = repeats{}
	}
	return engine.Outcome{}, false
}
