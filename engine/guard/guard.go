package guard

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"talaria/engine"
	"talaria/engine/guard/place"
	"talaria/engine/guard/rule"
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
	Keeper  *Keeper       // nil: one of Allow and Deny, that remembers for the session
	Allow   []string      // rules from the configuration; see Rule in a question for their form
	Deny    []string      // the same form; they win over everything but the hard line
	Timeout time.Duration // how long a question waits before it is a denial; 0: for ever

	Preview func(engine.Call) string                                 // the diff a call would make; nil: none
	Loses   func(engine.Call) string                                 // what a change would take away, in words: "it deletes a.txt"; nil: nothing is known
	Touches func(engine.Call) []string                               // the files a call works on, as its tool says; nil: by the arguments alone
	Lookup  func(name string) (value string, ok bool)                // environment of commands; nil: os.LookupEnv
	Judge   func(ctx context.Context, prompt string) (string, error) // the auxiliary model; nil: off
	Warn    func(text string)                                        // tells the user what could not be remembered; nil: nobody
}

// Guard is a Gate. It is safe for concurrent use.
type Guard struct {
	o Options
	k *Keeper

	judged sync.Map // commands that the auxiliary model let pass, with their directory
}

// New returns a Guard.
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
	if o.Keeper == nil {
		base := ""
		if len(o.Roots) > 0 {
			base = o.Roots[0]
			if real, err := place.Follow(base); err == nil {
				base = real
			}
		}
		o.Keeper = NewKeeper(base, o.Home, nil, o.Allow, o.Deny)
	}
	return &Guard{o: o, k: o.Keeper}
}

func (g *Guard) land(dir string) place.Land {
	return place.New(place.Options{Roots: g.o.Roots, Home: g.o.Home, Own: g.o.Own, Results: g.o.Results}, dir)
}

// Gate decides whether c may run; it may ask the user, and blocks meanwhile. The error is that of ctx or of Ask; the
// verdict beside it denies.
func (g *Guard) Gate(ctx context.Context, c engine.Call, s engine.Spec) (engine.Verdict, error) {
	mode := g.mode()
	d := g.decide(c, s, mode)
	if d.free {
		return d.verdict, nil
	}
	ruling := engine.Ruling{CallID: c.ID, Action: d.action, Mode: mode, By: d.by}
	if d.question != nil && g.judge(ctx, d) {
		d.question, ruling.By = nil, "the auxiliary model judged this command to be harmless"
	}
	if d.question == nil {
		ruling.Verdict = verdictWord(d.verdict)
		g.k.note(ruling)
		return d.verdict, nil
	}
	return g.ask(ctx, c, s, d, ruling)
}

func (g *Guard) decide(c engine.Call, s engine.Spec, mode string) decision {
	var d decision
	switch s.Effect {
	case engine.Notes, engine.Asks:
		return decision{free: true}
	case engine.Reads:
		d = g.read(c, s, mode)
	case engine.Writes:
		d = g.write(c, s, mode)
	case engine.Executes:
		d = g.execute(c, s, mode)
	default:
		d = g.unknown(c, s, mode, "its effect is not known")
	}
	if d.action == "" {
		d.action = s.Name
	}
	return d
}

func verdictWord(v engine.Verdict) string {
	switch {
	case v.Decision == engine.Pass:
		return "allowed"
	case v.Policy:
		return "blocked"
	}
	return "denied"
}

func (g *Guard) mode() string {
	switch m := g.o.Mode(); m {
	case modeEdit, modePlan, modeAuto:
		return m
	}
	return modeAsk
}

// decision is a verdict, or a question whose answer is one. items are what the rules on the question's rungs would
// allow, one ladder for each thing that is not allowed yet. By says what decided.
type decision struct {
	verdict  engine.Verdict
	question *engine.Question
	items    []rule.Ladder
	by       string
	action   string
	free     bool   // not worth a line in /why
	judge    string // the command that the auxiliary model may be asked about; "" for none
	dir      string // where it would run
}

func pass(by string) decision { return decision{by: by} }

func deny(by, format string, args ...any) decision {
	return decision{by: by, verdict: engine.Verdict{Decision: engine.Deny, Reason: fmt.Sprintf(format, args...)}}
}

// byRule marks a denial that a rule made and no person: its result begins with "refused:" (CONTRACT 2.1).
func byRule(d decision) decision {
	d.verdict.Policy = true
	return d
}

// execute decides about a tool that runs programs.
func (g *Guard) execute(c engine.Call, s engine.Spec, mode string) decision {
	switch s.Name {
	case "terminal":
		return g.command(c, mode)
	case "process":
		return g.background(c, s, mode)
	}
	if mode == modePlan {
		return planned(s.Name)
	}
	if s.Toolset == "mcp" {
		return g.unknown(c, s, mode, "an MCP server does this, and what it does cannot be seen from here")
	}
	return g.unknown(c, s, mode, "it runs programs")
}

// unknown decides about a tool whose arguments the guard cannot read. A rule may allow it by its name.
func (g *Guard) unknown(c engine.Call, s engine.Spec, mode, why string) decision {
	if d := g.named(rule.Use, s.Name); d != nil {
		return *d
	}
	if mode == modeAuto {
		return pass("auto mode allows it")
	}
	return decision{by: why, items: []rule.Ladder{rule.ForTool(s.Name)},
		question: &engine.Question{Title: "Use " + cmp.Or(s.Title, s.Name), Body: c.Args, Tool: s.Name, Why: why}}
}

// named decides by a rule that speaks of a tool or a host by name; nil when none does.
func (g *Guard) named(kind rule.Kind, name string) *decision {
	for _, r := range g.k.deny {
		if r.Names(kind, name) {
			d := byRule(deny("the rule of your settings: deny "+r.String(), "your settings forbid this (approvals.deny: %s). %s", r, noConsent))
			return &d
		}
	}
	for _, r := range g.k.inForce() {
		if r.Names(kind, name) {
			d := pass("the rule " + r.String())
			return &d
		}
	}
	return nil
}

func planned(what string) decision {
	return byRule(deny("plan mode", "plan mode is on: %s was not run and nothing was changed. Go on reading and make the plan; "+
		"the user leaves plan mode when it is to be carried out.", what))
}
