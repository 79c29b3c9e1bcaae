package core

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"talaria/engine"
	"talaria/engine/catalog"
	"talaria/engine/core/lens"
	"talaria/engine/core/outside"
	"talaria/engine/core/ward"
	"talaria/engine/guard"
	pictures "talaria/engine/image"
	"talaria/engine/mcp"
	"talaria/engine/memory"
	"talaria/engine/prompt"
	"talaria/engine/tools"
	"talaria/engine/tools/file"
	"talaria/engine/tools/recall"
	"talaria/engine/tools/terminal"
)

// toolbox is the set of tools and gates of this engine; both hold what a session keeps between turns (the shell's
// background processes, the rules that were allowed), so they are made once.
func (c *Core) toolbox() (*tools.Registry, []engine.Gate) {
	if c.box == nil {
		c.space.Hide(guard.Credential)
		own := []engine.Tool{c.agents}
		if c.notes != nil {
			own = append(own, memory.Tool(c.notes, nil))
		}
		past := recall.Deps{Library: c.d.Store, Session: func() string { return c.journal.Session().ID }}
		if aux := c.d.Resolver.Config.Auxiliary.SessionSearch; aux.Model != "" || aux.Provider != "" { // the main model reads what was found by itself
			past.Shorten = c.aux(engine.TaskSessionSearch)
		}
		own = append(own, recall.Tool(past))
		k := kit{space: c.space, shell: c.shell}
		c.box, c.innerBox = c.withCode(c.toolsOf(k, c.todo, own...), c.enabled)
		k.box = c.box
		c.guard = c.guardOf(k)
	}
	return c.box, c.gates(kit{space: c.space, box: c.box, guard: c.guard})
}

// kit is what one agent works with: the conversation on screen, or one that it sent out.
type kit struct {
	space *tools.Workspace
	shell *terminal.Terminal
	box   *tools.Registry
	guard *guard.Guard
}

// newKit makes the kit of a delegated agent: a working directory and a shell of its own, the same files, the same rules.
func (c *Core) newKit(ctx context.Context, todo *tools.Todo) kit {
	k := kit{space: c.space.Sibling(c.d.Dir)}
	k.shell = c.newShell(ctx, k.space)
	k.box = c.enabled(tools.NewRegistry(c.toolsOf(k, todo)...))
	k.guard = c.guardOf(k)
	return k
}

// toolsOf are the tools that work in the directory and shell of k, those that work anywhere, and own.
func (c *Core) toolsOf(k kit, todo *tools.Todo, own ...engine.Tool) []engine.Tool {
	all := append(file.Tools(k.space), c.back.Watched(k.shell), k.shell.Background(), todo, tools.ClarifyTool(c.askUser()))
	return append(append(all, own...), c.out.Tools()...)
}

// enabled leaves the toolsets that the settings let exist.
func (c *Core) enabled(box *tools.Registry) *tools.Registry {
	cfg := c.d.Resolver.Config.Tools
	if len(cfg.EnabledToolsets) > 0 {
		box = box.Only(cfg.EnabledToolsets...)
	}
	return box.Without(cfg.DisabledToolsets...)
}

// guardOf makes the guard over what k can do. The rules are the same for all.
func (c *Core) guardOf(k kit) *guard.Guard {
	cfg := c.d.Resolver.Config
	return guard.New(guard.Options{Mode: func() string { return *c.mode.Load() }, Dir: k.space.Dir,
		Roots: append([]string{c.d.Dir}, c.d.AddDirs...), Home: c.home(), Own: c.d.Paths.Own(), Results: []string{c.d.Paths.Results}, Ask: c.askUser(),
		Touches: touches(k.box), Preview: c.preview(k.space), Loses: func(call engine.Call) string { return file.Loses(k.space, call) }, Lookup: k.shell.Lookup, Keeper: c.keeper, Timeout: cfg.Approvals.TimeoutSeconds.Duration(),
		Judge: ward.Judge(cfg, c.aux(engine.TaskApproval)), Warn: func(text string) { c.note(context.Background(), engine.NoteWarning, "%s", text) }})
}

// gates are asked in this order: hooks, what would write a mask over a secret, then the guard, who may ask the user.
func (c *Core) gates(k kit) []engine.Gate {
	return []engine.Gate{c.out.Gate, ward.Unmask(touches(k.box), k.space.Abs), k.guard.Gate}
}

// Permissions are the rules in force and what was decided by them. It may be used from any goroutine.
func (c *Core) Permissions() engine.Permissions { return c.keeper }

// askUser asks the user; nil when nobody can answer.
func (c *Core) askUser() engine.Ask {
	if !c.d.Attended {
		return nil
	}
	return c.asks.Ask
}

