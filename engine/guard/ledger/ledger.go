// Package ledger keeps the approval rules that the user wanted remembered, in one file in the user's own data, by the
// real path of the project. It never writes over a file that it could not read, and it knows nothing of what a rule means.
package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"go.yaml.in/yaml/v3"
)

// Entry is one remembered rule. Dir is where a command must run, absolute, "" anywhere. Made is the command or the edit
// that it was made for.
type Entry struct {
	Rule string    `yaml:"rule"`
	Dir  string    `yaml:"dir,omitempty"`
	Made string    `yaml:"made_for"`
	At   time.Time `yaml:"at"`
}

// ID names an entry: the same rule of the same project has the same one.
func (e Entry) ID(project string) string {
	sum := sha256.Sum256([]byte(project + "\x00" + e.Dir + "\x00" + e.Rule))
	return hex.EncodeToString(sum[:4])
}

type file struct {
	Projects map[string][]Entry `yaml:"projects"`
}

// Ledger is the file at one path. It is safe for concurrent use, also by several processes: what another one changed
// is read anew.
type Ledger struct {
	path string
	mu   sync.Mutex
	seen os.FileInfo // the file as last read
	last file
	err  error
}

// Open returns the ledger in the file at path, which need not exist.
func Open(path string) *Ledger { return &Ledger{path: path} }

// Entries are the rules of a project, oldest first. With an error there are none.
func (l *Ledger) Entries(project string) ([]Entry, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.refresh(); err != nil {
		return nil, err
	}
	return slices.Clone(l.last.Projects[project]), nil
}

// All are the rules of every project, by its real path.
func (l *Ledger) All() (map[string][]Entry, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.refresh(); err != nil {
		return nil, err
	}
	all := map[string][]Entry{}
	for p, es := range l.last.Projects {
		all[p] = slices.Clone(es)
	}
	return all, nil
}

// Add remembers e for a project. A rule that is there already stays as it was.
func (l *Ledger) Add(project string, e Entry) error {
	e.At = e.At.UTC().Truncate(time.Second)
	return l.change(func(f *file) {
		if !slices.ContainsFunc(f.Projects[project], func(o Entry) bool { return o.Rule == e.Rule && o.Dir == e.Dir }) {
			f.Projects[project] = append(f.Projects[project], e)
		}
	})
}

// Remove forgets the rule with that ID, of whatever project; found is false when there is none.
func (l *Ledger) Remove(id string) (found bool, err error) {
	err = l.change(func(f *file) {
		for p, es := range f.Projects {
			n := len(es)
			es = slices.DeleteFunc(es, func(e Entry) bool { return e.ID(p) == id })
			found = found || len(es) < n
			if f.Projects[p] = es; len(es) == 0 {
				delete(f.Projects, p)
			}
		}
	})
	return found, err
}

func (l *Ledger) refresh() error {
	info, err := os.Stat(l.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		l.seen, l.last, l.err = nil, file{}, nil
		return nil
	case err != nil:
		return fmt.Errorf("read the remembered approval rules: %w", err)
	case l.seen != nil && os.SameFile(info, l.seen) && info.ModTime().Equal(l.seen.ModTime()) && info.Size() == l.seen.Size():
		return l.err
	}
	l.seen, l.last = info, file{}
	data, err := os.ReadFile(l.path)
	if err == nil {
		err = yaml.Unmarshal(data, &l.last)
	}
	if l.err = nil; err != nil {
		l.last = file{}
		l.err = fmt.Errorf("read the remembered approval rules in %s: %w. None of them is in force; correct or remove the file", l.path, err)
	}
	return l.err
}

// change reads the file, changes it and puts it in place whole, while no other process does.
func (l *Ledger) change(do func(*file)) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := os.MkdirAll(filepath.Dir(l.path), 0o700); err != nil {
		return fmt.Errorf("remember an approval rule: %w", err)
	}
	lock, err := os.OpenFile(l.path+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("remember an approval rule: %w", err)
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return fmt.Errorf("remember an approval rule: %w", err)
	}
	l.seen = nil
	if err := l.refresh(); err != nil {
		return err // never write over what could not be read
	}
	if l.last.Projects == nil {
		l.last.Projects = map[string][]Entry{}
	}
	do(&l.last)
	l.seen = nil
	return l.write()
}

func (l *Ledger) write() error {
	data, err := yaml.Marshal(l.last)
	if err != nil {
		return fmt.Errorf("remember an approval rule: %w", err)
	}
	tmp, err := os.CreateTemp(filepath.Dir(l.path), ".approvals-*") // 0600
	if err != nil {
		return fmt.Errorf("remember an approval rule: %w", err)
	}
	_, err = tmp.Write(data)
	err = errors.Join(err, tmp.Sync(), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), l.path)
	}
	if err != nil {
		_ = os.Remove(tmp.Name()) // it was never the file
		return fmt.Errorf("remember an approval rule: %w", err)
	}
	return nil
}
