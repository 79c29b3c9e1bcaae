package core

import (
	"context"
	"iter"
	"reflect"
	"strings"

	"talaria/engine"
	"talaria/engine/catalog"
	"talaria/engine/config"
	"talaria/engine/core/dial"
)

// provider builds what the loop asks: the wire, what went wrong on it, the scrubber, and the retries around all.
func (c *Core) provider() (engine.Provider, error) {
	if c.resolveErr != nil {
		return nil, c.resolveErr
	}
	// the key is read again from its source each turn: it may have been changed meanwhile
	r, err := c.d.Resolver.Stored(c.route.Route)
	if err != nil {
		return nil, err
	}
	r.Route.Effort = c.route.Route.Effort
	if c.stack == nil || !reflect.DeepEqual(r, c.stackOf) { // what a stack has learnt of its server is kept as long as it can be
		stack, err := c.d.Build(r)
		if err != nil {
			return nil, err
		}
		c.stack, c.stackOf = stack, r
	}
	c.route = r
	c.asked.Store(&r)
	if chain, ok := c.stack.(interface{ Turn() engine.Provider }); ok {
		return chain.Turn(), nil // each turn begins with the model that was chosen
	}
	return c.stack, nil
}

// resolve finds the model for a session: the one it was kept with, or what flags, environment and configuration say.
func (c *Core) resolve(kept engine.Route) {
	var r config.Resolved
	var err error
	if kept.Model != "" {
		r, err = c.d.Resolver.Stored(kept)
	} else {
		r, err = c.d.Resolver.ResolveRoute()
	}
	c.route, c.resolveErr = r, err
	if err != nil {
		c.route.Route = kept
	}
}

// window is how many tokens the model at r takes in, 0 when nobody knows; main is the model that was chosen.
func (c *Core) window(main config.Resolved, r engine.Route) int {
	if r != main.Route {
		main = config.Resolved{Route: r, Window: c.d.Resolver.WindowOf(r)}
	}
	info, _ := catalog.Model(r.Provider, r.Model)
	return c.windows.Of(main, info)
}

// price is what used costs at r in dollars, nil when that is not known.
func (c *Core) price(r engine.Route, used engine.Usage) *float64 {
	info, _ := catalog.Model(r.Provider, r.Model)
	return info.KeptFor(dial.CacheOf(c.d.Resolver.Config)).Cost(used)
}

// failing is a provider that cannot even be built: its error ends the turn, with the message stored.
type failing struct{ err *engine.Error }

func (f failing) Stream(context.Context, engine.Request) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) { yield(nil, f.err) }
}

// switchTo changes the model from the next turn on. The prompt names the model, so it is built anew.
func (c *Core) switchTo(ctx context.Context, op engine.Switch) {
	var r config.Resolved
	var err error
	if op.Route != nil {
		r, err = c.d.Resolver.Stored(*op.Route)
	} else {
		r, err = c.d.Resolver.Switch(c.route.Route, op.Model)
	}
	if err != nil {
		c.note(ctx, engine.NoteError, "The model was not changed: %v", err)
		return
	}
	c.route, c.resolveErr, c.prompt = r, nil, ""
	c.journal.Change(func(s *engine.Session) { s.Route = r.Route })
	c.note(ctx, engine.NoteModel, "%s", modelName(r.Route))
}

// modelName writes a route as -m takes it.
func modelName(r engine.Route) string { return r.Provider + "/" + r.Model }

// leastSecret is the shortest key that is masked: a shorter one would tear ordinary words apart.
const leastSecret = 8

// masker takes the keys that the program holds out of a text: no credential of ours gets into a session (law 10).
func (c *Core) masker() func(string) string {
	return masking(c.d.Resolver, append(dial.Secrets(c.route), c.out.Secrets()...)...)
}

// masking takes the keys that r knows of, and held, out of a text.
func masking(r config.Resolver, held ...string) func(string) string {
	for _, s := range r.Secrets() {
		held = append(held, string(s))
	}
	var pairs []string
	for _, s := range held {
		if len(s) >= leastSecret {
			pairs = append(pairs, s, "[a key that talaria holds]")
		}
	}
	return strings.NewReplacer(pairs...).Replace
}
