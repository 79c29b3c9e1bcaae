//go:build unix

package terminal

import (
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"talaria/engine"
)

// Bounds of the shelf (BEHAVIOUR 8.17): how many entries it holds, and how long one that ended is remembered.
const (
	maxEntries = 64
	keepEnded  = 30 * time.Minute
)

// shelf holds the processes in the background, those that have ended for a while too.
type shelf struct {
	told func(engine.Process) // of an end that nobody asked for; may be nil

	mu      sync.Mutex
	entries []*entry // oldest first
	count   int
	closing bool
	changed chan struct{} // closed with the next change
}

// entry is one of them.
type entry struct {
	shelf *shelf
	id    string
	how   string // words before the command
	job   *job
	began time.Time
	done  chan struct{} // closed when its end was noted

	// guarded by shelf.mu
	ended  time.Time // zero while it runs
	killed bool      // by us
	seen   bool      // the model was told that it ended
}

func newShelf(told func(engine.Process)) *shelf {
	return &shelf{told: told, changed: make(chan struct{})}
}

// full says why nothing more can be started in the background, "" when it can.
func (s *shelf) full() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.prune()
	if s.closing {
		return "the program is ending"
	}
	if len(s.entries) >= maxEntries && !slices.ContainsFunc(s.entries, func(e *entry) bool { return !e.ended.IsZero() }) {
		return fmt.Sprintf("%d processes run in the background already; end some with process(action=\"kill\")", maxEntries)
	}
	return ""
}

// prune forgets what ended long ago, and the oldest that ended when there are too many.
func (s *shelf) prune() {
	s.entries = slices.DeleteFunc(s.entries, func(e *entry) bool { return !e.ended.IsZero() && time.Since(e.ended) > keepEnded })
	for len(s.entries) >= maxEntries {
		i := slices.IndexFunc(s.entries, func(e *entry) bool { return !e.ended.IsZero() })
		if i < 0 {
			return
		}
		s.entries = slices.Delete(s.entries, i, i+1)
	}
}

// add takes a job that runs, and returns its id.
func (s *shelf) add(j *job, how string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.prune()
	s.count++
	e := &entry{shelf: s, id: fmt.Sprintf("bg_%d", s.count), how: how, job: j, began: time.Now(), done: make(chan struct{})}
	s.entries = append(s.entries, e)
	s.change()
	engine.Go("background "+e.id, e.watch)
	return e.id
}

// watch notes the end of e.
func (e *entry) watch() {
	<-e.job.guard.gone
	e.job.stream.abandon()
	<-e.job.stream.ended
	if e.job.stdin != nil {
		e.job.stdin.Close()
	}
	os.RemoveAll(e.job.temp)
	s := e.shelf
	s.mu.Lock()
	e.ended = time.Now()
	unasked := !e.killed && !s.closing
	s.change()
	s.mu.Unlock()
	close(e.done)
	if unasked && s.told != nil {
		s.told(e.process())
	}
}

// change wakes whoever waits for one.
func (s *shelf) change() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// next is closed with the next change of the list.
func (s *shelf) next() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}

func (s *shelf) find(id string) *entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.IndexFunc(s.entries, func(e *entry) bool { return e.id == id }); i >= 0 {
		return s.entries[i]
	}
	return nil
}

func (s *shelf) all() []*entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.prune()
	return slices.Clone(s.entries)
}

func (s *shelf) processes() []engine.Process {
	var out []engine.Process
	for _, e := range s.all() {
		out = append(out, e.process())
	}
	return out
}

// news are the ends of processes that the model was not told of yet; it is now.
func (s *shelf) news() []string {
	var out []string
	for _, e := range s.all() {
		if p := e.process(); !p.Running && e.tell() {
			out = append(out, e.line())
		}
	}
	return out
}

// tell notes that the model knows of the end of e, and reports whether it did not before.
func (e *entry) tell() bool {
	e.shelf.mu.Lock()
	defer e.shelf.mu.Unlock()
	was := e.seen
	e.seen = true
	return !was
}

// process describes e.
func (e *entry) process() engine.Process {
	e.shelf.mu.Lock()
	defer e.shelf.mu.Unlock()
	g := e.job.guard
	p := engine.Process{ID: e.id, Command: e.how + e.job.command, Dir: e.job.dir, PID: g.shell, Began: e.began, Ended: e.ended,
		Running: e.ended.IsZero(), Killed: e.killed, Log: e.job.stream.log}
	if !p.Running {
		p.Exit = g.code
	}
	return p
}

// line says in one line what e does.
func (e *entry) line() string {
	p := e.process()
	what := short(p.Command)
	switch {
	case p.Running:
		return fmt.Sprintf("%s is running for %s (process %d): %s", p.ID, clock(time.Since(p.Began)), p.PID, what)
	case p.Killed:
		return fmt.Sprintf("%s was ended after %s: %s", p.ID, clock(p.Ended.Sub(p.Began)), what)
	}
	return fmt.Sprintf("%s has ended by itself after %s, exit %d: %s", p.ID, clock(p.Ended.Sub(p.Began)), p.Exit, what)
}

func clock(d time.Duration) string {
	if d < time.Second {
		return d.Round(time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}

// end ends e with everything it started, and returns what could not be ended.
func (e *entry) end() []process {
	e.shelf.mu.Lock()
	e.killed = e.killed || e.ended.IsZero()
	e.shelf.mu.Unlock()
	if left := e.job.tree().end(); len(left) > 0 {
		return left
	}
	<-e.done
	return nil
}

// close says that the program ends, and returns what runs.
func (s *shelf) close() []engine.Process {
	s.mu.Lock()
	s.closing = true
	s.mu.Unlock()
	return slices.DeleteFunc(s.processes(), func(p engine.Process) bool { return !p.Running })
}

// trees ends everything that runs, and what rest finds besides, all at the same time; it returns what could not be ended.
func (s *shelf) trees(rest tree) [][]process {
	all := slices.DeleteFunc(s.all(), func(e *entry) bool { return !e.process().Running })
	left := make([][]process, len(all)+1)
	var wait sync.WaitGroup
	for i, e := range all {
		wait.Add(1)
		engine.Go("end "+e.id, func() { defer wait.Done(); left[i] = e.end() })
	}
	left[len(all)] = rest.end()
	wait.Wait()
	return left
}
