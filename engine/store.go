package engine

import (
	"context"
	"errors"
	"slices"
	"time"
)

// Session is what is known of a conversation without reading its messages. Counts are of the whole session; Cost is in
// US dollars, nil when unknown. System is the prompt as it was built, sent byte for byte for the session's life (law 8).
// Folded is the journal record up to which the database is complete.
type Session struct {
	ID        string    `json:"id"`
	ParentID  string    `json:"parent_id,omitempty"`
	ParentWhy string    `json:"parent_why,omitempty"` // WhyCompression, WhyFork or WhyDelegate
	Root      string    `json:"root,omitempty"`       // of a lineage of compressions: its first session
	Title     string    `json:"title"`
	TitleSet  bool      `json:"title_set,omitempty"` // by the user: never overwritten
	Dir       string    `json:"dir"`
	Repo      string    `json:"repo,omitempty"`
	Created   time.Time `json:"created"`
	Updated   time.Time `json:"updated"`
	Route     Route     `json:"route"`
	Mode      string    `json:"mode,omitempty"`
	System    string    `json:"system,omitempty"`
	Turns     int       `json:"turns"`
	Messages  int       `json:"messages"`
	Usage     Usage     `json:"usage"`
	Context   int       `json:"context,omitempty"` // tokens of the last request
	Cost      *float64  `json:"cost"`
	Changed   []string  `json:"changed,omitempty"` // files changed, absolute
	Last      string    `json:"last,omitempty"`    // the last exchange, shortened, for previews
	Folded    uint64    `json:"folded,omitempty"`
	Archived  bool      `json:"archived,omitempty"`
	Pinned    []string  `json:"pinned,omitempty"`  // ids of messages that compressing keeps word for word
	Dropped   []string  `json:"dropped,omitempty"` // ids of messages that are not sent any more
}

// In reports whether s is of the directory and of one of the repositories; neither given is anywhere.
func (s Session) In(dir string, repos []string) bool {
	return (dir == "" || s.Dir == dir) && (len(repos) == 0 || slices.Contains(repos, s.Repo))
}

// Query selects sessions, newest first. Dir "" means every directory; Repos keeps those of these repositories (the roots
// of a repository's worktrees) when there are any. Text filters titles, case-insensitively.
type Query struct {
	Dir   string
	Repos []string
	Text  string
	Limit int // 0: 50
}

// SearchQuery looks for the words of Text in titles and messages. Dir and Repos are as in Query; Roles keeps messages of
// these roles when there are any; Not leaves out the lineages that these sessions belong to. Order is "" for the best
// first, "newest" or "oldest" by the session.
type SearchQuery struct {
	Text  string
	Dir   string
	Repos []string
	Roles []Role
	Not   []string
	Order string
	Limit int // sessions; 0: 50
}

// Hit is the best place in one session where a search found its words: at most one for a lineage of compressions, whose
// newest member is Tip. Seq is the number of the record, 0 when only the title has the words; Marks are the bytes of
// Snippet that are the words, in order.
type Hit struct {
	Session Session
	Tip     string
	Message string
	Seq     uint64
	Role    Role
	At      time.Time
	Snippet string
	Marks   [][2]int
}

// Errors of a store that callers tell apart.
var (
	ErrOwned    = errors.New("the session is open in another window")
	ErrNotFound = errors.New("no such session")
	ErrMany     = errors.New("more than one session fits")
)

// Store keeps sessions. It is safe for concurrent use, also by several processes.
type Store interface {
	Library
	// Create starts a session that this process owns. Nothing is written before the first Append.
	Create(ctx context.Context, s Session) (Log, error)
	// Open takes ownership of a stored session; ErrOwned when another process has it.
	Open(ctx context.Context, id string) (Log, error)
	Close() error
}

// Log is one session that this process owns.
type Log interface {
	// Append makes records durable, in order, before it returns; their Seq is set by the log. After an error they are
	// kept in memory and written by a later Append or Fold, in order, before anything else.
	Append(ctx context.Context, recs ...Record) error
	// Records returns all records, oldest first.
	Records(ctx context.Context) ([]Record, error)
	// Fold brings the database up to the journal and stores the session row as change leaves it. Change may run more than
	// once, so it must only touch the row; after an error it is kept and applied by the next Fold, so it is not passed again.
	Fold(ctx context.Context, change func(*Session)) error
	// Session is the row as last folded.
	Session() Session
	// Close folds nothing; it gives the session free.
	Close() error
}

// Library is what the screen may ask of the store; it is called in a tea.Cmd, never in Update.
type Library interface {
	// List returns sessions newest first.
	List(ctx context.Context, q Query) ([]Session, error)
	// Find resolves an id, a unique id prefix or a title; "" is the newest of dir. ErrNotFound, ErrMany.
	Find(ctx context.Context, ref, dir string) (Session, error)
	// Search returns the sessions where all words of q.Text stand, one hit each. It answers within a second or so: what the
	// index does not know, parts of words and single letters, is looked for as long as that allows, newest first.
	Search(ctx context.Context, q SearchQuery) ([]Hit, error)
	// Tail returns the last n records of a session without owning it; n <= 0 returns all.
	Tail(ctx context.Context, id string, n int) ([]Record, error)
	// Before is Tail of the records whose number is below seq; a seq of 0 means all.
	Before(ctx context.Context, id string, seq uint64, n int) ([]Record, error)
	// Owned returns those of ids that a process has open, this one included.
	Owned(ctx context.Context, ids []string) ([]string, error)
	Rename(ctx context.Context, id, title string) error
	// Delete removes the conversation that id is of: all sessions of its lineage of compressions and their delegates, for
	// that is what one row of a list stands for. Forks stay. ErrOwned when one of them is open: then nothing is removed.
	Delete(ctx context.Context, id string) error
	// SaveDraft keeps the text of the prompt for a session ("" = of the directory's next new session); "" removes it.
	SaveDraft(ctx context.Context, dir, session, text string) error
	Draft(ctx context.Context, dir, session string) (string, error)
	// AddHistory keeps a line that was sent; History returns the newest n of dir, newest first;
	// dir "" is every directory.
	AddHistory(ctx context.Context, dir, text string) error
	History(ctx context.Context, dir string, n int) ([]string, error)
}

// Sink takes every event: journal, trajectory, hooks, golden tests. A sink that fails never ends a turn.
type Sink interface {
	Write(at time.Time, e Event) error
}
