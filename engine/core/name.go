package core

import (
	"context"
	"time"

	"talaria/engine"
	"talaria/engine/catalog"
	"talaria/engine/core/title"
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
	if row.Title != title.Of(said) || !c.mayName() {
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

// mayName reports whether a title may be asked for unbidden: of a built-in provider at its own address, or of the model
// that the user named for it. An address that was only typed gets the requests that the user made and no others.
func (c *Core) mayName() bool {
	if own := c.d.Resolver.Config.Auxiliary.Title; own.Provider != "" || own.Model != "" {
		return true
	}
	p, ok := catalog.Provider(c.route.Route.Provider)
	return ok && p.BaseURL == c.route.Route.BaseURL
}
