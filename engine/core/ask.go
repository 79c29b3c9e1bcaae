package core

import (
	"context"
	"fmt"
	"sync"
	"time"

	"talaria/engine"
)

// questions are those that wait for the user.
type questions struct {
	mu      sync.Mutex
	waiting map[string]chan engine.Answer
	emit    func(context.Context, engine.Event)
}

func newQuestions(emit func(context.Context, engine.Event)) *questions {
	return &questions{waiting: map[string]chan engine.Answer{}, emit: emit}
}

// ask tells q and blocks until it is answered or ctx ends.
func (q *questions) ask(ctx context.Context, question engine.Question) (engine.Answer, error) {
	if question.ID == "" {
		question.ID = engine.NewID("q_")
	}
	answer := make(chan engine.Answer, 1)
	q.mu.Lock()
	q.waiting[question.ID] = answer
	q.mu.Unlock()
	defer func() {
		q.mu.Lock()
		delete(q.waiting, question.ID)
		q.mu.Unlock()
	}()
	if who := engine.AgentOf(ctx); who != "" {
		question.Title = who + ": " + question.Title
	}
	q.emit(ctx, engine.Asked{Question: question})
	select {
	case a := <-answer:
		q.emit(ctx, engine.Withdrawn{ID: question.ID, Choice: a.Choice})
		return a, nil
	case <-ctx.Done():
		q.emit(context.WithoutCancel(ctx), engine.Withdrawn{ID: question.ID})
		return engine.Answer{}, ctx.Err()
	}
}

// answer delivers a; false when its question waits no more.
func (q *questions) answer(a engine.Answer) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	c, ok := q.waiting[a.ID]
	if ok {
		select {
		case c <- a:
		default: // answered twice: the first answer counts
		}
	}
	return ok
}

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
		a, err := c.asks.ask(ctx, engine.Question{Kind: engine.Clarify, Title: fmt.Sprintf("Wait until %s (%s)?", until.Format("15:04"), roughly(d)), Body: e.Message,
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
