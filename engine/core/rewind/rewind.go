// Package rewind goes back in a session: it keeps files before a tool changes them, takes turns back and brings them
// again, tells what a turn changed, and copies a session as it was before a turn.
//
// It refuses to run beside a turn (its caller sees to that), and to touch a file that the user changed since without
// asking.
package rewind

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"talaria/engine"
	"talaria/engine/checkpoint"
	"talaria/engine/config"
	"talaria/engine/core/journal"
	"talaria/engine/core/past"
	"talaria/engine/tools"
)

// Deps is what going back works on.
type Deps struct {
	Store    engine.Store
	Journal  *journal.Journal
	Space    *tools.Workspace
	Watch    string             // the session's directory, in which commands are watched
	Dir      string             // where copies of files are kept; "" keeps none
	Copies   config.Checkpoints // how many, and for how long
	Ask      engine.Ask         // asks the user; nil: nobody is there
	Do       func(engine.Op)    // sends the op that an answer comes to
	Tell     func(engine.Event) // tells what is not recorded
	Retell   func(context.Context)
	Restored func(past.State) // takes over what the conversation is after a step
	Now      func() time.Time
}

// Rewinder goes back in the open session. Open, GoOn, Undo and Drop belong to the goroutine that handles ops; the rest may
// be called from any.
type Rewinder struct {
	d       Deps
	kept    *checkpoint.Store              // nil: files are not kept
	changes atomic.Pointer[checkpoint.Log] // of the open session; nil when files are not kept
	asking  context.CancelFunc             // ends the question whether an undo may overwrite the user's changes; nil when none is open
}

// New returns what goes back, and begins to keep files.
func New(ctx context.Context, d Deps) *Rewinder {
	r := &Rewinder{d: d}
	r.keepFiles(ctx)
	return r
}

func (r *Rewinder) note(ctx context.Context, kind engine.NoteKind, format string, args ...any) {
	r.d.Journal.Emit(ctx, engine.Noted{Kind: kind, Text: fmt.Sprintf(format, args...)})
}
