package core_test

import (
	"context"
	"fmt"
	"iter"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"talaria/engine"
	"talaria/engine/config"
	"talaria/engine/core"
	"talaria/store"
)

// tireless is a model that keeps nothing of what it is asked: to each message of the user's it calls a command that prints
// 20 kB, and then it is done. While hang is set its reply begins and never ends.
type tireless struct {
	calls atomic.Int64
	hang  atomic.Bool
}

func (m *tireless) Stream(ctx context.Context, r engine.Request) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		if len(r.Tools) == 0 { // a side task
			if isSave(r) {
				_ = yield(engine.TextDelta{Text: "none"}, nil) && yield(engine.Done{Stop: engine.StopEnd}, nil)
				return
			}
			_ = yield(engine.TextDelta{Text: checkpoint}, nil) && yield(engine.Done{Stop: engine.StopEnd}, nil)
			return
		}
		if m.hang.Load() {
			if yield(engine.TextDelta{Text: "I begin"}, nil) {
				<-ctx.Done()
				yield(nil, ctx.Err())
			}
			return
		}
		if r.Messages[len(r.Messages)-1].Role == engine.RoleTool {
			_ = yield(engine.TextDelta{Text: "Done."}, nil) && yield(engine.Done{Stop: engine.StopEnd}, nil)
			return
		}
		id := fmt.Sprint("c", m.calls.Add(1))
		_ = yield(engine.CallDelta{ID: id, Name: "terminal", Args: fmt.Sprintf(`{"command":"head -c 20000 /dev/zero | tr '\\0' x; echo %s"}`, id)}, nil) &&
			yield(engine.Done{Stop: engine.StopCalls}, nil)
	}
}

// heap is what is still in use after a collection, in bytes.
func heap() int64 {
	var m runtime.MemStats
	for range 3 {
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// files counts the open files of this process, -1 where that is not told.
func files() int {
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return -1
	}
	return len(list)
}

// TestR01HoursOfWorkLeaveNothingBehind: many turns with long results, compacted again and again, and many replies that
// were stopped. What is in use does not grow with their number. With TALARIA_SOAK there are thousands of them, enough for
// the memory of one turn to be told from the ups and downs of a history.
func TestR01HoursOfWorkLeaveNothingBehind(t *testing.T) {
	turns, stops, soak := 24, 20, os.Getenv("TALARIA_SOAK") != ""
	if soak {
		turns, stops = 2000, 500
	}
	st, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	s, m := newStory(t), &tireless{}
	s.deps.Store, s.deps.Mode = st, "auto"
	s.deps.Build = func(config.Resolved) (engine.Provider, error) { return m, nil }
	s.deps.Aux = func(string, config.Resolved) (engine.Provider, engine.Route, error) { return m, engine.Route{}, nil }
	s.narrow(40_000)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c, err := core.Start(ctx, s.deps)
	if err != nil {
		t.Fatal(err)
	}
	ended, streams, compacted := make(chan engine.Exit, 1), make(chan bool, 100), 0
	heard := make(chan struct{})
	go func() {
		defer close(heard)
		for e := range c.Events() {
			if x, ok := e.(engine.Ended); ok {
				ended <- x.Why
			}
			if _, ok := e.(engine.Streamed); ok && m.hang.Load() {
				streams <- true
			}
			if x, ok := e.(engine.Compacted); ok && x.Child != "" {
				compacted++
			}
		}
	}()
	end := func(want engine.Exit) {
		t.Helper()
		select {
		case why := <-ended:
			if why != want {
				t.Fatalf("the turn ended %s, want %s", why, want)
			}
		case <-time.After(wait):
			t.Fatal("the turn does not end")
		}
	}
	var early int64
	for i := range turns {
		c.Do(engine.Submit{Text: "again"})
		end(engine.ExitFinished)
		if i == turns/4 {
			early = heap()
		}
	}
	t.Logf("%d kB in use after %d turns, %d kB after %d", early>>10, turns/4, heap()>>10, turns)
	if late := heap(); soak && late-early > 6<<20 { // it would be 30 MB and more
		t.Errorf("%d kB are in use after %d turns, %d kB after %d", early>>10, turns/4, late>>10, turns)
	}
	m.hang.Store(true)
	before, open := 0, 0
	for i := range stops {
		c.Do(engine.Submit{Text: "begin"})
		<-streams
		c.Do(engine.Interrupt{})
		end(engine.ExitInterrupted)
		if i == 4 {
			before, open = runtime.NumGoroutine(), files()
		}
	}
	for deadline := time.Now().Add(wait); runtime.NumGoroutine() > before+2 || files() > open+2; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			buf := make([]byte, 1<<16)
			t.Fatalf("after %d stopped replies %d goroutines and %d files, before %d and %d\n%s", stops, runtime.NumGoroutine(), files(), before, open,
				strings.TrimSpace(string(buf[:runtime.Stack(buf, true)])))
		}
	}
	cancel()
	<-heard
	if compacted < 2 {
		t.Errorf("compacted %d times in %d turns", compacted, turns)
	}
}
