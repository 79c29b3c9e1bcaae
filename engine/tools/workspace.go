package tools

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// maxMarks bounds the read tracker (BEHAVIOUR 8.10); the oldest marks go first.
const maxMarks = 1000

// Workspace is what the tools of one session share: its working directory, a lock for each path, what every file looked
// like when it was last read, and the folder for outputs that are too big. It is safe for concurrent use.
type Workspace struct {
	home  string
	spill string

	mu    sync.Mutex
	dir   string
	marks map[string]mark
	order []string // keys of marks, oldest first
	locks *locks
	hide  func(path string) bool
	keep  func(path string) (done func())
	limit int
	mask  func(string) string
	reads map[readKey]readMark
}

// OnChange sets what keeps a file before a tool changes it: it is given the path, absolute and with links followed, and
// returns what is called once the change was made, or failed.
func (w *Workspace) OnChange(keep func(path string) (done func())) { w.keep = keep }

// SetLimit sets how many characters a result may have before it goes to the spill folder (tools.result_chars).
func (w *Workspace) SetLimit(chars int) { w.limit = chars }

// Limit is the most characters of a result.
func (w *Workspace) Limit() int {
	if w.limit > 0 {
		return w.limit
	}
	return ResultChars
}

// Mask sets what takes secrets out of what is written to the spill folder.
func (w *Workspace) Mask(mask func(string) string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.mask = mask
}

// Masked is text as it may be written to the spill folder.
func (w *Workspace) Masked(text string) string {
	w.mu.Lock()
	mask := w.mask
	w.mu.Unlock()
	if mask == nil {
		return text
	}
	return mask(text)
}

// Changing is called before the file at path is changed; the function that it returns, after it.
func (w *Workspace) Changing(path string) (done func()) {
	if w.keep == nil {
		return func() {}
	}
	return w.keep(path)
}

// Hide sets which files a search over a directory passes over: those that hold keys. One that is named is searched.
func (w *Workspace) Hide(secret func(path string) bool) { w.hide = secret }

// Secret reports whether Hide named path as one that holds keys.
func (w *Workspace) Secret(path string) bool { return w.hide != nil && w.hide(path) }

// mark is what a file looked like; the zero mark means that it did not exist.
type mark struct {
	mtime time.Time
	size  int64
}

// locks are those of the paths, shared by the workspaces of one program's agents.
type locks struct {
	mu    sync.Mutex
	paths map[string]*pathLock
}

type pathLock struct {
	held chan struct{} // one token: whoever holds it has the lock
	refs int
}

// NewWorkspace returns a Workspace that starts in dir, an absolute path. spill is the folder for big outputs, made when
// first needed; "" means that big outputs are cut instead of kept.
func NewWorkspace(dir, spill string) *Workspace {
	home, _ := os.UserHomeDir() // without one, "~" is an ordinary name
	return &Workspace{home: home, spill: spill, dir: filepath.Clean(dir), marks: map[string]mark{}, locks: &locks{paths: map[string]*pathLock{}}}
}

// Sibling returns a workspace for another agent that starts in dir: it has read nothing yet, but waits for the same path
// locks, hides the same files and keeps what is changed in the same place.
func (w *Workspace) Sibling(dir string) *Workspace {
	w.mu.Lock()
	defer w.mu.Unlock()
	return &Workspace{home: w.home, spill: w.spill, dir: filepath.Clean(dir), marks: map[string]mark{}, locks: w.locks, hide: w.hide, keep: w.keep, mask: w.mask}
}

// Dir is the session's working directory, absolute. It changes when a command in the terminal does cd.
func (w *Workspace) Dir() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.dir
}

// SetDir changes the working directory; a relative dir is taken from the present one.
func (w *Workspace) SetDir(dir string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(w.dir, dir)
	}
	w.dir = filepath.Clean(dir)
}

// SpillDir is the folder that Spill writes to, "" when there is none. Reading it should never need a question.
func (w *Workspace) SpillDir() string { return w.spill }

