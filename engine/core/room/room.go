// Package room makes room in a model's window: it has a long history compressed and goes on in a child session that holds
// the summary and what was kept. The parent stays on disk whole.
//
// It decides when compressing is worth another try, and refuses to lose anything: until the child is on disk, and
// whenever anything fails, the history is what it was.
package room

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"talaria/engine"
	"talaria/engine/agent"
	"talaria/engine/compress"
)

// Deps is what the engine gives. Ask makes the summary; Save, if set, keeps facts of what is about to be summarised in
// the memory. Begin stores a child session and makes it the one that is written. Prompt builds the system prompt anew.
type Deps struct {
	Settings compress.Settings
	Enabled  bool
	Ask      engine.Aux
	Save     func(ctx context.Context, transcript string)
	Clean    func(string) string
	Size     func(engine.Message) int
	Session  func() engine.Session
	Begin    func(ctx context.Context, child engine.Session, first []engine.Event, told engine.Compacted) error
	Prompt   func(ctx context.Context) string
	Tasks    func() []engine.Task
	Tell     func(ctx context.Context, e engine.Event)
	Now      func() time.Time
}

// How long nothing is tried after a failure (BEHAVIOUR 10.8), and how long one summary may take.
const (
	restNoModel   = 600 * time.Second
	restFailed    = 60 * time.Second
	restTransient = 30 * time.Second
	summaryTime   = 120 * time.Second
	leastGain     = 0.10 // a pass that saves less was for nothing
	poorPasses    = 2    // so many of them in a row end the automatic ones
)

// Room is the state of one engine's compressions. It is safe for concurrent use; one compression runs at a time.
type Room struct {
	d Deps

	mu     sync.Mutex
	rest   time.Time // no automatic compression before
	poor   int       // passes in a row that gained too little
	cancel context.CancelFunc
	count  int
}

// New returns a Room over d.
func New(d Deps) *Room { return &Room{d: d} }

// Limit is the size in tokens from which a history with that window is compressed; 0 when that is switched off or the
// window is not known.
func (r *Room) Limit(window int) int {
	if !r.d.Enabled {
		return 0
	}
	return compress.Limit(window, r.d.Settings.Threshold)
}

// Cancel stops the compression that runs; the history stays as it is and the turn goes on. False when none runs.
func (r *Room) Cancel() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cancel == nil {
		return false
	}
	r.cancel()
	return true
}

// errResting means that it is not tried now; nothing is told.
var errResting = errors.New("compressing rests")

// Make compresses c's history. It is the Compact of an agent. Failures are told here; the error is for the loop.
func (r *Room) Make(ctx context.Context, c agent.Crowd) (agent.Shrunk, error) {
	return r.run(ctx, c, engine.Compact{}, false)
}

// Asked compresses because the user said so: always with a summary, whatever was tried before.
func (r *Room) Asked(ctx context.Context, c agent.Crowd, how engine.Compact) (agent.Shrunk, error) {
	return r.run(ctx, c, how, true)
}

func (r *Room) run(ctx context.Context, c agent.Crowd, how engine.Compact, asked bool) (agent.Shrunk, error) {
	if !r.d.Enabled && !asked {
		return agent.Shrunk{}, errResting
	}
	ctx, err := r.begin(ctx, asked || c.Err != nil)
	if err != nil {
		return agent.Shrunk{}, err
	}
	defer r.end()
	row := r.d.Session()
	pinned := map[string]bool{}
	for _, id := range row.Pinned {
		pinned[id] = true
	}
	job := compress.Job{Messages: c.Messages, Size: r.d.Size, Scale: c.Scale, Fixed: c.Fixed, Window: c.Window, Focus: how.Focus, From: how.From, Summarise: asked,
		Pinned: func(id string) bool { return pinned[id] }, Tasks: tasks(r.d.Tasks())}
	worker := compress.Compressor{Settings: r.d.Settings, Clean: r.d.Clean, Now: r.d.Now,
		Tell: func(p compress.Progress) {
			r.d.Tell(ctx, engine.Compacted{Running: true, Before: c.Tokens, Kept: p.Kept, Old: p.Old, Part: p.Done, Parts: p.Of})
		},
		Ask: func(ctx context.Context, system, prompt string, most int) (string, error) {
			if r.d.Save != nil { // the memory first, then the summary (RULINGS 7), piece by piece as it is read
				r.d.Save(ctx, prompt)
			}
			return r.ask(ctx, system, prompt, most)
		}}
	done, err := worker.Run(ctx, job)
	if err != nil {
		return agent.Shrunk{}, r.failed(ctx, c, err, asked)
	}
	kept, err := r.keep(ctx, c, row, done)
	if share := 1 - float64(done.After)/float64(max(done.Before, 1)); err == nil && (!asked || share >= leastGain) {
		r.gained(share) // what the user chose to summarise may be small, and says nothing of the next
	}
	return kept, err
}

