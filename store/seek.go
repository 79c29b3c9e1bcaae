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

// finding collects the hits of one search, one for each lineage.
type finding struct {
	q     engine.SearchQuery
	words search.Words
	not   map[string]bool // newest members of lineages that are left out
	at    map[string]int  // newest member of a lineage -> its hit
	whole map[string]bool // those whose message has all the words
	hits  []engine.Hit
}

func newFinding(q engine.SearchQuery) *finding {
	if q.Limit <= 0 {
		q.Limit = 50
	}
	return &finding{q: q, words: search.Parse(q.Text), not: map[string]bool{}, at: map[string]int{}, whole: map[string]bool{}}
}

// begin resolves the lineages that are left out and takes the titles that hold the words.
func (f *finding) begin(x index) {
	for _, id := range f.q.Not {
		if s, ok := x.session(id); ok {
			f.not[tip(x, s).ID] = true
		}
	}
	if len(f.q.Roles) > 0 {
		return
	}
	var hits []engine.Hit
	ids := x.titledWith(f.words.Texts())
	slices.Sort(ids) // by their time: rows are read, which is what costs, for the newest only
	for _, id := range slices.Backward(ids) {
		if len(hits) == f.q.Limit {
			break
		}
		s, ok := x.session(id)
		if !ok || !f.fits(s) || x.child(s.ID) != "" {
			continue
		}
		marks, _ := f.words.Infix().Find(s.Title)
		hits = append(hits, engine.Hit{Session: s, Tip: s.ID, At: s.Updated, Snippet: s.Title, Marks: marks})
	}
	slices.SortStableFunc(hits, func(a, b engine.Hit) int { return b.At.Compare(a.At) })
	for _, h := range hits {
		if !f.not[h.Tip] {
			f.at[h.Tip] = len(f.hits)
			f.hits = append(f.hits, h)
		}
	}
}

func (f *finding) fits(s engine.Session) bool {
	return s.ParentWhy != engine.WhyDelegate && s.In(f.q.Dir, f.q.Repos)
}

// full reports whether no further session is wanted.
func (f *finding) full() bool { return len(f.hits) >= f.q.Limit }

// add looks for the words in records of s, newest first, and takes the message with the most of them.
func (f *finding) add(x index, s engine.Session, recs []journal.Entry, words search.Words) {
	newest := tip(x, s).ID
	if f.not[newest] || f.whole[newest] || !f.fits(s) {
		return
	}
	best, most := engine.Hit{}, 0
	seen := map[string]bool{}
	for _, e := range slices.Backward(recs) {
		m, ok := e.Message()
		if !ok || m.ID != "" && seen[m.ID] || len(f.q.Roles) > 0 && !slices.Contains(f.q.Roles, m.Role) {
			continue
		}
		seen[m.ID] = true // a partial reply and its end are one message
		text := search.Text(m)
		marks, n := words.Find(text)
		if n <= most {
			continue
		}
		most = n
		best = engine.Hit{Session: s, Tip: newest, Message: m.ID, Seq: e.Seq, Role: m.Role, At: m.At}
		best.Snippet, best.Marks = search.Snippet(text, marks)
		if n == words.All() {
			break
		}
	}
	if most == 0 {
		return
	}
	f.whole[newest] = most == words.All()
	best.Session.System = ""
	if i, ok := f.at[newest]; !ok {
		f.at[newest] = len(f.hits)
		f.hits = append(f.hits, best)
	} else if f.hits[i].Seq == 0 || f.whole[newest] {
		f.hits[i] = best // a place in the text says more than the title alone
	}
}

// done returns the hits in the order that was asked for.
func (f *finding) done() []engine.Hit {
	if f.q.Order != "" {
		slices.SortStableFunc(f.hits, func(a, b engine.Hit) int {
			if f.q.Order == "oldest" {
				a, b = b, a
			}
			return b.Session.Updated.Compare(a.Session.Updated)
		})
	}
	for i := range f.hits {
		f.hits[i].Session.System = ""
	}
	return f.hits
}

