package uitest

import (
	"context"
	"slices"
	"strings"
	"sync"

	"talaria/engine"
)

// Library is a store that lives in the test. Err, when set, is what every call answers.
type Library struct {
	mu       sync.Mutex
	Sessions []engine.Session           // newest first
	Past     map[string][]engine.Record // by session
	Found    []engine.Hit               // what a search looks through
	Open     []string                   // ids that a window has
	drafts   map[string]string          // by directory and session
	lines    []string                   // of the history, newest first
	err      error
}

// NewLibrary returns a library of these sessions.
func NewLibrary(sessions ...engine.Session) *Library {
	return &Library{Sessions: sessions, Past: map[string][]engine.Record{}, drafts: map[string]string{}}
}

// Fail makes every call answer err from now on; nil makes them work again.
func (l *Library) Fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err = err
}

// List returns the sessions that fit.
func (l *Library) List(_ context.Context, q engine.Query) ([]engine.Session, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []engine.Session
	for _, s := range l.Sessions {
		if (q.Dir == "" || q.Dir == s.Dir) && strings.Contains(strings.ToLower(s.Title), strings.ToLower(q.Text)) && (q.Limit == 0 || len(out) < q.Limit) {
			out = append(out, s)
		}
	}
	return out, l.err
}

// Find resolves an id, a prefix of one, or a title.
func (l *Library) Find(_ context.Context, ref, _ string) (engine.Session, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.Sessions {
		if strings.HasPrefix(s.ID, ref) || strings.Contains(s.Title, ref) {
			return s, l.err
		}
	}
	return engine.Session{}, engine.ErrNotFound
}

// Search returns the hits of Found whose snippet holds the text.
func (l *Library) Search(_ context.Context, q engine.SearchQuery) ([]engine.Hit, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []engine.Hit
	for _, h := range l.Found {
		if strings.Contains(strings.ToLower(h.Snippet), strings.ToLower(q.Text)) {
			out = append(out, h)
		}
	}
	return out, l.err
}

// Owned returns those of Open.
func (l *Library) Owned(context.Context, []string) ([]string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Open, l.err
}

// Tail returns the last records of a session.
func (l *Library) Tail(ctx context.Context, id string, n int) ([]engine.Record, error) {
	return l.Before(ctx, id, 0, n)
}

// Before returns the last records below a number.
func (l *Library) Before(_ context.Context, id string, seq uint64, n int) ([]engine.Record, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := slices.Clone(l.Past[id])
	if seq > 0 {
		all = slices.DeleteFunc(all, func(r engine.Record) bool { return r.Seq >= seq })
	}
	if n > 0 && len(all) > n {
		all = all[len(all)-n:]
	}
	return all, l.err
}

// Rename changes a title.
func (l *Library) Rename(_ context.Context, id, title string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.Sessions {
		if l.Sessions[i].ID == id {
			l.Sessions[i].Title = title
		}
	}
	return l.err
}

// Delete removes a session.
func (l *Library) Delete(_ context.Context, id string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	kept := l.Sessions[:0:0]
	for _, s := range l.Sessions {
		if s.ID != id {
			kept = append(kept, s)
		}
	}
	l.Sessions = kept
	return l.err
}

// SaveDraft keeps a draft; "" removes it.
func (l *Library) SaveDraft(_ context.Context, dir, session, text string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return l.err
	}
	if text == "" {
		delete(l.drafts, dir+"\x00"+session)
		return nil
	}
	l.drafts[dir+"\x00"+session] = text
	return nil
}

// Draft returns a draft, "" when there is none.
func (l *Library) Draft(_ context.Context, dir, session string) (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.drafts[dir+"\x00"+session], l.err
}

// AddHistory keeps a line.
func (l *Library) AddHistory(_ context.Context, _, text string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append([]string{text}, l.lines...)
	return l.err
}

// History returns the newest n lines.
func (l *Library) History(_ context.Context, _ string, n int) ([]string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string(nil), l.lines[:min(n, len(l.lines))]...), l.err
}
