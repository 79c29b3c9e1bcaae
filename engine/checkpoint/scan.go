package checkpoint

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// passed are folders whose content nobody misses in a list of what a command changed.
var passed = []string{".git", ".hg", ".svn", "node_modules", ".venv", "venv", "__pycache__", ".mypy_cache", ".pytest_cache", ".gradle", ".cache", ".next", ".tox"}

// Bounds of a look at the files around a command.
const (
	mostSeen   = 50_000 // files
	mostListed = 200    // changed files that are noted
)

type seen struct {
	size  int64
	mtime time.Time
	mode  fs.FileMode
}

var errTooMuch = errors.New("too much")

// glance notes size and time of the files below dir; why says why that was given up.
func (s *Store) glance(dir string) (files map[string]seen, why string) {
	files = map[string]seen{}
	until := time.Now().Add(s.o.CommandIn) // how long it takes is a matter of the real clock
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // what cannot be looked at is not ours to tell of
		}
		if d.IsDir() {
			if path != dir && slices.Contains(passed, d.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		if len(files)%64 == 0 && time.Now().After(until) || len(files) >= mostSeen {
			return errTooMuch
		}
		if info, err := d.Info(); err == nil {
			files[path] = seen{info.Size(), info.ModTime(), info.Mode()}
		}
		return nil
	})
	if err != nil {
		return nil, "there are too many files to look at around every command"
	}
	return files, ""
}

// Watch looks at the files below dir before a command runs; what it returns is to be called after it, and notes which of
// them the command changed.
func (l *Log) Watch(dir string) (done func()) {
	l.mu.Lock()
	turn := l.turn
	l.mu.Unlock()
	before, why := l.s.glance(dir)
	return func() {
		e := entry{Kind: "command", Turn: turn, Blind: why}
		if why == "" {
			after, gaveUp := l.s.glance(dir)
			e.Blind = gaveUp
			if gaveUp == "" {
				e.Paths = differing(before, after)
			}
		}
		if len(e.Paths) > mostListed {
			e.Paths, e.Blind = e.Paths[:mostListed], "they are too many"
		}
		if len(e.Paths) == 0 && e.Blind == "" {
			return
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		_ = l.write(e) // what cannot be noted is missing in the list; nothing else hangs on it
	}
}

func differing(before, after map[string]seen) []string {
	var paths []string
	for path, a := range after {
		b, was := before[path]
		if !was || b.size != a.size || b.mode != a.mode || !b.mtime.Equal(a.mtime) {
			paths = append(paths, path)
		}
	}
	for path := range before {
		if _, is := after[path]; !is {
			paths = append(paths, path)
		}
	}
	slices.SortFunc(paths, strings.Compare)
	return paths
}

// Remove forgets what was changed in a session; its copies go with the next Prune.
func (s *Store) Remove(session string) error {
	err := os.Remove(filepath.Join(s.o.Dir, "sessions", session+".jsonl"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Copy makes what was changed in one session known to another that begins as its copy.
func (s *Store) Copy(from, to string) error {
	dir := filepath.Join(s.o.Dir, "sessions")
	data, err := os.ReadFile(filepath.Join(dir, from+".jsonl"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return writeNew(filepath.Join(dir, to+".jsonl"), data)
}
