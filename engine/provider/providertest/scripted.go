package providertest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"

	"talaria/engine"
)

// Step is what a scripted model does with one request. Func, when set, makes the deltas from the request. The deltas
// are yielded in order; then Err ends the reply, or Hang waits for the context, or, if the last delta is no Done, a
// Done is added: tool_calls when the reply holds a call, stop otherwise.
type Step struct {
	Deltas []engine.Delta
	Func   func(engine.Request) []engine.Delta
	Err    error
	Hang   bool
}

// Say is a reply of these deltas.
func Say(deltas ...engine.Delta) Step { return Step{Deltas: deltas} }

// Text is a reply of visible text.
func Text(s string) Step { return Say(engine.TextDelta{Text: s}) }

// Calls is a reply of tool calls, each whole in one delta; their slots are their places.
func Calls(calls ...engine.Call) Step {
	var s Step
	for i, c := range calls {
		s.Deltas = append(s.Deltas, engine.CallDelta{Index: i, ID: c.ID, Name: c.Name, Args: c.Args, Extra: c.Extra})
	}
	return s
}

// Fail is a reply that ends with err after these deltas.
func Fail(err error, deltas ...engine.Delta) Step { return Step{Deltas: deltas, Err: err} }

// React is a reply made from the request.
func React(f func(engine.Request) []engine.Delta) Step { return Step{Func: f} }

// Hang is a reply that never ends after these deltas: it waits until the context is done and yields its error.
func Hang(deltas ...engine.Delta) Step { return Step{Deltas: deltas, Hang: true} }

// ErrScriptEnded is yielded for a request that the script has no step for.
var ErrScriptEnded = errors.New("providertest: the script has no step for this request")

// Script is a provider that plays its steps, one a request, and keeps the requests. It is safe for concurrent use.
type Script struct {
	mu       sync.Mutex
	steps    []Step
	requests []engine.Request
	open     int
}

var _ engine.Provider = (*Script)(nil)

// Scripted returns a provider that answers the first request with the first step, and so on.
func Scripted(steps ...Step) *Script { return &Script{steps: steps} }

// Add appends steps.
func (s *Script) Add(steps ...Step) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.steps = append(s.steps, steps...)
}

// Requests returns the requests so far, in order. Their message lists are copies.
func (s *Script) Requests() []engine.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Last returns the newest request; ok is false before the first.
func (s *Script) Last() (req engine.Request, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.requests) == 0 {
		return engine.Request{}, false
	}
	return s.requests[len(s.requests)-1], true
}

// Left is how many steps were not played yet.
func (s *Script) Left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return max(0, len(s.steps)-len(s.requests))
}

// Open is how many replies are being streamed now: 0 once every consumer is done or has left.
func (s *Script) Open() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open
}

// Stream plays the next step.
func (s *Script) Stream(ctx context.Context, req engine.Request) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		step, err := s.begin(req)
		defer s.end()
		if err != nil {
			yield(nil, err)
			return
		}
		step.play(ctx, req, yield)
	}
}

func (s *Script) begin(req engine.Request) (Step, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	req.Messages, req.Tools = slices.Clone(req.Messages), slices.Clone(req.Tools)
	n := len(s.requests)
	s.requests = append(s.requests, req)
	s.open++
	if n >= len(s.steps) {
		return Step{}, fmt.Errorf("%w (request %d, %d steps)", ErrScriptEnded, n+1, len(s.steps))
	}
	return s.steps[n], nil
}

func (s *Script) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open--
}

func (p Step) play(ctx context.Context, req engine.Request, yield func(engine.Delta, error) bool) {
	deltas := p.Deltas
	if p.Func != nil {
		deltas = append(slices.Clone(deltas), p.Func(req)...)
	}
	stop, ended := engine.StopEnd, false
	for _, d := range deltas {
		if err := ctx.Err(); err != nil {
			yield(nil, err)
			return
		}
		if _, ok := d.(engine.CallDelta); ok {
			stop = engine.StopCalls
		}
		_, ended = d.(engine.Done)
		if !yield(d, nil) || ended {
			return
		}
	}
	switch {
	case p.Err != nil:
		yield(nil, p.Err)
	case p.Hang:
		<-ctx.Done()
		yield(nil, ctx.Err())
	default:
		yield(engine.Done{Stop: stop}, nil)
	}
}
