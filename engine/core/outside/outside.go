// Package outside puts together what a conversation has from outside the program: the tools of MCP servers, the user's
// hooks, skills and the web. It reads their settings, gives them their environment without keys, and tells the model
// what is missing.
//
// It refuses to hold up the screen: everything starts beside the engine, and only the first request of a turn waits.
package outside

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"talaria/engine"
	"talaria/engine/config"
	"talaria/engine/core/logbook"
	"talaria/engine/hook"
	"talaria/engine/mcp"
	"talaria/engine/skill"
	"talaria/engine/tools"
	"talaria/engine/tools/vision"
	"talaria/engine/tools/web"
)

// Deps is what the program gives. Env is what processes inherit, without keys. Ask is nil when nobody can be asked.
type Deps struct {
	Config  config.Config
	Paths   config.Paths
	Getenv  func(string) string
	Env     []string
	Dir     func() string // where hooks run
	Start   string        // where servers run
	Space   *tools.Workspace
	Session func() string
	Ask     engine.Ask
	Note    func(engine.NoteKind, string)
	Aux     func(task string) engine.Aux // the models of side tasks
	Now     func() time.Time
	Version string
	Sees    func() bool                             // whether the model may be shown pictures, as far as is known
	Picture func(path string) (engine.Image, error) // reads a picture and makes it fit what models take
	Fit     func(data []byte) (engine.Image, error) // the same for one that was fetched
	Threat  func(text string, strict bool) string   // what is wrong with a text that others wrote; "" for nothing
}

// patience is how long the first request of a turn waits for servers that still start, when a user looks on. A run
// without anybody waits for each as long as that may take, since it has no later turn.
const patience = 3 * time.Second

// Outside is all that together. Its methods may be called from any goroutine.
type Outside struct {
	d       Deps
	servers *mcp.Host
	hooks   *hook.Runner
	skills  *skill.Library
	secrets []string
	trusted atomic.Bool

	mu   sync.Mutex
	told string // the missing servers that the model was told of
}

// New reads the settings and starts nothing.
func New(d Deps) *Outside {
	o := &Outside{d: d}
	l := logbook.Book{Path: d.Paths.Log, Now: d.Now}
	note := func(text string) { d.Note(engine.NoteWarning, text) }
	var servers []mcp.Server
	if o.enabled("mcp") {
		servers, o.secrets = Servers(d.Config, d.Env, d.Start, d.Getenv)
	}
	o.servers = mcp.New(mcp.Options{Servers: servers, Version: d.Version, Note: note, Result: d.Space.Foreign,
		Log: func(server, line string) { l.Line("mcp %s: %s", server, line) }})
	agreed := config.OpenHooks(d.Paths.Hooks)
	o.hooks = hook.New(hook.Options{Hooks: hooks(d.Config), Dir: d.Dir, Session: d.Session, Env: d.Env, Ask: d.Ask, Note: note,
		Agreed: func(h hook.Hook) bool { return agreed.Has(string(h.Point), h.Command) },
		Agree:  func(h hook.Hook) error { return agreed.Add(string(h.Point), h.Command, d.Now()) },
		Log:    func(line string) { l.Line("%s", line) }})
	o.skills = Skills(d, o.trusted.Load)
	return o
}

// Trust says whether the directory's own skills may be used.
func (o *Outside) Trust(yes bool) { o.trusted.Store(yes) }

// maxPicture is how large a fetched picture may be, in bytes.
const maxPicture = 20 << 20

// sees reports whether some model can look at pictures: one of its own for that task, or the main model.
func (o *Outside) sees() bool {
	own := o.d.Config.Auxiliary.Vision
	return own.Model != "" || own.Provider != "" || o.d.Sees()
}

// Tools are those that are there without any server: the web, the skills, and the look at a picture.
func (o *Outside) Tools() []engine.Tool {
	cfg := o.d.Config.Web
	opts := web.Options{Version: o.d.Version, AllowPrivate: cfg.AllowPrivateAddresses, Search: web.Search{Backend: cfg.Search.Backend, BaseURL: cfg.Search.BaseURL, Key: o.searchKey()}}
	if own := o.d.Config.Auxiliary.WebExtract; own.Model != "" || own.Provider != "" { // the main model can read a long page by itself, and cheaper
		opts.Shorten = o.d.Aux(engine.TaskWebExtract)
	}
	eye := vision.New(vision.Options{Ask: o.d.Aux(engine.TaskVision), Can: o.sees, Read: o.d.Picture, Fetch: func(ctx context.Context, address string) (engine.Image, error) {
		data, err := web.Picture(ctx, opts, address, maxPicture)
		if err != nil {
			return engine.Image{}, err
		}
		return o.d.Fit(data)
	}})
	return append(append(web.Tools(o.d.Space, opts), o.skills.Tools()...), eye)
}

