// Package core is the engine goroutine: ops go in, events come out. It owns the session, the model route, the agent that
// runs the turn, the questions that wait and the messages that were not delivered, and it puts the engine's parts
// together. One goroutine handles ops; one more runs while a turn runs.
//
// It refuses to draw, to read flags, and to know which store it writes to.
package core

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"talaria/engine"
	"talaria/engine/agent"
	"talaria/engine/attach"
	"talaria/engine/config"
	"talaria/engine/core/delegate"
	"talaria/engine/core/dial"
	"talaria/engine/core/hint"
	"talaria/engine/core/journal"
	"talaria/engine/core/logbook"
	"talaria/engine/core/lookback"
	"talaria/engine/core/outside"
	"talaria/engine/core/rewind"
	"talaria/engine/core/room"
	"talaria/engine/core/typed"
	"talaria/engine/core/waiting"
	"talaria/engine/core/ward"
	"talaria/engine/guard"
	"talaria/engine/memory"
	"talaria/engine/tools"
	"talaria/engine/tools/terminal"
)

// Deps is what the program gives the engine. The Resolver finds models and the keys that may go to them; keys never
// enter an op, an event or a record. Build, nil for the real one, makes a provider of a resolved route; Aux, nil for the
// real one beside a real Build, is what a side task is asked through, and who is asked first.
type Deps struct {
	Store    engine.Store
	Resolver config.Resolver
	Paths    config.Paths
	Dir      string   // the session's directory, absolute
	AddDirs  []string // further allowed roots
	Environ  []string // what started processes may inherit, before keys are taken out
	Attended bool     // somebody can answer questions
	Trusted  bool     // the directory is trusted for this run
	Resume   string   // the session to open; "" starts a new one
	Mode     string   // ask, edit, plan or auto
	Budget   float64  // dollars a turn may cost, 0 for no cap
	System   string   // replaces the built prompt
	Append   string   // is added to it
	NoRules  bool     // project instruction files are not read
	NoTrace  bool     // nothing is written but what tools write: no copies of files for undo
	Titles   bool     // a model names the session after its first turn
	Build    func(config.Resolved) (engine.Provider, error)
	Aux      func(task string, main config.Resolved) (engine.Provider, engine.Route, error)
	Now      func() time.Time
	Getenv   func(string) string // for ${NAME} in the settings of servers; nil: nothing is set
	Version  string              // of the program, for who asks
	// Trajectory writes a finished turn and the tools that it had, for training; nil: nobody asked for it.
	Trajectory func(o engine.Outcome, specs []engine.Spec, at time.Time) error
}

// Core is a running engine.
type Core struct {
	d        Deps
	journal  *journal.Journal
	events   *waiting.Events
	asks     *waiting.Questions
	outbox   *waiting.Outbox
	space    *tools.Workspace
	todo     *tools.Todo
	guard    *guard.Guard
	keeper   *guard.Keeper
	box      *tools.Registry
	innerBox *tools.Registry             // what a program of execute_code can use
	programs atomic.Pointer[outside.Box] // the same in this turn
	shell    *terminal.Terminal
	swept    []engine.Process // what ran in the background at the end; set before done closes
	out      *outside.Outside
	back     *rewind.Rewinder
	mode     atomic.Pointer[string]
	limits   atomic.Pointer[limits]

	opsMu sync.Mutex
	ops   []engine.Op
	work  []func(context.Context) // for the goroutine that handles ops
	wake  chan struct{}

	asked   atomic.Pointer[config.Resolved] // the route of the newest turn, for side tasks
	rebuilt atomic.Pointer[string]          // the prompt that a compression built, until it is taken over
	tally   tally
	room    *room.Room
	look    *lookback.Lookback
	hints   *hint.Hints
	turn    atomic.Pointer[agent.Agent] // of the newest turn, for what works on its behalf
	agents  *delegate.Tool
	notes   *memory.Files // nil: nothing is remembered
	typed   *typed.Typed

	// owned by the goroutine that handles ops
	titling    context.CancelFunc // ends the request for a title; nil when none was made
	route      config.Resolved
	resolveErr error           // why there is no route
	stack      engine.Provider // what was asked last; nil until the first turn
	stackOf    config.Resolved // what stack was built of: route may have changed since
	windows    *dial.Windows
	sight      dial.Sight                  // what was said of pictures
	past       []engine.Message            // the history before the running turn
	rest       func(context.Context) error // reads what opening a session left; nil when nothing is left
	prompt     string
	running    *agent.Agent
	deps       agent.Deps // of the newest turn
	again      bool       // the turn that is being stopped is to be continued
	ended      chan engine.Outcome
	trust      trustState
	mayRead    atomic.Bool           // instructions in the directory may be read
	deferred   []engine.Submit       // what was sent before the trust question was answered
	stopNow    bool                  // the running turn was told to stop at once
	over       atomic.Bool           // the running turn has told its end; what is sent now starts the next
	after      []engine.Submit       // what was sent since: it starts as soon as the turn has ended
	compacting bool                  // /compact runs
	recompact  *engine.Compact       // it was asked for meanwhile: for when the one that runs fails
	compacted  chan []engine.Message // what it left; nil: nothing changed
	toldSmall  bool                  // that the window is small was said
	retry      chan struct{}
	done       chan struct{}
	unsaved    error // set before done closes
}

// Typed is what "@" can name. It may be used from any goroutine.
func (c *Core) Typed() *typed.Typed { return c.typed }

