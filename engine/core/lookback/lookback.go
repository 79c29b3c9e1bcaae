// Package lookback keeps what should be known in later conversations: now and then after a turn a copy of the agent looks
// back at the conversation with nothing but the memory and the skills in its hands, and before old turns are summarised
// the facts in them are saved.
//
// It refuses to delay anything, to ask the user while it looks, and to speak but in one line of what it saved.
package lookback

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"talaria/engine"
	"talaria/engine/agent"
	"talaria/engine/config"
	"talaria/engine/memory"
	"talaria/engine/review"
)

// lookTime is how long a look back may take; nobody waits for it.
const lookTime = 5 * time.Minute

// Deps is what the engine gives. Notes is nil where nothing is remembered. SkillsSet says that the user decided already
// whether skills are reviewed; else they are asked once, by Ask, and Remember keeps the answer. Own returns the provider
// of auxiliary.review, nil to ask the model of the turn. Bill counts what was used in the session. Gates stand before the
// few calls that are possible.
type Deps struct {
	Review    config.Review
	Nudge     int
	SkillsSet bool
	Notes     *memory.Files
	Own       func() (engine.Provider, engine.Route)
	Gates     []engine.Gate
	Bill      func(ctx context.Context, r engine.Route, used engine.Usage)
	Tell      func(ctx context.Context, e engine.Event)
	Ask       engine.Ask
	Remember  func(yes bool) error
	Facts     engine.Aux
}

// Lookback is the state of one engine's looks back. It is safe for concurrent use; one look is made at a time.
type Lookback struct {
	d     Deps
	mu    sync.Mutex
	clock review.Clock
	asked bool // whether skills are wanted is known
	stop  context.CancelFunc
	done  chan struct{}
}

// New returns a Lookback over d.
func New(d Deps) *Lookback {
	l := &Lookback{d: d, asked: d.SkillsSet || d.Review.Skills || d.Ask == nil}
	if d.Review.Memory {
		l.clock.Turns = d.Nudge
	}
	l.clock.Rounds = d.Review.SkillNudgeInterval
	return l
}

// Opened starts the count for a session that has had so many turns, and ends a look back at the one before.
func (l *Lookback) Opened(turns int) {
	l.Stop()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.clock.Resume(turns)
}

// Stop ends the look that runs and waits for its end.
func (l *Lookback) Stop() {
	l.mu.Lock()
	stop, done := l.stop, l.done
	l.mu.Unlock()
	if stop != nil {
		stop()
		<-done
	}
}

// After counts the turn that ended with o and looks back when that is due, beside everything else. d is what the turn
// ran with: the same prompt, tools and history go to the provider, so that its cache holds. may says that a request may
// be made that the user did not ask for, plan that nothing but the memory may be written.
func (l *Lookback) After(ctx context.Context, o engine.Outcome, d agent.Deps, may, plan bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	due := l.clock.Ended(o)
	has := func(name string) bool {
		return d.Tools != nil && slices.ContainsFunc(d.Tools.Specs(), func(s engine.Spec) bool { return s.Name == name })
	}
	due.Memory = due.Memory && l.d.Notes != nil && !l.d.Notes.ReadOnly && has("memory")
	due.Skills = due.Skills && !plan && has("skill_manage") && (l.d.Review.Skills || !l.asked)
	if !due.Any() || !may || l.stop != nil {
		return
	}
	l.clock.Done(due)
	ask := due.Skills && !l.asked
	l.asked = l.asked || ask
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	l.stop, l.done = cancel, done
	engine.Go("look back", func() {
		defer close(done)
		defer l.over(cancel)
		if ask && due.Memory { // the user's answer may take long
			l.look(ctx, o, d, review.Due{Memory: true})
			due.Memory = false
		}
		if ask {
			due.Skills = l.wanted(ctx)
		}
		if due.Any() {
			l.look(ctx, o, d, due)
		}
	})
}

func (l *Lookback) over(cancel context.CancelFunc) {
	cancel()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stop = nil
}

