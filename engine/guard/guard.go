package guard

import (
	"context"
	"fmt"
	"os"
	"sync"

	"talaria/engine"
)

// The approval modes (CONTRACT 2, RULINGS 8).
const (
	modeAsk  = "ask"  // edits and commands ask
	modeEdit = "edit" // edits inside the workspace are free
	modePlan = "plan" // no edits, no commands
	modeAuto = "auto" // everything but the hard line
)

// Options says what the guard protects and whom it asks. Paths are absolute.
type Options struct {
	Mode    func() string // the mode at the moment; nil or an unknown name: ask
	Dir     func() string // the session's directory; nil: the first root
	Roots   []string      // the workspace and added directories
	Home    string        // the user's home directory
	Own     []string      // Talaria's own files and folders
	Results []string      // folders of spilled outputs, free to read though they are Talaria's own
	Ask     engine.Ask    // nil: nobody can be asked
	Allow   []string      // rules from the configuration; see Rule in a question for their form
	Deny    []string      // the same form; they win over everything but the hard line

	Preview func(engine.Call) string                  // the diff a call would make; nil: none
	Touches func(engine.Call) []string                // the files a call works on, as its tool says; nil: by the arguments alone
	Lookup  func(name string) (value string, ok bool) // environment of commands; nil: os.LookupEnv
}

// Guard is a Gate with the rules that were given for this session. It is safe for concurrent use.
type Guard struct {
	o           Options
	allow, deny []rule

	mu      sync.Mutex
	session []rule
}

// New returns a Guard. A rule that cannot be understood allows nothing.
func New(o Options) *Guard {
	if o.Mode == nil {
		o.Mode = func() string { return modeAsk }
	}
	if o.Dir == nil {
		o.Dir = func() string {
			if len(o.Roots) > 0 {
				return o.Roots[0]
			}
			return "/"
		}
	}
	if o.Lookup == nil {
		o.Lookup = os.LookupEnv
	}
	g := &Guard{o: o}
	g.allow = g.parseRules(o.Allow)
	g.deny = g.parseRules(o.Deny)
	return g
}

// Gate decides whether c may run; it may ask the user, and blocks meanwhile. The error is that of ctx or of Ask; the
// verdict beside it denies.
func (g *Guard) Gate(ctx context.Context, c engine.Call, s engine.Spec) (engine.Verdict, error) {
	mode := g.mode()
	var d decision
	switch s.Effect {
	case engine.Notes, engine.Asks:
		return engine.Verdict{}, nil
	case engine.Reads:
		d = g.read(c, s, mode)
	case engine.Writes:
		d = g.write(c, s, mode)
	case engine.Executes:
		d = g.execute(c, s, mode)
	default:
		d = g.unknown(c, s, mode, "its effect is not known")
	}
	if d.question == nil {
		return d.verdict, nil
	}
	return g.ask(ctx, c, d)
}

func (g *Guard) mode() string {
	switch m := g.o.Mode(); m {
	case modeEdit, modePlan, modeAuto:
		return m
	}
	return modeAsk
}

// decision is a verdict, or a question whose answer is one. rules are what "this session" would allow.
type decision struct {
	verdict  engine.Verdict
	question *engine.Question
	rules    []rule
}

func pass() decision { return decision{} }

func deny(format string, args ...any) decision {
	return decision{verdict: engine.Verdict{Decision: engine.Deny, Reason: fmt.Sprintf(format, args...)}}
}

// byRule marks a denial that a rule made and no person: its result begins with "refused:" (CONTRACT 2.1).
func byRule(d decision) decision {
	d.verdict.Policy = true
	return d
}

// execute decides about a tool that runs programs.
func (g *Guard) execute(c engine.Call, s engine.Spec, mode string) decision {
	if s.Name == "terminal" {
		return g.command(c, mode)
	}
	if mode == modePlan {
		return planned(s.Name)
	}
	return g.unknown(c, s, mode, "it runs programs")
}

// unknown decides about a tool whose arguments the guard cannot read.
func (g *Guard) unknown(c engine.Call, s engine.Spec, mode, why string) decision {
	if mode == modeAuto {
		return pass()
	}
	return decision{question: &engine.Question{Title: "Use a tool", Body: s.Name + " " + c.Args, Why: why}}
}

func planned(what string) decision {
	return byRule(deny("plan mode is on: %s was not run and nothing was changed. Go on reading and make the plan; "+
		"the user leaves plan mode when it is to be carried out.", what))
}

// granted returns the rules that allow something: those of the configuration and those of the session.
func (g *Guard) granted() []rule {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append(append([]rule{}, g.allow...), g.session...)
}
