package checkpoint

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// grace is how old a copy must be before it may be removed as one that no log names: its log line may be on its way.
const grace = time.Hour

// object is a copy on disk.
type object struct {
	path string
	hash string
	size int64
	used time.Time
}

// objects lists all copies, the longest unused first.
func (s *Store) objects() []object {
	var all []object
	root := filepath.Join(s.o.Dir, "objects")
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil // what cannot be listed cannot be counted
		}
		info, err := d.Info()
		name, isCopy := strings.CutSuffix(d.Name(), ".zst")
		if err == nil && isCopy {
			all = append(all, object{path, filepath.Base(filepath.Dir(path)) + name, info.Size(), info.ModTime()})
		}
		return nil
	})
	slices.SortFunc(all, func(a, b object) int { return cmp.Or(a.used.Compare(b.used), strings.Compare(a.hash, b.hash)) })
	return all
}

func (s *Store) measure() {
	total := int64(0)
	for _, o := range s.objects() {
		total += o.size
	}
	s.size.Store(total)
}

// errRoom means that one file alone is more than all copies may take.
var errRoom = errors.New("it is larger than checkpoints.max_mb")

// makeRoom removes the longest unused copies until need more bytes fit.
func (s *Store) makeRoom(need int64) error {
	s.sized.Do(s.measure)
	switch {
	case s.o.MaxBytes <= 0 || s.size.Load()+need <= s.o.MaxBytes:
		return nil
	case need > s.o.MaxBytes:
		return errRoom
	}
	s.measure()                                     // other programs remove and add
	target := s.o.MaxBytes - need - s.o.MaxBytes/10 // some air, so that this is not done at every change
	for _, o := range s.objects() {
		if s.size.Load() <= max(target, 0) {
			break
		}
		if os.Remove(o.path) == nil {
			s.size.Add(-o.size)
		}
	}
	return nil
}

// Prune removes the logs of sessions that nobody changed for MaxAge, and the copies that no log names any more.
func (s *Store) Prune() error {
	entries, err := os.ReadDir(filepath.Join(s.o.Dir, "sessions"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	named := map[string]bool{}
	now := s.o.Now()
	for _, e := range entries {
		path := filepath.Join(s.o.Dir, "sessions", e.Name())
		info, err := e.Info()
		if err != nil {
			continue
		}
		if s.o.MaxAge > 0 && now.Sub(info.ModTime()) > s.o.MaxAge {
			if err := os.Remove(path); err == nil {
				continue
			}
		}
		if err := s.names(path, named); err != nil {
			return err // without this log it is not known what may go
		}
	}
	for _, o := range s.objects() {
		if !named[o.hash] && now.Sub(o.used) > grace {
			_ = os.Remove(o.path) // what stays is found again the next time
		}
	}
	s.measure()
	return nil
}

// names adds the hashes that a log names.
func (s *Store) names(path string, into map[string]bool) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewReader(f)
	for {
		line, err := lines.ReadBytes('\n')
		var e entry
		if json.Unmarshal(line, &e) == nil {
			for _, st := range e.states() {
				into[st.Hash] = true
			}
		}
		if err != nil {
			return nil // the end
		}
	}
}
