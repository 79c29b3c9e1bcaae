package core

import (
	"context"
	"iter"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	"talaria/engine"
	"talaria/engine/catalog"
	"talaria/engine/config"
	"talaria/engine/provider"
	"talaria/engine/provider/classify"
	"talaria/engine/provider/demo"
	"talaria/engine/provider/route"
	"talaria/engine/provider/textcalls"
	"talaria/engine/provider/think"
)

// DemoProvider is the name of the built-in offline model.
const DemoProvider = "demo"

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
	if c.stack == nil || !reflect.DeepEqual(r, c.route) { // what a stack has learnt of its server is kept as long as it can be
		stack, err := c.d.Build(r)
		if err != nil {
			return nil, err
		}
		c.stack = stack
	}
	c.route = r
	return c.stack, nil
}

// Build makes the provider stack of a resolved route: what every part of the program asks models through.
func Build(cfg config.Config, r config.Resolved) (engine.Provider, error) {
	if r.Route.Provider == DemoProvider {
		return think.Wrap(demo.New()), nil
	}
	wire, err := modeOf(r.Route.APIMode)
	if err != nil {
		return nil, err
	}
	p := dress(wire.open(endpoint(r)), r)
	return route.New(p, route.Options{Name: r.Route.Provider, Attempts: cfg.Agent.APIMaxRetries,
		Base: cfg.Retry.BaseSeconds.Duration(), Max: cfg.Retry.MaxSeconds.Duration(), NoData: noData(r), Plain: inOnePiece{p}}), nil
}

// dress puts around a wire what every reply needs: what went wrong in words, reasoning told apart from text, and for local
// models the calls that they print as text.
func dress(p engine.Provider, r config.Resolved) engine.Provider {
	p = think.Wrap(classify.Wrap(p, r.Route.Provider, secrets(r)...))
	if provider.IsLocal(r.Route.BaseURL) && textcalls.Families(r.Route.Model) {
		p = textcalls.Wrap(p) // outside think, so that a call which the model only thought of is none
	}
	return p
}

// inOnePiece asks without streaming, for servers that refuse to stream.
type inOnePiece struct{ engine.Provider }

func (p inOnePiece) Stream(ctx context.Context, req engine.Request) iter.Seq2[engine.Delta, error] {
	req.NoStream = true
	return p.Provider.Stream(ctx, req)
}

// localNoData is how long a server on this machine may think before it sends anything (RULINGS 4).
const localNoData = 900 * time.Second

func noData(r config.Resolved) time.Duration {
	if d := r.Clocks.NoDataSeconds.Duration(); d > 0 || !provider.IsLocal(r.Route.BaseURL) {
		return d
	}
	return localNoData
}

// secrets are what must never stand in an error: the keys of the route, and what signs for Bedrock.
func secrets(r config.Resolved) []string {
	all := []string{string(r.Key), os.Getenv("AWS_SECRET_ACCESS_KEY"), os.Getenv("AWS_SESSION_TOKEN"), os.Getenv("AWS_BEARER_TOKEN_BEDROCK")}
	for _, k := range r.More {
		all = append(all, string(k))
	}
	return slices.DeleteFunc(all, func(s string) bool { return s == "" })
}

func endpoint(r config.Resolved) provider.Endpoint {
	return provider.Endpoint{Provider: r.Route.Provider, BaseURL: r.Route.BaseURL, Key: string(r.Key), Headers: r.Headers,
		HTTP: provider.NewClient(r.Clocks.ConnectSeconds.Duration()), Stale: r.Clocks.StaleSeconds.Duration(),
		Connect: r.Clocks.ConnectSeconds.Duration(), Total: r.Clocks.TotalSeconds.Duration()}
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

// modelInfo is what is known of the route's model, and its window in tokens, 0 when nobody knows.
func (c *Core) modelInfo() (catalog.ModelInfo, int) {
	info, _ := catalog.Model(c.route.Route.Provider, c.route.Route.Model)
	return info, c.windows.of(c.route, info)
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
	c.journal.change(func(s *engine.Session) { s.Route = r.Route })
	c.note(ctx, engine.NoteModel, "%s", modelName(r.Route))
}

// modelName writes a route as -m takes it.
func modelName(r engine.Route) string { return r.Provider + "/" + r.Model }

// leastSecret is the shortest key that is masked: a shorter one would tear ordinary words apart.
const leastSecret = 8

// masker takes the keys that the program holds out of a text: no credential of ours gets into a session (law 10).
func (c *Core) masker() func(string) string {
	held := secrets(c.route)
	for _, s := range c.d.Resolver.Secrets() {
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
