package picker

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
)

// mostSessions is how many sessions are loaded, newest first.
const mostSessions = 500

// mostRecords is how many records of a session its full preview reads: more than anybody scrolls back to recognise it.
const mostRecords = 400

// Scope says of where sessions are listed.
type Scope int

// The scopes, in the order in which Tab goes through them. A repository is that of this directory, with its worktrees.
const (
	ScopeDir Scope = iota
	ScopeRepo
	ScopeAll
)

// SessionDeps is what the session picker can do. List brings a SessionsLoaded, Preview a PreviewLoaded; Preview may be
// nil. Rename and Delete bring a SessionsChanged, Search a SessionsFound, Fork what the owner needs; Search and Fork may be
// nil. Current is the session on screen, Wanted one that is pointed at because another window has it; Working tells of
// the one that a turn runs in, and may be nil. Read brings a SessionRead; nil when there is none. Repo says that this
// directory is in a repository. Scoped is told the scope that was chosen, and may be nil.
type SessionDeps struct {
	Current, Wanted string
	Scope           Scope
	Repo            bool
	Working         func(id string) bool
	Scoped          func(Scope)
	List            func(Scope) tea.Cmd
	Search          func(text string, s Scope) tea.Cmd
	Preview         func(id string) tea.Cmd
	Read            func(id string) tea.Cmd
	Rename          func(id, title string) tea.Cmd
	Delete          func(id string) tea.Cmd
	Fork            func(id string) tea.Cmd
	Open            func(s engine.Session) tea.Cmd
	Path            func(dir string) string // how a directory is written; nil leaves it
}

// SessionsLoaded brings the sessions of a scope, and the ids of those that a window has open.
type SessionsLoaded struct {
	Scope    Scope
	Sessions []engine.Session
	Owned    []string
	Err      error
}

// SessionsFound brings what a search for Text found.
type SessionsFound struct {
	Scope Scope
	Text  string
	Hits  []engine.Hit
	Err   error
}

// Where is the directory that the picker was opened in, and the roots of its repository's worktrees, none outside one.
type Where struct {
	Dir   string
	Roots []string
}

// SessionsWith makes the commands out of the store's library. Open may be called once.
func SessionsWith(ctx context.Context, lib engine.Library, at Where, open func(engine.Session) tea.Cmd) SessionDeps {
	in := func(s Scope) (dir string, repos []string) {
		switch s {
		case ScopeDir:
			return at.Dir, nil
		case ScopeRepo:
			return "", at.Roots
		}
		return "", nil
	}
	return SessionDeps{
		Repo: len(at.Roots) > 0,
		List: func(s Scope) tea.Cmd {
			return func() tea.Msg {
				q := engine.Query{Limit: mostSessions}
				q.Dir, q.Repos = in(s)
				found, err := lib.List(ctx, q)
				ids := make([]string, len(found))
				for i, one := range found {
					ids[i] = one.ID
				}
				owned, ownErr := lib.Owned(ctx, ids)
				return SessionsLoaded{s, found, owned, errors.Join(err, ownErr)}
			}
		},
		Search: func(text string, s Scope) tea.Cmd {
			return func() tea.Msg {
				q := engine.SearchQuery{Text: text}
				q.Dir, q.Repos = in(s)
				hits, err := lib.Search(ctx, q)
				return SessionsFound{s, text, hits, err}
			}
		},
		Read: func(id string) tea.Cmd {
			return func() tea.Msg {
				found, err := lib.Tail(ctx, id, mostRecords)
				return SessionRead{id, engine.Standing(found), err}
			}
		},
		Rename: func(id, title string) tea.Cmd {
			return func() tea.Msg { return SessionsChanged{lib.Rename(ctx, id, title)} }
		},
		Delete: func(id string) tea.Cmd { return func() tea.Msg { return SessionsChanged{lib.Delete(ctx, id)} } },
		Open:   open,
	}
}
