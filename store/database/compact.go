package database

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	bolt "go.etcd.io/bbolt"
)

// spare is how many bytes of the file may be free before it is written anew: less is used again soon.
const spare = 64 << 20

// compactStep is how many bytes one transaction of a compaction copies.
const compactStep = 8 << 20

// Compact gives space back to the disk if more than half of the file, and more than Spare, is free. Nobody can use the
// database meanwhile, for about a second for each 500 MB that are kept.
func (d *DB) Compact(ctx context.Context) error {
	if info, err := os.Stat(d.file); err != nil || info.Size() <= d.Spare {
		return nil // there is not that much to gain; without a file there is nothing
	}
	leave, err := d.gate.enter(ctx, true)
	if err != nil {
		return err
	}
	defer leave()
	size, free, err := d.free()
	if err != nil || free <= d.Spare || free <= size/2 {
		return err
	}
	if err := d.rewrite(); err != nil {
		return fmt.Errorf("compact the session database: %w", err)
	}
	return nil
}

// Space is how large the file is and how much of that is free, in bytes.
func (d *DB) Space(ctx context.Context) (size, free int64, err error) {
	if _, err := os.Stat(d.file); errors.Is(err, fs.ErrNotExist) {
		return 0, 0, nil
	}
	leave, err := d.gate.enter(ctx, true)
	if err != nil {
		return 0, 0, err
	}
	defer leave()
	return d.free()
}

// free counts pages behind the gate, also those at the end that were never used: the file grows in large steps. The list of
// free pages is only loaded when the file is opened for writing.
func (d *DB) free() (size, free int64, err error) {
	info, err := os.Stat(d.file)
	if err != nil {
		return 0, 0, fmt.Errorf("measure the session database: %w", err)
	}
	err = d.open(opening{write: true, counts: true}, func(db *bolt.DB) error {
		free = int64(db.Stats().FreePageN) * int64(db.Info().PageSize)
		return db.View(func(tx *bolt.Tx) error {
			free += max(0, info.Size()-tx.Size())
			return nil
		})
	})
	return info.Size(), free, err
}

// rewrite copies what is in the file into a new one, which takes its place when it is whole and on the disk.
func (d *DB) rewrite() (err error) {
	fresh := d.file + ".compact"
	defer os.Remove(fresh) // gone after the rename; what a killed process left is overwritten
	_ = os.Remove(fresh)
	err = d.open(opening{}, func(from *bolt.DB) error {
		to, err := bolt.Open(fresh, 0o600, &bolt.Options{Timeout: time.Second, NoSync: true, NoStatistics: true})
		if err != nil {
			return err
		}
		return errors.Join(bolt.Compact(to, from, compactStep), to.Sync(), to.Close())
	})
	if err != nil {
		return err
	}
	if err := os.Rename(fresh, d.file); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(d.file))
	if err != nil {
		return nil // the file is whole under either name
	}
	_ = dir.Sync() // as above
	return dir.Close()
}
