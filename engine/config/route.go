package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"talaria/engine"
)

// Secret is a key. It prints as "[key]", so that a stray %v does not tell it; string(s) is the key.
type Secret string

func (Secret) String() string { return "[key]" }

// GoString hides the key from %#v.
func (Secret) GoString() string { return "[key]" }

// MarshalText hides the key from JSON and YAML.
func (Secret) MarshalText() ([]byte, error) { return []byte("[key]"), nil }

// Resolved is a model that can be asked. Key may be "" where the server wants none; More are further keys of a pool.
// Clocks and limits are 0 where the user decided nothing.
type Resolved struct {
	Route     engine.Route
	Key       Secret
	More      []Held
	From      string // where the key came from: "$OPENAI_API_KEY", "keyring", "keys.yaml", "" without a key
	Headers   map[string]string
	Clocks    Stream
	Window    int
	MaxOutput int
	TextCalls string // TextCallsAuto, TextCallsOn or TextCallsOff
	Guessed   bool   // nobody chose it: it is the first provider that a key was found for
}

// Held is a further key and where it came from, as in Resolved.
type Held struct {
	Key  Secret
	From string
}

// ErrNotConnected is inside the error of ResolveRoute when nothing at all was configured or found: the full-screen
// program then opens the connect screen.
var ErrNotConnected = errors.New("no model is connected")

// Resolver finds routes and the keys that may go to them.
//
// The rule of pairs: an address and its key come from the same source. An address given by a flag or TALARIA_BASE_URL
// gets TALARIA_API_KEY or the variable of --api-key-env; an address of a configuration section gets the variable which that
// section names, or the key that was saved for that very address; a built-in address gets that provider's own variables
// or the key that was saved for it. Nothing else is ever combined, whatever is set.
type Resolver struct {
	Config    Config
	Origins   Origins
	Catalogue Catalogue
	Getenv    func(string) string
	Keys      *Keys // nil: no saved keys
}

// ResolveRoute returns the route that flags, environment and configuration ask for. The error is an *engine.Error when
// there is no usable key, a *Fault when a setting is at fault.
func (r Resolver) ResolveRoute() (Resolved, error) {
	m := r.Config.Model
	switch {
	case r.address() != "" && (m.Provider == "" || r.layer("base_url") >= r.layer("provider")):
		return r.custom(m.Name)
	case m.Provider != "":
		model := m.Name
		if r.layer("name") < min(r.layer("provider"), Environment) {
			model = "" // that name was chosen together with another provider
		}
		mode := m.APIMode
		if r.layer("api_mode") < min(r.layer("provider"), Environment) {
			mode = ""
		}
		return r.named(m.Provider, model, mode)
	}
	return r.guess(m.Name)
}

// Switch returns the route of a model named in the running program: [PROVIDER/]MODEL[:EFFORT]. Without a provider it is
// another model at the address of current.
func (r Resolver) Switch(current engine.Route, model string) (Resolved, error) {
	provider, name, effort := r.Catalogue.split(r.Config, model)
	if effort != "" {
		r.Config.Model.Effort = effort
	} else if current.Effort != "" {
		r.Config.Model.Effort = current.Effort
	}
	if provider != "" {
		return r.named(provider, name, "")
	}
	current.Model, current.Effort = name, r.Config.Model.Effort
	return r.Stored(current)
}

// Stored returns the key for a route that was kept with a session. What the route itself says about keys is not
// followed: its address gets a key only where today's configuration gives that address one.
func (r Resolver) Stored(route engine.Route) (Resolved, error) {
	if route.Effort != "" {
		r.Config.Model.Effort = route.Effort
	}
	if p, err := r.place(route.Provider); err == nil && sameAddress(p.base, route.BaseURL) {
		return r.named(route.Provider, route.Model, string(route.APIMode))
	}
	if r.address() != "" && sameAddress(r.address(), route.BaseURL) {
		out, err := r.custom(route.Model)
		if err == nil && route.APIMode != "" && r.layer("api_mode") < min(r.layer("base_url"), Environment) {
			out.Route.APIMode = route.APIMode // the configuration says nothing of it: the session does
		}
		return out, err
	}
	out := Resolved{Route: route}
	out.Route.KeyEnv = ""
	if err := r.saved(&out); err != nil {
		return Resolved{}, err
	}
	return r.finish(out, string(route.APIMode), "")
}

