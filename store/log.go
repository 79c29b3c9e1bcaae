package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"

	"talaria/engine"
	"talaria/store/journal"
)

var errClosed = errors.New("the session was closed")

// sessionLog is a session that this process owns. mu guards what Append needs and is never held while the database is
// waited for, so that a stuck database delays no record; folding keeps folds apart.
type sessionLog struct {
	st      *disk
	id      string
	folding sync.Mutex

	mu       sync.Mutex
	j        *journal.Journal
	next     uint64          // number of the next record
	unfolded []journal.Entry // records that the database lacks
	row      journal.Row     // as last folded
	changes  []func(*engine.Session)
	tried    attempt
	owes     bool // the row here is newer than the database's
	closed   bool
}

// Append writes recs to the journal and syncs it. A record that cannot be encoded is refused for good; everything else
// is kept until it is written.
func (l *sessionLog) Append(_ context.Context, recs ...engine.Record) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return fmt.Errorf("append to session %s: %w", l.id, errClosed)
	}
	var refused []error
	for _, r := range recs {
		e, err := journal.Encode(r, l.next, time.Now())
		if err != nil {
			refused = append(refused, err)
			continue
		}
		l.next++
		l.j.Add(e)
		l.unfolded = append(l.unfolded, e)
	}
	if err := errors.Join(append(refused, l.j.Flush())...); err != nil {
		return fmt.Errorf("append to session %s: %w", l.id, err)
	}
	return nil
}

// Records returns all records: of the journal, of the database where the journal has gaps, and what waits.
func (l *sessionLog) Records(ctx context.Context) ([]engine.Record, error) {
	l.mu.Lock()
	data, err := l.j.Bytes()
	waiting, last := journal.Union(l.unfolded, l.j.Waiting()), l.next-1
	l.mu.Unlock()
	recs := journal.Union(journal.Read(data).Recs, waiting)
	if uint64(len(recs)) < last {
		more, dbErr := l.st.fromDatabase(ctx, l.id, 0, last)
		recs = journal.Union(recs, more)
		err = errors.Join(err, dbErr)
	}
	if uint64(len(recs)) >= last {
		err = nil // nothing is missing, whatever could not be read
	}
	return journal.Records(recs), err
}

// waiting are the records that may not be in the file yet.
func (l *sessionLog) waiting() []journal.Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	return journal.Union(l.unfolded, l.j.Waiting())
}

// Fold stores what the database lacks and the row as change leaves it, in one transaction. After an error the change is
// kept and made by the next Fold, before its own: do not give it again. change may run several times, each time on a
// fresh row, and touches nothing else. A session without records stays unwritten.
func (l *sessionLog) Fold(ctx context.Context, change func(*engine.Session)) error {
	l.folding.Lock()
	defer l.folding.Unlock()
	f, journalErr, err := l.begin(change)
	if err != nil || f == nil {
		return errors.Join(journalErr, err)
	}
	var done journal.Row
	work := func(tx *bolt.Tx) error {
		stored := getRow(tx, l.id)
		r, err := f.row(stored)
		if err != nil {
			return err
		}
		if f.lacks(stored) {
			return errGap
		}
		done = r
		return f.put(tx, stored, r, l.note(r, false))
	}
	err = l.st.db.Update(ctx, work)
	if errors.Is(err, errGap) {
		if f.recs, err = l.everything(); err == nil {
			f.whole = true
			err = l.st.db.Update(ctx, work)
		}
	}
	if err == nil {
		l.settle(done)
		l.st.follow.Later()
		return journalErr
	}
	l.owe(*f)
	return errors.Join(journalErr, fmt.Errorf("fold session %s: %w", l.id, err))
}

// begin takes what is to be folded; nil when there is nothing to do. The first error is the journal's: the fold goes
// on, since a record in the database is a record kept.
func (l *sessionLog) begin(change func(*engine.Session)) (*folding, error, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, nil, fmt.Errorf("fold session %s: %w", l.id, errClosed)
	}
	if change != nil {
		l.changes = append(l.changes, change)
	}
	if l.next == 1 {
		s := journal.Clone(l.row.Session)
		err := apply(&s, l.changes)
		l.changes = nil
		if err == nil {
			s.ID, l.row.Session = l.id, s
			err = l.j.Begin(l.row)
		}
		return nil, nil, err
	}
	err := l.j.Flush()
	if len(l.changes) == 0 && len(l.unfolded) == 0 && !l.owes {
		return nil, err, nil
	}
	return &folding{id: l.id, own: l.row, recs: slices.Clone(l.unfolded), changes: slices.Clone(l.changes),
		tried: l.tried, last: l.next - 1}, err, nil
}

// note writes the row to the journal, where a rebuild finds it, and returns the journal's size if it holds nothing
// beyond the row. It fails quietly: the database has the row, or Append will tell of the same failure.
func (l *sessionLog) note(r journal.Row, sync bool) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	_ = l.j.WriteRow(r, sync)
	if l.next-1 != r.Folded || len(l.j.Waiting()) > 0 {
		return -1
	}
	return l.j.Size()
}

func (l *sessionLog) settle(r journal.Row) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.row, l.changes, l.tried, l.owes = r, nil, attempt{}, false
	l.unfolded = slices.DeleteFunc(l.unfolded, func(e journal.Entry) bool { return e.Seq <= r.Folded })
	_ = l.j.Begin(r) // it was encoded a moment ago
}

// owe remembers a fold that failed. The journal takes the row, so that it outlives this process. A change that cannot
// be made, ever, is dropped: it must not hold up the records.
func (l *sessionLog) owe(f folding) {
	own := f.own
	r, err := f.row(&own)
	l.mu.Lock()
	if err != nil {
		l.changes = l.changes[:max(0, len(l.changes)-1)]
		l.mu.Unlock()
		return
	}
	l.tried = attempt{r.Rev, len(l.changes)}
	l.mu.Unlock()
	l.note(r, true)
}

// everything returns all records for a database that lost them.
func (l *sessionLog) everything() ([]journal.Entry, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	data, err := l.j.Bytes()
	if err != nil {
		return nil, err
	}
	return journal.Union(journal.Read(data).Recs, journal.Union(l.unfolded, l.j.Waiting())), nil
}

// Session is the row as last folded; before the first fold, as it was created.
func (l *sessionLog) Session() engine.Session {
	l.mu.Lock()
	defer l.mu.Unlock()
	return journal.Clone(l.row.Session)
}

// Close writes what still waits, if it can, and gives the session free. Its error says that records are lost.
func (l *sessionLog) Close() error {
	l.folding.Lock()
	defer l.folding.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil
	}
	l.closed = true
	err := errors.Join(l.j.Flush(), l.j.Close())
	l.st.release(l.id)
	if err != nil {
		return fmt.Errorf("close session %s: %w", l.id, err)
	}
	return nil
}
