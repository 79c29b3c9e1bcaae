package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"

	"talaria/engine"
	"talaria/store/database"
	"talaria/store/follow"
	"talaria/store/journal"
	"talaria/store/search"
	"talaria/store/typed"
)

// disk is the store of one directory.
type disk struct {
	dir          string
	drafts       string // folder for drafts that the database could not take
	fs           journal.Files
	db           *database.DB
	*typed.Typed // drafts and the lines that were sent

	mu     sync.Mutex
	open   map[string]*sessionLog // nil while it is being opened
	closed bool

	sweeping sync.Mutex
	swept    time.Time

	words  *search.Index
	follow *follow.Follower
}

// Option changes how Open sets up a store.
type Option func(*disk)

// Drafts puts the drafts that the database cannot take into dir instead of drafts/ in the store's own directory.
func Drafts(dir string) Option { return func(d *disk) { d.drafts = dir } }

// Open returns the store in dir, which is created when the first session is written. It touches no file and waits for
// nobody; what killed processes left behind is taken in by the first List or Find.
func Open(dir string, opts ...Option) (engine.Store, error) {
	if dir == "" {
		return nil, errors.New("open store: no directory given")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	d := &disk{dir: abs, drafts: filepath.Join(abs, "drafts"), fs: journal.OS{}, open: map[string]*sessionLog{}}
	d.db = database.New(abs, layout(abs))
	d.words = search.New(abs)
	d.follow = follow.New(d.db, indexing, d.words)
	for _, o := range opts {
		o(d)
	}
	d.Typed = typed.New(d.db, d.fs, d.drafts)
	return d, nil
}

// Reporter is a store that found something damaged.
type Reporter interface {
	// Problems says in plain words what was damaged and what was done about it, oldest first.
	Problems() []string
}

// Problems says what was damaged and what was done about it, oldest first.
func (d *disk) Problems() []string { return d.db.Told() }

// validID keeps ids usable as file names.
var validID = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$`)

// reserve marks id as open in this process.
func (d *disk) reserve(id string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return errors.New("the session store was closed")
	}
	if !validID.MatchString(id) {
		return fmt.Errorf("session id %q: %w", id, engine.ErrNotFound)
	}
	if _, ok := d.open[id]; ok {
		return engine.ErrOwned
	}
	d.open[id] = nil
	return nil
}

func (d *disk) release(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.open, id)
	d.swept = time.Time{} // it may have records that were not folded
}

func (d *disk) opened(id string) (l *sessionLog, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	l, ok = d.open[id]
	return l, ok
}

func (d *disk) keep(l *sessionLog) engine.Log {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open[l.id] = l
	return l
}

// Create starts a session; an empty id and creation time are filled in. Nothing is written before the first Append.
func (d *disk) Create(_ context.Context, s engine.Session) (engine.Log, error) {
	s = fresh(s)
	if err := d.reserve(s.ID); err != nil {
		return nil, fmt.Errorf("create session: %w", err)
	}
	l := &sessionLog{st: d, id: s.ID, next: 1, row: journal.Row{Session: s}, j: journal.New(d.dir, s.ID, d.fs)}
	if err := l.j.Begin(l.row); err != nil {
		d.release(s.ID)
		return nil, fmt.Errorf("create session: %w", err)
	}
	return d.keep(l), nil
}

// fresh returns s as a session that has no records.
func fresh(s engine.Session) engine.Session {
	s = journal.Clone(s)
	if s.Created.IsZero() {
		s.Created = time.Now()
	}
	if s.Updated.IsZero() {
		s.Updated = s.Created
	}
	if s.ID == "" {
		s.ID = engine.NewSessionID(s.Created)
	}
	s.Folded = 0
	return s
}

// Open takes ownership of id. What its journal holds beyond the database is folded; when the database cannot be reached
// the journal is enough.
func (d *disk) Open(ctx context.Context, id string) (engine.Log, error) {
	if err := d.reserve(id); err != nil {
		return nil, fmt.Errorf("open session: %w", err)
	}
	l, err := d.load(ctx, id)
	if err != nil {
		d.release(id)
		return nil, fmt.Errorf("open session %s: %w", id, err)
	}
	if err := l.Fold(ctx, nil); err != nil {
		d.db.Note("session %s was opened, but what its journal holds could not be folded yet: %v", id, err)
	}
	return d.keep(l), nil
}

func (d *disk) load(ctx context.Context, id string) (*sessionLog, error) {
	l := &sessionLog{st: d, id: id, j: journal.New(d.dir, id, d.fs)}
	found, err := l.j.Open(ctx)
	none := errors.Is(err, fs.ErrNotExist)
	if err != nil && !none {
		return nil, err
	}
	d.report(id, found)
	stored, dbErr := d.stored(ctx, id)
	if none && stored == nil || len(found.Recs) == 0 && found.Row == nil && stored == nil {
		_ = l.j.Close() // an empty file of a process that died before its first record
		if dbErr != nil {
			return nil, dbErr
		}
		return nil, engine.ErrNotFound
	}
	folded := uint64(0)
	if stored != nil {
		folded = stored.Folded
	}
	last := max(found.Last(), folded)
	if last > found.Last() {
		// The journal lost its end, or all of itself: it gets back what the database has.
		lost, err := d.fromDatabase(ctx, id, found.Last(), last)
		if err != nil {
			_ = l.j.Close()
			return nil, err
		}
		l.j.Add(lost...)
	}
	own := journal.Newer(stored.Copy(), found.RowOf(id))
	own.Derive(found.Recs)
	l.owes = stored == nil || own.Rev != stored.Rev || own.Folded != stored.Folded
	l.row, l.next = own, last+1
	for _, e := range found.Recs {
		if e.Seq > folded {
			l.unfolded = append(l.unfolded, e)
		}
	}
	if err := l.j.Begin(l.row); err != nil {
		_ = l.j.Close()
		return nil, err
	}
	return l, nil
}

func (d *disk) stored(ctx context.Context, id string) (r *journal.Row, err error) {
	err = d.db.View(ctx, func(tx *bolt.Tx) error {
		r = getRow(tx, id)
		return nil
	})
	if r != nil && r.Bare {
		r = nil // the fold takes the title over
	}
	return r, err
}

// fromDatabase returns the records of id with numbers in (after, upTo] that were folded.
func (d *disk) fromDatabase(ctx context.Context, id string, after, upTo uint64) (recs []journal.Entry, err error) {
	err = d.db.View(ctx, func(tx *bolt.Tx) error {
		recs = storedRecords(tx, id, after, upTo)
		return nil
	})
	return recs, err
}

func (d *disk) report(id string, s journal.Scan) {
	if n := len(s.Bad); n > 0 {
		d.db.Note("session %s: %d damaged lines of its journal were skipped; they are kept in %s.bad", id, n, journal.Path(d.dir, id))
	}
	if len(s.Torn) > 0 {
		d.db.Note("session %s: the last line of its journal was cut short by a crash and never acknowledged; it is kept in %s.bad",
			id, journal.Path(d.dir, id))
	}
}

// Close gives all open sessions free.
func (d *disk) Close() error {
	d.mu.Lock()
	d.closed = true
	var logs []*sessionLog
	for _, l := range d.open {
		if l != nil {
			logs = append(logs, l)
		}
	}
	d.mu.Unlock()
	var errs []error
	for _, l := range logs {
		errs = append(errs, l.Close())
	}
	d.follow.Close()
	ctx := context.Background()
	return errors.Join(append(errs, d.Save(ctx))...)
}
