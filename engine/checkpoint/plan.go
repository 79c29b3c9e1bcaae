package checkpoint

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"talaria/engine"
)

// File is what a plan would do to one file.
type File struct {
	Path   string
	Now    State  // as it is
	Want   State  // as it shall be
	Left   State  // as the tools left it
	Edited bool   // somebody else changed it since
	Lost   string // why it cannot be brought back, "" when it can
	made   string
}

// Plan is what taking turns back would do to files. Commands are files that commands changed in them, which stay as they
// are; Blind is why not all of those are known.
type Plan struct {
	Files    []File
	Commands []string
	Blind    string

	turns []string
	redo  string // the undo that this plan brings back
}

// Edited are the files of p that somebody else changed since.
func (p Plan) Edited() []File {
	var out []File
	for _, f := range p.Files {
		if f.Edited && f.Lost == "" {
			out = append(out, f)
		}
	}
	return out
}

// Plan says what it takes to bring the files back to before the turns, which are all turns from one on: each by the id
// of its message. What an earlier undo took back is not part of it. Nothing is changed.
func (l *Log) Plan(turns []string) (Plan, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.load(); err != nil {
		return Plan{}, err
	}
	p := Plan{turns: turns}
	at := map[string]int{}
	for _, c := range l.changes {
		if c.undone != "" || !contains(turns, c.turn) || c.after != nil && c.after.same(c.before) {
			continue
		}
		i, seen := at[c.path]
		if !seen {
			i = len(p.Files)
			at[c.path] = i
			p.Files = append(p.Files, File{Path: c.path, Want: c.before, made: c.made})
		} else if !p.Files[i].Left.same(c.before) {
			p.Files[i].Edited = true // between two changes of ours
		}
		p.Files[i].Left = c.before // where the end was not seen, anything else counts as the user's
		if c.after != nil {
			p.Files[i].Left = *c.after
		}
	}
	l.finish(&p)
	for _, c := range l.commands {
		if contains(turns, c.turn) {
			p.Commands = append(p.Commands, c.paths...)
			if c.blind != "" {
				p.Blind = c.blind
			}
		}
	}
	slices.Sort(p.Commands)
	p.Commands = slices.Compact(p.Commands)
	return p, nil
}

// Redo says what it takes to bring back what the undo took. False when there is no such undo, or it was redone.
func (l *Log) Redo(undo string) (Plan, bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.load(); err != nil {
		return Plan{}, false, err
	}
	e, ok := l.undos[undo]
	if !ok {
		return Plan{}, false, nil
	}
	p := Plan{turns: e.Turns, redo: undo}
	for _, s := range e.Steps {
		p.Files = append(p.Files, File{Path: s.Path, Want: s.From, Left: s.To})
	}
	l.finish(&p)
	return p, true, nil
}

// finish looks at the files as they are, and leaves out those that need nothing.
func (l *Log) finish(p *Plan) {
	kept := p.Files[:0]
	for _, f := range p.Files {
		f.Now, _ = l.s.look(f.Path)
		if f.Now.same(f.Want) && f.Now.Mode == f.Want.Mode {
			continue
		}
		f.Edited = f.Edited || !f.Now.same(f.Left)
		switch {
		case f.Want.Absent && f.Now.Absent:
			continue
		case f.Want.Why != "":
			f.Lost = f.Want.Why
		case !f.Want.Absent && !l.s.has(f.Want.Hash):
			f.Lost = errGone.Error()
		case f.Now.Why != "":
			f.Lost = "what is there now could not be brought back: " + f.Now.Why
		}
		kept = append(kept, f)
	}
	p.Files = kept
	slices.SortFunc(p.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
}

// Restore does what p says, and notes it as the undo, or redo, of that id. Files that the user changed stay as they are
// unless all is set. Either every file is written or, after an error, none.
func (l *Log) Restore(p Plan, id string, all bool) (restored, left []string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var todo []File
	contents := map[string][]byte{}
	for _, f := range p.Files {
		if f.Lost != "" || f.Edited && !all {
			left = append(left, f.Path)
			continue
		}
		if !f.Want.Absent {
			if contents[f.Path], err = l.s.get(f.Want.Hash); err != nil {
				return nil, nil, fmt.Errorf("restore %s: %w", f.Path, err)
			}
		}
		todo = append(todo, f)
	}
	var steps []step
	for i, f := range todo {
		from := l.s.keep(f.Path) // for the redo, and for going back if a later file fails
		if !from.same(f.Now) {
			err = fmt.Errorf("restore %s: it changed this very moment", f.Path)
		} else {
			err = l.put(f.Path, f.Want, contents[f.Path], f.made)
		}
		if err != nil {
			return nil, nil, errors.Join(err, l.takeBack(steps))
		}
		steps = append(steps, step{Path: f.Path, From: from, To: todo[i].Want, Made: f.made})
		restored = append(restored, f.Path)
	}
	e := entry{Kind: "undo", Undo: id, Turns: p.turns, Steps: steps}
	if p.redo != "" {
		e = entry{Kind: "redo", Undo: p.redo, Steps: steps}
	}
	if err := l.write(e); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("note what was restored: %w", err), l.takeBack(steps))
	}
	return restored, left, nil
}

