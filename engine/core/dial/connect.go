package dial

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strconv"
	"sync"
	"time"

	"talaria/engine"
	"talaria/engine/catalog"
	"talaria/engine/config"
	"talaria/engine/provider"
	"talaria/engine/provider/classify"
	"talaria/engine/provider/completions"
	"talaria/engine/provider/think"
)

// Connector finds, tests and keeps connections. Keys pass through it alone.
type Connector struct {
	resolver config.Resolver
	path     string // of config.yaml
}

// NewConnector returns a connector that keeps its choice in the configuration file at path.
func NewConnector(r config.Resolver, path string) *Connector { return &Connector{r, path} }

// Known lists what environment and saved keys allow, without network.
func (c *Connector) Known() []engine.Connection { return c.resolver.Known() }

// localTime is how long a server of this machine has to say that it is there.
const localTime = 1500 * time.Millisecond

// Local asks the usual ports of 127.0.0.1, all at once.
func (c *Connector) Local(ctx context.Context) []engine.Connection {
	ctx, cancel := context.WithTimeout(ctx, localTime)
	defer cancel()
	var locals []catalog.ProviderInfo
	for _, p := range catalog.Providers() {
		if p.Port > 0 {
			locals = append(locals, p)
		}
	}
	found := make([]*engine.Connection, len(locals))
	var all sync.WaitGroup
	for i, p := range locals {
		all.Add(1)
		engine.Go("look for "+p.Name, func() {
			defer all.Done()
			r := engine.Route{Provider: p.Name, BaseURL: p.BaseURL, APIMode: p.APIMode}
			models, err := completions.Models(ctx, endpoint(config.Resolved{Route: r}))
			if err != nil {
				return // nothing is there, or nothing that answers: not worth a word
			}
			if len(models) > 0 {
				r.Model = models[0]
			}
			found[i] = &engine.Connection{Name: p.Title, Route: r, Models: models, Local: true, Ready: len(models) > 0,
				Found: "running on " + net.JoinHostPort("127.0.0.1", strconv.Itoa(p.Port))}
		})
	}
	all.Wait()
	var out []engine.Connection
	for _, f := range found {
		if f != nil {
			out = append(out, *f)
		}
	}
	return out
}

// resolved puts the key that was just pasted, or the one that is found for the route, beside the route.
func (c *Connector) resolved(con engine.Connection, key string) (config.Resolved, error) {
	if key != "" {
		clean, err := config.CleanKey(key)
		if err != nil {
			return config.Resolved{}, &engine.Error{Reason: engine.ReasonAuth, Message: err.Error(), Hint: "Paste it again.", Err: err}
		}
		return config.Resolved{Route: con.Route, Key: config.Secret(clean)}, nil
	}
	return c.resolver.Stored(con.Route)
}

// Models asks the server what it offers, sorted.
func (c *Connector) Models(ctx context.Context, con engine.Connection, key string) ([]string, error) {
	r, err := c.resolved(con, key)
	if err != nil {
		return nil, err
	}
	wire, err := modeOf(r.Route.APIMode)
	if err != nil {
		return nil, err
	}
	models, err := wire.models(ctx, endpoint(r))
	if err != nil {
		return nil, fail(r, err)
	}
	slices.Sort(models)
	return models, nil
}

// Test makes one tiny request and returns what the server said against it, or nil.
func (c *Connector) Test(ctx context.Context, con engine.Connection, key string) error {
	if con.Route.Provider == DemoProvider {
		return nil
	}
	r, err := c.resolved(con, key)
	if err != nil {
		return err
	}
	wire, err := modeOf(r.Route.APIMode)
	if err != nil {
		return err
	}
	p := think.Wrap(classify.Wrap(wire.open(endpoint(r)), r.Route.Provider, Secrets(r)...))
	req := engine.Request{Route: r.Route, Messages: []engine.Message{engine.UserMessage("Say ok.", time.Now())}, MaxTokens: 16}
	for _, err := range p.Stream(ctx, req) {
		if err != nil {
			return err
		}
		return nil // the first piece of an answer is proof enough
	}
	return &engine.Error{Reason: engine.ReasonEmptyResponse, Message: "the server answered nothing"}
}

// Save keeps the key, if one was pasted, and makes the connection the default.
func (c *Connector) Save(_ context.Context, con engine.Connection, key string) (string, error) {
	where := "nothing secret was saved"
	if key != "" && c.resolver.Keys != nil {
		clean, err := config.CleanKey(key)
		if err != nil {
			return "", err
		}
		in, err := c.resolver.Keys.Save(con.Route.Provider, con.Route.BaseURL, clean)
		if err != nil {
			return "", fmt.Errorf("save the key: %w", err)
		}
		where = "the key is in " + in
	}
	if con.Route.Provider == DemoProvider {
		return where, nil // a demo is looked at, not settled in
	}
	values := []config.Value{{Key: "model.provider", Text: con.Route.Provider}, {Key: "model.name", Text: con.Route.Model}}
	if _, builtin := catalog.Provider(con.Route.Provider); !builtin {
		values = append(values, config.Value{Key: "providers." + con.Route.Provider + ".base_url", Text: con.Route.BaseURL})
	}
	if err := config.Set(c.path, values...); err != nil {
		return where, fmt.Errorf("remember the choice: %w", err)
	}
	return where, nil
}

// fail makes a raw failure one that people can read, without the key.
func fail(r config.Resolved, err error) error {
	if f, ok := err.(*provider.Failure); ok {
		return classify.Error(f)
	}
	return engine.AsError(err)
}
