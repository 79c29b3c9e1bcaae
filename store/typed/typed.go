// Package typed keeps what somebody typed: drafts of the prompt, and the lines that were sent. A draft that the database
// cannot take goes into a folder, and what neither takes stays in memory until it can be written.
//
// It refuses to lose a draft silently: only a draft in memory alone is an error, and it is one.
package typed

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"

	"talaria/engine"
	"talaria/store/database"
	"talaria/store/journal"
)

// draft is an unsent prompt. At tells which of two copies is the later one; an empty text is a draft that was taken away.
type draft struct {
	Text    string    `json:"text"`
	At      time.Time `json:"at"`
	Dir     string    `json:"dir,omitempty"`
	Session string    `json:"session,omitempty"`
}

// sent is a line of the prompt history.
type sent struct {
	Dir  string    `json:"dir"`
	Text string    `json:"text"`
	At   time.Time `json:"at"`
}

// The buckets of the database.
const (
	Drafts = "drafts"
	Lines  = "history"
)

// Typed is what was typed. It is safe for concurrent use.
type Typed struct {
	db    *database.DB
	files journal.Files
	dir   string // for drafts that the database could not take

	saving sync.Mutex // or two savers write the same lines
	mu     sync.Mutex
	lines  []sent           // not written yet
	held   map[string]draft // those that neither the database nor the folder took
}

// New returns what was typed, in db and in the folder dir.
func New(db *database.DB, files journal.Files, dir string) *Typed {
	return &Typed{db: db, files: files, dir: dir}
}

// Key is where the draft of a session is, or of the next new session of dir.
func Key(dir, session string) string {
	if session != "" {
		return "s\x00" + session
	}
	return "d\x00" + database.Clip(dir)
}

// draftFile is where a draft goes that the database does not take.
func (t *Typed) draftFile(key string) string {
	sum := sha256.Sum256([]byte(key))
	return filepath.Join(t.dir, hex.EncodeToString(sum[:12])+".json")
}

// SaveDraft keeps text: in the database, or in the drafts folder, or in memory. Only the last is an error.
func (t *Typed) SaveDraft(ctx context.Context, dir, session, text string) error {
	key := Key(dir, session)
	v := draft{Text: text, At: time.Now(), Dir: dir, Session: session}
	err := t.db.Update(ctx, func(tx *bolt.Tx) error {
		if text == "" {
			return tx.Bucket([]byte(Drafts)).Delete([]byte(key))
		}
		b, err := engine.Marshal(v)
		if err != nil {
			return err
		}
		return tx.Bucket([]byte(Drafts)).Put([]byte(key), b)
	})
	if err == nil {
		t.holdDraft(key, nil)
		err = t.dropDraft(key)
	}
	if err == nil {
		return nil
	}
	t.db.Note("a draft could not be written to the database (%v); it goes to %s", err, t.dir)
	if fileErr := t.writeDraft(key, v); fileErr != nil {
		t.holdDraft(key, &v)
		return fmt.Errorf("save draft: %w", errors.Join(err, fileErr))
	}
	t.holdDraft(key, nil)
	return nil
}

func (t *Typed) holdDraft(key string, v *draft) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if v == nil {
		delete(t.held, key)
		return
	}
	if t.held == nil {
		t.held = map[string]draft{}
	}
	t.held[key] = *v
}

// saveHeld tries once more what only memory has.
func (t *Typed) saveHeld(ctx context.Context) error {
	t.mu.Lock()
	held := maps.Clone(t.held)
	t.mu.Unlock()
	var errs []error
	for _, v := range held {
		errs = append(errs, t.SaveDraft(ctx, v.Dir, v.Session, v.Text))
	}
	return errors.Join(errs...)
}

// writeDraft puts v into the folder, whole or not at all.
func (t *Typed) writeDraft(key string, v draft) error {
	b, err := engine.Marshal(v)
	if err != nil {
		return err
	}
	if err := t.files.MakeDir(t.dir); err != nil {
		return err
	}
	path := t.draftFile(key)
	f, err := os.CreateTemp(t.dir, ".draft-")
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return err
	}
	return t.files.SyncDir(t.dir)
}