// Search finds words in titles and messages: by the index, and by a scan when that finds nothing in any message.
func (d *disk) Search(ctx context.Context, q engine.SearchQuery) ([]engine.Hit, error) {
	f := newFinding(q)
	if f.words.Empty() {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	if err := d.query(ctx, func(x index) {
		f = newFinding(q)
		f.begin(x)
	}); err != nil {
		return nil, fmt.Errorf("search the sessions: %w", err)
	}
	titles := len(f.hits)
	short, stop := context.WithTimeout(ctx, indexTime)
	d.follow.Wait(short)
	stop()
	var err error
	if !f.words.Short() {
		err = d.lookUp(ctx, f)
	}
	if len(f.hits) == titles && !slices.ContainsFunc(f.hits, func(h engine.Hit) bool { return h.Seq > 0 }) {
		err = d.scan(ctx, f)
	}
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("search the sessions: %w", err)
	}
	return f.done(), nil
}

// lookUp asks the index, and reads the blocks it names.
func (d *disk) lookUp(ctx context.Context, f *finding) error {
	places, err := d.words.Find(ctx, search.Query{Words: f.words, Dir: f.q.Dir, Repos: f.q.Repos, Order: f.q.Order, Limit: 4*f.q.Limit + 20})
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
			if f.full() || ctx.Err() != nil {
				break
			}
			if s, ok := x.session(p.Session); ok {
				f.add(x, s, storedRecords(tx, p.Session, p.Block*search.Block, (p.Block+1)*search.Block), f.words)
			}
		}
		return nil
	})
}

// scan reads messages, newest sessions first, for as long as ctx allows. The database is left to others now and then.
func (d *disk) scan(ctx context.Context, f *finding) error {
	var ids []string
	err := d.db.View(ctx, func(tx *bolt.Tx) error {
		ids = boltIndex{tx}.order(f.q.Dir, f.q.Repos)
		return nil
	})
	if f.q.Order == "oldest" {
		slices.Reverse(ids)
	}
	needles := f.words.Texts()
	var small []byte
	for len(ids) > 0 && err == nil && ctx.Err() == nil && !f.full() {
		err = d.db.View(ctx, func(tx *bolt.Tx) error {
			x := boltIndex{tx}
			for until := time.Now().Add(scanSlice); len(ids) > 0 && time.Now().Before(until) && !f.full(); ids = ids[1:] {
				var recs []journal.Entry
				if recs, small = holding(tx, ids[0], needles, small); len(recs) == 0 {
					continue
				}
				if s, ok := x.session(ids[0]); ok {
					f.add(x, s, recs, f.words.Infix())
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
	f, x := newFinding(q), memoryIndex{m}
	if f.words.Empty() {
		return nil, nil
	}
	f.begin(x)
	for _, words := range []search.Words{f.words, f.words.Infix()} {
		if slices.ContainsFunc(f.hits, func(h engine.Hit) bool { return h.Seq > 0 }) {
			break // parts of words only when there is no whole one
		}
		x.newest(q.Dir, q.Repos, func(s engine.Session) bool {
			if _, n := words.Find(everything(m.sessions[s.ID].recs)); n == words.All() {
				f.add(x, s, m.sessions[s.ID].recs, words)
			}
			return !f.full()
		})
	}
	return f.done(), nil
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
	Session: func(tx *bolt.Tx, id string) (engine.Session, bool) { return boltIndex{tx}.session(id) },
	Text: func(tx *bolt.Tx, id string, block uint64) string {
		return everything(storedRecords(tx, id, block*search.Block, (block+1)*search.Block))
	},
	IDs: func(tx *bolt.Tx, yield func(string) error) error {
		return tx.Bucket(bucketSessions).ForEach(func(id, _ []byte) error { return yield(string(id)) })
	},
}
