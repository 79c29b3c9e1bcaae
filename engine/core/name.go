package core

import (
	"context"
	"strconv"
	"time"

	"talaria/engine"
	"talaria/engine/catalog"
	"talaria/engine/config"
	"talaria/engine/core/dial"
	"talaria/engine/core/lookback"
	"talaria/engine/core/title"
	"talaria/engine/provider"
)

const (
	// titleTime is how long a model has for a title; nobody waits for it.
	titleTime = time.Minute
	// titleTurns is up to which turn a title is asked for, when the one before gave none.
	titleTurns = 2
)

// nameIt has a model name the session, beside everything else. A title of the user's own stays.
func (c *Core) nameIt(ctx context.Context, o engine.Outcome) {
	row := c.journal.Session()
	if !c.d.Titles || !o.Completed || row.Turns > titleTurns || row.TitleSet || c.d.Aux == nil {
		return
	}
	said := ""
	for _, m := range o.Stored {
		if m.Role == engine.RoleUser && !m.Steer {
			said = m.Text()
			break
		}
	}
	if row.Title != title.Of(said) || !c.mayAsk(c.d.Resolver.Config.Auxiliary.Title) {
		return // it has a name, or nobody to ask for one
	}
	ctx, c.titling = context.WithTimeout(ctx, titleTime)
	engine.Go("title", func() {
		name, err := title.Make(ctx, c.aux(engine.TaskTitle), said, o.Final)
		if err != nil {
			return // the first words of the first message stay the title
		}
		if now, err := c.d.Store.Find(ctx, row.ID, ""); err == nil && now.TitleSet {
			return
		}
		c.journal.Name(ctx, row.ID, name)
	})
}

// yield ends what is asked beside the conversation, where that could hold up the turn that begins at r.
func (c *Core) yield(r engine.Route) {
	if c.titling != nil {
		c.titling() // a server that does one thing at a time must not be busy with it now
		c.titling = nil
	}
	if provider.IsLocal(r.BaseURL) {
		c.look.Stop()
	}
}

// mayAsk reports whether a request may be made unbidden: of a built-in provider at its own address, or of the model that
// the user named for that task. An address that was only typed gets the requests that the user made and no others.
func (c *Core) mayAsk(own config.Aux) bool {
	if own.Provider != "" || own.Model != "" {
		return true
	}
	p, ok := catalog.Provider(c.route.Route.Provider)
	return ok && p.BaseURL == c.route.Route.BaseURL
}

// mayLook reports whether the agent may look back: never in print mode, which ends with its answer. The demo has no
// thoughts of its own.
func (c *Core) mayLook() bool {
	own := c.d.Resolver.Config.Auxiliary.Review
	return c.d.Titles && c.mayAsk(own) && (own.Provider != "" || own.Model != "" || c.route.Route.Provider != dial.DemoProvider)
}

// newLookback is what looks back after turns.
func (c *Core) newLookback() *lookback.Lookback {
	cfg, set := c.d.Resolver.Config, c.d.Resolver.Origins.Of("review.skills").Layer > config.Default
	return lookback.New(lookback.Deps{Review: cfg.Review, Nudge: cfg.Memory.NudgeInterval, SkillsSet: set, Notes: c.notes, Own: c.reviewer, Gates: []engine.Gate{c.out.Gate},
		Bill: c.bill, Tell: c.journal.Emit, Ask: c.askUser(), Facts: c.aux(engine.TaskCompression),
		Remember: func(yes bool) error {
			return config.Set(c.d.Paths.Config, config.Value{Key: "review.skills", Text: strconv.FormatBool(yes)})
		}})
}

// reviewer is the model of auxiliary.review, nil when the turn's own looks back.
func (c *Core) reviewer() (engine.Provider, engine.Route) {
	own, main := c.d.Resolver.Config.Auxiliary.Review, c.asked.Load()
	if own.Provider == "" && own.Model == "" || main == nil || c.d.Aux == nil {
		return nil, engine.Route{}
	}
	stack, route, err := c.d.Aux(engine.TaskReview, *main)
	if err != nil {
		return failing{engine.AsError(err)}, main.Route
	}
	return stack, route
}
