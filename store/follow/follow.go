// Package follow keeps the search index up with the database: a fold or a deletion puts the session's id into a queue in
// its own transaction, and what works the queue off may die at any moment and is repeated. It refuses to make anybody
// wait: it runs after the turn, beside everything else, and leaves the index to readers between two steps.
package follow

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"

	"talaria/engine"
	"talaria/store/search"
)

// after is how long after a fold the index is brought up: a turn folds at every step, and one update is enough.
const after = 3 * time.Second

// stepBytes is about how much text one update takes, and slice how long the database is kept from those that write to it
// while a part of that is read. Between two slices it is left alone for a pause: a flock is not fair, and without the
// pause whoever waits to write may never get it.
const (
	stepBytes  = 8 << 20
	entryBytes = 64 // what an entry counts beside its text
	slice      = 50 * time.Millisecond
	pause      = 5 * time.Millisecond
)

// The buckets, for the layout of the database: ids with records that the search index lacks, or that were deleted; and for
// each id the record up to which the index is complete, which is derived.
const (
	Queue   = "unindexed"
	Indexed = "indexed"
)

var bucketQueue, bucketIndexed = []byte(Queue), []byte(Indexed)

// Database is what the index follows.
type Database interface {
	View(ctx context.Context, fn func(*bolt.Tx) error) error
	Update(ctx context.Context, fn func(*bolt.Tx) error) error
	// Compact gives free space back to the disk when there is much of it.
	Compact(ctx context.Context) error
	Note(format string, args ...any)
}

// Records reads what is to be indexed. Session tells where a session ran and its last record; ok is false when it is not
// there. Text is what a block of its records is found by. IDs yields all sessions.
type Records struct {
	Session func(tx *bolt.Tx, id string) (s engine.Session, ok bool)
	Text    func(tx *bolt.Tx, id string, block uint64) string
	IDs     func(tx *bolt.Tx, yield func(id string) error) error
}

// Follower brings one index up. It is safe for concurrent use.
type Follower struct {
	db    Database
	recs  Records
	index *search.Index

	mu     sync.Mutex
	closed bool
	later  *time.Timer
	done   chan struct{} // closed when the work at hand ends; nil when there is none
	stop   context.CancelFunc
}

// New returns a follower that does nothing yet.
func New(db Database, recs Records, index *search.Index) *Follower {
	return &Follower{db: db, recs: recs, index: index}
}

// Enqueue notes that the index lacks something of id.
func Enqueue(tx *bolt.Tx, id string) error {
	b, err := tx.CreateBucketIfNotExists(bucketQueue) // a database of before has none
	if err == nil {
		err = b.Put([]byte(id), nil)
	}
	if err != nil {
		return fmt.Errorf("note that session %s is to be indexed: %w", id, err)
	}
	return nil
}

// all notes everything: there is no index.
func (f *Follower) all(tx *bolt.Tx) error {
	if tx.Bucket(bucketIndexed) != nil {
		if err := tx.DeleteBucket(bucketIndexed); err != nil {
			return err
		}
	}
	if _, err := tx.CreateBucket(bucketIndexed); err != nil {
		return err
	}
	return f.recs.IDs(tx, func(id string) error { return Enqueue(tx, id) })
}

// Later brings the index up when the turn is over.
func (f *Follower) Later() {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.closed:
	case f.later != nil:
		f.later.Reset(after)
	default:
		f.later = time.AfterFunc(after, f.Now)
	}
}

// Now begins to work the queue off, if nobody here does.
func (f *Follower) Now() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed || f.done != nil {
		return
	}
	done := make(chan struct{})
	ctx, cancel := context.WithCancel(context.Background())
	f.done, f.stop = done, cancel
	engine.Go("search index", func() {
		defer close(done)
		defer cancel()
		err := f.work(ctx)
		if err != nil && !errors.Is(err, search.ErrBusy) && ctx.Err() == nil {
			f.db.Note("the search index could not be brought up: %v; searching looks through the messages instead", err)
		}
		f.mu.Lock()
		f.done = nil
		f.mu.Unlock()
	})
}

