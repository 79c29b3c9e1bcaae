package database

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	bolt "go.etcd.io/bbolt"
)

// Damaged reports whether err says that the file cannot be trusted.
func Damaged(err error) bool {
	var bad *damagedError
	return errors.As(err, &bad)
}

// Look is View that mends nothing: a damaged file is an error.
func (d *DB) Look(ctx context.Context, fn func(*bolt.Tx) error) error {
	if _, err := os.Stat(d.file); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return d.guarded(ctx, false, fn)
}

// Check looks at every page and returns at most the first most faults. Who writes waits for it.
func (d *DB) Check(ctx context.Context, most int) (faults []string, err error) {
	if _, err := os.Stat(d.file); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	leave, err := d.gate.enter(ctx, false)
	if err != nil {
		return nil, err
	}
	defer leave()
	if err := d.once(false, readAll); err != nil {
		return nil, err // it would fault in the library's own goroutine
	}
	err = d.once(false, func(tx *bolt.Tx) error {
		for err := range tx.Check() {
			if len(faults) < most {
				faults = append(faults, err.Error())
			}
		}
		return nil
	})
	return faults, err
}

func readAll(tx *bolt.Tx) error {
	return tx.ForEach(func(_ []byte, b *bolt.Bucket) error { return walkBucket(b) })
}

// Rebuild begins the file anew with what can be read of it; what is derived is left for the journals to fill in. The old
// file is kept, and its name returned; "" when there was none.
func (d *DB) Rebuild(ctx context.Context) (kept string, err error) {
	if _, err := os.Stat(d.file); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	leave, err := d.gate.enter(ctx, true)
	if err != nil {
		return "", err
	}
	defer leave()
	kept = d.file + ".before-" + time.Now().UTC().Format("20060102T150405.000")
	if err := os.Rename(d.file, kept); err != nil {
		return "", fmt.Errorf("move the session database aside: %w", err)
	}
	d.mu.Lock()
	d.lost++
	d.mu.Unlock()
	d.salvage(kept)
	return kept, nil
}