func (r Resolver) address() string { return strings.TrimSpace(r.Config.Model.BaseURL) }

func (r Resolver) layer(key string) Layer { return r.Origins.Of("model." + key).Layer }

// custom resolves an address that was given as such.
func (r Resolver) custom(model string) (Resolved, error) {
	m, from := r.Config.Model, r.layer("base_url")
	out := Resolved{Route: engine.Route{Provider: "custom", Model: model, BaseURL: r.address()}}
	if m.Provider != "" && r.layer("provider") == from {
		out.Route.Provider = m.Provider
	}
	var err error
	switch {
	case m.APIKeyEnv != "" && (r.layer("api_key_env") == Flag || r.layer("api_key_env") == from):
		err = r.variables(&out, []string{m.APIKeyEnv}, true)
	case from >= Environment:
		err = r.variables(&out, []string{"TALARIA_API_KEY"}, false)
	default:
		err = r.saved(&out)
	}
	if err != nil {
		return Resolved{}, err
	}
	mode := m.APIMode
	if r.layer("api_mode") < min(from, Environment) {
		mode = ""
	}
	if model == "" {
		return Resolved{}, &Fault{File: r.Origins.Of("model.base_url").Place, Key: "model.name", Problem: "no model is named for " + r.address(), Expected: "-m MODEL"}
	}
	return r.finish(out, mode, "")
}

// spot is a named provider: what the configuration and the catalogue say together. own: its address is the built-in one.
type spot struct {
	set  Provider
	in   Builtin
	base string
	own  bool
}

func (r Resolver) place(name string) (spot, error) {
	set, configured := r.Config.Providers[name]
	in, builtin := r.Catalogue.builtin(name)
	if !configured && !builtin {
		return spot{}, &Fault{File: r.Origins.Of("model.provider").Place, Key: "model.provider", Problem: fmt.Sprintf("no provider is called %q", name),
			Expected: "a built-in provider or a name under providers", Nearest: nearest(name, r.Catalogue.names(r.Config))}
	}
	p := spot{set: set, in: in, base: strings.TrimSpace(set.BaseURL)}
	if p.base == "" {
		p.base = in.BaseURL
	}
	p.own = builtin && sameAddress(p.base, in.BaseURL)
	switch {
	case p.own && in.Missing != "":
		return spot{}, &Fault{File: "provider " + name, Problem: in.Missing, Expected: "another provider, or an address that speaks chat_completions"}
	case p.base == "" && !builtin:
		return spot{}, &Fault{File: r.Origins.Of("model.provider").Place, Key: "providers." + name + ".base_url", Problem: "is not set", Expected: address.note}
	}
	return p, nil
}

// named resolves a built-in or configured provider.
func (r Resolver) named(name, model, mode string) (Resolved, error) {
	p, err := r.place(name)
	if err != nil {
		return Resolved{}, err
	}
	out := Resolved{Route: engine.Route{Provider: name, Model: model, BaseURL: p.base}, Headers: p.set.Headers, Clocks: p.set.Timeouts}
	if out.Route.Model == "" {
		out.Route.Model = r.usual(p)
	}
	if out.Route.Model == "" {
		return Resolved{}, &Fault{File: "provider " + name, Key: "model.name", Problem: "no model is named", Expected: "-m " + name + "/MODEL"}
	}
	if err := r.keyFor(&out, p); err != nil {
		return Resolved{}, err
	}
	if mode == "" {
		mode = p.set.APIMode
	}
	usual := engine.APIMode("")
	if p.own {
		usual = p.in.APIMode
	}
	return r.finish(out, mode, usual)
}

