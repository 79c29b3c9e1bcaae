package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"

	"talaria/engine"
	"talaria/store/database"
	"talaria/store/find"
	"talaria/store/journal"
)

// query runs ask over an index that knows everything that the journals hold.
func (d *disk) query(ctx context.Context, ask func(find.Index)) error {
	for try := 1; ; try++ {
		if err := d.sweep(ctx); err != nil {
			d.db.Note("%v", err) // what the database has is still worth showing
		}
		before := d.db.Losses()
		err := d.db.View(ctx, func(tx *bolt.Tx) error {
			ask(boltIndex{tx})
			return nil
		})
		if d.db.Losses() == before || try == 3 {
			return err
		}
		d.mu.Lock()
		d.swept = time.Time{} // the database was rebuilt just now; ask again when the journals are in
		d.mu.Unlock()
	}
}

// List returns a page of sessions, newest first, by index and without system prompts. Text is looked for in titles and
// in the last exchange. Of a compressed session only the newest child is listed, of delegates nothing.
func (d *disk) List(ctx context.Context, q engine.Query) ([]engine.Session, error) {
	list := []engine.Session{}
	if err := d.query(ctx, func(x find.Index) { list = find.Page(x, q) }); err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	return list, nil
}

// Find resolves ref: an id, a unique id prefix, a title as it is written, a title whatever its case; "" is the newest of
// dir. When the database cannot be reached, an id is found by its journal.
func (d *disk) Find(ctx context.Context, ref, dir string) (engine.Session, error) {
	s, found := engine.Session{}, find.Named(engine.ErrNotFound, ref)
	err := d.query(ctx, func(x find.Index) { s, found = find.Resolve(x, ref, dir) })
	if err == nil {
		return s, found
	}
	if s, ok := d.journalled(ref); ok {
		return s, nil
	}
	return engine.Session{}, fmt.Errorf("find session: %w", err)
}

// journalled returns the session that the journal of id tells of.
func (d *disk) journalled(id string) (engine.Session, bool) {
	if !validID.MatchString(id) {
		return engine.Session{}, false
	}
	data, err := os.ReadFile(journal.Path(d.dir, id))
	found := journal.Read(data)
	if err != nil || len(found.Recs) == 0 {
		return engine.Session{}, false
	}
	r := found.RowOf(id)
	r.Derive(found.Recs)
	return r.Session, true
}

// Tail returns the last n records of id.
func (d *disk) Tail(ctx context.Context, id string, n int) ([]engine.Record, error) {
	return d.Before(ctx, id, 0, n)
}

// Before returns the last n records of id below the number seq (0: of all), all for n <= 0: from the journal, and from the
// database what the journal lost.
func (d *disk) Before(ctx context.Context, id string, seq uint64, n int) ([]engine.Record, error) {
	if !validID.MatchString(id) {
		return nil, fmt.Errorf("read session %q: %w", id, engine.ErrNotFound)
	}
	recs, journalErr := journal.Before(d.dir, id, seq, n)
	stored, dbErr := d.stored(ctx, id)
	l, _ := d.opened(id)
	if l != nil {
		recs = journal.Union(recs, l.waiting())
	}
	if errors.Is(journalErr, fs.ErrNotExist) {
		journalErr = nil
		if l == nil && stored == nil && dbErr == nil {
			return nil, fmt.Errorf("read session %s: %w", id, engine.ErrNotFound)
		}
	}
	recs = below(recs, seq)
	if stored != nil && dbErr == nil {
		if after, last := lacking(recs, stored.Folded, seq, n); last > after {
			var more []journal.Entry
			more, dbErr = d.fromDatabase(ctx, id, after, last)
			recs = journal.Union(recs, more)
		}
	}
	if len(recs) == 0 {
		if err := errors.Join(journalErr, dbErr); err != nil {
			return nil, fmt.Errorf("read session %s: %w", id, err)
		}
	}
	return journal.Records(recs[tailFrom(len(recs), n):]), nil
}

// below leaves out the entries from the number seq on; 0 leaves out none.
func below(list []journal.Entry, seq uint64) []journal.Entry {
	return slices.DeleteFunc(list, func(e journal.Entry) bool { return seq > 0 && e.Seq >= seq })
}

func tailFrom(have, n int) int {
	if n <= 0 {
		return 0
	}
	return max(0, have-n)
}

// lacking returns the range of numbers (after, last] to ask the database for so that the last n below seq are whole; an
// empty range when recs has no gap.
func lacking(recs []journal.Entry, folded, seq uint64, n int) (after, last uint64) {
	if seq > 0 {
		folded = min(folded, seq-1)
	}
	last = folded
	for _, e := range recs {
		last = max(last, e.Seq)
	}
	if n > 0 && last > uint64(n) {
		after = last - uint64(n)
	}
	have := map[uint64]bool{}
	for _, e := range recs {
		have[e.Seq] = true
	}
	for seq := after + 1; seq <= min(last, folded); seq++ {
		if !have[seq] {
			return seq - 1, folded
		}
	}
	return 0, 0
}

// Owned returns those of ids that a process has open.
func (d *disk) Owned(_ context.Context, ids []string) (open []string, _ error) {
	for _, id := range ids {
		if _, ours := d.opened(id); ours || validID.MatchString(id) && journal.Owned(d.dir, id) {
			open = append(open, id)
		}
	}
	return open, nil
}

// Rename gives the session a title that nothing but another Rename changes. It works on a session of another window
// too, and on one whose first fold is still to come.
func (d *disk) Rename(ctx context.Context, id, title string) error {
	if !validID.MatchString(id) {
		return fmt.Errorf("rename session %q: %w", id, engine.ErrNotFound)
	}
	_, known := d.opened(id)
	if _, err := os.Stat(journal.Path(d.dir, id)); err == nil {
		known = true
	}
	rest, free := journal.Borrow(d.dir, id)
	if free {
		defer rest.Release()
	}
	err := d.db.Update(ctx, func(tx *bolt.Tx) error {
		old := getRow(tx, id)
		if old == nil && !known {
			return engine.ErrNotFound
		}
		r := journal.Row{Session: engine.Session{ID: id}, Bare: true}
		if old != nil {
			r = *old
		}
		r.Title, r.TitleSet = title, true
		if err := putRow(tx, old, r); err != nil {
			return err
		}
		if !free || r.Bare {
			return nil
		}
		return noteRename(tx, rest, r)
	})
	if err != nil {
		return fmt.Errorf("rename session %s: %w", id, err)
	}
	return nil
}

// noteRename adds the row to the journal, so that the title outlives the database. If it cannot, the database has it.
func noteRename(tx *bolt.Tx, o journal.Resting, r journal.Row) error {
	size, err := o.AddRow(r)
	if err != nil {
		return nil
	}
	if v := tx.Bucket(bucketJournals).Get([]byte(r.ID)); !slices.Equal(v, database.Seq(uint64(o.Size))) {
		return nil // it holds records that are still to be folded
	}
	return putSize(tx, r.ID, size)
}
