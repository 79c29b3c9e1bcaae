package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	bolt "go.etcd.io/bbolt"

	"talaria/engine"
	"talaria/store/find"
	"talaria/store/follow"
	"talaria/store/journal"
	"talaria/store/search"
)

// How long a search takes at most, how much of that it waits for the index to be brought up, and how long a scan keeps the
// database from those that write.
const (
	searchTime = time.Second
	indexTime  = 500 * time.Millisecond
	scanSlice  = 50 * time.Millisecond
)

// Search finds words in titles and messages: by the index, and by a scan when that finds nothing in any message.
func (d *disk) Search(ctx context.Context, q engine.SearchQuery) ([]engine.Hit, error) {
	f := find.New(q)
	if f.Words.Empty() {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	if err := d.query(ctx, func(x find.Index) {
		f = find.New(q)
		f.Begin(x)
	}); err != nil {
		return nil, fmt.Errorf("search the sessions: %w", err)
	}
	short, stop := context.WithTimeout(ctx, indexTime)
	d.follow.Wait(short)
	stop()
	var err error
	if !f.Words.Short() {
		err = d.lookUp(ctx, f, q)
	}
	if f.Titles() {
		err = d.scan(ctx, f, q)
	}
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("search the sessions: %w", err)
	}
	return f.Done(), nil
}

// lookUp asks the index, and reads the blocks it names.
func (d *disk) lookUp(ctx context.Context, f *find.Finding, q engine.SearchQuery) error {
	places, err := d.words.Find(ctx, search.Query{Words: f.Words, Dir: q.Dir, Repos: q.Repos, Order: q.Order, Limit: 4*q.Limit + 20})
	switch {
	case errors.Is(err, search.ErrLost):
		if d.words.Exists() {
			d.db.Note("the search index was damaged and is made anew (%v)", err)
			_ = d.words.Remove(ctx) // what cannot be removed is tried again by who makes it anew
		}
		d.follow.Now()
		return nil // a scan finds what there is
	case errors.Is(err, search.ErrBusy):
		return nil
	case err != nil:
		return err
	}
	return d.db.View(ctx, func(tx *bolt.Tx) error {
		x := boltIndex{tx}
		for _, p := range places {
			if f.Full() || ctx.Err() != nil {
				break
			}
			if s, ok := x.Session(p.Session); ok {
				f.Add(x, s, storedRecords(tx, p.Session, p.Block*search.Block, (p.Block+1)*search.Block), f.Words)
			}
		}
		return nil
	})
}

// scan reads messages, newest sessions first, for as long as ctx allows. The database is left to others now and then.
func (d *disk) scan(ctx context.Context, f *find.Finding, q engine.SearchQuery) error {
	var ids []string
	err := d.db.View(ctx, func(tx *bolt.Tx) error {
		ids = boltIndex{tx}.order(q.Dir, q.Repos)
		return nil
	})
	if q.Order == "oldest" {
		slices.Reverse(ids)
	}
	needles := f.Words.Texts()
	var small []byte
	for len(ids) > 0 && err == nil && ctx.Err() == nil && !f.Full() {
		err = d.db.View(ctx, func(tx *bolt.Tx) error {
			x := boltIndex{tx}
			for until := time.Now().Add(scanSlice); len(ids) > 0 && time.Now().Before(until) && !f.Full(); ids = ids[1:] {
				var recs []journal.Entry
				if recs, small = holding(tx, ids[0], needles, small); len(recs) == 0 {
					continue
				}
				if s, ok := x.Session(ids[0]); ok {
					f.Add(x, s, recs, f.Words.Infix())
				}
			}
			return nil
		})
	}
	return err
}

// holding returns the records of id whose JSON holds all the words, whatever their case. small is room to work in.
func holding(tx *bolt.Tx, id string, words []string, small []byte) ([]journal.Entry, []byte) {
	b := tx.Bucket(bucketMessages).Bucket([]byte(id))
	if b == nil {
		return nil, small
	}
	var recs []journal.Entry
	c := b.Cursor()
	for k, v := c.First(); k != nil; k, v = c.Next() {
		body := v
		if len(v) > 0 && v[0] != '{' {
			var err error
			if body, err = unpack(v); err != nil {
				continue
			}
		}
		var all bool
		if all, small = search.Holds(body, words, small); all {
			recs = append(recs, journal.EntryOf(bytes.Clone(body)))
		}
	}
	return recs, small
}

// Search finds words in titles and messages.
func (m *memory) Search(_ context.Context, q engine.SearchQuery) ([]engine.Hit, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f, x := find.New(q), memoryIndex{m}
	if f.Words.Empty() {
		return nil, nil
	}
	f.Begin(x)
	for _, words := range []search.Words{f.Words, f.Words.Infix()} {
		if !f.Titles() {
			break // parts of words only when there is no whole one
		}
		x.Newest(q.Dir, q.Repos, func(s engine.Session) bool {
			if _, n := words.Find(everything(m.sessions[s.ID].recs)); n == words.All() {
				f.Add(x, s, m.sessions[s.ID].recs, words)
			}
			return !f.Full()
		})
	}
	return f.Done(), nil
}

func everything(recs []journal.Entry) string {
	var b strings.Builder
	for _, e := range recs {
		if m, ok := e.Message(); ok {
			b.WriteString(search.Text(m) + "\n")
		}
	}
	return b.String()
}

// indexing is what the search index takes from the database.
var indexing = follow.Records{
	Session: func(tx *bolt.Tx, id string) (engine.Session, bool) { return boltIndex{tx}.Session(id) },
	Text: func(tx *bolt.Tx, id string, block uint64) string {
		return everything(storedRecords(tx, id, block*search.Block, (block+1)*search.Block))
	},
	IDs: func(tx *bolt.Tx, yield func(string) error) error {
		return tx.Bucket(bucketSessions).ForEach(func(id, _ []byte) error { return yield(string(id)) })
	},
}
