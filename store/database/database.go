package database

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// Layout says what is in a database.
type Layout struct {
	Schema  int      // a file with a higher number is read and never written
	Buckets []string // all of them but "meta", which holds the schema number
	Derived []string // those that a rebuild fills again and does not copy
	// Mend changes an entry of a bucket on its way from a damaged file into the new one; nil changes nothing.
	Mend func(bucket string, value []byte) []byte
}

var bucketMeta = []byte("meta")

// maxTold bounds the list of problems of one run.
const maxTold = 100

// ErrNewer refuses to write what a later version laid out.
var ErrNewer = errors.New("sessions.db was written by a newer talaria and is read only for this one; " +
	"journals are still written, so nothing is lost; use the newer version to see everything")

// damagedError says that the database file cannot be trusted.
type damagedError struct{ cause error }

func (e *damagedError) Error() string { return "the session database is damaged: " + e.cause.Error() }
func (e *damagedError) Unwrap() error { return e.cause }

// DB is sessions.db, opened for one transaction at a time and never held. It is safe for concurrent use.
type DB struct {
	Spare     int64 // bytes that may be free before Compact does something; set before the first use
	dir, file string
	layout    Layout
	gate      gate
	mu        sync.Mutex
	told      []string // what was found and done, for Problems
	lost      int      // times a damaged file was moved aside
}

// New returns the database in dir; no file is touched.
func New(dir string, l Layout) *DB {
	return &DB{Spare: spare, dir: dir, file: filepath.Join(dir, "sessions.db"), layout: l, gate: gate{dir: dir, limit: gateLimit}}
}

// Note adds a sentence to Told, once.
func (d *DB) Note(format string, args ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if text := fmt.Sprintf(format, args...); len(d.told) < maxTold && !slices.Contains(d.told, text) {
		d.told = append(d.told, text)
	}
}

// Told is what was found damaged and what was done about it, oldest first.
func (d *DB) Told() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.told)
}

// Losses counts how often the file was found damaged and begun anew: what was read before may be incomplete.
func (d *DB) Losses() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.lost
}

// View runs fn over the database as it is; without one fn is not called. fn may run twice and must not keep bytes of tx.
func (d *DB) View(ctx context.Context, fn func(*bolt.Tx) error) error {
	if _, err := os.Stat(d.file); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	err := d.guarded(ctx, false, fn)
	var bad *damagedError
	if !errors.As(err, &bad) {
		return err
	}
	leave, err := d.gate.enter(ctx, true)
	if err != nil {
		return errors.Join(bad, err)
	}
	err = d.heal(bad)
	leave()
	if err != nil {
		return err
	}
	return d.guarded(ctx, false, fn)
}

func (d *DB) guarded(ctx context.Context, write bool, fn func(*bolt.Tx) error) error {
	leave, err := d.gate.enter(ctx, write)
	if err != nil {
		return err
	}
	defer leave()
	return d.once(write, fn)
}

// Update runs fn in one durable transaction. fn may run twice: what it changes outside tx must bear that.
func (d *DB) Update(ctx context.Context, fn func(*bolt.Tx) error) error {
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		return fmt.Errorf("create the session directory: %w", err)
	}
	leave, err := d.gate.enter(ctx, true)
	if err != nil {
		return err
	}
	defer leave()
	err = d.once(true, fn)
	var bad *damagedError
	if !errors.As(err, &bad) {
		return err
	}
	if err := d.heal(bad); err != nil {
		return err
	}
	return d.once(true, fn)
}

// once opens the file, runs fn in a transaction and closes it.
func (d *DB) once(write bool, fn func(*bolt.Tx) error) error {
	return d.open(opening{write: write}, func(db *bolt.DB) error {
		if write {
			return db.Update(func(tx *bolt.Tx) error {
				if err := d.prepare(tx); err != nil {
					return err
				}
				return fn(tx)
			})
		}
		return db.View(func(tx *bolt.Tx) error {
			if tx.Bucket(bucketMeta) == nil {
				return nil // created, and its process died before the first transaction
			}
			return fn(tx)
		})
	})
}

// opening is how the file is opened: for writing, and counting free pages.
type opening struct{ write, counts bool }

// open opens the file for use and closes it. bbolt panics on a damaged file, and reading a mapped file that was cut short
// is a fault; both come back as a damagedError.
func (d *DB) open(o opening, use func(*bolt.DB) error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	var f *os.File
	defer func() {
		if v := recover(); v != nil {
			if f != nil {
				f.Close() // the handle is beyond use; its lock must not stay
			}
			err = &damagedError{fmt.Errorf("%v", v)}
		}
	}()
	db, err := bolt.Open(d.file, 0o600, &bolt.Options{Timeout: time.Second, ReadOnly: !o.write, NoStatistics: !o.counts,
		OpenFile: func(path string, flag int, mode os.FileMode) (*os.File, error) {
			var err error
			f, err = os.OpenFile(path, flag, mode)
			return f, err
		}})
	if err != nil {
		return opened(err)
	}
	return errors.Join(use(db), db.Close())
}

func opened(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, berrors.ErrInvalid), errors.Is(err, berrors.ErrVersionMismatch), errors.Is(err, berrors.ErrChecksum),
		strings.Contains(err.Error(), "file size too small"):
		return &damagedError{err}
	}
	return fmt.Errorf("open the session database: %w", err)
}

// prepare creates what is missing and refuses a newer layout.
func (d *DB) prepare(tx *bolt.Tx) error {
	meta := tx.Bucket(bucketMeta)
	if meta == nil {
		for _, name := range append([]string{"meta"}, d.layout.Buckets...) {
			if _, err := tx.CreateBucketIfNotExists([]byte(name)); err != nil {
				return fmt.Errorf("create bucket %s: %w", name, err)
			}
		}
		return tx.Bucket(bucketMeta).Put([]byte("schema"), strconv.AppendInt(nil, int64(d.layout.Schema), 10))
	}
	if n, err := strconv.Atoi(string(meta.Get([]byte("schema")))); err != nil || n > d.layout.Schema {
		return ErrNewer
	}
	return nil
}

// heal is called behind the gate, to write. It looks at every page; only a file that truly cannot be read is moved
// aside, and what can be read of it goes into a new one. Journals fill in the rest at the next sweep.
func (d *DB) heal(why *damagedError) error {
	if d.walk() == nil {
		return nil // another process was here first, or the fault passed
	}
	aside := d.file + ".corrupt-" + time.Now().UTC().Format("20060102T150405.000")
	if err := os.Rename(d.file, aside); err != nil {
		return errors.Join(why, fmt.Errorf("move the damaged session database aside: %w", err))
	}
	d.mu.Lock()
	d.lost++
	d.mu.Unlock()
	saved := d.salvage(aside)
	d.Note("the session database was damaged (%v); it was moved to %s and is being rebuilt from the journals; %d entries were read from it",
		why.cause, aside, saved)
	return nil
}

// walk reads everything in the file, for writing too, since the list of free pages is loaded only then.
func (d *DB) walk() error {
	if _, err := os.Stat(d.file); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := d.once(false, readAll); err != nil {
		return err
	}
	err := d.once(true, func(*bolt.Tx) error { return nil })
	var bad *damagedError
	if errors.As(err, &bad) {
		return err
	}
	return nil
}

func walkBucket(b *bolt.Bucket) error {
	return b.ForEach(func(k, v []byte) error {
		if v == nil {
			return walkBucket(b.Bucket(k))
		}
		return nil
	})
}
