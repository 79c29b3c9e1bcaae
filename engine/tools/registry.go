package tools

import (
	"slices"
	"strings"

	"talaria/engine"
	"talaria/engine/tools/args"
)

// toolsetOrder is the order of CONTRACT 7. It is fixed, so that the list that is sent, and with it the provider's
// cache, stays the same from one start to the next.
var toolsetOrder = []string{"file", "terminal", "web", "agent", "skills", "code", "vision", "mcp"}

// Registry finds the tool for a call, and mends what models often get wrong in a call. It is never changed once made.
type Registry struct {
	tools []engine.Tool // in the order they are sent
}

// NewRegistry returns a registry of ts, in the order of toolsets, then of names. Of two tools with one name the first
// stays: nothing that is added later can take the place of a built-in.
func NewRegistry(ts ...engine.Tool) *Registry {
	r, seen := &Registry{}, map[string]bool{}
	for _, t := range ts {
		if name := t.Spec().Name; !seen[name] {
			seen[name] = true
			r.tools = append(r.tools, t)
		}
	}
	slices.SortStableFunc(r.tools, func(a, b engine.Tool) int {
		x, y := a.Spec(), b.Spec()
		if d := toolsetRank(x.Toolset) - toolsetRank(y.Toolset); d != 0 {
			return d
		}
		return strings.Compare(x.Toolset+"\x00"+x.Name, y.Toolset+"\x00"+y.Name)
	})
	return r
}

func toolsetRank(name string) int {
	if i := slices.Index(toolsetOrder, name); i >= 0 {
		return i
	}
	return len(toolsetOrder)
}

// With returns a registry that has ts as well. A name that is there already keeps its tool.
func (r *Registry) With(ts ...engine.Tool) *Registry {
	if len(ts) == 0 {
		return r
	}
	return NewRegistry(append(slices.Clone(r.tools), ts...)...)
}

// Each returns a registry of what f makes of each tool.
func (r *Registry) Each(f func(engine.Tool) engine.Tool) *Registry {
	out := &Registry{}
	for _, t := range r.tools {
		out.tools = append(out.tools, f(t))
	}
	return out
}

// Without returns a registry that lacks the named toolsets.
func (r *Registry) Without(toolsets ...string) *Registry {
	return r.filter(func(set string) bool { return !slices.Contains(toolsets, set) })
}

// Only returns a registry of the named toolsets alone.
func (r *Registry) Only(toolsets ...string) *Registry {
	return r.filter(func(set string) bool { return slices.Contains(toolsets, set) })
}

func (r *Registry) filter(keep func(toolset string) bool) *Registry {
	out := &Registry{}
	for _, t := range r.tools {
		if keep(t.Spec().Toolset) {
			out.tools = append(out.tools, t)
		}
	}
	return out
}

func (r *Registry) available() []engine.Tool {
	var out []engine.Tool
	for _, t := range r.tools {
		if a, ok := t.(engine.Available); !ok || a.Available() {
			out = append(out, t)
		}
	}
	return out
}

// Specs are what the model is told: every tool that can be used now.
func (r *Registry) Specs() []engine.Spec {
	var out []engine.Spec
	for _, t := range r.available() {
		out = append(out, t.Spec())
	}
	return out
}

// Resolve finds the tool that c means and returns c as it will run: its name and arguments mended where that takes no
// guessing. A non-nil Result says why the call was refused; the tool is then nil when none was found.
func (r *Registry) Resolve(c engine.Call) (engine.Tool, engine.Call, *engine.Result) {
	tools := r.available()
	names := make([]string, len(tools))
	for i, t := range tools {
		names[i] = t.Spec().Name
	}
	i := slices.Index(names, repairName(c.Name, names))
	if i < 0 {
		res := engine.Badly(c, "there is no tool %q. The tools are: %s.", Cut(c.Name, 80), strings.Join(names, ", "))
		return nil, c, &res
	}
	c.Name = names[i]
	text, err := args.Mend(c.Args)
	if err != nil {
		res := engine.Badly(c, "the arguments of %s %v", c.Name, err)
		return tools[i], c, &res
	}
	text, err = args.Fit(text, tools[i].Spec().Schema)
	if err != nil {
		res := engine.Badly(c, "%s %v", c.Name, err)
		return tools[i], c, &res
	}
	c.Args = text
	return tools[i], c, nil
}
