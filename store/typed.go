package store

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
	"time"

	bolt "go.etcd.io/bbolt"

	"talaria/engine"
	"talaria/store/database"
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

// unsaved is what was typed and could not be written yet; the disk's mutex guards it.
type unsaved struct {
	lines  []sent
	drafts map[string]draft // those that neither the database nor the folder took
}

func draftKey(dir, session string) string {
	if session != "" {
		return "s\x00" + session
	}
	return "d\x00" + clip(dir)
}

// draftFile is where a draft goes that the database does not take.
func (d *disk) draftFile(key string) string {
	sum := sha256.Sum256([]byte(key))
	return filepath.Join(d.drafts, hex.EncodeToString(sum[:12])+".json")
}

// SaveDraft keeps text: in the database, or in the drafts folder, or in memory. Only the last is an error.
func (d *disk) SaveDraft(ctx context.Context, dir, session, text string) error {
	key := draftKey(dir, session)
	v := draft{Text: text, At: time.Now(), Dir: dir, Session: session}
	err := d.db.Update(ctx, func(tx *bolt.Tx) error {
		if text == "" {
			return tx.Bucket(bucketDrafts).Delete([]byte(key))
		}
		b, err := engine.Marshal(v)
		if err != nil {
			return err
		}
		return tx.Bucket(bucketDrafts).Put([]byte(key), b)
	})
	if err == nil {
		d.holdDraft(key, nil)
		err = d.dropDraft(key)
	}
	if err == nil {
		return nil
	}
	d.db.Note("a draft could not be written to the database (%v); it goes to %s", err, d.drafts)
	if fileErr := d.writeDraft(key, v); fileErr != nil {
		d.holdDraft(key, &v)
		return fmt.Errorf("save draft: %w", errors.Join(err, fileErr))
	}
	d.holdDraft(key, nil)
	return nil
}

func (d *disk) holdDraft(key string, v *draft) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if v == nil {
		delete(d.typed.drafts, key)
		return
	}
	if d.typed.drafts == nil {
		d.typed.drafts = map[string]draft{}
	}
	d.typed.drafts[key] = *v
}

// saveHeld tries once more what only memory has.
func (d *disk) saveHeld(ctx context.Context) error {
	d.mu.Lock()
	held := maps.Clone(d.typed.drafts)
	d.mu.Unlock()
	var errs []error
	for _, v := range held {
		errs = append(errs, d.SaveDraft(ctx, v.Dir, v.Session, v.Text))
	}
	return errors.Join(errs...)
}

// writeDraft puts v into the folder, whole or not at all.
func (d *disk) writeDraft(key string, v draft) error {
	b, err := engine.Marshal(v)
	if err != nil {
		return err
	}
	if err := d.fs.MakeDir(d.drafts); err != nil {
		return err
	}
	path := d.draftFile(key)
	f, err := os.CreateTemp(d.drafts, ".draft-")
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
	return d.fs.SyncDir(d.drafts)
}

func (d *disk) dropDraft(key string) error {
	if err := os.Remove(d.draftFile(key)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the older copy of the draft: %w", err)
	}
	return nil
}

// Draft returns the text kept last, "" when there is none.
func (d *disk) Draft(ctx context.Context, dir, session string) (string, error) {
	key := draftKey(dir, session)
	d.mu.Lock()
	held, ok := d.typed.drafts[key]
	d.mu.Unlock()
	if ok {
		return held.Text, nil
	}
	var stored, filed draft
	err := d.db.View(ctx, func(tx *bolt.Tx) error {
		if v := tx.Bucket(bucketDrafts).Get([]byte(key)); v != nil {
			return json.Unmarshal(v, &stored)
		}
		return nil
	})
	b, fileErr := os.ReadFile(d.draftFile(key))
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
func (d *disk) AddHistory(ctx context.Context, dir, text string) error {
	if text == "" {
		return nil
	}
	d.mu.Lock()
	d.typed.lines = append(d.typed.lines, sent{dir, text, time.Now()})
	d.mu.Unlock()
	if err := d.saveTyped(ctx); err != nil {
		return fmt.Errorf("add to the prompt history: %w", err)
	}
	return nil
}

// saveTyped writes the lines that wait.
func (d *disk) saveTyped(ctx context.Context) error {
	d.typing.Lock() // or two savers write the same lines
	defer d.typing.Unlock()
	d.mu.Lock()
	lines := d.typed.lines
	d.mu.Unlock()
	if len(lines) == 0 {
		return nil
	}
	err := d.db.Update(ctx, func(tx *bolt.Tx) error {
		b := tx.Bucket(bucketHistory)
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
	d.mu.Lock()
	defer d.mu.Unlock()
	d.typed.lines = append([]sent(nil), d.typed.lines[min(len(lines), len(d.typed.lines)):]...)
	return nil
}

// putLine stores line under its directory and a number that rises.
func putLine(b *bolt.Bucket, line sent) error {
	if newest := database.LinesOf(b, dirPrefix(line.Dir), line.Dir, 1); len(newest) == 1 && newest[0] == line.Text {
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
	return b.Put(append(dirPrefix(line.Dir), seqKey(n)...), v)
}

// History returns the newest n lines of dir, newest first; all for n <= 0. "" is every directory.
func (d *disk) History(ctx context.Context, dir string, n int) ([]string, error) {
	d.mu.Lock()
	var lines []string
	for i := len(d.typed.lines) - 1; i >= 0; i-- {
		if dir == "" || d.typed.lines[i].Dir == dir {
			lines = append(lines, d.typed.lines[i].Text)
		}
	}
	d.mu.Unlock()
	var stored []string
	err := d.db.View(ctx, func(tx *bolt.Tx) error {
		if b := tx.Bucket(bucketHistory); dir == "" {
			stored = database.Lines(b, n)
		} else {
			stored = database.LinesOf(b, dirPrefix(dir), dir, n)
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
