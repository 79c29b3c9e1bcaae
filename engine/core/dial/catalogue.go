package dial

import (
	"talaria/engine/catalog"
	"talaria/engine/config"
	"talaria/engine/provider"
)

// Catalogue is what the configuration needs to know of providers, models and protocols.
func Catalogue() config.Catalogue {
	c := config.Catalogue{Split: catalog.ParseModel, Detect: provider.DetectMode, Serves: func(name, model string) bool { _, ok := catalog.Model(name, model); return ok }}
	for _, p := range catalog.Providers() {
		c.Builtins = append(c.Builtins, config.Builtin{Name: p.Name, Title: p.Title, BaseURL: p.BaseURL, APIMode: p.APIMode, KeyEnv: p.KeyEnv, Signs: p.Signs,
			Model: p.Model, Missing: p.Missing, Local: p.Local()})
	}
	return c
}