// Wait waits for the index to be complete, as long as ctx allows.
func (f *Follower) Wait(ctx context.Context) {
	if empty, err := f.empty(ctx); empty && err == nil {
		return
	}
	f.Now()
	f.mu.Lock()
	done := f.done
	f.mu.Unlock()
	if done == nil {
		return
	}
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// mostMissing is how many blocks a search looks through beside the index.
const mostMissing = 64

// Missing returns the blocks that the index lacks or may have older words of, the newest sessions first, and brings it up
// later. Few is false when they are too many to look through beside it.
func (f *Follower) Missing(ctx context.Context) (places []search.Place, few bool) {
	err := f.db.View(ctx, func(tx *bolt.Tx) error {
		places = nil
		queue := tx.Bucket(bucketQueue)
		if queue == nil || !f.index.Exists() {
			return f.recs.IDs(tx, func(string) error { return errMany })
		}
		c := queue.Cursor()
		for k, _ := c.Last(); k != nil; k, _ = c.Prev() {
			row, ok := f.recs.Session(tx, string(k))
			if !ok {
				continue
			}
			last := search.BlockOf(max(row.Folded, 1))
			for block := search.BlockOf(max(indexedTo(tx, string(k)), 1)); block <= last; block++ {
				if places = append(places, search.Place{Session: string(k), Block: block}); len(places) > mostMissing {
					return errMany
				}
			}
		}
		return nil
	})
	if len(places) > 0 && err == nil {
		f.Later()
	}
	return places, err == nil
}

var errMany = errors.New("too much is missing")

// empty reports whether there is nothing to do.
func (f *Follower) empty(ctx context.Context) (empty bool, err error) {
	empty = true
	err = f.db.View(ctx, func(tx *bolt.Tx) error {
		if b := tx.Bucket(bucketQueue); b != nil && f.index.Exists() {
			k, _ := b.Cursor().First()
			empty = k == nil
			return nil
		}
		empty = f.recs.IDs(tx, func(string) error { return errMany }) == nil
		return nil
	})
	return empty, err
}

// Close ends the work for good.
func (f *Follower) Close() {
	f.mu.Lock()
	f.closed = true
	if f.later != nil {
		f.later.Stop()
	}
	done, stop := f.done, f.stop
	f.mu.Unlock()
	if done != nil {
		stop()
		<-done
	}
}

// work works the queue off. Then space is given back: a deletion may have found the database in use, or have died before.
func (f *Follower) work(ctx context.Context) error {
	for ctx.Err() == nil {
		existed := f.index.Exists()
		if !existed {
			if err := f.db.Update(ctx, f.all); err != nil {
				return err
			}
		}
		next := &step{recs: f.recs, upTo: map[string]uint64{}, done: map[string]bool{}}
		for more := true; more && ctx.Err() == nil; {
			if next.at != "" {
				wait(ctx, pause)
			}
			more = false
			if err := f.db.View(ctx, func(tx *bolt.Tx) error {
				more = next.take(tx)
				return nil
			}); err != nil {
				return err
			}
		}
		if len(next.upTo) == 0 {
			_ = f.db.Compact(ctx) // in use: after the next turn, then
			return nil
		}
		if err := f.index.Put(ctx, next.entries); errors.Is(err, search.ErrLost) && existed {
			f.db.Note("the search index was damaged and is made anew (%v)", err)
			continue
		} else if err != nil {
			return err
		}
		if err := f.db.Update(ctx, next.settle); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func wait(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// step is what one update of the index takes from the queue.
type step struct {
	recs    Records
	entries []search.Entry
	upTo    map[string]uint64 // by id: the record up to which it is then indexed; 0 for one that was deleted
	done    map[string]bool   // ids of which nothing is left
	bytes   int
	at      string    // the id that was taken last
	until   time.Time // when the database is let go
}

// take collects from the queue until there is enough for one update, or time is over: then there is more to take.
func (s *step) take(tx *bolt.Tx) (more bool) {
	queue := tx.Bucket(bucketQueue)
	if queue == nil {
		return false
	}
	s.until = time.Now().Add(slice)
	c := queue.Cursor()
	for k, _ := c.Seek([]byte(s.at)); k != nil && s.bytes < stepBytes; k, _ = c.Next() {
		if s.at = string(k); s.done[s.at] {
			continue
		}
		if s.session(tx, s.at); time.Now().After(s.until) {
			return s.bytes < stepBytes
		}
	}
	return false
}

func (s *step) session(tx *bolt.Tx, id string) {
	from, begun := s.upTo[id]
	if !begun {
		from = indexedTo(tx, id)
	}
	row, ok := s.recs.Session(tx, id)
	if !ok {
		for b := uint64(0); from > 0 && b <= search.BlockOf(from); b++ {
			s.entries = append(s.entries, search.Entry{Session: id, Block: b})
			s.bytes += entryBytes
		}
		s.upTo[id], s.done[id] = 0, true
		return
	}
	s.upTo[id] = from
	block, last := search.BlockOf(max(from, 1)), search.BlockOf(max(row.Folded, 1))
	if begun && from%search.Block == 0 {
		block++ // the one before is taken whole
	}
	for ; block <= last && s.bytes < stepBytes; block++ {
		text := s.recs.Text(tx, id, block)
		s.bytes += len(text) + entryBytes
		s.entries = append(s.entries, search.Entry{Session: id, Block: block, Dir: row.Dir, Repo: row.Repo, Text: text})
		s.upTo[id] = min(row.Folded, (block+1)*search.Block)
		if time.Now().After(s.until) {
			break
		}
	}
	s.done[id] = s.upTo[id] >= row.Folded
}

func indexedTo(tx *bolt.Tx, id string) uint64 {
	if b := tx.Bucket(bucketIndexed); b != nil {
		if v := b.Get([]byte(id)); len(v) == 8 {
			return binary.BigEndian.Uint64(v)
		}
	}
	return 0
}

// settle notes what the index has now. A session that was folded, or deleted, meanwhile stays in the queue.
func (s *step) settle(tx *bolt.Tx) error {
	indexed, err := tx.CreateBucketIfNotExists(bucketIndexed)
	if err != nil {
		return err
	}
	for id, upTo := range s.upTo {
		row, there := s.recs.Session(tx, id)
		gone := !there && upTo == 0
		if gone {
			err = indexed.Delete([]byte(id))
		} else {
			err = indexed.Put([]byte(id), binary.BigEndian.AppendUint64(nil, upTo))
		}
		if err == nil && s.done[id] && (gone || there && row.Folded <= upTo) {
			err = tx.Bucket(bucketQueue).Delete([]byte(id))
		}
		if err != nil {
			return fmt.Errorf("note what the search index has of %s: %w", id, err)
		}
	}
	return nil
}
