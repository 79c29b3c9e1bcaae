// Package dial makes what the program asks models through: the provider stack of a resolved route, the table of wire
// protocols, the windows of models, and the connections that a user can choose from.
//
// It puts the parts of engine/provider together with what the configuration and the catalogue know. It refuses to know of
// sessions, turns and the screen: who dials says what is asked.
package dial

import (
	"cmp"
	"context"
	"iter"
	"os"
	"slices"
	"time"

	"talaria/engine"
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

// Build makes the provider stack of a resolved route: what every part of the program asks models through.
func Build(cfg config.Config, r config.Resolved) (engine.Provider, error) {
	if r.Route.Provider == DemoProvider {
		return think.Wrap(demo.New()), nil
	}
	wire, err := modeOf(r.Route.APIMode)
	if err != nil {
		return nil, err
	}
	p := keeping(dress(wire.open(endpoint(r)), r), CacheOf(cfg))
	return route.New(p, route.Options{Name: r.Route.Provider, Attempts: cfg.Agent.APIMaxRetries,
		Base: cfg.Retry.BaseSeconds.Duration(), Max: cfg.Retry.MaxSeconds.Duration(), NoData: noData(r), Plain: inOnePiece(p)}), nil
}

// dress puts around a wire what every reply needs: what went wrong in words, reasoning told apart from text, and for local
// models the calls that they print as text.
func dress(p engine.Provider, r config.Resolved) engine.Provider {
	p = think.Wrap(classify.Wrap(p, r.Route.Provider, Secrets(r)...))
	if provider.IsLocal(r.Route.BaseURL) && textcalls.Families(r.Route.Model) {
		p = textcalls.Wrap(p) // outside think, so that a call which the model only thought of is none
	}
	return p
}

// CacheOf says how long providers are to keep the prompts of a session.
func CacheOf(cfg config.Config) engine.Cache {
	switch {
	case !cfg.PromptCaching.Enabled:
		return engine.CacheOff
	case cfg.PromptCaching.TTL == string(engine.CacheHour):
		return engine.CacheHour
	}
	return engine.CacheMinutes
}

// keeping has prompts kept as the user set it, where a request does not say itself.
func keeping(p engine.Provider, c engine.Cache) engine.Provider {
	return settled{p, func(r *engine.Request) { r.Cache = cmp.Or(r.Cache, c) }}
}

// inOnePiece asks without streaming, for servers that refuse to stream.
func inOnePiece(p engine.Provider) engine.Provider {
	return settled{p, func(r *engine.Request) { r.NoStream = true }}
}

// settled settles what a request leaves open.
type settled struct {
	engine.Provider
	settle func(*engine.Request)
}

func (p settled) Stream(ctx context.Context, req engine.Request) iter.Seq2[engine.Delta, error] {
	p.settle(&req)
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

// Secrets are what must never stand in an error: the keys of the route, and what signs for Bedrock.
func Secrets(r config.Resolved) []string {
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
