package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"talaria/engine"
	"talaria/store/find"
	"talaria/store/journal"
	"talaria/store/typed"
)

// memory is a store that writes nothing: for sessions that leave no trace, and for tests.
type memory struct {
	mu       sync.Mutex
	sessions map[string]*kept
	drafts   map[string]string
	lines    []line
}

// kept is one session in memory. It keeps its records as bytes, so that what comes back is what a journal would give.
type kept struct {
	row   journal.Row
	recs  []journal.Entry
	owned bool
}

// line is one of the prompt history.
type line struct{ Dir, Text string }

// NewMemory returns a store with the contract of Open's that writes nothing and ends with the process.
func NewMemory() engine.Store {
	return &memory{sessions: map[string]*kept{}, drafts: map[string]string{}}
}

// Close does nothing.
func (m *memory) Close() error { return nil }

// Create starts a session.
func (m *memory) Create(_ context.Context, s engine.Session) (engine.Log, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s = fresh(s)
	if !validID.MatchString(s.ID) {
		return nil, fmt.Errorf("create session: id %q: %w", s.ID, engine.ErrNotFound)
	}
	if m.sessions[s.ID] != nil {
		return nil, fmt.Errorf("create session %s: it exists: %w", s.ID, engine.ErrOwned)
	}
	k := &kept{row: journal.Row{Session: s}, owned: true}
	m.sessions[s.ID] = k
	return &memoryLog{m: m, k: k}, nil
}

// Open takes ownership of a session.
func (m *memory) Open(_ context.Context, id string) (engine.Log, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k := m.sessions[id]
	if k == nil {
		return nil, fmt.Errorf("open session %s: %w", id, engine.ErrNotFound)
	}
	if k.owned {
		return nil, fmt.Errorf("open session %s: %w", id, engine.ErrOwned)
	}
	k.owned = true
	k.row.Derive(k.recs)
	return &memoryLog{m: m, k: k}, nil
}

type memoryLog struct {
	m      *memory
	k      *kept
	closed bool
}

func (l *memoryLog) check() error {
	if l.closed {
		return fmt.Errorf("session %s: %w", l.k.row.ID, errClosed)
	}
	return nil
}

// Append keeps recs.
func (l *memoryLog) Append(_ context.Context, recs ...engine.Record) error {
	l.m.mu.Lock()
	defer l.m.mu.Unlock()
	errs := []error{l.check()}
	if l.closed {
		return errs[0]
	}
	for _, r := range recs {
		seq := uint64(len(l.k.recs)) + 1
		e, err := journal.Encode(r, seq, time.Now())
		if errs = append(errs, err); err == nil {
			l.k.recs = append(l.k.recs, e)
		}
	}
	return errors.Join(errs...)
}

// Records returns all records.
func (l *memoryLog) Records(context.Context) ([]engine.Record, error) {
	l.m.mu.Lock()
	defer l.m.mu.Unlock()
	return journal.Records(l.k.recs), nil
}

// Fold stores the row as change leaves it.
func (l *memoryLog) Fold(_ context.Context, change func(*engine.Session)) error {
	l.m.mu.Lock()
	defer l.m.mu.Unlock()
	if err := l.check(); err != nil {
		return err
	}
	f := folding{id: l.k.row.ID, own: l.k.row, recs: l.k.recs, last: uint64(len(l.k.recs))}
	if change != nil {
		f.changes = append(f.changes, change)
	}
	r, err := f.row(&l.k.row)
	if err == nil {
		l.k.row = r
	}
	return err
}

// Session is the row as last folded.
func (l *memoryLog) Session() engine.Session {
	l.m.mu.Lock()
	defer l.m.mu.Unlock()
	return journal.Clone(l.k.row.Session)
}

// Close gives the session free.
func (l *memoryLog) Close() error {
	l.m.mu.Lock()
	defer l.m.mu.Unlock()
	if !l.closed {
		l.closed, l.k.owned = true, false
		l.k.row.Derive(l.k.recs)
		if len(l.k.recs) == 0 {
			delete(l.m.sessions, l.k.row.ID)
		}
	}
	return nil
}

// memoryIndex answers what finding asks; the store's mutex is held.
type memoryIndex struct{ m *memory }

func (x memoryIndex) Session(id string) (engine.Session, bool) {
	k := x.m.sessions[id]
	if k == nil || k.row.Folded == 0 {
		return engine.Session{}, false
	}
	return journal.Clone(k.row.Session), true
}

