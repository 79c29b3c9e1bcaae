package checkpoint

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"talaria/engine"
)

// entry is one line of a session's log. Kind says what it is: "before" and "after" a change of Path by call ID Change,
// "command" for what a command changed, "undo" and "redo" for a step back and forth.
type entry struct {
	Kind   string    `json:"kind"`
	At     time.Time `json:"at"`
	Change string    `json:"change,omitempty"`
	Turn   string    `json:"turn,omitempty"` // the id of the user's message
	Path   string    `json:"path,omitempty"` // absolute, links followed
	Made   string    `json:"made,omitempty"` // the topmost folder that did not exist before
	State  *State    `json:"state,omitempty"`
	Paths  []string  `json:"paths,omitempty"` // of a command
	Blind  string    `json:"blind,omitempty"` // why it is not known what a command changed
	Undo   string    `json:"undo,omitempty"`
	Turns  []string  `json:"turns,omitempty"`
	Steps  []step    `json:"steps,omitempty"`
}

// step is what an undo did to one file.
type step struct {
	Path string `json:"path"`
	From State  `json:"from"`
	To   State  `json:"to"`
	Made string `json:"made,omitempty"`
}

func (e entry) states() []State {
	var all []State
	if e.State != nil {
		all = append(all, *e.State)
	}
	for _, s := range e.Steps {
		all = append(all, s.From, s.To)
	}
	return all
}

// change is one change of a file by a tool.
type change struct {
	id, turn, path, made string
	before               State
	after                *State // nil: the program ended before the change was over
	undone               string // the undo that took it back
}

type command struct {
	turn  string
	paths []string
	blind string
}

// Log is what was changed in one session. It is safe for concurrent use.
type Log struct {
	s    *Store
	path string

	mu       sync.Mutex
	loaded   bool
	turn     string
	changes  []*change
	commands []command
	undos    map[string]entry
}

// Session returns the log of a session; nothing is read before it is needed.
func (s *Store) Session(id string) *Log {
	return &Log{s: s, path: filepath.Join(s.o.Dir, "sessions", id+".jsonl"), undos: map[string]entry{}}
}

// Begin says that what changes from now on belongs to the turn of this message of the user.
func (l *Log) Begin(message string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.turn = message
}

// Turn is what Begin was told last.
func (l *Log) Turn() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.turn
}

// load reads the log once. A line that is torn or of a later version is passed over.
func (l *Log) load() error {
	if l.loaded {
		return nil
	}
	data, err := os.ReadFile(l.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read what was changed: %w", err)
	}
	for line := range bytes.Lines(data) {
		var e entry
		if json.Unmarshal(line, &e) == nil {
			l.apply(e)
		}
	}
	l.loaded = true
	return nil
}

// apply brings the state in memory up to an entry.
func (l *Log) apply(e entry) {
	switch e.Kind {
	case "before":
		if e.State != nil {
			l.changes = append(l.changes, &change{id: e.Change, turn: e.Turn, path: e.Path, made: e.Made, before: *e.State})
		}
	case "after":
		for i := len(l.changes) - 1; i >= 0; i-- {
			if c := l.changes[i]; c.id == e.Change && c.path == e.Path && e.State != nil {
				c.after = e.State
				break
			}
		}
	case "command":
		l.commands = append(l.commands, command{e.Turn, e.Paths, e.Blind})
	case "undo":
		l.undos[e.Undo] = e
		l.mark(e.Turns, "", e.Undo)
	case "redo":
		l.mark(l.undos[e.Undo].Turns, e.Undo, "")
	}
}

// mark changes by which undo the changes of turns are taken back.
func (l *Log) mark(turns []string, from, to string) {
	for _, c := range l.changes {
		if c.undone == from && contains(turns, c.turn) {
			c.undone = to
		}
	}
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// write appends an entry, durably, and applies it.
func (l *Log) write(e entry) error {
	if err := l.load(); err != nil {
		return err
	}
	e.At = l.s.o.Now()
	line, err := engine.Marshal(e)
	if err != nil {
		return fmt.Errorf("encode: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(l.path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(l.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > 0 { // a line that a crash tore must not take this one with it
		last := make([]byte, 1)
		if r, err := os.Open(l.path); err == nil {
			_, _ = r.ReadAt(last, info.Size()-1)
			r.Close()
		}
		if last[0] != '\n' {
			line = append([]byte{'\n'}, line...)
		}
	}
	if _, err := f.Write(append(bytes.TrimRight(line, "\n"), '\n')); err != nil {
		return err
	}
	l.apply(e)
	return f.Sync()
}

// Keep keeps the file at path, absolute and with links followed, as it is before a tool changes it. What it returns is
// to be called when the change was made, or failed. What cannot be kept is told, and the change may go on.
func (l *Log) Keep(path string) (done func()) {
	before := l.s.keep(path)
	if before.Why != "" {
		l.s.o.Lost(fmt.Sprintf("%s is not kept for undo: %s.", path, before.Why))
	}
	id := engine.NewID("ch_")
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.write(entry{Kind: "before", Change: id, Turn: l.turn, Path: path, Made: madeFor(path), State: &before}); err != nil {
		l.s.o.Lost(fmt.Sprintf("%s is not kept for undo: %s.", path, plain(err)))
		return func() {}
	}
	return func() {
		after := l.s.keep(path)
		l.mu.Lock()
		defer l.mu.Unlock()
		if err := l.write(entry{Kind: "after", Change: id, Path: path, State: &after}); err != nil {
			l.s.o.Lost(fmt.Sprintf("%s is not kept for undo: %s.", path, plain(err)))
		}
	}
}

// madeFor is the topmost folder that has to be made for path, "" when its folder is there.
func madeFor(path string) string {
	made := ""
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); err == nil || filepath.Dir(dir) == dir {
			return made
		}
		made = dir
	}
}
