package config

import (
	"fmt"
	"maps"

	"talaria/engine"
)

// Fallbacks resolves fallback_providers in order. One that cannot be asked is left out, and its error returned beside.
func (r Resolver) Fallbacks() ([]Resolved, []error) {
	return r.chain("fallback_providers", r.Config.FallbackProviders)
}

// Task is what the configuration says of a side task: its own model when Own, and whom to ask when that fails, in order.
// Without a model of its own it is asked of whom the conversation is asked of.
type Task struct {
	Own       bool
	Main      Resolved
	Fallbacks []Resolved
}

// tasks are the sections of auxiliary by name.
func (a Auxiliary) tasks() map[string]Aux {
	return map[string]Aux{"compression": a.Compression, "title": a.Title, "approval": a.Approval, "vision": a.Vision,
		"web_extract": a.WebExtract, "session_search": a.SessionSearch, "review": a.Review}
}

// Auxiliary resolves the side task name for a conversation with main. A fallback that cannot be asked is left out, and
// its error returned in skipped; err is why the task's own model cannot be asked.
func (r Resolver) Auxiliary(name string, main engine.Route) (task Task, skipped []error, err error) {
	aux, ok := r.Config.Auxiliary.tasks()[name]
	if !ok {
		return Task{}, nil, fmt.Errorf("resolve a side task: there is none called %q", name)
	}
	task.Fallbacks, skipped = r.chain("auxiliary."+name+".fallback", aux.Fallback)
	if aux.Provider == "" && aux.Model == "" {
		return task, skipped, nil
	}
	task.Own = true
	model := aux.Model
	if aux.Provider != "" {
		task.Main, err = r.at("auxiliary."+name, Fallback{Provider: aux.Provider, Model: model})
	} else {
		task.Main, err = r.Switch(main, model) // PROVIDER/MODEL, or another model at the same address
	}
	return task, skipped, err
}

func (r Resolver) chain(section string, list []Fallback) (all []Resolved, skipped []error) {
	for i, f := range list {
		place := fmt.Sprintf("%s.%d", section, i)
		out, err := r.at(place, f)
		if err != nil {
			skipped = append(skipped, fmt.Errorf("%s is left out: %w", place, err))
			continue
		}
		all = append(all, out)
	}
	return all, skipped
}

// at resolves a route that stands at place in the configuration, with the rule of pairs as for the section "model".
func (r Resolver) at(place string, f Fallback) (Resolved, error) {
	r.Config.Model.Provider, r.Config.Model.Name, r.Config.Model.BaseURL = f.Provider, f.Model, f.BaseURL
	r.Config.Model.APIMode, r.Config.Model.APIKeyEnv = f.APIMode, f.APIKeyEnv
	r.Config.Model.ContextWindow, r.Config.Model.MaxOutputTokens = 0, 0 // said of the main model
	origins := maps.Clone(r.Origins)
	if origins == nil {
		origins = Origins{}
	}
	for _, k := range []string{"provider", "name", "base_url", "api_mode", "api_key_env"} {
		origins["model."+k] = Origin{User, place}
	}
	r.Origins = origins
	return r.ResolveRoute()
}

// WindowOf is how many tokens the user said that the model at r takes in, 0 when nothing was said of it.
func (r Resolver) WindowOf(route engine.Route) int {
	return r.Config.Providers[route.Provider].Models[route.Model].ContextWindow
}
