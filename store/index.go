package store

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	bolt "go.etcd.io/bbolt"

	"talaria/engine"
	"talaria/store/database"
	"talaria/store/follow"
	"talaria/store/journal"
	"talaria/store/meter"
	"talaria/store/typed"
)

// schema is the layout that this version writes.
const schema = 1

// The buckets; messages has a bucket inside for each session.
var (
	bucketSessions = []byte("sessions")
	bucketSystems  = []byte("systems") // id: system prompt
	bucketUpdated  = []byte("by_updated")
	bucketDir      = []byte("by_dir")
	bucketTitles   = []byte("titles")
	bucketTips     = []byte("tips")
	bucketMessages = []byte("messages")
	bucketJournals = []byte("journals") // id: length of the journal at its last fold
)

// layout is what the database is told about them. After a rebuild sessions are folded anew, so that sums and lengths
// must start from nothing.
func layout(dir string) database.Layout {
	return database.Layout{
		Schema: schema,
		Buckets: []string{"sessions", "systems", "by_updated", "by_dir", "titles", "tips", "messages", "journals", typed.Lines,
			typed.Drafts, meter.Bucket, follow.Queue, follow.Indexed},
		Derived: []string{"journals", meter.Bucket, follow.Indexed},
		Mend: func(bucket string, v []byte) []byte {
			if bucket == string(bucketSessions) {
				return unfold(dir, v)
			}
			return v
		},
	}
}

// Keys. Times are inverted so that the newest comes first; a zero byte ends a text.
//
//	by_updated  time id      by_dir  dir 0 time id      titles  lower-case title 0 id      tips  parent 0 child

func timeKey(t time.Time) []byte {
	n := uint64(0)
	if t.Unix() > 0 {
		n = uint64(t.UnixNano())
	}
	return binary.BigEndian.AppendUint64(nil, ^n)
}

func dirPrefix(dir string) []byte { return append([]byte(database.Clip(dir)), 0) }

func titlePrefix(title string) []byte {
	return append([]byte(database.Clip(strings.ToLower(title))), 0)
}

// indexKeys are the places where r is found besides its own row.
func indexKeys(r journal.Row) map[string][]byte {
	if r.Bare {
		return nil
	}
	keys := map[string][]byte{
		string(bucketUpdated): append(timeKey(r.Updated), r.ID...),
		string(bucketDir):     append(append(dirPrefix(r.Dir), timeKey(r.Updated)...), r.ID...),
	}
	if r.Title != "" {
		keys[string(bucketTitles)] = append(titlePrefix(r.Title), r.ID...)
	}
	if r.ParentWhy == "compression" && r.ParentID != "" {
		keys[string(bucketTips)] = append(append([]byte(r.ParentID), 0), r.ID...)
	}
	return keys
}

// getRow returns the stored row of id with its system prompt, nil when there is none that can be read.
func getRow(tx *bolt.Tx, id string) *journal.Row {
	v := tx.Bucket(bucketSessions).Get([]byte(id))
	if v == nil {
		return nil
	}
	r, err := journal.DecodeRow(v)
	if err != nil || r.ID != id {
		return nil
	}
	r.System = string(tx.Bucket(bucketSystems).Get([]byte(id)))
	return &r
}

// putRow stores r in the place of old, which may be nil, and moves its index keys.
func putRow(tx *bolt.Tx, old *journal.Row, r journal.Row) error {
	v, err := r.Encode()
	if err != nil {
		return err
	}
	if old != nil {
		if err := dropIndex(tx, *old); err != nil {
			return err
		}
	}
	for name, key := range indexKeys(r) {
		if err := tx.Bucket([]byte(name)).Put(key, nil); err != nil {
			return fmt.Errorf("index session %s: %w", r.ID, err)
		}
	}
	if r.System != "" && (old == nil || old.System != r.System) {
		if err := tx.Bucket(bucketSystems).Put([]byte(r.ID), []byte(r.System)); err != nil {
			return fmt.Errorf("store system prompt of %s: %w", r.ID, err)
		}
	}
	if err := tx.Bucket(bucketSessions).Put([]byte(r.ID), v); err != nil {
		return fmt.Errorf("store session %s: %w", r.ID, err)
	}
	return nil
}

func dropIndex(tx *bolt.Tx, r journal.Row) error {
	for name, key := range indexKeys(r) {
		if err := tx.Bucket([]byte(name)).Delete(key); err != nil {
			return fmt.Errorf("index session %s: %w", r.ID, err)
		}
	}
	return nil
}

// boltIndex answers what finding asks from one transaction.
type boltIndex struct{ tx *bolt.Tx }

func (x boltIndex) Session(id string) (engine.Session, bool) {
	if id == "" || len(id) > bolt.MaxKeySize {
		return engine.Session{}, false
	}
	r := getRow(x.tx, id)
	if r == nil || r.Bare {
		return engine.Session{}, false
	}
	return r.Session, true
}

