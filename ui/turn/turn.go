// Package turn is what the screen knows of the turn that runs, or of the one that ended last: its state, its clock, its
// tools. It is told events. It refuses to draw, and to ask anything of the engine.
package turn

import (
	"slices"
	"time"

	"talaria/engine"
)

// State is what the engine is doing, as the status bar says it (UX 4.4). There is one at any time.
type State uint8

// The states. Sending is until the first piece of a reply, and between steps.
const (
	Ready State = iota
	Sending
	Thinking
	Writing
	Tools
	NeedsYou
	Stopping
	Retrying
	Stopped
	Failed
)

// Turn is what is known of the running turn, or of the one that ended last. The zero value is ready.
type Turn struct {
	State   State
	Active  bool      // it runs
	Hard    bool      // the stop under way waits for nothing
	Asked   time.Time // since when it waits for the user
	Tools   []Tool    // at work, longest first
	Retry   Retry
	Usage   engine.Usage
	Partial string // the id of an answer that was cut and kept
	Limit   string // what it stopped at: "Budget", "Limit of rounds"; "" for none

	before    State // what goes on when all questions are answered
	questions []string
	began     time.Time
	waited    time.Duration // spent on questions: the clock stops meanwhile
	took      time.Duration
	rate      rate
}

// Tool is a tool at work. Line names the action ("$ npm test").
type Tool struct {
	ID, Line string
	Began    time.Time
}

// Retry is a wait before a request is repeated: why, until when, and which attempt follows.
type Retry struct {
	Reason  string
	Offline bool // it is the network that is waited for
	Until   time.Time
	Try, Of int
}

// On brings the turn up to an event that came at now.
func (t *Turn) On(e engine.Event, now time.Time) {
	switch e := e.(type) {
	case engine.Began:
		*t = Turn{State: Sending, began: now, Active: true}
	case engine.Stepped:
		t.set(Sending)
	case engine.Streamed:
		t.stream(e.Delta, now)
	case engine.CallBegan:
		t.Tools = append(t.Tools, Tool{e.Call.ID, e.Line, now})
		t.set(Tools)
	case engine.CallEnded:
		t.end(e.Result.CallID)
	case engine.Asked:
		t.ask(e.Question.ID, now)
	case engine.Withdrawn:
		t.answered(e.ID, now)
	case engine.Used:
		t.Usage = t.Usage.Add(e.Usage)
	case engine.Noted:
		if e.Kind == engine.NoteStopping {
			t.set(Stopping)
		}
	case engine.Appended:
		t.kept(e.Message)
	case engine.Ended:
		t.over(e, now)
	case engine.Opened:
		*t = Turn{}
		if e.Resumed && unanswered(e.Past) {
			t.State = Stopped // the program ended during it: Enter continues
		}
	case engine.CallWrote, engine.Steered, engine.Queued, engine.Compacted, engine.Rewound, engine.Planned, engine.Child, engine.Unknown:
	}
}

// Submitted shows at once that a message went out; the engine's Began follows.
func (t *Turn) Submitted(now time.Time) { *t = Turn{State: Sending, began: now} }

// Stop shows at once that a stop was asked for (law 6). Hard is one that does not wait for running tools.
func (t *Turn) Stop(hard bool, now time.Time) {
	if t.State == NeedsYou {
		t.waited += now.Sub(t.Asked)
	}
	if t.Active {
		t.State, t.Hard = Stopping, t.Hard || hard
	}
}

// Elapsed is the time of the turn, without what was spent waiting for the user.
func (t *Turn) Elapsed(now time.Time) time.Duration {
	if !t.Active {
		return t.took
	}
	d := now.Sub(t.began) - t.waited
	if t.State == NeedsYou {
		d -= now.Sub(t.Asked)
	}
	return max(0, d)
}

// Slowest is the tool that has run longest; ok is false when none runs.
func (t *Turn) Slowest() (_ Tool, ok bool) {
	if len(t.Tools) == 0 {
		return Tool{}, false
	}
	return t.Tools[0], true
}

