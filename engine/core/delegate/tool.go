package delegate

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"sync"
	"time"

	"talaria/engine"
	"talaria/engine/agent"
)

//go:embed tool.md
var toolDoc string

// Limits bound delegation (CONTRACT 5, delegation). Share makes the rounds of children count against the parent's.
type Limits struct {
	MaxIterations, MaxParallel, MaxDepth int
	Share                                bool
}

// Parent is the conversation that delegates, as far as its children need it.
type Parent interface {
	// Child returns what the loop of a child needs but its prompt, tools' filter and budget: provider, gates, tools of
	// its own working directory. The function ends what the child left running.
	Child(id string) (agent.Deps, func())
	// Log starts the child's record; nil when nothing is kept.
	Log(ctx context.Context, s engine.Session) (engine.Log, error)
	// Session is the parent's row.
	Session() engine.Session
	// Tell makes an event part of the parent's stream.
	Tell(ctx context.Context, e engine.Event)
	// Charge adds what a child used to the parent's turn, rounds included where they are shared.
	Charge(o engine.Outcome, rounds int)
	// Left is how many rounds the parent's turn has left; negative without a cap.
	Left() int
}

type in struct {
	Goal     string   `json:"goal,omitempty"`
	Context  string   `json:"context,omitempty"`
	Toolsets []string `json:"toolsets,omitempty"`
	Tasks    []task   `json:"tasks,omitempty"`
}

type task struct {
	Goal     string   `json:"goal"`
	Context  string   `json:"context,omitempty"`
	Toolsets []string `json:"toolsets,omitempty"`
}

// Tool is delegate_task, and the list of the children that run. It is safe for concurrent use.
type Tool struct {
	engine.Tool
	parent Parent
	limits Limits
	depth  int // of the conversation that has this tool; the user's own is 0
	now    func() time.Time

	mu    sync.Mutex
	count int
	live  map[string]*child
}

// New returns the tool of the user's own conversation.
func New(p Parent, l Limits, now func() time.Time) *Tool { return at(p, l, now, 0) }

func at(p Parent, l Limits, now func() time.Time, depth int) *Tool {
	t := &Tool{parent: p, limits: l, depth: depth, now: now, live: map[string]*child{}}
	spec := engine.Spec{Name: "delegate_task", Doc: strings.ReplaceAll(toolDoc, "{max}", fmt.Sprint(l.MaxParallel)), Effect: engine.Notes, Toolset: "agent"}
	t.Tool = engine.NewTool(spec, t.run, nil)
	return t
}

// run does the tasks side by side and answers when all have ended.
func (t *Tool) run(ctx context.Context, c engine.Call, in in, out engine.Output) (engine.Result, error) {
	tasks := in.Tasks
	if len(tasks) == 0 && strings.TrimSpace(in.Goal) != "" {
		tasks = []task{{in.Goal, in.Context, in.Toolsets}}
	}
	switch {
	case len(tasks) == 0:
		return engine.Badly(c, "delegate_task needs a goal, or tasks with a goal each"), nil
	case len(tasks) > t.limits.MaxParallel:
		return engine.Badly(c, "%d tasks are more than the %d that may run side by side. Give at most %d and send the rest in a later call.", len(tasks), t.limits.MaxParallel, t.limits.MaxParallel), nil
	}
	for i, one := range tasks {
		if strings.TrimSpace(one.Goal) == "" {
			return engine.Badly(c, "task %d has no goal", i+1), nil
		}
		if len(one.Toolsets) == 0 {
			tasks[i].Toolsets = in.Toolsets
		}
		if one.Context == "" {
			tasks[i].Context = in.Context
		}
	}
	if left := t.parent.Left(); t.limits.Share && left == 0 {
		return engine.Failed(c, "not delegated: this turn has no rounds left, and delegated agents share them"), nil
	}
	children := make([]*child, len(tasks))
	var all sync.WaitGroup
	for i, one := range tasks {
		children[i] = t.begin(one, fmt.Sprintf("[%d/%d]", i+1, len(tasks)), out)
		all.Add(1)
		engine.Go("agent "+children[i].info.ID, func() {
			defer all.Done()
			defer t.end(children[i])
			children[i].work(ctx, t)
		})
	}
	all.Wait()
	return report(c, children), nil
}

func (t *Tool) begin(one task, tag string, out engine.Output) *child {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.count++
	id := fmt.Sprintf("agent %d", t.count)
	if t.depth > 0 {
		id = engine.NewID("agent ") // numbers belong to the user's own agents
	}
	ch := &child{task: one, tag: tag, out: out, depth: t.depth + 1,
		info: engine.AgentInfo{ID: id, Goal: oneLine(one.Goal), State: engine.AgentWorking, Began: t.now()}}
	t.live[id] = ch
	return ch
}

func (t *Tool) end(ch *child) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.live, ch.info.ID)
}

// Agents lists the agents that run, oldest first.
func (t *Tool) Agents() []engine.AgentInfo {
	t.mu.Lock()
	defer t.mu.Unlock()
	var all []engine.AgentInfo
	for _, ch := range t.live {
		all = append(all, ch.snapshot())
	}
	sortByBegan(all)
	return all
}

// StopAgent stops the agent of that id at once, or with "" every one. Its call is answered with what it had done.
func (t *Tool) StopAgent(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, ch := range t.live {
		if id == "" || ch.info.ID == id {
			ch.stop()
		}
	}
}
