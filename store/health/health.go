// Package health looks at what is kept: whether the database is whole, whether the journals are and agree with it, whether
// the search index finds what they hold, and what lies about that belongs to nothing. It waits for nobody longer than any
// other use of the store.
//
// It refuses to change anything: what it finds is reported with what would mend it.
package health

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"talaria/store/database"
)

// Level says how bad a finding is.
type Level string

// The levels. Note: worth knowing, nothing is lost. Warning: something may be lost or does not work as it should. Fault:
// it does not work.
const (
	OK      Level = "ok"
	Note    Level = "note"
	Warning Level = "warning"
	Fault   Level = "error"
)

// Finding is one thing that was looked at. Do is what can be done about it, "" when nothing has to be.
type Finding struct {
	Area  string `json:"area"`
	Level Level  `json:"level"`
	Text  string `json:"text"`
	Do    string `json:"do,omitempty"`
}

// Repair is the advice for what a rebuild mends.
const Repair = "talaria doctor --repair rebuilds the database from the journals; the old file is kept beside it"

// Report is everything that was found, in the order in which it was looked at.
type Report struct {
	Findings []Finding `json:"findings"`
	Sizes    []Size    `json:"sizes"`
}

// Size is how much something takes on the disk.
type Size struct {
	What  string `json:"what"`
	Bytes int64  `json:"bytes"`
	Files int    `json:"files"`
}

// Add notes a finding.
func (r *Report) Add(area string, level Level, text, do string) {
	r.Findings = append(r.Findings, Finding{area, level, text, do})
}

// Worst is the highest level among the findings.
func (r *Report) Worst() Level {
	worst := OK
	for _, f := range r.Findings {
		if rank[f.Level] > rank[worst] {
			worst = f.Level
		}
	}
	return worst
}

var rank = map[Level]int{OK: 0, Note: 1, Warning: 2, Fault: 3}

// Check looks at the store in dir.
func Check(ctx context.Context, dir string, r *Report) {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		r.Add("sessions", OK, "nothing was kept yet", "")
		return
	}
	db := database.New(dir, database.Layout{})
	rows, whole := checkDatabase(ctx, db, r)
	samples := checkJournals(ctx, dir, look{db: db, rows: rows, whole: whole}, r)
	if whole {
		checkIndex(ctx, dir, db, samples, r)
	}
	checkLeft(dir, r)
	checkModes(dir, r)
	measure(ctx, dir, db, r)
}

// checkLeft finds what damage and interrupted work left behind.
func checkLeft(dir string, r *Report) {
	left := func(pattern string) []string {
		list, _ := filepath.Glob(filepath.Join(dir, pattern)) // the patterns are sound
		return list
	}
	for _, path := range left("journal/*.jsonl.bad") {
		id := strings.TrimSuffix(filepath.Base(path), ".jsonl.bad")
		b, _ := os.ReadFile(path) // its size is all that is told
		r.Add("journals", Note, fmt.Sprintf("session %s: lines that could not be used are kept in %s (%d bytes): the cut end of a write, or damage", id, path, len(b)),
			"delete the file when you do not miss anything in that session")
	}
	for _, path := range left("sessions.db.corrupt-*") {
		r.Add("database", Note, "an earlier database was damaged and is kept as "+path, "delete it when nothing is missing")
	}
	for _, path := range left("sessions.db.before-*") {
		r.Add("database", Note, "the database before a rebuild is kept as "+path, "delete it when nothing is missing")
	}
	for _, path := range append(left("sessions.db.compact"), left("drafts/.draft-*")...) {
		r.Add("files", Note, "left behind by a process that was killed: "+path, "talaria doctor --repair deletes it")
	}
}

// Sweep deletes what killed processes left behind, and makes files private that are not. It returns what it did.
func Sweep(dir string) (done []string, err error) {
	var errs []error
	for _, pattern := range []string{"sessions.db.compact", "drafts/.draft-*"} {
		list, _ := filepath.Glob(filepath.Join(dir, pattern)) // the patterns are sound
		for _, path := range list {
			if err := os.Remove(path); err != nil {
				errs = append(errs, err)
				continue
			}
			done = append(done, "deleted "+path)
		}
	}
	for path, mode := range open(dir) {
		if err := os.Chmod(path, mode); err != nil {
			errs = append(errs, err)
			continue
		}
		done = append(done, "made private "+path)
	}
	return done, errors.Join(errs...)
}

// open returns what others can read, with the mode that it should have.
func open(dir string) map[string]fs.FileMode {
	wrong := map[string]fs.FileMode{}
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error { // what cannot be read is private enough
		if err != nil || e.Type()&fs.ModeSymlink != 0 {
			return nil
		}
		if e.IsDir() && path == filepath.Join(dir, "search") {
			if info, err := e.Info(); err == nil && info.Mode().Perm()&0o077 == 0 {
				return filepath.SkipDir // the library makes files as any program would; the folder keeps them private
			}
		}
		if info, err := e.Info(); err == nil && info.Mode().Perm()&0o077 != 0 {
			wrong[path] = info.Mode().Perm() &^ 0o077
		}
		return nil
	})
	return wrong
}

func checkModes(dir string, r *Report) {
	wrong := open(dir)
	for path := range wrong {
		if len(wrong) > 3 {
			path = fmt.Sprintf("%d files in %s", len(wrong), dir)
		}
		r.Add("files", Warning, "other users of this machine can read "+path, "talaria doctor --repair makes it private")
		if len(wrong) > 3 {
			return
		}
	}
}

// measure tells what takes how much room.
func measure(ctx context.Context, dir string, db *database.DB, r *Report) {
	if size, free, err := db.Space(ctx); err == nil && size > 0 {
		r.Sizes = append(r.Sizes, Size{"database", size, 1}, Size{"of it free", free, 0})
	}
	for _, name := range []string{"journal", "search", "checkpoints", "trajectories", "skills", "memories"} {
		s := Size{What: name}
		_ = filepath.WalkDir(filepath.Join(dir, name), func(_ string, e fs.DirEntry, err error) error { // what is not there takes no room
			if err == nil && !e.IsDir() {
				if info, err := e.Info(); err == nil {
					s.Bytes, s.Files = s.Bytes+info.Size(), s.Files+1
				}
			}
			return nil
		})
		if s.Files > 0 {
			r.Sizes = append(r.Sizes, s)
		}
	}
}
