package config

import (
	"fmt"
	"slices"
	"strings"

	"talaria/engine"
)

// keyFor puts the key of the named provider p into out.
func (r Resolver) keyFor(out *Resolved, p spot) error {
	m, from := r.Config.Model, r.layer("provider")
	chosen := m.Provider == out.Route.Provider // the section "model" speaks of this provider, not of another one
	if chosen && m.APIKeyEnv != "" && r.layer("api_key_env") == Flag {
		return r.variables(out, []string{m.APIKeyEnv}, true)
	}
	if chosen && from == Environment && p.own && len(p.in.KeyEnv) > 0 { // TALARIA_BASE_URL is not set, or this would be custom
		if err := r.variables(out, []string{"TALARIA_API_KEY"}, false); err != nil || out.Key != "" {
			return err
		}
	}
	names := p.set.APIKeysEnv
	if p.set.APIKeyEnv != "" {
		names = append([]string{p.set.APIKeyEnv}, names...)
	}
	if chosen && m.APIKeyEnv != "" && r.layer("api_key_env") == from {
		names = []string{m.APIKeyEnv}
	}
	if len(names) == 0 && p.own {
		names = p.in.KeyEnv
	}
	if err := r.variables(out, names, false); err != nil || out.Key != "" {
		return err
	}
	if err := r.saved(out); err != nil || out.Key != "" {
		return err
	}
	if len(names) == 0 {
		return nil // nothing says that it wants a key
	}
	return r.noKey(out.Route.Provider, names)
}

// variables puts the keys that the named variables hold into out. must: it is an error when none holds one.
func (r Resolver) variables(out *Resolved, names []string, must bool) error {
	for _, name := range names {
		key, err := CleanKey(r.Getenv(name))
		if err != nil {
			return &engine.Error{Reason: engine.ReasonAuth, Code: engine.CodeNoKey, Message: "$" + name + ": " + err.Error(), Hint: "set " + name + " again", Err: err}
		}
		switch {
		case key == "":
		case out.Key == "":
			out.Key, out.From, out.Route.KeyEnv = Secret(key), "$"+name, name
		default:
			out.More = append(out.More, Held{Secret(key), "$" + name})
		}
	}
	if must && out.Key == "" {
		return r.noKey(out.Route.Provider, names)
	}
	return nil
}

// saved puts the key that was saved for out's address into out.
func (r Resolver) saved(out *Resolved) error {
	if r.Keys == nil {
		return nil
	}
	key, in, err := r.Keys.Lookup(out.Route.Provider, out.Route.BaseURL)
	if err != nil {
		return &engine.Error{Reason: engine.ReasonAuth, Code: engine.CodeNoKey, Message: err.Error(), Hint: "unlock the keyring, or set the key in a variable", Err: err}
	}
	if key != "" {
		out.Key, out.From, out.Route.KeyEnv = Secret(key), in, in
	}
	return nil
}

func (r Resolver) noKey(provider string, names []string) error {
	title := provider
	if b, ok := r.Catalogue.builtin(provider); ok {
		title = b.Title
	}
	return &engine.Error{Reason: engine.ReasonAuth, Code: engine.CodeNoKey,
		Message: fmt.Sprintf("no key for %s: $%s is not set or blank, and none was saved for it", title, strings.Join(names, ", $")),
		Hint:    fmt.Sprintf("set %s, or run talaria connect%s", names[0], r.strayKey())}
}

func (r Resolver) notConnected() error {
	var names []string
	for _, b := range r.Catalogue.Builtins {
		names = append(names, b.KeyEnv...)
	}
	if len(names) > 3 {
		names = append(names[:3], "...")
	}
	return &engine.Error{Reason: engine.ReasonAuth, Code: engine.CodeNoKey, Err: ErrNotConnected,
		Message: ErrNotConnected.Error() + ": no provider is configured and no key was found",
		Hint: fmt.Sprintf("run talaria connect, set a key (%s), name a local model (-m ollama/MODEL), or try --demo%s",
			strings.Join(names, ", "), r.strayKey())}
}