// Save tries once more to write what only memory has.
func (t *Typed) Save(ctx context.Context) error {
	return errors.Join(t.saveLines(ctx), t.saveHeld(ctx))
}

// Drop takes the draft of a deleted session out of the database; Forget takes its other copies away.
func Drop(tx *bolt.Tx, session string) error {
	return tx.Bucket([]byte(Drafts)).Delete([]byte(Key("", session)))
}

// Forget takes away the copies of a session's draft that are not in the database.
func (t *Typed) Forget(session string) error {
	key := Key("", session)
	t.holdDraft(key, nil)
	return t.dropDraft(key)
}

func (t *Typed) dropDraft(key string) error {
	if err := os.Remove(t.draftFile(key)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the older copy of the draft: %w", err)
	}
	return nil
}

// Draft returns the text kept last, "" when there is none.
func (t *Typed) Draft(ctx context.Context, dir, session string) (string, error) {
	key := Key(dir, session)
	t.mu.Lock()
	held, ok := t.held[key]
	t.mu.Unlock()
	if ok {
		return held.Text, nil
	}
	var stored, filed draft
	err := t.db.View(ctx, func(tx *bolt.Tx) error {
		if v := tx.Bucket([]byte(Drafts)).Get([]byte(key)); v != nil {
			return json.Unmarshal(v, &stored)
		}
		return nil
	})
	b, fileErr := os.ReadFile(t.draftFile(key))
	if fileErr == nil && json.Unmarshal(b, &filed) == nil && filed.At.After(stored.At) {
		return filed.Text, nil
	}
	if err != nil {
		return stored.Text, fmt.Errorf("read draft: %w", err)
	}
	return stored.Text, nil
}

// AddHistory keeps a line that was sent; one that repeats the line before it is kept once. A line that cannot be
// written is kept in memory and written with the next.
func (t *Typed) AddHistory(ctx context.Context, dir, text string) error {
	if text == "" {
		return nil
	}
	t.mu.Lock()
	t.lines = append(t.lines, sent{dir, text, time.Now()})
	t.mu.Unlock()
	if err := t.saveLines(ctx); err != nil {
		return fmt.Errorf("add to the prompt history: %w", err)
	}
	return nil
}

// saveLines writes the lines that wait.
func (t *Typed) saveLines(ctx context.Context) error {
	t.saving.Lock()
	defer t.saving.Unlock()
	t.mu.Lock()
	lines := t.lines
	t.mu.Unlock()
	if len(lines) == 0 {
		return nil
	}
	err := t.db.Update(ctx, func(tx *bolt.Tx) error {
		b := tx.Bucket([]byte(Lines))
		for _, line := range lines {
			if err := putLine(b, line); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines = append([]sent(nil), t.lines[min(len(lines), len(t.lines)):]...)
	return nil
}

func prefixOf(dir string) []byte { return append([]byte(database.Clip(dir)), 0) }

// putLine stores line under its directory and a number that rises.
func putLine(b *bolt.Bucket, line sent) error {
	if newest := linesOf(b, line.Dir, 1); len(newest) == 1 && newest[0] == line.Text {
		return nil
	}
	n, err := b.NextSequence()
	if err != nil {
		return err
	}
	v, err := engine.Marshal(line)
	if err != nil {
		return err
	}
	return b.Put(append(prefixOf(line.Dir), database.Seq(n)...), v)
}

// History returns the newest n lines of dir, newest first; all for n <= 0. "" is every directory.
func (t *Typed) History(ctx context.Context, dir string, n int) ([]string, error) {
	t.mu.Lock()
	var lines []string
	for i := len(t.lines) - 1; i >= 0; i-- {
		if dir == "" || t.lines[i].Dir == dir {
			lines = append(lines, t.lines[i].Text)
		}
	}
	t.mu.Unlock()
	var stored []string
	err := t.db.View(ctx, func(tx *bolt.Tx) error {
		if b := tx.Bucket([]byte(Lines)); dir == "" {
			stored = newestOf(b, n)
		} else {
			stored = linesOf(b, dir, n)
		}
		return nil
	})
	lines = append(lines, stored...)
	if n > 0 && len(lines) > n {
		lines = lines[:n]
	}
	if err != nil {
		return lines, fmt.Errorf("read the prompt history: %w", err)
	}
	return lines, nil
}