// takeBack undoes the steps of a restore that failed.
func (l *Log) takeBack(steps []step) error {
	var all error
	for _, s := range slices.Backward(steps) {
		data, err := []byte(nil), error(nil)
		if !s.From.Absent {
			data, err = l.s.get(s.From.Hash)
		}
		if err == nil {
			err = l.put(s.Path, s.From, data, "")
		}
		if err != nil {
			all = errors.Join(all, fmt.Errorf("put %s back: %w", s.Path, err))
		}
	}
	return all
}

// put makes a file what want says. With a file goes the folders that were made for it, when nothing else is in them.
func (l *Log) put(path string, want State, data []byte, made string) error {
	if !want.Absent {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("restore %s: %w", path, err)
		}
		if err := l.s.o.Write(path, data, want.Mode); err != nil {
			return fmt.Errorf("restore %s: %w", path, err)
		}
		return nil
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove %s: %w", path, err)
	}
	for dir := filepath.Dir(path); made != "" && (dir == made || strings.HasPrefix(dir, made+string(filepath.Separator))); dir = filepath.Dir(dir) {
		if os.Remove(dir) != nil {
			break // something else is in it
		}
	}
	return nil
}

// Changed is what a turn did to one file.
type Changed struct {
	Path     string
	Kind     engine.FileKind
	Add, Del int  // lines; both 0 when it is no text
	Edited   bool // the file is not any more what the session left
	Undone   bool // it was taken back
	Lost     string
}

// Changes tells what the turn of a message did to files, and what commands did in it.
func (l *Log) Changes(turn string) (files []Changed, commands []string, blind string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.load(); err != nil {
		return nil, nil, "", err
	}
	last := map[string]State{} // of each file, by whoever of the session changed it last
	for _, c := range l.changes {
		if c.after != nil && c.undone == "" {
			last[c.path] = *c.after
		}
	}
	first := map[string]*change{}
	for _, c := range l.changes {
		if c.turn != turn || c.after == nil || c.after.same(c.before) {
			continue
		}
		if f, seen := first[c.path]; seen {
			f.after, f.undone = c.after, c.undone
			continue
		}
		one := *c
		first[c.path] = &one
	}
	for _, c := range first {
		f := Changed{Path: c.path, Undone: c.undone != "", Lost: c.before.Why}
		f.Kind, f.Add, f.Del = l.s.Compare(c.before, *c.after)
		if left, ok := last[c.path]; ok && !f.Undone {
			now, _ := l.s.look(c.path)
			f.Edited = !now.same(left)
		}
		files = append(files, f)
	}
	slices.SortFunc(files, func(a, b Changed) int { return strings.Compare(a.Path, b.Path) })
	for _, c := range l.commands {
		if c.turn == turn {
			commands, blind = append(commands, c.paths...), blind+c.blind
		}
	}
	slices.Sort(commands)
	return files, slices.Compact(commands), blind, nil
}

// Compare says what became of a file between two states, and how many lines came and went.
func (s *Store) Compare(before, after State) (kind engine.FileKind, add, del int) {
	kind = engine.FileModified
	if before.Absent {
		kind = engine.FileAdded
	} else if after.Absent {
		kind = engine.FileDeleted
	}
	for line := range strings.SplitSeq(s.Diff("", before, after), "\n") {
		switch {
		case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"):
		case strings.HasPrefix(line, "+"):
			add++
		case strings.HasPrefix(line, "-"):
			del++
		}
	}
	return kind, add, del
}

// Diff is the unified diff between two states of a file that people call name; "" when one of them is no text, or gone.
func (s *Store) Diff(name string, a, b State) string {
	before, err1 := s.text(a)
	after, err2 := s.text(b)
	if err1 != nil || err2 != nil || before == after {
		return ""
	}
	from, to := "a/"+name, "b/"+name
	if a.Absent {
		from = "/dev/null"
	}
	if b.Absent {
		to = "/dev/null"
	}
	d, err := udiff.ToUnified(from, to, before, udiff.Lines(before, after), udiff.DefaultContextLines)
	if err != nil { // the edits come from the same library, for the same text
		return ""
	}
	return d
}

// Look keeps the file at path as it is now and returns its state, for a diff.
func (s *Store) Look(path string) State { return s.keep(path) }