// env is what processes that are started here inherit: no key of a provider.
func (c *Core) env() []string {
	return guard.CleanEnv(c.d.Environ, c.d.Resolver.Config.Terminal.EnvPassthrough, c.d.Resolver.KeyVariables()...)
}

// outsideOf is what comes from outside the program: servers, hooks, skills, the web.
func (c *Core) outsideOf(ctx context.Context) *outside.Outside {
	getenv := c.d.Getenv
	if getenv == nil {
		getenv = func(string) string { return "" }
	}
	ctx = context.WithoutCancel(ctx)
	return outside.New(outside.Deps{Config: c.d.Resolver.Config, Paths: c.d.Paths, Getenv: getenv, Env: c.env(), Dir: c.space.Dir, Start: c.d.Dir, Space: c.space,
		Session: func() string { return c.journal.Session().ID }, Ask: c.askUser(), Now: c.d.Now, Version: c.d.Version, Aux: c.aux, Threat: prompt.Threat, Sees: c.sees, Fit: fit,
		Picture: func(path string) (engine.Image, error) { return readImage(c.space, path) },
		Note:    func(kind engine.NoteKind, text string) { c.note(ctx, kind, "%s", text) }})
}

// touches names the files a call works on, as its tool says.
func touches(box *tools.Registry) func(engine.Call) []string {
	return func(call engine.Call) []string {
		t, call, refused := box.Resolve(call)
		if toucher, ok := t.(engine.Toucher); ok && refused == nil {
			return toucher.Touches(call)
		}
		return nil
	}
}

func (c *Core) home() string {
	for _, kv := range c.d.Environ {
		if v, ok := strings.CutPrefix(kv, "HOME="); ok {
			return v
		}
	}
	home, _ := os.UserHomeDir() // without one there is nothing below it to protect
	return home
}

// preview is the diff that an edit would make, for the approval; "" when it cannot be told.
func (c *Core) preview(w *tools.Workspace) func(engine.Call) string {
	return func(call engine.Call) string {
		diff, err := file.Preview(w, call)
		if err != nil {
			return ""
		}
		if diff == "" {
			return c.out.Preview(call)
		}
		return diff
	}
}

func lineOf(c engine.Call) string { return tools.Line(c) }

// readImage reads a picture that the user attached and makes it fit what models take.
func readImage(w *tools.Workspace, path string) (engine.Image, error) {
	abs, err := w.Abs(path)
	if err != nil {
		return engine.Image{}, err
	}
	info, err := os.Stat(abs)
	switch {
	case err != nil:
		return engine.Image{}, fmt.Errorf("attach: %w", err)
	case !info.Mode().IsRegular():
		return engine.Image{}, errors.New("attach: not a regular file")
	case info.Size() > pictures.MaxFile:
		return engine.Image{}, fmt.Errorf("attach: %d MB is more than the %d MB that are looked at", info.Size()>>20, pictures.MaxFile>>20)
	}
	data, err := os.ReadFile(abs)
	if err != nil {
		return engine.Image{}, fmt.Errorf("attach: %w", err)
	}
	img, err := fit(data)
	if err != nil {
		return engine.Image{}, fmt.Errorf("attach: %w", err)
	}
	img.Name = filepath.Base(abs)
	return img, nil
}

// fit makes a picture what models take.
func fit(data []byte) (engine.Image, error) {
	out, mime, err := pictures.Prepare(data, pictures.Limits{})
	return engine.Image{MIME: mime, Data: out}, err
}

// sees reports whether the model of the running turn may be shown pictures; of one that nothing is known of, it may.
func (c *Core) sees() bool {
	main := c.asked.Load()
	if main == nil {
		return true
	}
	yes, known := catalog.Sees(main.Route.Provider, main.Route.Model)
	return yes || !known
}

// Lens is what fills the window of the open session.
func (c *Core) Lens() engine.Lens { return c.lens() }

func (c *Core) lens() lens.Lens { return lens.New(c.journal, c.specs, c.price) }

// left reports whether the user left a message out of what is sent; it counts from the next request on.
func (c *Core) left(id string) bool { return slices.Contains(c.journal.Session().Dropped, id) }

// Tools are what the model can do now; none when ctx ends before the engine has the time to say.
func (c *Core) Tools(ctx context.Context) []engine.Spec { return c.lens().Tools(ctx) }

// Servers tell how the MCP servers stand.
func (c *Core) Servers() []mcp.Status { return c.out.Servers() }

// specs tells the tools of this engine. They belong to the goroutine that handles ops, so that one tells.
func (c *Core) specs(tell func([]engine.Spec)) {
	c.later(func(context.Context) { box, _ := c.toolbox(); tell(c.out.Box(box).Specs()) })
}
