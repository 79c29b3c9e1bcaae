//go:build unix

package database

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"talaria/engine"
)

// How long a caller waits: what asks twice, as Find does, still answers within the two seconds of N01. Once the gate is
// known to be stuck (its holder was stopped), callers wait only stuckLimit each, so that a session in its degraded state
// does not lose that time at every step.
const (
	gateLimit  = 1500 * time.Millisecond
	stuckLimit = 100 * time.Millisecond
	lockStep   = 5 * time.Millisecond
)

// errBusy means that another process holds a flock.
var errBusy = errors.New("locked by another process")

// flock takes the lock of an open file: syscall.LOCK_EX or LOCK_SH, with LOCK_NB to not wait (then errBusy).
func flock(fd uintptr, how int) error {
	for {
		err := syscall.Flock(int(fd), how)
		switch err {
		case syscall.EINTR:
			continue
		case syscall.EWOULDBLOCK:
			return errBusy
		}
		return err
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// gate is the flock on sessions.lock that stands before every use of the database: exclusive to write, shared to read.
// It blocks in the kernel, where bbolt's own lock polls.
type gate struct {
	dir   string
	limit time.Duration
	stuck atomic.Bool
}

// Longest is the longest that two uses in a row wait for a database that somebody keeps.
func (d *DB) Longest() time.Duration { return d.gate.limit + stuckLimit }

// enter waits for the gate and returns the function that leaves it.
func (g *gate) enter(ctx context.Context, write bool) (leave func(), err error) {
	path := filepath.Join(g.dir, "sessions.lock")
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		if write {
			return nil, fmt.Errorf("open the lock of the session database: %w", err)
		}
		if f, err = os.Open(path); err != nil {
			return nil, fmt.Errorf("open the lock of the session database: %w", err)
		}
	}
	how := syscall.LOCK_SH
	if write {
		how = syscall.LOCK_EX
	}
	if err := g.wait(ctx, f, how); err != nil {
		return nil, err
	}
	g.stuck.Store(false)
	if !write {
		return func() { f.Close() }, nil
	}
	// Who writes leaves its process id, for the words of those that wait in vain.
	_, _ = f.WriteAt(fmt.Appendf(nil, "%d\n", os.Getpid()), 0)
	return func() {
		_ = f.Truncate(0)
		f.Close()
	}, nil
}

// wait locks f or closes it.
func (g *gate) wait(ctx context.Context, f *os.File, how int) error {
	err := flock(f.Fd(), how|syscall.LOCK_NB)
	if errors.Is(err, errBusy) && g.stuck.Load() {
		err = poll(ctx, f, how)
	} else if errors.Is(err, errBusy) {
		return g.block(ctx, f, how)
	}
	if err != nil {
		err = g.explain(err)
		f.Close()
	}
	return err
}

// poll waits without a thread of its own: while the gate is stuck there may be many callers.
func poll(ctx context.Context, f *os.File, how int) error {
	for start := time.Now(); ; {
		err := flock(f.Fd(), how|syscall.LOCK_NB)
		if !errors.Is(err, errBusy) || time.Since(start) > stuckLimit {
			return err
		}
		if err := sleep(ctx, lockStep); err != nil {
			return err
		}
	}
}

// block waits in the kernel. A waiter that was given up closes the file when it wakes, which frees the lock.
func (g *gate) block(ctx context.Context, f *os.File, how int) error {
	got, gone := make(chan error), make(chan struct{})
	engine.Go("wait for the session database", func() {
		err := flock(f.Fd(), how)
		select {
		case got <- err:
		case <-gone:
			f.Close()
		}
	})
	t := time.NewTimer(g.limit)
	defer t.Stop()
	select {
	case err := <-got:
		if err != nil {
			f.Close()
			return fmt.Errorf("lock the session database: %w", err)
		}
		return nil
	case <-t.C:
		close(gone)
		g.stuck.Store(true)
		return g.explain(errBusy)
	case <-ctx.Done():
		close(gone)
		return ctx.Err()
	}
}

func (g *gate) explain(err error) error {
	if !errors.Is(err, errBusy) {
		return fmt.Errorf("lock the session database: %w", err)
	}
	return fmt.Errorf("the session database is in use by %s, which does not let go (is it stopped?); "+
		"this session goes on and its journal is complete; end or continue that process: %w", holder(g.dir), err)
}

// holder names the process that wrote its id into the lock file, if it still runs.
func holder(dir string) string {
	b, _ := os.ReadFile(filepath.Join(dir, "sessions.lock")) // without it the words are less exact
	pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil || pid == os.Getpid() || syscall.Kill(pid, 0) != nil {
		return "another talaria"
	}
	return fmt.Sprintf("another talaria (process %d)", pid)
}
