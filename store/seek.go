package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"

	"talaria/engine"
	"talaria/store/find"
	"talaria/store/follow"
	"talaria/store/hit"
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
	lacks, few := d.follow.Missing(ctx)
	if !few {
		short, stop := context.WithTimeout(ctx, indexTime)
		d.follow.Wait(short)
		stop()
		lacks, few = d.follow.Missing(ctx)
	}
	err := d.lookUp(ctx, f, lacks)
	if errors.Is(err, search.ErrLost) || errors.Is(err, search.ErrBusy) || err == nil && !few && f.Titles() {
		err = d.scan(ctx, f)
	}
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("search the sessions: %w", err)
	}
	return f.Done(), nil
}

// lookUp looks through what the index lacks, asks the index, and reads the blocks it names. Parts of words are looked for
// when there is no whole one.
func (d *disk) lookUp(ctx context.Context, f *find.Finding, lacks []search.Place) error {
	err := d.words.Read(ctx, func(r *search.Reader) error {
		for _, words := range []search.Words{f.Words, f.Words.Infix()} {
			if !f.Titles() || words.Short() && !words.In() {
				continue
			}
			if err := errors.Join(d.blocks(ctx, f, lacks, words), d.pages(ctx, r, f, words)); err != nil {
				return err
			}
		}
		return nil
	})
	if errors.Is(err, search.ErrLost) {
		if d.words.Exists() {
			d.db.Note("the search index was damaged and is made anew (%v)", err)
			_ = d.words.Remove(ctx) // what cannot be removed is tried again by who makes it anew
		}
		d.follow.Now()
	}
	return err
}

// pages takes the places that the index names, until there are enough sessions: a long one may have many places.
func (d *disk) pages(ctx context.Context, r *search.Reader, f *find.Finding, words search.Words) error {
	q := search.Query{Words: words, Dir: f.Query.Dir, Repos: f.Query.Repos, Order: f.Query.Order, Limit: 4*f.Query.Limit + 20}
	for !f.Full() && ctx.Err() == nil {
		places, err := r.Find(ctx, q)
		if err != nil {
			return err
		}
		if err := d.blocks(ctx, f, places, words); err != nil || len(places) < q.Limit {
			return err
		}
		q.From, q.Limit = q.From+q.Limit, 4*q.Limit
	}
	return ctx.Err()
}

// blocks looks for words in the records of places.
func (d *disk) blocks(ctx context.Context, f *find.Finding, places []search.Place, words search.Words) error {
	return d.db.View(ctx, func(tx *bolt.Tx) error {
		x := boltIndex{tx}
		for _, p := range places {
			if f.Full() || ctx.Err() != nil {
				break
			}
			s, ok := x.Session(p.Session)
			if newest, wanted := f.Wants(x, s); ok && wanted {
				f.Add(newest, s, storedRecords(tx, p.Session, p.Block*search.Block, (p.Block+1)*search.Block), words)
			}
		}
		return nil
	})
}

// scan reads messages, newest sessions first, for as long as ctx allows. The database is left to others now and then.
func (d *disk) scan(ctx context.Context, f *find.Finding) error {
	var ids []string
	err := d.db.View(ctx, func(tx *bolt.Tx) error {
		ids = boltIndex{tx}.order(f.Query.Dir, f.Query.Repos)
		return nil
	})
	if f.Query.Order == "oldest" {
		slices.Reverse(ids)
	}
	words := f.Words.Infix()
	for len(ids) > 0 && err == nil && ctx.Err() == nil && !f.Full() {
		err = d.db.View(ctx, func(tx *bolt.Tx) error {
			x := boltIndex{tx}
			for until := time.Now().Add(scanSlice); len(ids) > 0 && time.Now().Before(until) && !f.Full(); ids = ids[1:] {
				s, ok := x.Session(ids[0])
				if newest, wanted := f.Wants(x, s); ok && wanted {
					f.Add(newest, s, hit.Holding(storedRecords(tx, s.ID, 0, s.Folded), words), words)
				}
			}
			return nil
		})
	}
	return err
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
			if newest, wanted := f.Wants(x, s); wanted {
				f.Add(newest, s, m.sessions[s.ID].recs, words)
			}
			return !f.Full()
		})
	}
	return f.Done(), nil
}

// indexing is what the search index takes from the database.
var indexing = follow.Records{
	Session: func(tx *bolt.Tx, id string) (engine.Session, bool) { return boltIndex{tx}.Session(id) },
	Text: func(tx *bolt.Tx, id string, block uint64) string {
		return hit.Text(storedRecords(tx, id, block*search.Block, (block+1)*search.Block))
	},
	IDs: func(tx *bolt.Tx, yield func(string) error) error {
		return tx.Bucket(bucketSessions).ForEach(func(id, _ []byte) error { return yield(string(id)) })
	},
}
