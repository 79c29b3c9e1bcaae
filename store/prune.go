package store

import (
	"context"
	"errors"
	"os"
	"time"

	"talaria/engine"
	"talaria/store/find"
	"talaria/store/journal"

	bolt "go.etcd.io/bbolt"
)

// Pruner is a store that can forget what is old.
type Pruner interface {
	// Old returns the sessions that nobody touched since before, oldest first.
	Old(ctx context.Context, before time.Time) ([]engine.Session, error)
	// Prune deletes them and gives their space back. Those that are open somewhere stay. It returns what was deleted.
	Prune(ctx context.Context, before time.Time) ([]engine.Session, error)
}

// Old returns the sessions that nobody touched since before, oldest first. A session that went on after a compression is
// as young as its newest child.
func (d *disk) Old(ctx context.Context, before time.Time) ([]engine.Session, error) {
	if err := d.sweep(ctx); err != nil {
		return nil, err // a session whose journal was not read may be younger than it looks
	}
	var old []engine.Session
	err := d.db.View(ctx, func(tx *bolt.Tx) error {
		old = nil
		x, c := boltIndex{tx}, tx.Bucket(bucketUpdated).Cursor()
		limit := string(timeKey(before))
		for k, _ := c.Last(); k != nil && string(k) > limit; k, _ = c.Prev() {
			if len(k) <= 8 {
				continue
			}
			r, err := journal.DecodeRow(tx.Bucket(bucketSessions).Get(k[8:]))
			if err != nil || r.Bare || d.touched(find.Tip(x, r.Session)).After(before) {
				continue
			}
			old = append(old, r.Session)
		}
		return nil
	})
	return old, err
}

// touched is when somebody last did something with s: an imported session is as old as it was elsewhere, but was only just
// brought here, which its journal shows.
func (d *disk) touched(s engine.Session) time.Time {
	if info, err := os.Stat(journal.Path(d.dir, s.ID)); err == nil && info.ModTime().After(s.Updated) {
		return info.ModTime()
	}
	return s.Updated
}

// Prune deletes what Old returns.
func (d *disk) Prune(ctx context.Context, before time.Time) ([]engine.Session, error) {
	old, err := d.Old(ctx, before)
	if err != nil {
		return nil, err
	}
	var gone []engine.Session
	var errs []error
	for _, s := range old {
		if ctx.Err() != nil {
			errs = append(errs, ctx.Err())
			break
		}
		switch err := d.remove(ctx, s.ID); {
		case err == nil:
			gone = append(gone, s)
		case errors.Is(err, engine.ErrOwned), errors.Is(err, engine.ErrNotFound):
		default:
			errs = append(errs, err)
		}
	}
	if len(gone) > 0 {
		d.giveBack(ctx)
	}
	return gone, errors.Join(errs...)
}