// Waiting reports whether the turn waits before a request is repeated.
func (t *Turn) Waiting(now time.Time) bool { return t.State == Retrying && now.Before(t.Retry.Until) }

// Rate is how fast the reply arrives, in tokens a second; 0 when that is not known yet.
func (t *Turn) Rate() float64 { return t.rate.value }

// set changes the state, but never away from a stop that is under way, nor from a question.
func (t *Turn) set(s State) {
	switch {
	case t.State == NeedsYou:
		t.before = s
	case t.Active && t.State != Stopping:
		t.State = s
	}
}

func (t *Turn) ask(id string, now time.Time) {
	if !t.Active || slices.Contains(t.questions, id) {
		return
	}
	t.questions = append(t.questions, id)
	if t.State != NeedsYou && t.State != Stopping {
		t.before, t.Asked = t.State, now
		t.State = NeedsYou
	}
}

func (t *Turn) answered(id string, now time.Time) {
	t.questions = slices.DeleteFunc(t.questions, func(q string) bool { return q == id })
	if t.State == NeedsYou && len(t.questions) == 0 {
		t.waited += now.Sub(t.Asked)
		t.State = t.before
	}
}

// kept notes a partial answer. One that goes on is told again whole, under the same id.
func (t *Turn) kept(msg engine.Message) {
	switch {
	case msg.Aside && msg.Text() != "":
		t.Partial = msg.ID
	case !msg.Aside && msg.ID == t.Partial:
		t.Partial = ""
	}
}

func (t *Turn) stream(d engine.Delta, now time.Time) {
	switch d := d.(type) {
	case engine.TextDelta:
		t.rate.add(d.Text, now)
		t.set(Writing)
	case engine.ThoughtDelta:
		t.rate.add(d.Text, now)
		t.set(Thinking)
	case engine.CallDelta:
		t.rate.add(d.Args, now)
		t.set(Writing)
	case engine.Retry:
		reason := "error"
		if d.Err != nil {
			reason = string(d.Err.Reason)
		}
		t.Retry = Retry{Reason: reason, Offline: d.Err != nil && d.Err.Code == engine.CodeOffline, Until: now.Add(d.After), Try: d.Try, Of: d.Of}
		t.set(Retrying)
	case engine.OpaqueDelta, engine.Done:
	}
}

func (t *Turn) end(id string) {
	t.Tools = slices.DeleteFunc(t.Tools, func(r Tool) bool { return r.ID == id })
	if len(t.Tools) == 0 {
		t.set(Sending)
	}
}

func (t *Turn) over(e engine.Ended, now time.Time) {
	t.took = t.Elapsed(now)
	t.Active, t.Tools, t.questions = false, nil, nil
	t.Limit = map[engine.Exit]string{engine.ExitBudget: "Budget", engine.ExitIterations: "Limit of rounds"}[e.Why]
	switch {
	case e.Outcome.Interrupted, t.Limit != "":
		t.State = Stopped
	case e.Why == engine.ExitFinished:
		t.State = Ready
	default:
		t.State = Failed
	}
}

// unanswered reports whether past ends with something that the model has not answered. What the user ran between two turns
// waits for no answer. Past may begin inside a turn, as the child of a compression does.
func unanswered(past []engine.Record) bool {
	open, running := false, true
	for _, r := range past {
		if o, ok := r.Event.(engine.Opened); ok {
			running = o.Session.ParentWhy == engine.WhyCompression
		}
		if _, ok := r.Event.(engine.Began); ok {
			running = true
		}
		if _, ok := r.Event.(engine.Ended); ok {
			running = false
		}
		if a, ok := r.Event.(engine.Appended); ok && !a.Message.Aside && (running || a.Message.Role != engine.RoleUser) {
			open = a.Message.Role != engine.RoleAssistant || len(a.Message.Calls()) > 0
		}
	}
	return open
}
