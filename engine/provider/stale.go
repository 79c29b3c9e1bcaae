package provider

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"
)

// StaleError says that no byte came for Idle.
type StaleError struct{ Idle time.Duration }

// Error says how long nothing came.
func (e *StaleError) Error() string {
	return fmt.Sprintf("no byte for %.0f s, so the connection is taken for dead", e.Idle.Seconds())
}

// Timeout makes it a timeout in the sense of package net.
func (e *StaleError) Timeout() bool { return true }

// NewStaleBody returns body with the no-byte clock of RULINGS 4: a Read that gets nothing for idle closes body and
// fails with a *StaleError. The clock runs only while somebody reads, so a slow reader is not blamed on the server.
func NewStaleBody(body io.ReadCloser, idle time.Duration) io.ReadCloser {
	return &staleBody{body: body, idle: idle}
}

type staleBody struct {
	body  io.ReadCloser
	idle  time.Duration
	clock *time.Timer
	dead  atomic.Bool
}

func (b *staleBody) Read(p []byte) (int, error) {
	if b.clock == nil {
		b.clock = time.AfterFunc(b.idle, func() {
			b.dead.Store(true)
			b.body.Close() // the only way to end a Read that hangs in the network
		})
	} else {
		b.clock.Reset(b.idle)
	}
	n, err := b.body.Read(p)
	b.clock.Stop()
	if n == 0 && b.dead.Load() {
		return 0, &StaleError{b.idle}
	}
	return n, err
}

func (b *staleBody) Close() error { return b.body.Close() }
