package journal_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"talaria/engine"
	"talaria/engine/core/journal"
	"talaria/engine/core/waiting"
)

// log is a session of which appending and folding fail as told.
type log struct {
	engine.Log
	mu          sync.Mutex
	write, fold error
}

func (l *log) Append(context.Context, ...engine.Record) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.write
}

func (l *log) Fold(context.Context, func(*engine.Session)) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fold
}

func (l *log) fails(write, fold error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.write, l.fold = write, fold
}

func TestWhatIsNotSavedIsToldOnceAndHealsByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		events := waiting.NewEvents()
		j := journal.New(events, time.Now)
		l := &log{}
		j.Use(l, engine.Session{ID: "s"})
		ctx, stop := context.WithCancel(t.Context())
		go events.Run(ctx)
		go j.Folder(ctx)
		told := func(want ...string) {
			t.Helper()
			synctest.Wait()
			var got []string
			for len(events.Out()) > 0 {
				if n, ok := (<-events.Out()).(engine.Noted); ok {
					got = append(got, fmt.Sprint(n.Kind, " ", n.Text))
				}
			}
			if len(got) != len(want) {
				t.Fatalf("told %q, want %q", got, want)
			}
			for i := range want {
				if !strings.Contains(got[i], want[i]) {
					t.Errorf("told %q, want %q", got[i], want[i])
				}
			}
		}
		say := func() { j.Emit(ctx, engine.Appended{Message: engine.UserMessage("x", time.Now())}) }

		busy := errors.New("the session database is in use by another talaria")
		l.fails(nil, busy)
		for range 3 { // its journal takes every message: that does not mean that all is well
			say()
			j.FoldSoon()
			synctest.Wait()
		}
		told("degraded The list of sessions is not brought up: the session database is in use")
		l.fails(fmt.Errorf("append: %w", syscall.ENOSPC), busy)
		say()
		told("degraded The conversation is not being saved: no space left on device. It goes on")
		l.fails(nil, busy)
		time.Sleep(6 * time.Second) // nothing is said meanwhile, in virtual time
		told("degraded The list of sessions")
		l.fails(nil, nil)
		time.Sleep(6 * time.Second)
		told("saved")
		stop()
		events.Close()
	})
}