// ids returns the ids of the sessions that fit, in order.
func (x memoryIndex) ids(fits func(engine.Session) bool) []string {
	var ids []string
	for id := range x.m.sessions {
		if s, ok := x.Session(id); ok && fits(s) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

func (x memoryIndex) Prefixed(prefix string, most int) []string {
	ids := x.ids(func(s engine.Session) bool { return strings.HasPrefix(s.ID, prefix) })
	return ids[:min(most, len(ids))]
}

func (x memoryIndex) Titled(title string) []string {
	return x.ids(func(s engine.Session) bool { return strings.EqualFold(s.Title, title) })
}

func (x memoryIndex) Parts(id string) []string {
	return x.ids(func(s engine.Session) bool {
		return s.ParentID == id && (s.ParentWhy == engine.WhyCompression || s.ParentWhy == engine.WhyDelegate)
	})
}

func (x memoryIndex) Child(id string) string {
	kids := x.ids(func(s engine.Session) bool { return s.ParentID == id && s.ParentWhy == engine.WhyCompression })
	if len(kids) == 0 {
		return ""
	}
	return kids[len(kids)-1]
}

func (x memoryIndex) TitledWith(words []string) []string {
	return x.ids(func(s engine.Session) bool {
		return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(strings.ToLower(s.Title), w) })
	})
}

func (x memoryIndex) Newest(dir string, repos []string, yield func(engine.Session) bool) {
	ids := x.ids(func(s engine.Session) bool { return s.In(dir, repos) })
	slices.SortStableFunc(ids, func(a, b string) int {
		return x.m.sessions[b].row.Updated.Compare(x.m.sessions[a].row.Updated)
	})
	for _, id := range ids {
		s, _ := x.Session(id)
		s.System = ""
		if !yield(s) {
			return
		}
	}
}

// List returns a page of sessions, newest first.
func (m *memory) List(_ context.Context, q engine.Query) ([]engine.Session, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return find.Page(memoryIndex{m}, q), nil
}

// Find resolves ref as the store on disk does.
func (m *memory) Find(_ context.Context, ref, dir string) (engine.Session, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return find.Resolve(memoryIndex{m}, ref, dir)
}

// Tail returns the last n records of id.
func (m *memory) Tail(ctx context.Context, id string, n int) ([]engine.Record, error) {
	return m.Before(ctx, id, 0, n)
}

// Before returns the last n records of id below the number seq.
func (m *memory) Before(_ context.Context, id string, seq uint64, n int) ([]engine.Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k := m.sessions[id]
	if k == nil {
		return nil, fmt.Errorf("read session %s: %w", id, engine.ErrNotFound)
	}
	recs := below(slices.Clone(k.recs), seq)
	return journal.Records(recs[tailFrom(len(recs), n):]), nil
}

// Owned returns those of ids that are open.
func (m *memory) Owned(_ context.Context, ids []string) (open []string, _ error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, id := range ids {
		if k := m.sessions[id]; k != nil && k.owned {
			open = append(open, id)
		}
	}
	return open, nil
}

// Rename gives the session a title.
func (m *memory) Rename(_ context.Context, id, title string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	k := m.sessions[id]
	if k == nil {
		return fmt.Errorf("rename session %s: %w", id, engine.ErrNotFound)
	}
	k.row.Title, k.row.TitleSet = title, true
	return nil
}

// Delete removes everything that is kept of the conversation that id is of.
func (m *memory) Delete(_ context.Context, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.sessions[id] == nil {
		return fmt.Errorf("delete session %s: %w", id, engine.ErrNotFound)
	}
	all := find.Members(memoryIndex{m}, id)
	for _, one := range all {
		if m.sessions[one].owned {
			return fmt.Errorf("delete session %s: %w", one, engine.ErrOwned)
		}
	}
	for _, one := range all {
		delete(m.sessions, one)
		delete(m.drafts, typed.Key("", one))
	}
	return nil
}

// SaveDraft keeps text.
func (m *memory) SaveDraft(_ context.Context, dir, session, text string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.drafts[typed.Key(dir, session)] = text
	return nil
}

// Draft returns the text kept last.
func (m *memory) Draft(_ context.Context, dir, session string) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.drafts[typed.Key(dir, session)], nil
}

// AddHistory keeps a line that was sent.
func (m *memory) AddHistory(_ context.Context, dir, text string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if last := m.history(dir, 1); text == "" || len(last) == 1 && last[0] == text {
		return nil
	}
	m.lines = append(m.lines, line{dir, text})
	return nil
}

// History returns the newest n lines of dir, newest first.
func (m *memory) History(_ context.Context, dir string, n int) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.history(dir, n), nil
}

func (m *memory) history(dir string, n int) []string {
	var lines []string
	for i := len(m.lines) - 1; i >= 0 && (n <= 0 || len(lines) < n); i-- {
		if dir == "" || m.lines[i].Dir == dir {
			lines = append(lines, m.lines[i].Text)
		}
	}
	return lines
}
