package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	bolt "go.etcd.io/bbolt"

	"talaria/engine"
	"talaria/store/find"
	"talaria/store/follow"
	"talaria/store/journal"
	"talaria/store/typed"
)

// Delete removes everything that is kept of the conversation that id is of, and gives its space back. When a session of it
// is open somewhere it is ErrOwned, and nothing is removed.
func (d *disk) Delete(ctx context.Context, id string) error {
	all := []string{id}
	if err := d.query(ctx, func(x find.Index) { all = find.Members(x, id) }); err != nil {
		return fmt.Errorf("delete session %s: %w", id, err)
	}
	if err := d.remove(ctx, all...); err != nil {
		return err
	}
	d.giveBack(ctx)
	return nil
}

// giveBack gives the space of what was deleted back. When the database is in use just now, that is done when the search
// index was brought up.
func (d *disk) giveBack(ctx context.Context) {
	if err := d.db.Compact(ctx); err != nil {
		d.db.Note("what was deleted is gone, its space is given back later: %v", err)
	}
}

// remove removes these sessions together: all are held first, then they leave the database in one transaction, then their
// journals go, parents first. What a crash in between leaves of a conversation is its newest part, never an older one.
func (d *disk) remove(ctx context.Context, ids ...string) error {
	none := map[string]bool{}
	for _, id := range ids {
		if err := d.reserve(id); err != nil {
			return fmt.Errorf("delete session %s: %w", id, err)
		}
		defer d.release(id)
		j := journal.New(d.dir, id, d.fs)
		_, err := j.Open(ctx)
		if none[id] = errors.Is(err, fs.ErrNotExist); err != nil && !none[id] {
			return fmt.Errorf("delete session %s: %w", id, err)
		}
		defer j.Close()
	}
	defer d.follow.Later()
	err := d.db.Update(ctx, func(tx *bolt.Tx) error {
		for _, id := range ids {
			old := getRow(tx, id)
			if old == nil && none[id] {
				return engine.ErrNotFound
			}
			if err := errors.Join(follow.Enqueue(tx, id), dropSession(tx, old, id)); err != nil {
				return err
			}
		}
		return nil
	})
	for _, id := range ids {
		file := journal.Path(d.dir, id)
		for _, path := range []string{file, file + ".bad"} {
			if err != nil {
				break
			}
			if e := os.Remove(path); !errors.Is(e, fs.ErrNotExist) {
				err = e
			}
		}
		if err == nil {
			err = d.Forget(id)
		}
	}
	if err != nil {
		return fmt.Errorf("delete session %s: %w", ids[len(ids)-1], err)
	}
	return nil
}

func dropSession(tx *bolt.Tx, old *journal.Row, id string) error {
	var errs []error
	if old != nil {
		errs = append(errs, dropIndex(tx, *old))
	}
	for _, name := range [][]byte{bucketSessions, bucketSystems, bucketJournals} {
		errs = append(errs, tx.Bucket(name).Delete([]byte(id)))
	}
	errs = append(errs, typed.Drop(tx, id))
	if messages := tx.Bucket(bucketMessages); messages.Bucket([]byte(id)) != nil {
		errs = append(errs, messages.DeleteBucket([]byte(id)))
	}
	return errors.Join(errs...)
}