// ask makes one request for a summary.
func (r *Room) ask(ctx context.Context, system, prompt string, most int) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, summaryTime)
	defer cancel()
	m, err := r.d.Ask(ctx, engine.Request{System: system, MaxTokens: most, Messages: []engine.Message{{Role: engine.RoleUser, Parts: engine.Parts{engine.Text{Text: prompt}}}}})
	return m.Text(), err
}

// begin takes the place of the one compression that may run.
func (r *Room) begin(ctx context.Context, must bool) (context.Context, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cancel != nil || !must && (r.poor >= poorPasses || r.d.Now().Before(r.rest)) {
		return nil, errResting
	}
	ctx, r.cancel = context.WithCancel(ctx)
	return ctx, nil
}

func (r *Room) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cancel()
	r.cancel = nil
}

// failed says what went wrong and when it is tried again. The history is untouched.
func (r *Room) failed(ctx context.Context, c agent.Crowd, err error, asked bool) error {
	told := context.WithoutCancel(ctx)
	r.d.Tell(told, engine.Compacted{Before: c.Tokens, After: c.Tokens})
	if ctx.Err() != nil {
		r.pause(restFailed)
		r.note(told, engine.NoteInfo, "Compacting was cancelled; the conversation goes on as it is.")
		return err
	}
	switch nothing := errors.Is(err, compress.ErrNothing) || errors.Is(err, compress.ErrNoGain) || errors.Is(err, compress.ErrGone); {
	case nothing && asked:
		r.note(told, engine.NoteInfo, "Nothing was compacted: %v.", err)
	case nothing:
		r.gained(0)
		r.note(told, engine.NoteWarning, "The context is nearly full and compacting gains nothing: %v. Start a new session with /new, or drop something in /context.", err)
	default:
		rest := restOf(err)
		r.pause(rest)
		r.note(told, engine.NoteWarning, "Compacting failed, nothing was changed: %v. It is tried again in %s at the earliest; /compact tries now.", err, rest)
	}
	return err
}

func restOf(err error) time.Duration {
	var e *engine.Error
	if !errors.As(err, &e) {
		return restFailed
	}
	switch e.Reason {
	case engine.ReasonAuth, engine.ReasonAuthPermanent, engine.ReasonModelNotFound, engine.ReasonBilling:
		return restNoModel
	case engine.ReasonTimeout, engine.ReasonOverloaded, engine.ReasonServerError, engine.ReasonRateLimit:
		return restTransient
	}
	return restFailed
}

func (r *Room) pause(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rest = r.d.Now().Add(d)
}

// gained counts passes in a row that saved too little.
func (r *Room) gained(share float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if share < leastGain {
		r.poor++
	} else {
		r.poor = 0
	}
}

// keep stores the smaller history as a child of the session. From then on the conversation is the child's.
func (r *Room) keep(ctx context.Context, c agent.Crowd, row engine.Session, done compress.Done) (agent.Shrunk, error) {
	ctx = context.WithoutCancel(ctx)
	system := r.d.Prompt(ctx)
	child := row
	child.ID, child.ParentID, child.ParentWhy = engine.NewSessionID(r.d.Now()), row.ID, engine.WhyCompression
	child.Folded, child.Context, child.System = 0, done.After, system
	child.Messages = len(done.Messages)
	first := []engine.Event{engine.Opened{Session: child}}
	for _, m := range done.Messages {
		first = append(first, engine.Appended{Message: m})
	}
	told := engine.Compacted{Child: child.ID, Summary: done.Summary, Before: max(c.Tokens, done.Before), After: done.After}
	if err := r.d.Begin(ctx, child, first, told); err != nil {
		r.pause(restFailed)
		r.d.Tell(ctx, engine.Compacted{Before: c.Tokens, After: c.Tokens})
		r.note(ctx, engine.NoteWarning, "Compacting failed, nothing was changed: the shorter session could not be saved: %v.", err)
		return agent.Shrunk{}, fmt.Errorf("save the compacted session: %w", err)
	}
	r.count++
	if r.count == 2 {
		r.note(ctx, engine.NoteInfo, "This conversation was compacted twice now. For a new task, a new session (/new) is quicker and sharper.")
	}
	return agent.Shrunk{Messages: done.Messages, System: system, Session: child}, nil
}

func (r *Room) note(ctx context.Context, kind engine.NoteKind, format string, args ...any) {
	r.d.Tell(ctx, engine.Noted{Kind: kind, Text: fmt.Sprintf(format, args...)})
}

// tasks writes the open task list for the summary.
func tasks(list []engine.Task) string {
	var b strings.Builder
	for _, t := range list {
		if t.Status == "pending" || t.Status == "in_progress" {
			fmt.Fprintf(&b, "- [%s] %s\n", t.Status, t.Content)
		}
	}
	return strings.TrimRight(b.String(), "\n")
}
