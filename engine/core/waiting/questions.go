package waiting

import (
	"context"
	"sync"

	"talaria/engine"
)

// Questions are those that wait for the user.
type Questions struct {
	mu      sync.Mutex
	waiting map[string]chan engine.Answer
	emit    func(context.Context, engine.Event)
}

// NewQuestions returns questions that tell of themselves: Asked, and Withdrawn with its end.
func NewQuestions(emit func(context.Context, engine.Event)) *Questions {
	return &Questions{waiting: map[string]chan engine.Answer{}, emit: emit}
}

// Ask tells q and blocks until it is answered or ctx ends.
func (q *Questions) Ask(ctx context.Context, question engine.Question) (engine.Answer, error) {
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

// Answer delivers a; false when its question waits no more.
func (q *Questions) Answer(a engine.Answer) bool {
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
