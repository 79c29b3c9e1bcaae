// Package agent is one conversation's loop: ask the model, run the tools it calls, ask again, until it is done. It is
// used for the conversation on screen, and by whatever else needs a loop of its own.
//
// It knows only the vocabulary. Prompt, gates, prices, history and the journal arrive as functions, so that a test can
// be the whole world. It refuses to retry (the provider does that inside Stream), to draw, and to touch a file.
package agent

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"talaria/engine"
)

// Toolbox is the set of tools of a conversation. Resolve finds the tool of a call and repairs the call where that is
// safe; a non-nil Result means that the call cannot be run and says why.
type Toolbox interface {
	Specs() []engine.Spec
	Resolve(c engine.Call) (engine.Tool, engine.Call, *engine.Result)
}

// Deps is what a conversation needs. Emit is required: it makes an event durable, then tells it. Nil functions have a
// plain default; MaxTurns 0 means no cap, Workers 0 means 8.
type Deps struct {
	Provider  engine.Provider
	Tools     Toolbox
	Gates     []engine.Gate
	Emit      func(ctx context.Context, e engine.Event)
	Keep      func(ctx context.Context, partial engine.Message) // journals a partial reply, at most every 2 s
	History   func(ctx context.Context) ([]engine.Message, error)
	System    func(message string) string                            // the session's prompt; message replaces its context tier
	Context   func(ctx context.Context, text string) (string, error) // what this turn's requests say after the user's message; never stored
	Steers    func() []engine.Message                                // takes what the user said meanwhile
	Pending   func() string                                          // what the user said and no request took
	Line      func(engine.Call) string                               // names an action on screen
	Sanitise  func(string) string                                    // cleans what the user typed
	Mask      func(string) string                                    // takes the keys that the program holds out of what tools return
	Redact    func(engine.Call, engine.Result) engine.Result         // takes secrets out of what a tool returned, before it is stored
	Live      func() Masker                                          // both, for what one running tool prints; made for each call
	Price     func(engine.Route, engine.Usage) *float64              // dollars; nil when the price is not known
	Window    func(engine.Route) int                                 // the model's context in tokens, 0 when unknown
	Limit     func(engine.Route) int                                 // tokens from which the history is compressed, 0 for never
	Compact   func(context.Context, Crowd) (Shrunk, error)           // makes a long history short and stores it; nil: nothing does
	Dropped   func(id string) bool                                   // whether the user left the message out of what is sent
	Now       func() time.Time
	Wait      func(ctx context.Context, d time.Duration) error
	Offer     func(ctx context.Context, e *engine.Error, d time.Duration) bool // asks whether a long wait is to be made
	Route     engine.Route
	Session   engine.Session
	MaxTokens int
	MaxTurns  int
	Budget    func() float64 // dollars a turn may cost, asked after each round; 0 for no cap, nil likewise
	Workers   int

	Ask         engine.Ask          // asks the user about a loop; nil: nobody can be asked
	Real        func(string) string // where a path leads once links are followed
	Shorten     Shortener           // for results beyond the next two; nil: none is shortened
	ResultChars int                 // most characters of one result, 0 for no limit
	TurnChars   int                 // most characters of the results of one round of calls, 0 for no limit
}

// Input is one turn's request (RULINGS 10).
type Input struct {
	Text          string           // what the model reads
	Attachments   []engine.Image   // pictures that go with it
	SystemMessage string           // replaces the prompt's context tier
	History       []engine.Message // nil: the session's own, from the store
	TaskID        string           // isolates working directory and processes; made when empty
	PersistText   string           // stored in place of Text, when the caller augmented it
	ID            string           // the message's id, for a message that waited in the queue; made when empty
	Continue      bool             // repeat the request from the history, without a new user message
}

// Result is what a turn came to.
type Result = engine.Outcome

// Agent runs the turns of one conversation, one at a time. Stop may be called from any goroutine.
type Agent struct {
	d       Deps
	stop    stopper
	turn    sync.Mutex
	sent    ledger
	memo    memo
	current atomic.Pointer[conversation]
}

// New returns an agent over d.
func New(d Deps) *Agent {
	d = withDefaults(d)
	return &Agent{d: d}
}