// Start runs an engine until ctx ends; then it stops the turn, stores everything, and closes Events.
func Start(ctx context.Context, d Deps) (*Core, error) {
	if d.Now == nil {
		d.Now = time.Now
	}
	var left []error
	if d.Build == nil {
		dialer := dial.New(d.Resolver, dial.Options{Attended: d.Attended, Log: logOf(d)})
		d.Build, d.Aux = dialer.Build, dialer.Auxiliary
		left = dialer.Skipped()
	}
	c := &Core{d: d, events: waiting.NewEvents(), wake: make(chan struct{}, 1), ended: make(chan engine.Outcome, 1),
		retry: make(chan struct{}), done: make(chan struct{}), compacted: make(chan []engine.Message, 1)}
	c.windows = dial.NewWindows(d.Paths)
	c.journal = journal.New(c.events, d.Now)
	c.asks = waiting.NewQuestions(c.journal.Emit)
	c.outbox = waiting.NewOutbox(c.journal.Emit)
	c.space = tools.NewWorkspace(d.Dir, d.Paths.Results)
	c.shell = c.newShell(ctx, c.space)
	c.agents = c.newDelegate()
	c.notes = c.newNotes()
	c.typed = &typed.Typed{Note: func(k engine.NoteKind, text string) { c.note(context.WithoutCancel(ctx), k, "%s", text) },
		Files: &attach.Files{Dir: d.Dir, Home: c.home(), Roots: append([]string{d.Dir}, d.AddDirs...), Secret: guard.Credential, Mask: guard.Redact}}
	c.todo = tools.TodoTool(func(tasks []engine.Task) { c.journal.Emit(ctx, engine.Planned{Tasks: tasks}) })
	c.space.SetLimit(d.Resolver.Config.Tools.ResultChars)
	c.back = c.newRewinder(ctx)
	c.keeper = ward.Keeper(d.Resolver.Config, d.Paths, d.Dir, c.home(), d.NoTrace)
	c.setMode(d.Mode)
	c.limits.Store(&limits{d.Budget, d.Resolver.Config.Agent.MaxTurns})
	c.out = c.outsideOf(ctx)
	c.look, c.hints = c.newLookback(), c.hintsFor(c.space.Dir)
	c.room = c.makeRoom()
	if err := c.open(ctx, d.Resume); err != nil {
		return nil, err
	}
	for _, err := range left {
		c.events.Push(engine.Noted{Kind: engine.NoteWarning, Text: err.Error()})
	}
	engine.Go("events", func() { c.events.Run(ctx) })
	engine.Go("fold", func() { c.journal.Folder(ctx) })
	engine.Go("ops", func() { c.run(ctx) })
	c.out.Start()
	return c, nil
}

// logOf is where the route tells why it repeats requests. A run that leaves no trace has no log.
func logOf(d Deps) *slog.Logger {
	book := logbook.Book{Path: d.Paths.Log, Now: d.Now}
	if d.NoTrace {
		book.Path = ""
	}
	level := ""
	if d.Getenv != nil {
		level = d.Getenv("TALARIA_LOG")
	}
	return book.Logger(level, masking(d.Resolver))
}

// Do gives the engine an op; it never blocks.
func (c *Core) Do(op engine.Op) {
	c.opsMu.Lock()
	c.ops = append(c.ops, op)
	c.opsMu.Unlock()
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// Events is the one stream of events, for one reader. It closes after everything is stored.
func (c *Core) Events() <-chan engine.Event { return c.events.Out() }

// Skills lists the skills that "/name" can stand for.
func (c *Core) Skills(ctx context.Context) []engine.SkillLine { return c.out.Lines(ctx) }

// Done closes when the session is stored and given free.
func (c *Core) Done() <-chan struct{} { return c.done }

func (c *Core) take() []engine.Op {
	c.opsMu.Lock()
	defer c.opsMu.Unlock()
	ops := c.ops
	c.ops = nil
	return ops
}

func (c *Core) run(ctx context.Context) {
	defer close(c.done)
	defer c.events.Close()
	c.begin(ctx)
	for {
		select {
		case <-ctx.Done():
			c.shut(ctx)
			return
		case <-c.wake:
			for _, op := range c.take() {
				c.handle(ctx, op)
			}
			c.doWork(ctx)
		case o := <-c.ended:
			c.afterTurn(ctx, o)
		case msgs := <-c.compacted:
			c.afterCompact(ctx, msgs)
		}
	}
}

// shut ends the turn, takes the ops that came before the end, and stores everything.
func (c *Core) shut(ctx context.Context) {
	ctx = context.WithoutCancel(ctx)
	if c.compacting {
		c.room.Cancel()
		<-c.compacted
	}
	if c.running != nil {
		c.running.Stop(false)
		<-c.ended
	}
	for _, s := range append(c.after, c.deferred...) {
		c.outbox.Queue(ctx, engine.Queue{Text: s.Text})
	}
	for _, op := range c.take() {
		switch op := op.(type) {
		case engine.Submit:
			c.outbox.Queue(ctx, engine.Queue{Text: op.Text})
		case engine.Queue:
			c.outbox.Queue(ctx, op)
		case engine.Steer:
			c.outbox.Queue(ctx, engine.Queue{Text: op.Text})
		case engine.Interrupt, engine.Continue, engine.Answer, engine.RetryNow, engine.Compact, engine.Open, engine.Switch, engine.Set, engine.Undo, engine.Unknown:
			// without a program there is nothing left to do for these
		}
	}
	c.look.Stop()
	c.closeShell()
	c.out.Close()
	c.unsaved = c.journal.Close(ctx)
}

// Unsaved is why records of the session are not on disk, nil when all are. It is known once Done is closed.
func (c *Core) Unsaved() error { return c.unsaved }

func (c *Core) setMode(mode string) {
	if mode == "" {
		mode = ModeAsk
	}
	c.mode.Store(&mode)
}
