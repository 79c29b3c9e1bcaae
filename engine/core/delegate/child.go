package delegate

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"talaria/engine"
	"talaria/engine/agent"
)

//go:embed child.md
var childPrompt string

// blocked are the tools that no child has: they need the user, or write what is kept for good.
var blocked = []string{"delegate_task", "clarify", "memory", "execute_code", "skill_manage"}

// child is one delegated agent.
type child struct {
	task  task
	tag   string // "[1/3]", before each line of progress
	out   engine.Output
	depth int

	mu      sync.Mutex
	info    engine.AgentInfo
	running *agent.Agent
	stopped bool
	trace   map[string]int // tool and how it ended -> how often
	outcome engine.Outcome
}

func (ch *child) snapshot() engine.AgentInfo {
	ch.mu.Lock()
	defer ch.mu.Unlock()
	return ch.info
}

func (ch *child) stop() {
	ch.mu.Lock()
	defer ch.mu.Unlock()
	ch.stopped = true
	if ch.running != nil {
		ch.running.Stop(false)
	}
}

// work runs the child's conversation to its end.
func (ch *child) work(ctx context.Context, t *Tool) {
	d, closeChild := t.parent.Child(ch.info.ID)
	defer closeChild()
	d.Tools = ch.tools(d.Tools, t)
	d.System = func(string) string { return ch.prompt(t.parent.Session().Dir) }
	d.MaxTurns = t.limits.MaxIterations
	if left := t.parent.Left(); t.limits.Share && left >= 0 && (d.MaxTurns == 0 || left < d.MaxTurns) {
		d.MaxTurns = left
	}
	d.Session = ch.session(t)
	rec := &recorder{}
	if log, err := t.parent.Log(ctx, d.Session); err == nil && log != nil {
		rec.log = log
	} else if err != nil {
		t.parent.Tell(ctx, engine.Noted{Kind: engine.NoteWarning, Text: fmt.Sprintf("The work of %s is not saved: %v", ch.info.ID, err)})
	}
	d.Emit = func(ctx context.Context, e engine.Event) {
		rec.write(ctx, t.now(), e)
		ch.follow(ctx, t, e, d.Line)
	}
	d.History, d.Steers, d.Pending, d.Keep = nil, nil, nil, nil
	a := agent.New(d)
	ch.mu.Lock()
	ch.running = a
	early := ch.stopped
	ch.mu.Unlock()
	ch.tell(ctx, t, engine.Opened{Session: d.Session})
	var o engine.Outcome
	if early {
		o = engine.Outcome{Exit: engine.ExitInterrupted, Interrupted: true}
	} else {
		o, _ = a.RunConversation(engine.WithAgent(ctx, ch.info.ID), agent.Input{Text: ch.task.Goal, History: []engine.Message{}}) // the error is in the outcome
	}
	rec.close(ctx, o)
	rounds := 0
	if t.limits.Share {
		rounds = o.Iterations
	}
	t.parent.Charge(o, rounds)
	ch.mu.Lock()
	ch.outcome = o
	ch.mu.Unlock()
}

func (ch *child) session(t *Tool) engine.Session {
	p, now := t.parent.Session(), t.now()
	return engine.Session{ID: engine.NewSessionID(now), ParentID: p.ID, ParentWhy: engine.WhyDelegate, Title: ch.info.Goal, TitleSet: true, Dir: p.Dir, Repo: p.Repo,
		Created: now, Updated: now, Route: p.Route, Mode: p.Mode, System: ch.prompt(p.Dir), Cost: new(float64)}
}

func (ch *child) prompt(dir string) string {
	about := ""
	if text := strings.TrimSpace(ch.task.Context); text != "" {
		about = "# What you were told\n" + text + "\n\n"
	}
	return strings.NewReplacer("{goal}", strings.TrimSpace(ch.task.Goal), "{context}", about, "{dir}", dir).Replace(childPrompt)
}

// follow tells the parent's stream what the child does, and keeps what the screen lists of it.
func (ch *child) follow(ctx context.Context, t *Tool, e engine.Event, line func(engine.Call) string) {
	ch.mu.Lock()
	switch e := e.(type) {
	case engine.Stepped:
		ch.info.Step = e.Iteration
	case engine.CallBegan:
		ch.info.Doing = e.Line
		fmt.Fprintf(ch.out, "%s %s\n", ch.tag, e.Line)
	case engine.CallEnded:
		if ch.trace == nil {
			ch.trace = map[string]int{}
		}
		ch.trace[e.Result.Name+" "+string(e.Result.Status)]++
		ch.info.Doing = ""
	case engine.Used:
		ch.info.Usage, ch.info.Cost = e.Total, e.Cost
	case engine.Ended:
		ch.info.State = engine.AgentState(e.Why)
		fmt.Fprintf(ch.out, "%s %s\n", ch.tag, e.Why)
	case engine.Noted:
		fmt.Fprintf(ch.out, "%s %s\n", ch.tag, e.Text)
	case engine.Opened, engine.Began, engine.Streamed, engine.Appended, engine.CallWrote, engine.Asked, engine.Withdrawn, engine.Steered,
		engine.Queued, engine.Compacted, engine.Planned, engine.Child, engine.Rewound, engine.Unknown:
	}
	ch.mu.Unlock()
	ch.tell(ctx, t, e)
}

// tell passes on what the screen draws of an agent; its messages and their pieces stand in its own session.
func (ch *child) tell(ctx context.Context, t *Tool, e engine.Event) {
	_, appended := e.(engine.Appended)
	if appended || engine.Transient(e) {
		return
	}
	t.parent.Tell(ctx, engine.Child{Agent: ch.info.ID, Event: e})
}

// tools narrows the parent's tools to what this child may use. A child above the last depth gets a delegate_task of its own.
func (ch *child) tools(box agent.Toolbox, t *Tool) agent.Toolbox {
	narrowed := &toolbox{box: box, sets: ch.task.Toolsets}
	if ch.depth < t.limits.MaxDepth {
		narrowed.own = at(t.parent, t.limits, t.now, ch.depth)
	}
	return narrowed
}

// toolbox is a Toolbox with fewer tools.
type toolbox struct {
	box  agent.Toolbox
	sets []string // allowed toolsets; empty: all
	own  *Tool
}

func (b *toolbox) allowed(s engine.Spec) bool {
	return !slices.Contains(blocked, s.Name) && (len(b.sets) == 0 || slices.Contains(b.sets, s.Toolset))
}

// Specs lists what is left, in the order of the whole.
func (b *toolbox) Specs() []engine.Spec {
	var specs []engine.Spec
	for _, s := range b.box.Specs() {
		switch {
		case b.allowed(s):
			specs = append(specs, s)
		case b.own != nil && s.Name == "delegate_task":
			specs = append(specs, b.own.Spec())
		}
	}
	return specs
}

// Resolve refuses what is not left, whatever the model calls.
func (b *toolbox) Resolve(c engine.Call) (engine.Tool, engine.Call, *engine.Result) {
	t, better, refused := b.box.Resolve(c)
	switch {
	case refused != nil:
		return t, better, refused
	case b.own != nil && t.Spec().Name == "delegate_task":
		return b.own, better, nil
	case !b.allowed(t.Spec()):
		r := engine.Badly(c, "%s is not among the tools of a delegated agent. Say in your summary what would be needed.", c.Name)
		return nil, c, &r
	}
	return t, better, nil
}

// recorder keeps the child's session. What cannot be kept costs the record, never the work.
type recorder struct {
	mu  sync.Mutex
	log engine.Log
	err error
}
