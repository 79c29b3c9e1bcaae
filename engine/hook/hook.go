// Package hook runs the user's own commands at six points of a turn (CONTRACT 8). A hook gets JSON on stdin and may
// answer with JSON on stdout: block what is about to happen, or add text for the model. A hook that crashes, hangs or
// answers nonsense changes nothing; that is logged and told once.
//
// It refuses to run a command that the user has not seen and agreed to, and gives none of them a provider's key.
package hook

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"sync"
	"time"

	"talaria/engine"
)

// Point is a moment at which hooks run.
type Point string

// The six points.
const (
	SessionStart Point = "on_session_start"
	PreLLMCall   Point = "pre_llm_call"
	PreRequest   Point = "pre_api_request"
	PostRequest  Point = "post_api_request"
	PreToolCall  Point = "pre_tool_call"
	PostToolCall Point = "post_tool_call"
)

// DefaultTimeout is how long a hook may take that sets no timeout of its own.
const DefaultTimeout = 60 * time.Second

// Hook is one command at one point. Match is a regular expression over the whole name of the tool, at the two points
// that have one; "" and "*" are every tool.
type Hook struct {
	Point   Point
	Match   string
	Command string
	Timeout time.Duration
}

// Options is what a Runner needs. Agreed says whether the user agreed to a hook before, and Agree keeps that they did.
// Note and Log may be called from any goroutine.
type Options struct {
	Hooks   []Hook        // in the order of the configuration
	Dir     func() string // where they run
	Session func() string // the session's id
	Env     []string      // of the commands, without keys
	Ask     engine.Ask    // nil: nobody can be asked, and what is not agreed to is left out
	Agreed  func(Hook) bool
	Agree   func(Hook) error
	Note    func(text string)
	Log     func(line string)
}

// Runner runs hooks. Its methods may be called from any goroutine.
type Runner struct {
	o Options

	asking sync.Mutex // one question at a time
	mu     sync.Mutex
	said   map[Hook]bool // the user's answer in this run
	told   map[string]bool
	greet  []string      // what the hooks of the session's start said, for the next turn
	begun  chan struct{} // closed when the hooks of the newest session's start are through; nil before the first
	ctx    context.Context
	stop   context.CancelFunc
}

// New returns a runner.
func New(o Options) *Runner {
	if o.Note == nil {
		o.Note = func(string) {}
	}
	if o.Log == nil {
		o.Log = func(string) {}
	}
	r := &Runner{o: o, said: map[Hook]bool{}, told: map[string]bool{}}
	r.ctx, r.stop = context.WithCancel(context.Background())
	return r
}

// Close ends the hooks that run beside the engine.
func (r *Runner) Close() { r.stop() }

// at are the hooks of a point that fit the tool.
func (r *Runner) at(p Point, tool string) []Hook {
	var fit []Hook
	for _, h := range r.o.Hooks {
		if h.Point == p && h.fits(tool) {
			fit = append(fit, h)
		}
	}
	return fit
}

func (h Hook) fits(tool string) bool {
	if tool == "" || h.Match == "" || h.Match == "*" {
		return true
	}
	re, err := regexp.Compile("^(?:" + h.Match + ")$")
	return err != nil || re.MatchString(tool) // a pattern that cannot be read must not switch a guard off
}

// reply is what a hook may print.
type reply struct {
	Block   string `json:"block"`
	Context string `json:"context"`
}

// all runs the hooks of a point one after the other. A block ends the row. context is what they add, in order.
func (r *Runner) all(ctx context.Context, p Point, tool string, in map[string]any) (block string, context []string) {
	for _, h := range r.at(p, tool) {
		if !r.mayRun(ctx, h) {
			continue
		}
		said, err := r.run(ctx, h, in)
		switch {
		case ctx.Err() != nil:
			return "", nil
		case err != nil:
			r.failed(h, err)
			continue
		}
		if said.Context != "" {
			context = append(context, said.Context)
		}
		if said.Block != "" {
			return said.Block, context
		}
	}
	return "", context
}

// failed logs a failure, and tells the first of each hook: one that was meant to protect should not fail in silence.
func (r *Runner) failed(h Hook, err error) {
	text := fmt.Sprintf("the hook %q (%s) failed: %v. It changed nothing.", h.Command, h.Point, err)
	r.o.Log(text)
	r.once("failed "+string(h.Point)+h.Command, text)
}

func (r *Runner) once(key, text string) {
	r.mu.Lock()
	again := r.told[key]
	r.told[key] = true
	r.mu.Unlock()
	if !again {
		r.o.Note(text)
	}
}

// mayRun reports whether the user agreed to h: before, or now.
func (r *Runner) mayRun(ctx context.Context, h Hook) bool {
	r.asking.Lock()
	defer r.asking.Unlock()
	h.Match, h.Timeout = "", 0 // the command is what is agreed to
	r.mu.Lock()
	yes, answered := r.said[h]
	r.mu.Unlock()
	if answered {
		return yes
	}
	if r.o.Agreed != nil && r.o.Agreed(h) {
		return true
	}
	if r.o.Ask == nil {
		r.once("unseen "+string(h.Point)+h.Command, fmt.Sprintf("the hook %q (%s) was not run: it is new or changed, and nobody can be asked. Start talaria without -p once and agree to it.", h.Command, h.Point))
		return false
	}
	a, err := r.o.Ask(ctx, engine.Question{Kind: engine.Trust, Title: "Run this hook from now on?", Body: h.Command,
		Why:     fmt.Sprintf("Your settings name this command for %s. It is new or changed, and runs with your rights.", h.Point),
		Choices: []engine.Choice{{Value: engine.ChoiceYes, Label: "Yes, run it"}, {Value: engine.ChoiceNo, Label: "No, leave it out this time"}}})
	if err != nil {
		return false // asked again next time
	}
	yes = a.Choice == engine.ChoiceYes
	r.mu.Lock()
	r.said[h] = yes
	r.mu.Unlock()
	if yes && r.o.Agree != nil {
		if err := r.o.Agree(h); err != nil {
			r.o.Note(fmt.Sprintf("that you agreed to the hook could not be kept: %v. It runs now and is asked about again next time.", err))
		}
	}
	return yes
}

// input is what every hook is told.
func (r *Runner) input(p Point, more map[string]any) map[string]any {
	in := map[string]any{"hook": string(p), "session_id": r.o.Session(), "cwd": r.o.Dir()}
	for k, v := range more {
		in[k] = v
	}
	return in
}

// arguments gives a call's arguments as an object, or as text when they are none.
func arguments(c engine.Call) any {
	var v map[string]any
	if json.Unmarshal([]byte(c.Args), &v) != nil {
		return c.Args
	}
	return v
}

// any reports whether there are hooks at one of the points.
func (r *Runner) any(points ...Point) bool {
	return slices.ContainsFunc(r.o.Hooks, func(h Hook) bool { return slices.Contains(points, h.Point) })
}
