package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	bolt "go.etcd.io/bbolt"

	"talaria/store/journal"
)

// sweepEvery is how often a running program looks for sessions that others left; the look is a stat for each journal.
const sweepEvery = 10 * time.Second

// Limits of one transaction of a sweep.
const (
	sweepFiles = 64
	sweepBytes = 8 << 20
)

// sweep folds what is in journals that nobody has open and that are longer, or shorter, than at their last fold: the
// sessions of killed processes, and all sessions after the database was rebuilt. Journals are told apart by size, so
// that a start with nothing to do parses none.
func (d *disk) sweep(ctx context.Context) error {
	d.sweeping.Lock()
	defer d.sweeping.Unlock()
	d.mu.Lock()
	due := time.Since(d.swept) > sweepEvery
	d.swept = time.Now()
	d.mu.Unlock()
	if !due {
		return nil
	}
	ids, err := d.changed(ctx)
	for len(ids) > 0 && err == nil && ctx.Err() == nil {
		var batch []journal.Resting
		bytes := int64(0)
		for len(ids) > 0 && len(batch) < sweepFiles && bytes < sweepBytes {
			if o, ok := d.adopt(ids[0]); ok {
				batch, bytes = append(batch, o), bytes+o.Size
			}
			ids = ids[1:]
		}
		err = d.takeIn(ctx, batch)
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		d.mu.Lock()
		d.swept = time.Time{}
		d.mu.Unlock()
		return fmt.Errorf("take in the journals of ended sessions: %w", err)
	}
	return nil
}

// changed returns the ids whose journal has not the size of its last fold.
func (d *disk) changed(ctx context.Context) ([]string, error) {
	list, err := os.ReadDir(journal.Dir(d.dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	sizes := map[string]int64{}
	err = d.db.View(ctx, func(tx *bolt.Tx) error {
		return tx.Bucket(bucketJournals).ForEach(func(id, v []byte) error {
			sizes[string(id)] = int64(binary.BigEndian.Uint64(v))
			return nil
		})
	})
	var ids []string
	for _, e := range list {
		id, ok := strings.CutSuffix(e.Name(), ".jsonl")
		if !ok || !validID.MatchString(id) {
			continue
		}
		if info, err := e.Info(); err == nil && info.Size() > 0 && info.Size() != sizes[id] {
			ids = append(ids, id)
		}
	}
	return ids, err
}

// adopt takes a journal that nobody has open.
func (d *disk) adopt(id string) (journal.Resting, bool) {
	if _, ours := d.opened(id); ours {
		return journal.Resting{}, false
	}
	o, ok, err := journal.Adopt(d.dir, id)
	if err != nil {
		d.db.Note("session %s: its journal cannot be read: %v", id, err)
	}
	return o, ok
}

// takeIn folds the batch in one transaction.
func (d *disk) takeIn(ctx context.Context, batch []journal.Resting) error {
	defer func() {
		for _, o := range batch {
			o.Release()
		}
	}()
	if len(batch) == 0 {
		return nil
	}
	for _, o := range batch {
		d.report(o.ID, journal.Scan{Bad: o.Scan.Bad})
		if err := journal.KeepBad(journal.Path(d.dir, o.ID)+".bad", o.Scan.Bad); err != nil {
			d.db.Note("session %s: its damaged lines could not be copied: %v", o.ID, err)
		}
	}
	return d.db.Update(ctx, func(tx *bolt.Tx) error {
		for _, o := range batch {
			if err := takeOne(tx, o); err != nil {
				return err
			}
		}
		return nil
	})
}

func takeOne(tx *bolt.Tx, o journal.Resting) error {
	if len(o.Scan.Recs) == 0 {
		return putSize(tx, o.ID, o.Size)
	}
	stored := getRow(tx, o.ID)
	r := journal.Newer(stored.Copy(), o.Scan.RowOf(o.ID))
	r.Derive(o.Scan.Recs)
	return folding{id: o.ID, recs: o.Scan.Recs}.put(tx, stored, r, o.Size)
}
