package agent

import (
	"context"
	"errors"
	"sync"
)

// errStopped is the cause of a context that the user stopped, as against one that the program ended.
var errStopped = errors.New("stopped by the user")

// stopper holds the stop of the running turn. The zero value has no turn.
type stopper struct {
	mu       sync.Mutex
	cancel   context.CancelCauseFunc
	running  int // tools that run now
	graceful bool
}

// arm makes a turn's context; the returned function ends it.
func (s *stopper) arm(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancel, s.graceful, s.running = cancel, false, 0
	return ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.cancel = nil
		cancel(nil)
	}
}

func (s *stopper) stop(graceful bool) (waiting bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel == nil {
		return false
	}
	s.graceful = true
	if graceful && s.running > 0 {
		return true
	}
	s.cancel(errStopped)
	return false
}

// start says that a tool is about to run; false when a stop came first.
func (s *stopper) start() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.graceful {
		return false
	}
	s.running++
	return true
}

func (s *stopper) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running--
}

// stopping reports that a graceful stop waits for the batch to end.
func (s *stopper) stopping() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.graceful
}