// usual is the model of p when none is named.
func (r Resolver) usual(p spot) string {
	if len(p.set.Models) > 0 {
		names := make([]string, 0, len(p.set.Models))
		for n := range p.set.Models {
			names = append(names, n)
		}
		return slices.Min(names)
	}
	return p.in.Model
}

// guess looks for the first provider that a key is there for.
func (r Resolver) guess(model string) (Resolved, error) {
	names := make([]string, 0, len(r.Config.Providers))
	for n := range r.Config.Providers {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, b := range r.Catalogue.Builtins {
		if len(b.KeyEnv) > 0 && !contains(names, b.Name) {
			names = append(names, b.Name)
		}
	}
	keyed := false
	for _, n := range names {
		out, err := r.named(n, model, "")
		if err != nil {
			continue
		}
		keyed = true
		if _, listed := r.Config.Providers[n].Models[model]; model == "" || listed || r.Catalogue.Serves != nil && r.Catalogue.Serves(n, model) {
			out.Guessed = true
			return out, nil
		}
	}
	if keyed {
		return Resolved{}, &Fault{File: r.Origins.Of("model.name").Place, Key: "model.name", Problem: fmt.Sprintf("it is not known which provider has %q", model), Expected: "-m PROVIDER/MODEL, or model.provider"}
	}
	return Resolved{}, r.notConnected()
}

// finish adds effort, wire protocol, clocks and limits.
func (r Resolver) finish(out Resolved, explicit string, usual engine.APIMode) (Resolved, error) {
	mode := engine.APIMode(explicit)
	if mode == "" {
		mode = usual
	}
	if mode == "" {
		mode = engine.ChatCompletions
		if r.Catalogue.Detect != nil {
			found, err := r.Catalogue.Detect("", out.Route.Provider, out.Route.BaseURL)
			if err != nil {
				return Resolved{}, &Fault{File: out.Route.BaseURL, Key: "model.base_url", Problem: err.Error()}
			}
			mode = found
		}
	}
	if r.Catalogue.Modes != nil && !slices.Contains(r.Catalogue.Modes, mode) {
		return Resolved{}, &Fault{File: "provider " + out.Route.Provider, Key: "model.api_mode", Problem: fmt.Sprintf("%s is not there in this version", mode),
			Expected: fmt.Sprintf("%s, where the server offers that too (--api-mode)", r.Catalogue.Modes)}
	}
	out.Route.APIMode, out.Route.Effort = mode, r.Config.Model.Effort
	r.limits(&out)
	return out, nil
}

// limits fills in what the user decided about time and size.
func (r Resolver) limits(out *Resolved) {
	s := r.Config.Stream
	for _, c := range []struct {
		to   *Seconds
		from Seconds
		key  string
	}{
		{&out.Clocks.StaleSeconds, s.StaleSeconds, "stale_seconds"}, {&out.Clocks.NoDataSeconds, s.NoDataSeconds, "no_data_seconds"},
		{&out.Clocks.ConnectSeconds, s.ConnectSeconds, "connect_seconds"}, {&out.Clocks.TotalSeconds, s.TotalSeconds, "total_seconds"},
	} {
		if *c.to == 0 && r.Origins.Set("stream."+c.key) {
			*c.to = c.from
		}
	}
	m := r.Config.Providers[out.Route.Provider].Models[out.Route.Model]
	out.Window, out.MaxOutput = m.ContextWindow, m.MaxOutputTokens
	if out.TextCalls = m.TextToolCalls; out.TextCalls == "" {
		out.TextCalls = r.Config.Model.TextToolCalls
	}
	if out.Window == 0 {
		out.Window = r.Config.Model.ContextWindow
	}
	if out.MaxOutput == 0 {
		out.MaxOutput = r.Config.Model.MaxOutputTokens
	}
}