func withDefaults(d Deps) Deps {
	if d.Now == nil {
		d.Now = time.Now
	}
	if d.Keep == nil {
		d.Keep = func(context.Context, engine.Message) {}
	}
	if d.Real == nil {
		d.Real = func(path string) string { return path }
	}
	if d.Steers == nil {
		d.Steers = func() []engine.Message { return nil }
	}
	if d.Pending == nil {
		d.Pending = func() string { return "" }
	}
	if d.Line == nil {
		d.Line = func(c engine.Call) string { return c.Name }
	}
	if d.Sanitise == nil {
		d.Sanitise = func(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
	}
	if d.Context == nil {
		d.Context = func(context.Context, string) (string, error) { return "", nil }
	}
	if d.Redact == nil {
		d.Redact = func(_ engine.Call, r engine.Result) engine.Result { return r }
	}
	if d.Mask == nil {
		d.Mask = func(s string) string { return s }
	}
	if d.Live == nil {
		d.Live = func() Masker { return piecewise(d.Mask) }
	}
	if d.Price == nil {
		d.Price = func(engine.Route, engine.Usage) *float64 { return nil }
	}
	if d.Window == nil {
		d.Window = func(engine.Route) int { return 0 }
	}
	if d.Limit == nil {
		d.Limit = func(engine.Route) int { return 0 }
	}
	if d.System == nil {
		d.System = func(message string) string { return message }
	}
	if d.Workers <= 0 {
		d.Workers = 8 // agent.tool_workers
	}
	return d
}

// Chat runs one turn and returns its final response.
func (a *Agent) Chat(ctx context.Context, text string) (string, error) {
	r, err := a.RunConversation(ctx, Input{Text: text})
	return r.Final, err
}

// RunConversation runs one turn to its end. Every path ends with an Ended event and every message durable. The error is
// the *engine.Error of the result; a turn that was interrupted or reached a limit has none.
func (a *Agent) RunConversation(ctx context.Context, in Input) (Result, error) {
	a.turn.Lock()
	defer a.turn.Unlock()
	ctx, done := a.stop.arm(ctx)
	defer done()
	c, err := a.begin(ctx, in)
	a.current.Store(c)
	defer a.current.Store(nil)
	if err != nil {
		own := *engine.AsError(err)
		own.Code = engine.CodeInternal
		return a.close(ctx, c, c.failed(&own))
	}
	return a.close(ctx, c, a.protect(ctx, c))
}

// Stop ends the running turn: at once, or when graceful after the tools that run now (RULINGS 6). Without a running
// tool a graceful stop is immediate too. It reports whether it waits for tools.
func (a *Agent) Stop(graceful bool) (waiting bool) { return a.stop.stop(graceful) }

// begin loads the history and stores the user's message, before any request is made.
func (a *Agent) begin(ctx context.Context, in Input) (*conversation, error) {
	c := &conversation{d: a.d, memo: &a.memo, in: in, began: a.d.Now(), route: a.d.Route}
	c.budget = budget{max: a.d.MaxTurns}
	if c.in.TaskID == "" {
		c.in.TaskID = engine.NewID("task_")
	}
	c.messages = in.History
	if in.History == nil && a.d.History != nil {
		past, err := a.d.History(ctx)
		if err != nil {
			return c, fmt.Errorf("load the history: %w", err)
		}
		c.messages = past
	}
	c.messages = append([]engine.Message(nil), c.messages...)
	past := c.messages
	c.emit(ctx, engine.Began{Turn: c.turnNumber(), Route: a.d.Route})
	if !in.Continue {
		c.add(ctx, c.userMessage(in))
	}
	c.add(ctx, a.d.Steers()...)
	c.system = a.d.System(in.SystemMessage)
	if before := a.d.Session.Context; before > 0 && len(past) > 0 {
		c.meter.counted(engine.Usage{Input: before}, c.tokens(past, a.d.Tools.Specs()), len(past))
	}
	return c, nil
}

// close writes the end of the turn.
func (a *Agent) close(ctx context.Context, c *conversation, o engine.Outcome) (Result, error) {
	a.collect(c)
	o.SessionID, o.ParentID, o.TaskID = c.d.Session.ID, c.d.Session.ParentID, c.in.TaskID
	o.System, o.Messages, o.Stored, o.Route = c.system, a.memo.repair(c.messages), c.messages, c.route
	o.APICalls, o.Iterations, o.Usage, o.Cost = c.budget.api, c.budget.rounds, c.usage, c.cost()
	o.FilesChanged, o.Recoveries, o.PendingSteer = c.changed, c.recoveries, a.d.Pending()
	o.DurationMS = a.d.Now().Sub(c.began).Milliseconds()
	c.emit(ctx, engine.Ended{Why: o.Exit, Outcome: o})
	if o.Err != nil {
		return o, o.Err
	}
	return o, nil
}
