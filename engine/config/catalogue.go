package config

import (
	"strings"

	"talaria/engine"
)

// Builtin is a provider that the program knows.
type Builtin struct {
	Name    string
	Title   string
	BaseURL string
	APIMode engine.APIMode
	KeyEnv  []string // variables that may hold its key; nil: none is needed
	Signs   []string // variables that name credentials to sign with; a provider with these needs one of them
	Model   string   // the model when none is named; "" when it must be named
	Missing string   // why it cannot be reached in this version
	Local   bool
}

// Catalogue is what the rest of the program knows about providers and models; the zero value knows nothing.
type Catalogue struct {
	Builtins []Builtin
	// Split takes [PROVIDER/]MODEL[:EFFORT] apart.
	Split func(s string, known func(string) bool) (provider, model, effort string)
	// Serves reports whether provider is known to have model. It chooses a provider for a bare model name.
	Serves func(provider, model string) bool
	// Detect finds the wire protocol of an address. Nil means chat_completions.
	Detect func(explicit engine.APIMode, provider, baseURL string) (engine.APIMode, error)
	// Modes are the protocols that this version speaks; nil means all.
	Modes []engine.APIMode
}

func (c Catalogue) builtin(name string) (Builtin, bool) {
	for _, b := range c.Builtins {
		if b.Name == name {
			return b, true
		}
	}
	return Builtin{}, false
}

// split takes the name of a model apart; a provider is one that is built in or configured.
func (c Catalogue) split(cfg Config, name string) (provider, model, effort string) {
	if c.Split == nil {
		return "", strings.TrimSpace(name), ""
	}
	return c.Split(name, func(p string) bool {
		_, configured := cfg.Providers[p]
		_, builtin := c.builtin(p)
		return configured || builtin
	})
}

func (c Catalogue) names(cfg Config) []string {
	var all []string
	for _, b := range c.Builtins {
		all = append(all, b.Name)
	}
	for name := range cfg.Providers {
		all = append(all, name)
	}
	return all
}
