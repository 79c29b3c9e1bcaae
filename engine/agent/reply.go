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
	var before engine.Message // what a repeated request dropped, for as long as nothing came in its place
	id, kept := engine.NewID("msg_"), a.d.Now()
	begun := false
	for d, err := range a.d.Provider.Stream(ctx, c.request(specs)) {
		if err != nil {
			a.aside(ctx, c, orBefore(fold.Message(a.d.Now()), before), id)
			c.usage = c.usage.Add(fold.Lost()).Add(engine.AsError(err).Usage)
			return engine.Message{}, err
		}
		if r, ok := d.(engine.Retry); ok && !r.Keep && fold.Spoken() {
			before = fold.Message(a.d.Now())
		}
		fold.Add(d)
		if r, ok := d.(engine.Retry); ok {
			c.recovered(r)
		} else {
			c.answering(ctx)
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
		a.aside(ctx, c, orBefore(fold.Message(a.d.Now()), before), id)
		if !stopped(ctx) {
			return engine.Message{}, &engine.Error{Reason: engine.ReasonTimeout, Code: engine.CodeCut, Message: "the reply ended before it was complete"}
		}
		return engine.Message{}, context.Cause(ctx)
	}
	m := fold.Message(a.d.Now())
	m.ID, m.From = id, c.route.Maker()
	if m.Model == "" {
		m.Model = c.route.Model
	}
	c.account(ctx, m, fold.Lost())
	return m, nil
}

// orBefore is the reply so far, or what was shown of the attempt before it when it said nothing yet: a user has read that.
func orBefore(m, before engine.Message) engine.Message {
	if m.Text() == "" && before.Text() != "" {
		return before
	}
	return m
}

// aside stores what had been said of a reply that did not come to its end.
func (a *Agent) aside(ctx context.Context, c *conversation, said engine.Message, id string) {
	m := asideOf(said, id)
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