func (x boltIndex) Prefixed(prefix string, most int) []string {
	var ids []string
	c := x.tx.Bucket(bucketSessions).Cursor()
	for k, _ := c.Seek([]byte(prefix)); k != nil && bytes.HasPrefix(k, []byte(prefix)) && len(ids) < most; k, _ = c.Next() {
		if _, ok := x.Session(string(k)); ok {
			ids = append(ids, string(k))
		}
	}
	return ids
}

func (x boltIndex) Titled(title string) []string {
	return under(x.tx.Bucket(bucketTitles), titlePrefix(title))
}

func (x boltIndex) Child(id string) string {
	kids := under(x.tx.Bucket(bucketTips), append([]byte(id), 0))
	if len(kids) == 0 {
		return ""
	}
	return kids[len(kids)-1] // ids begin with their time: the last is the newest
}

func (x boltIndex) Parts(id string) []string {
	parts := under(x.tx.Bucket(bucketTips), append([]byte(id), 0))
	c, named := x.tx.Bucket(bucketSessions).Cursor(), []byte(`"`+id+`"`)
	for k, v := c.First(); k != nil; k, v = c.Next() {
		if !bytes.Contains(v, named) {
			continue // few rows are worth decoding
		}
		if r, err := journal.DecodeRow(v); err == nil && r.ParentID == id && r.ParentWhy == engine.WhyDelegate {
			parts = append(parts, string(k))
		}
	}
	return parts
}

func (x boltIndex) Newest(dir string, repos []string, yield func(engine.Session) bool) {
	for _, id := range x.order(dir, repos) {
		r, err := journal.DecodeRow(x.tx.Bucket(bucketSessions).Get([]byte(id)))
		if err != nil || r.Bare || !r.Session.In(dir, repos) {
			continue // a row that cannot be read is left where it is
		}
		if !yield(r.Session) {
			return
		}
	}
}

// order returns the ids of the sessions of a directory, of all directories of some repositories, or of all, newest first.
func (x boltIndex) order(dir string, repos []string) []string {
	var keys []string
	switch {
	case dir != "":
		keys = under(x.tx.Bucket(bucketDir), dirPrefix(dir))
	case len(repos) > 0:
		for _, prefix := range x.dirsOf(repos) {
			keys = append(keys, under(x.tx.Bucket(bucketDir), prefix)...)
		}
		slices.Sort(keys) // by time
	default:
		keys = under(x.tx.Bucket(bucketUpdated), nil)
	}
	ids := make([]string, 0, len(keys))
	for _, k := range keys {
		if len(k) > 8 {
			ids = append(ids, k[8:])
		}
	}
	return ids
}

// dirsOf returns the key prefixes of the directories that are below one of the repositories, or whose newest session is of
// one: a step for each directory, not for each session.
func (x boltIndex) dirsOf(repos []string) (prefixes [][]byte) {
	c := x.tx.Bucket(bucketDir).Cursor()
	for k, _ := c.First(); k != nil; {
		end := bytes.IndexByte(k, 0)
		if end < 0 {
			k, _ = c.Next()
			continue
		}
		prefix := bytes.Clone(k[:end+1])
		here := slices.ContainsFunc(repos, func(r string) bool { return strings.HasPrefix(string(prefix[:end])+"/", r+"/") })
		if !here && len(k) > end+9 {
			s, ok := x.Session(string(k[end+9:]))
			here = ok && slices.Contains(repos, s.Repo)
		}
		if here {
			prefixes = append(prefixes, prefix)
		}
		k, _ = c.Seek(append(bytes.Clone(prefix[:end]), 1)) // the next directory
	}
	return prefixes
}

func (x boltIndex) TitledWith(words []string) (ids []string) {
	c := x.tx.Bucket(bucketTitles).Cursor()
	for k, _ := c.First(); k != nil; k, _ = c.Next() {
		title, id, ok := bytes.Cut(k, []byte{0})
		for _, w := range words {
			ok = ok && bytes.Contains(title, []byte(w))
		}
		if ok {
			ids = append(ids, string(id))
		}
	}
	return ids
}

// under returns what stands behind prefix in the keys of b, in order.
func under(b *bolt.Bucket, prefix []byte) []string {
	var rest []string
	c := b.Cursor()
	for k, _ := c.Seek(prefix); k != nil && bytes.HasPrefix(k, prefix); k, _ = c.Next() {
		rest = append(rest, string(k[len(prefix):]))
	}
	return rest
}

// unfold returns the value of a row that is to be folded anew, if there is a journal to do that from.
func unfold(dir string, v []byte) []byte {
	r, err := journal.DecodeRow(v)
	if err != nil {
		return v
	}
	if _, err := os.Stat(journal.Path(dir, r.ID)); err != nil {
		return v
	}
	r.Folded = 0
	if fresh, err := r.Encode(); err == nil {
		return fresh
	}
	return v
}