// strayKey explains a TALARIA_API_KEY that was not used, since it looks as if it should have been.
func (r Resolver) strayKey() string {
	if strings.TrimSpace(r.Getenv("TALARIA_API_KEY")) == "" {
		return ""
	}
	return "; TALARIA_API_KEY goes only to TALARIA_BASE_URL, --base-url or TALARIA_PROVIDER (or name it with --api-key-env)"
}

// KeyVariables names every variable that may be read as a key: started processes do not inherit them.
func (r Resolver) KeyVariables() []string {
	c := r.Config
	names := []string{"TALARIA_API_KEY", c.Model.APIKeyEnv, c.Web.Search.APIKeyEnv}
	for _, b := range r.Catalogue.Builtins {
		names = append(names, b.KeyEnv...)
	}
	for _, p := range c.Providers {
		names = append(append(names, p.APIKeyEnv), p.APIKeysEnv...)
	}
	for _, f := range c.FallbackProviders {
		names = append(names, f.APIKeyEnv)
	}
	a := c.Auxiliary
	for _, aux := range []Aux{a.Compression, a.Title, a.Approval, a.Vision, a.WebExtract, a.SessionSearch, a.Review} {
		for _, f := range aux.Fallback {
			names = append(names, f.APIKeyEnv)
		}
	}
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(n string) bool { return n == "" })
}

// Secrets are the values that must never be written, shown or logged: what the key variables hold, and headers that
// carry a credential. Saved keys join when they are looked up.
func (r Resolver) Secrets() []Secret {
	var all []Secret
	for _, name := range r.KeyVariables() {
		if key := strings.TrimSpace(r.Getenv(name)); key != "" {
			all = append(all, Secret(key))
		}
	}
	for _, p := range r.Config.Providers {
		for name, value := range p.Headers {
			if credential(name) && value != "" {
				all = append(all, Secret(value))
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// credential reports whether a header of that name carries a key.
func credential(name string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"auth", "key", "token", "secret", "cookie", "password"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// Known lists the providers that can be used or could be, without asking the network: those with a key first, each
// group with the configured ones before the built-in ones.
func (r Resolver) Known() []engine.Connection {
	var names []string
	for n := range r.Config.Providers {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, b := range r.Catalogue.Builtins {
		if b.Missing == "" && !b.Local && (len(b.KeyEnv) > 0 || r.signed(b) != "") && !contains(names, b.Name) {
			names = append(names, b.Name)
		}
	}
	var ready, rest []engine.Connection
	for _, n := range names {
		p, err := r.place(n)
		if err != nil {
			continue
		}
		out := Resolved{Route: engine.Route{Provider: n, Model: r.usual(p), BaseURL: p.base}}
		noKey := r.keyFor(&out, p)
		if out, err = r.finish(out, p.set.APIMode, p.in.APIMode); err != nil {
			continue // a protocol that this version does not speak
		}
		c := engine.Connection{Name: n, Route: out.Route, Local: p.in.Local}
		if p.in.Title != "" {
			c.Name = p.in.Title
		}
		if noKey != nil {
			rest = append(rest, c)
			continue
		}
		if out.From == "" {
			out.From = r.signed(p.in)
		}
		c.Ready, c.Found = true, found(out.From)
		ready = append(ready, c)
	}
	return append(ready, rest...)
}

// signed is the first variable that names credentials for b, as "$NAME"; "" when none does.
func (r Resolver) signed(b Builtin) string {
	for _, name := range b.Signs {
		if strings.TrimSpace(r.Getenv(name)) != "" {
			return "$" + name
		}
	}
	return ""
}

func found(from string) string {
	switch {
	case from == "":
		return "no key is needed"
	case strings.HasPrefix(from, "$"):
		return from + " is set"
	}
	return "key saved in " + from
}