// searchKey is the key of the search service: of the variable that is named, or that the service is known for. It goes
// to web.search.base_url, which stands in the same file, and nowhere else.
func (o *Outside) searchKey() string {
	s := o.d.Config.Web.Search
	name := s.APIKeyEnv
	if name == "" {
		name = map[string]string{"brave": "BRAVE_API_KEY", "tavily": "TAVILY_API_KEY"}[s.Backend]
	}
	if name == "" {
		return ""
	}
	return o.d.Getenv(name)
}

// enabled reports whether the settings let a toolset exist.
func (o *Outside) enabled(set string) bool {
	t := o.d.Config.Tools
	return (len(t.EnabledToolsets) == 0 || slices.Contains(t.EnabledToolsets, set)) && !slices.Contains(t.DisabledToolsets, set)
}

func hooks(cfg config.Config) []hook.Hook {
	var all []hook.Hook
	for _, p := range []hook.Point{hook.SessionStart, hook.PreLLMCall, hook.PreRequest, hook.PostRequest, hook.PreToolCall, hook.PostToolCall} {
		for _, h := range cfg.Hooks[string(p)] {
			all = append(all, hook.Hook{Point: p, Match: h.Match, Command: h.Command, Timeout: h.Timeout.Duration()})
		}
	}
	return all
}

// Start starts the servers, beside the engine.
func (o *Outside) Start() { o.servers.Start() }

// Opened tells the hooks that a session is open.
func (o *Outside) Opened(e engine.Opened) { _ = o.hooks.Write(o.d.Now(), e) } // it never fails

// Gate is the gate of the user's hooks.
func (o *Outside) Gate(ctx context.Context, c engine.Call, s engine.Spec) (engine.Verdict, error) {
	return o.hooks.Gate(ctx, c, s)
}

// Provider is p with the user's hooks around each request.
func (o *Outside) Provider(p engine.Provider) engine.Provider { return o.hooks.Provider(p) }

// Secrets are the values from the environment that settings of servers refer to, and the key of the search service.
func (o *Outside) Secrets() []string { return append([]string{o.searchKey()}, o.secrets...) }

// Servers tell how each MCP server stands.
func (o *Outside) Servers() []mcp.Status { return o.servers.Status() }

// Close ends servers and hooks.
func (o *Outside) Close() {
	o.hooks.Close()
	o.servers.Close()
}

// Box is the tools of one turn: those of base, those of the servers that are there when the turn's first request is
// made, and the user's hooks around all. A server that comes later adds its tools with the next turn, so that the
// requests of a turn begin alike and the provider's cache holds.
type Box struct {
	o    *Outside
	base *tools.Registry
	mu   sync.Mutex
	reg  *tools.Registry
}

// Box returns the tools of a turn over base.
func (o *Outside) Box(base *tools.Registry) *Box { return &Box{o: o, base: base} }

func (b *Box) registry() *tools.Registry {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.reg == nil {
		b.reg = b.base.With(b.o.servers.Tools()...).Each(b.o.hooks.Wrap)
	}
	return b.reg
}

// Specs are what the model is told.
func (b *Box) Specs() []engine.Spec { return b.registry().Specs() }

// Resolve finds the tool of a call; see tools.Registry.
func (b *Box) Resolve(c engine.Call) (engine.Tool, engine.Call, *engine.Result) {
	return b.registry().Resolve(c)
}

// Context waits for the servers that still start, and returns what the model is to know in this turn: what the user's
// hooks add, and which servers are missing. An error ends the turn.
func (o *Outside) Context(ctx context.Context, text string, route engine.Route) (string, error) {
	o.wait(ctx)
	o.servers.Again()
	said, err := o.hooks.Context(ctx, text, route)
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(said + "\n\n" + o.missing()), nil
}

// wait gives servers that still start a little time, and says so when it takes longer than a blink.
func (o *Outside) wait(ctx context.Context) {
	blink, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
	defer cancel()
	o.servers.Wait(blink)
	var starting []string
	for _, st := range o.servers.Status() {
		if st.State == mcp.Starting {
			starting = append(starting, st.Name)
		}
	}
	if len(starting) == 0 || ctx.Err() != nil {
		return
	}
	o.d.Note(engine.NoteInfo, "Waiting for MCP servers: "+strings.Join(starting, ", "))
	if o.d.Ask != nil {
		var done context.CancelFunc
		ctx, done = context.WithTimeout(ctx, patience)
		defer done()
	}
	o.servers.Wait(ctx)
}

// missing tells the model once of servers that are configured and not there. Their own words are left out: they come
// from outside.
func (o *Outside) missing() string {
	var names []string
	for _, st := range o.servers.Status() {
		if st.State == mcp.Failed || st.State == mcp.Starting {
			names = append(names, fmt.Sprintf("%q", st.Name))
		}
	}
	list := strings.Join(names, ", ")
	o.mu.Lock()
	defer o.mu.Unlock()
	if list == o.told {
		return ""
	}
	o.told = list
	if list == "" {
		return "All configured MCP servers are available now."
	}
	return "These MCP servers are configured but not available, so their tools are missing: " + list + ". Say so if the task needs them."
}