// Abs returns path as an absolute, clean path: "~" is the home directory, a relative path starts in Dir. Links are not
// followed; Real does that. The error says what is wrong with path.
func (w *Workspace) Abs(path string) (string, error) {
	switch {
	case strings.TrimSpace(path) == "":
		return "", errors.New("the path is empty")
	case strings.ContainsRune(path, 0):
		return "", errors.New("the path has a NUL character in it")
	case w.home != "" && path == "~":
		return w.home, nil
	case w.home != "" && strings.HasPrefix(path, "~/"):
		return filepath.Join(w.home, path[2:]), nil
	case filepath.IsAbs(path):
		return filepath.Clean(path), nil
	}
	return filepath.Join(w.Dir(), path), nil
}

// Rel returns path as people name it: relative to Dir when it lies there, else unchanged. path is absolute.
func (w *Workspace) Rel(path string) string {
	rel, err := filepath.Rel(w.Dir(), path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return path
	}
	return filepath.ToSlash(rel)
}

// Lock waits until no other tool works on the file at path, absolute, links followed. The error is that of ctx.
func (w *Workspace) Lock(ctx context.Context, path string) (unlock func(), err error) {
	key := Real(path)
	w.locks.mu.Lock()
	l := w.locks.paths[key]
	if l == nil {
		l = &pathLock{held: make(chan struct{}, 1)}
		w.locks.paths[key] = l
	}
	l.refs++
	w.locks.mu.Unlock()
	select {
	case l.held <- struct{}{}:
		return func() { <-l.held; w.release(key, l) }, nil
	case <-ctx.Done():
		w.release(key, l)
		return nil, fmt.Errorf("wait for %s: %w", path, ctx.Err())
	}
}

func (w *Workspace) release(key string, l *pathLock) {
	w.locks.mu.Lock()
	defer w.locks.mu.Unlock()
	if l.refs--; l.refs == 0 {
		delete(w.locks.paths, key)
	}
}

// Saw notes what the file at path looked like when it was read or written; nil means that it does not exist.
func (w *Workspace) Saw(path string, info fs.FileInfo) {
	key := Real(path)
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, known := w.marks[key]; !known {
		w.order = append(w.order, key)
	}
	w.marks[key] = markOf(info)
	for len(w.order) > maxMarks {
		delete(w.marks, w.order[0])
		w.order = w.order[1:]
	}
}

// Forget forgets what files were read and looked like; with paths, only of these.
func (w *Workspace) Forget(paths ...string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(paths) == 0 {
		clear(w.marks)
		w.order = nil
		w.reads = nil
	}
	for _, p := range paths {
		delete(w.marks, Real(p))
		w.order = slices.DeleteFunc(w.order, func(k string) bool { return k == Real(p) })
	}
}

// Stale reports whether the file at path differs from what it was when it was last seen. A file that was never seen is
// not stale, nor is one that is gone (info nil): writing it anew loses nothing.
func (w *Workspace) Stale(path string, info fs.FileInfo) bool {
	key := Real(path)
	w.mu.Lock()
	defer w.mu.Unlock()
	seen, known := w.marks[key]
	return known && info != nil && !seen.same(markOf(info))
}

// Knows reports whether the file at path was seen before.
func (w *Workspace) Knows(path string) bool {
	key := Real(path)
	w.mu.Lock()
	defer w.mu.Unlock()
	_, ok := w.marks[key]
	return ok
}

func markOf(info fs.FileInfo) mark {
	if info == nil {
		return mark{}
	}
	return mark{info.ModTime(), info.Size()}
}

// Same reports whether two looks at a file found the same size and time; nil means that there was no file.
func Same(a, b fs.FileInfo) bool { return markOf(a).same(markOf(b)) }

func (m mark) same(o mark) bool { return m.size == o.size && m.mtime.Equal(o.mtime) }
