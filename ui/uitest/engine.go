package uitest

import (
	"sync"

	"talaria/engine"
)

// Engine is an engine that the test plays: it records what is asked, and tells what the test says.
type Engine struct {
	mu     sync.Mutex
	ops    []engine.Op
	events chan engine.Event
	closed sync.Once
	// OnOp is called for each op, if set, from the goroutine that gives it.
	OnOp func(engine.Op)
}

// NewEngine returns an engine that does nothing by itself.
func NewEngine() *Engine { return &Engine{events: make(chan engine.Event, 1<<16)} }

// Do records op.
func (e *Engine) Do(op engine.Op) {
	e.mu.Lock()
	e.ops = append(e.ops, op)
	f := e.OnOp
	e.mu.Unlock()
	if f != nil {
		f(op)
	}
}

// Events is what the screen reads.
func (e *Engine) Events() <-chan engine.Event { return e.events }

// Tell makes the engine tell events, in order, as fast as they fit.
func (e *Engine) Tell(events ...engine.Event) {
	for _, one := range events {
		e.events <- one
	}
}

// Close ends the engine, as when everything is stored.
func (e *Engine) Close() { e.closed.Do(func() { close(e.events) }) }

// Ops returns what was asked since the last call.
func (e *Engine) Ops() []engine.Op {
	e.mu.Lock()
	defer e.mu.Unlock()
	ops := e.ops
	e.ops = nil
	return ops
}
