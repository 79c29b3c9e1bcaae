package agent

import (
	"context"
	"time"

	"talaria/engine"
)

// keepEvery is how often a reply that is still streaming is journalled, so that a crash shows what had been said.
const keepEvery = 2 * time.Second

// reply asks the model once and returns its message. What streamed is told as it comes. When the stream fails or is
// stopped, the visible part is stored as an aside: shown, never sent.
func (a *Agent) reply(ctx context.Context, c *conversation, specs []engine.Spec) (engine.Message, error) {
	var fold engine.Fold
	id, kept := engine.NewID("msg_"), a.d.Now()
	begun := false
	for d, err := range a.d.Provider.Stream(ctx, c.request(specs)) {
		if err != nil {
			a.aside(ctx, c, &fold, id)
			c.usage = c.usage.Add(fold.Lost()).Add(engine.AsError(err).Usage)
			return engine.Message{}, err
		}
		fold.Add(d)
		if r, ok := d.(engine.Retry); ok {
			c.recovered(r)
		}
		begun = begun || fold.Spoken()
		c.emit(ctx, engine.Streamed{Delta: d})
		if now := a.d.Now(); begun && now.Sub(kept) >= keepEvery {
			kept = now
			a.d.Keep(context.WithoutCancel(ctx), asideOf(fold.Message(now), id))
		}
		if stopped(ctx) {
			break
		}
	}
	if stopped(ctx) || !fold.Done() {
		a.aside(ctx, c, &fold, id)
		if !stopped(ctx) {
			return engine.Message{}, &engine.Error{Reason: engine.ReasonTimeout, Code: engine.CodeCut, Message: "the reply ended before it was complete"}
		}
		return engine.Message{}, context.Cause(ctx)
	}
	m := fold.Message(a.d.Now())
	m.ID = id
	if m.Model == "" {
		m.Model = a.d.Route.Model
	}
	c.account(ctx, m, fold.Lost())
	return m, nil
}

// aside stores what had been said of a reply that did not come to its end.
func (a *Agent) aside(ctx context.Context, c *conversation, fold *engine.Fold, id string) {
	m := asideOf(fold.Message(a.d.Now()), id)
	if m.Text() != "" || m.Reasoning() != "" {
		c.add(ctx, m)
		c.said = m.Text()
	}
}

// asideOf keeps text and thoughts only: a call that was not finished must never be run.
func asideOf(m engine.Message, id string) engine.Message {
	var parts engine.Parts
	for _, p := range m.Parts {
		_, text := p.(engine.Text)
		_, thought := p.(engine.Thought)
		if text || thought {
			parts = append(parts, p)
		}
	}
	m.ID, m.Parts, m.Aside = id, parts, true
	return m
}
