package store

import (
	"errors"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
	bolt "go.etcd.io/bbolt"

	"talaria/engine"
	"talaria/store/database"
	"talaria/store/follow"
	"talaria/store/journal"
	"talaria/store/meter"
)

// packFrom is the size in bytes above which a record is compressed in the database: tool output, images, file copies.
const packFrom = 16 << 10

var packer = sync.OnceValues(func() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
})

var unpacker = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
})

// pack returns the database value of a body: the JSON itself, or a zstd frame, which never begins with a brace.
func pack(body []byte) ([]byte, error) {
	if len(body) < packFrom {
		return body, nil
	}
	enc, err := packer()
	if err != nil {
		return nil, fmt.Errorf("compress record: %w", err)
	}
	return enc.EncodeAll(body, nil), nil
}

// unpack returns a copy of the body that pack was given.
func unpack(v []byte) ([]byte, error) {
	if len(v) > 0 && v[0] == '{' {
		return append([]byte(nil), v...), nil
	}
	dec, err := unpacker()
	if err != nil {
		return nil, fmt.Errorf("decompress record: %w", err)
	}
	return dec.DecodeAll(v, nil)
}

// putRecords stores those of recs that are above folded. It may be repeated: the key is the number.
func putRecords(tx *bolt.Tx, s engine.Session, folded uint64, recs []journal.Entry) error {
	messages, err := tx.Bucket(bucketMessages).CreateBucketIfNotExists([]byte(s.ID))
	if err != nil {
		return fmt.Errorf("store records of %s: %w", s.ID, err)
	}
	messages.FillPercent = 0.9 // numbers only grow: nothing will come between
	sums := meter.New(tx, s.Route.Model, messages, folded)
	for _, e := range recs {
		if e.Seq <= folded {
			continue
		}
		v, err := pack(e.Body)
		if err != nil {
			return err
		}
		if err := messages.Put(database.Seq(e.Seq), v); err != nil {
			return fmt.Errorf("store record %d of %s: %w", e.Seq, s.ID, err)
		}
		if err := sums.Add(e); err != nil {
			return err
		}
	}
	return nil
}

// storedRecords returns the records of id with numbers in (after, upTo] that the database holds.
func storedRecords(tx *bolt.Tx, id string, after, upTo uint64) []journal.Entry {
	b := tx.Bucket(bucketMessages).Bucket([]byte(id))
	if b == nil {
		return nil
	}
	var recs []journal.Entry
	c := b.Cursor()
	for k, v := c.Seek(database.Seq(after + 1)); len(k) == 8; k, v = c.Next() {
		body, err := unpack(v)
		e := journal.EntryOf(body)
		if e.Seq > upTo {
			break
		}
		if err == nil && e.Seq > 0 {
			recs = append(recs, e)
		}
	}
	return recs
}

// folding is one session on its way into the database.
type folding struct {
	id      string
	own     journal.Row     // what the owner, or the journal, knows of the row
	recs    []journal.Entry // at least all records that the database may lack
	changes []func(*engine.Session)
	tried   attempt
	last    uint64 // the highest number there is
	whole   bool   // recs are all that is left anywhere
}

// lacks reports whether the database needs records that recs does not hold: it was rebuilt since they were folded.
func (f folding) lacks(stored *journal.Row) bool {
	folded := uint64(0)
	if stored != nil {
		folded = stored.Folded
	}
	return !f.whole && folded < f.last && (len(f.recs) == 0 || f.recs[0].Seq > folded+1)
}

// attempt is a fold whose commit failed. If the database nevertheless holds its revision, its changes are in.
type attempt struct {
	rev     uint64
	changes int
}

// row returns what the session's row becomes, given the one in the database.
func (f folding) row(stored *journal.Row) (journal.Row, error) {
	changes := f.changes
	if f.tried.rev > 0 && stored != nil && stored.Rev == f.tried.rev {
		changes = changes[f.tried.changes:]
	}
	r := journal.Newer(stored.Copy(), f.own)
	r.Session = journal.Clone(r.Session)
	title, set := r.Title, r.TitleSet
	if err := apply(&r.Session, changes); err != nil {
		return r, err
	}
	// A title that the change only carried along from the owner's older copy does not undo a rename.
	stale := r.Title == f.own.Title && r.TitleSet == f.own.TitleSet
	if stale || set && !r.TitleSet {
		r.Title, r.TitleSet = title, set
	}
	for _, e := range f.recs {
		if at := e.At(); e.Seq > r.Folded && at.After(r.Updated) {
			r.Updated = at
		}
	}
	r.ID, r.Bare = f.id, false
	r.Folded, r.Rev = max(r.Folded, f.last), max(r.Rev, f.own.Rev)+1
	return r, nil
}

// apply runs changes on s. A panic in one is the caller's mistake and must not look like a damaged database.
func apply(s *engine.Session, changes []func(*engine.Session)) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("fold session %s: the change panicked: %v", s.ID, v)
		}
	}()
	for _, change := range changes {
		change(s)
	}
	return nil
}

// errGap asks for the records again, from the first: the database lost what it had of this session.
var errGap = errors.New("the database lacks records that were folded before")

// put stores row and records; size is the journal's length that this covers, -1 when it holds more.
func (f folding) put(tx *bolt.Tx, stored *journal.Row, r journal.Row, size int64) error {
	folded := uint64(0)
	if stored != nil {
		folded = stored.Folded
	}
	if err := putRecords(tx, r.Session, folded, f.recs); err != nil {
		return err
	}
	if err := putRow(tx, stored, r); err != nil {
		return err
	}
	if err := follow.Enqueue(tx, f.id); err != nil {
		return err
	}
	return putSize(tx, f.id, size)
}

func putSize(tx *bolt.Tx, id string, size int64) error {
	if err := tx.Bucket(bucketJournals).Put([]byte(id), database.Seq(uint64(size))); err != nil {
		return fmt.Errorf("store the journal's size of %s: %w", id, err)
	}
	return nil
}
