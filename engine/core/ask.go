package core

import (
	"context"
	"fmt"
	"time"

	"talaria/engine"
)

// The answers to the offer of a long wait.
const (
	waitForIt = "wait"
	giveUp    = "stop"
)

// offer asks whether a wait is to be made that is longer than what is waited unasked (RULINGS 5); nil when nobody is there.
func (c *Core) offer() func(context.Context, *engine.Error, time.Duration) bool {
	if !c.d.Attended {
		return nil
	}
	return func(ctx context.Context, e *engine.Error, d time.Duration) bool {
		until := c.d.Now().Add(d)
		a, err := c.asks.Ask(ctx, engine.Question{Kind: engine.Clarify, Title: fmt.Sprintf("Wait until %s (%s)?", until.Format("15:04"), roughly(d)), Body: e.Message,
			Choices: []engine.Choice{{Value: waitForIt, Label: "Wait", Description: "the turn goes on by itself; Enter asks at once, Esc stops"},
				{Value: giveUp, Label: "Stop here", Description: "nothing is lost; another model can go on (/model)"}}})
		return err == nil && a.Choice == waitForIt
	}
}

// roughly writes a long time as people say it.
func roughly(d time.Duration) string {
	m := int((d + time.Minute - 1) / time.Minute)
	if m < 60 {
		return fmt.Sprintf("in %d min", m)
	}
	return fmt.Sprintf("in %d h %d min", m/60, m%60)
}
