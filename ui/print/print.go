// Package print is print mode: one turn without a screen, or a script's ops in and the engine's events out. It turns the
// event stream into text, one JSON object or a line of JSON for each event, and the end of the turn into an exit code.
//
// It keeps stdout clean: the answer or the JSON goes there, everything else to stderr. It writes an answer once, when it
// is final, so a retry cannot print it twice. It refuses to ask: a question that no script answers is denied.
package print

import (
	"context"
	"fmt"
	"io"
	"time"

	"talaria/engine"
)

// Engine is what print mode needs of the engine: ops in, events out. Events closes when the engine has ended.
type Engine interface {
	Do(op engine.Op)
	Events() <-chan engine.Event
}

// The formats of Deps.Output and Deps.Input; "" is Text.
const (
	Text       = "text"
	JSON       = "json"
	StreamJSON = "stream-json"
)

// Exit codes of print mode's own; the others come from the outcome and from signals.
const (
	exitFailed = 1 // the engine stopped, or the output could not be written
	exitUsage  = 2
	exitSignal = 130
)

// Deps is what a run needs. In is nil when stdin is a terminal. TTY says that Out is one: text is then stripped of
// control sequences. ExitSignal, which may be nil, returns the exit code of the signal that came (130 or 143), 0 when none
// did; a ctx that ended without one stands for 130. Now may be nil.
type Deps struct {
	Engine     Engine
	In         io.Reader
	Out, Err   io.Writer
	Prompt     string
	Output     string
	Input      string
	TTY        bool
	ExitSignal func() int
	Now        func() time.Time
}

// Run does the turn and returns the exit code (CONTRACT 2). When ctx ends it interrupts the turn, waits until the
// engine has stored it, and still writes the JSON.
func Run(ctx context.Context, d Deps) int {
	if d.Now == nil {
		d.Now = time.Now
	}
	out, err := newOutput(d)
	if err != nil {
		return usage(d, err)
	}
	r := &run{d: d, out: out, err: &notes{w: d.Err, quiet: d.Output == StreamJSON}}
	reading, enough := context.WithCancel(ctx) // ends the reader of ops with the run
	defer enough()
	ops, err := r.first(reading)
	if err != nil {
		if ctx.Err() != nil {
			return r.finish(ctx)
		}
		return usage(d, err)
	}
	r.loop(ctx, ops)
	return r.finish(ctx)
}

func usage(d Deps, err error) int {
	fmt.Fprintf(d.Err, "talaria: %s\n", clean(err.Error()))
	return exitUsage
}

// first sends the prompt, or starts to read the script of ops, which then come out of the returned channel.
func (r *run) first(ctx context.Context) (<-chan line, error) {
	switch r.d.Input {
	case "", Text:
		text, err := r.prompt(ctx)
		if err != nil {
			return nil, err
		}
		r.do(engine.Submit{Text: text})
		return nil, nil
	case StreamJSON:
		if r.d.In == nil {
			return nil, fmt.Errorf("--input %s wants ops on standard input, which is a terminal", StreamJSON)
		}
		if r.d.Prompt != "" {
			r.do(engine.Submit{Text: r.d.Prompt})
		}
		return readOps(ctx, r.d.In), nil
	}
	return nil, fmt.Errorf("--input %q is not known: it is %s or %s", r.d.Input, Text, StreamJSON)
}
