package core

import (
	"context"
	"strings"

	"talaria/engine"
	"talaria/engine/config"
	"talaria/engine/core/hint"
	"talaria/engine/prompt"
)

// trustID names the one question the engine asks by itself.
const trustID = "trust"

type trustState uint8

const (
	trustUnknown trustState = iota // nothing to read, or nobody to ask: nothing is read
	trustAsked
	trustYes
	trustNo
)

// askTrust asks once whether the directory's own instructions may be read. A directory that has none, that was trusted
// before, or that nobody can be asked about, gives no question; the last is not trusted (CONTRACT 3).
func (c *Core) askTrust() {
	if c.trust != trustUnknown {
		return
	}
	found := prompt.Found(c.d.Dir)
	known, err := config.OpenTrust(c.d.Paths.Trust).Has(c.d.Dir)
	if err != nil {
		c.events.Push(engine.Noted{Kind: engine.NoteWarning, Text: err.Error()})
	}
	c.mayRead.Store((known || c.d.Trusted) && !c.d.NoRules)
	switch {
	case len(found) == 0 || c.d.NoRules:
	case c.d.Trusted || known:
		c.trust = trustYes
		c.out.Trust(true)
	case !c.d.Attended:
		c.trust = trustNo
		c.events.Push(engine.Noted{Kind: engine.NoteWarning, Text: strings.Join(found, ", ") + " not read: this directory is not trusted. --trust reads it for this run."})
	default:
		c.trust = trustAsked
		c.events.Push(engine.Asked{Question: engine.Question{ID: trustID, Kind: engine.Trust, Title: "Trust this directory?", Body: c.d.Dir,
			Why:     "It has instructions for the agent: " + strings.Join(found, ", ") + ". They become part of what the model is told. Trust only what you know.",
			Choices: []engine.Choice{{Value: engine.ChoiceYes, Label: "Yes, read them"}, {Value: engine.ChoiceNo, Label: "No, work without them"}}}})
	}
}

// trustAnswered remembers a yes, and sends what was typed meanwhile.
func (c *Core) trustAnswered(ctx context.Context, a engine.Answer) {
	c.trust = trustNo
	if a.Choice == engine.ChoiceYes {
		c.trust = trustYes
		c.mayRead.Store(true)
		c.out.Trust(true)
		if err := config.OpenTrust(c.d.Paths.Trust).Add(c.d.Dir, c.d.Now()); err != nil {
			c.note(ctx, engine.NoteWarning, "This directory is trusted for now, but that could not be remembered: %v", err)
		}
	}
	c.events.Push(engine.Withdrawn{ID: trustID, Choice: a.Choice})
	waiting := c.deferred
	c.deferred = nil
	for _, s := range waiting {
		c.submit(ctx, s)
	}
}

func (c *Core) trusted() bool { return c.trust == trustYes }

// hintsFor are the hints of one conversation, which works in dir. They come from the trusted directory alone.
func (c *Core) hintsFor(dir func() string) *hint.Hints {
	return &hint.Hints{Dir: dir, Root: func() string {
		if !c.mayRead.Load() {
			return ""
		}
		return c.d.Dir
	}}
}