// wanted asks whether skills are to be reviewed and keeps the answer. No answer is a no for this run.
func (l *Lookback) wanted(ctx context.Context) bool {
	a, err := l.d.Ask(ctx, engine.Question{Kind: engine.Clarify, Title: "Shall the agent look back after long work for skills worth keeping?",
		Body: "That is one more request, which costs, after about every " + fmt.Sprint(l.d.Review.SkillNudgeInterval) + " rounds of tool calls. What it keeps is told. review.skills in config.yaml changes the answer.",
		Choices: []engine.Choice{{Value: engine.ChoiceYes, Label: "Yes", Description: "what was learnt is there next time"},
			{Value: engine.ChoiceNo, Label: "No"}}})
	if err != nil || a.Choice != engine.ChoiceYes && a.Choice != engine.ChoiceNo {
		return false
	}
	yes := a.Choice == engine.ChoiceYes
	l.mu.Lock()
	l.d.Review.Skills = yes
	l.mu.Unlock()
	if err := l.d.Remember(yes); err != nil {
		l.d.Tell(ctx, engine.Noted{Kind: engine.NoteWarning, Text: fmt.Sprintf("Your answer holds until the program ends; it could not be kept: %v", err)})
	}
	return yes
}

// look runs the copy of the agent.
func (l *Lookback) look(ctx context.Context, o engine.Outcome, turn agent.Deps, due review.Due) {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	d := agent.Deps{Provider: turn.Provider, Route: o.Route, Tools: narrow{turn.Tools, due.Tools()}, Gates: l.d.Gates, Mask: turn.Mask, Redact: turn.Redact, Live: turn.Live,
		Sanitise: turn.Sanitise, Price: turn.Price, Window: turn.Window, Dropped: turn.Dropped, Now: turn.Now, MaxTokens: turn.MaxTokens, Budget: turn.Budget,
		MaxTurns: l.d.Review.MaxIterations, Session: engine.Session{ID: o.SessionID}, System: func(string) string { return o.System }}
	if own, route := l.d.Own(); own != nil {
		d.Provider, d.Route = own, route
	}
	var mu sync.Mutex // tools may run in goroutines
	var saved []string
	d.Emit = func(ctx context.Context, e engine.Event) {
		if used, ok := e.(engine.Used); ok {
			l.d.Bill(ctx, d.Route, used.Usage)
		}
		if call, ok := e.(engine.CallEnded); ok && call.Result.Status == engine.StatusDone {
			mu.Lock()
			defer mu.Unlock()
			if line := lineOf(call.Result); line != "" && !slices.Contains(saved, line) {
				saved = append(saved, line)
			}
		}
	}
	_, _ = agent.New(d).RunConversation(ctx, agent.Input{Text: due.Prompt(), History: o.Stored}) // what failed saved nothing: there is nothing to tell
	if len(saved) > 0 {
		l.d.Tell(context.WithoutCancel(ctx), engine.Noted{Kind: engine.NoteInfo, Text: "Kept for later conversations: " + strings.Join(saved, "; ") + "."})
	}
}

// lineOf is what a call kept, in a few words; "" for one that kept nothing.
func lineOf(r engine.Result) string {
	switch {
	case r.Name == "memory" && !strings.Contains(r.Note, "was there already"):
		return strings.TrimSuffix(r.Note, ".")
	case r.Name == "skill_manage":
		first, _, _ := strings.Cut(strings.TrimPrefix(r.Text, "Done: "), " (")
		return first
	}
	return ""
}

// narrow shows a model all tools of the turn, so that the request begins as the turn's did, and runs only a few.
type narrow struct {
	box   agent.Toolbox
	names []string
}

// Specs are those of the turn.
func (n narrow) Specs() []engine.Spec { return n.box.Specs() }

// Resolve refuses what is not for a look back.
func (n narrow) Resolve(c engine.Call) (engine.Tool, engine.Call, *engine.Result) {
	t, better, refused := n.box.Resolve(c)
	if refused == nil && !slices.Contains(n.names, t.Spec().Name) {
		r := engine.Badly(c, "only %s can be used in this look back", strings.Join(n.names, ", "))
		return nil, c, &r
	}
	return t, better, refused
}
