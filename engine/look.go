package engine

import (
	"context"
	"time"
)

// LensKind says what an item of the context lens is.
type LensKind string

// The kinds of items. A reply is the model's, with the calls it makes; a result is what a tool returned.
const (
	LensSystem  LensKind = "system"
	LensTools   LensKind = "tools"
	LensUser    LensKind = "user"
	LensReply   LensKind = "reply"
	LensResult  LensKind = "result"
	LensSummary LensKind = "summary"
)

// LensItem is one thing that fills the window. ID is that of its message, "" for what is no message. Name is its action
// or its first words, Text the beginning of it. Tokens is its whole size, estimated; what is Dropped is not sent any more.
// Price is what it costs in each request in US dollars when nothing is cached, nil when the price is not known. NoPin and
// NoDrop say why it can be neither, "" when it can.
type LensItem struct {
	ID            string
	Kind          LensKind
	Name, Text    string
	Tokens        int
	At            time.Time
	Turn          int // of the user's messages, from 1; 0 for what is no message
	Price         *float64
	Pinned        bool
	Dropped       bool
	NoPin, NoDrop string
}

// Lens is what the context screen asks about what is sent to the model. Its methods are called in a tea.Cmd.
type Lens interface {
	// Items lists what fills the window, in the order in which it is sent.
	Items(ctx context.Context) ([]LensItem, error)
	// Pin keeps what a message says word for word when the history is summarised; on false lets go of it.
	Pin(ctx context.Context, id string, on bool) error
	// Drop leaves what a message says out of what is sent from the next request on; on false sends it again. The chat on
	// screen and on disk keeps it.
	Drop(ctx context.Context, id string, on bool) error
}

// NotePage is one file of what the agent remembers. Name is what the tool calls it (memory, user). Used and Limit are in
// characters; Limit 0 is none.
type NotePage struct {
	Name, Path  string
	Entries     []string
	Used, Limit int
}

// Remembered is what the memory screen asks. A running session keeps the prompt it began with: what is changed counts from
// the next one on. Its methods are called in a tea.Cmd.
type Remembered interface {
	// Pages returns what is remembered.
	Pages(ctx context.Context) ([]NotePage, error)
	// Change puts text in place of the entry old of a page: an old of "" adds, a text of "" removes. What cannot be kept
	// is refused with the reason, and nothing is changed.
	Change(ctx context.Context, page, old, text string) error
}

// Bill is what a session used, its lineage of compressions included. Total and Cost are as its row has them. Side is what
// side tasks used: titles, summaries, the judge. Costs are in US dollars, nil when a price is not known.
type Bill struct {
	Total    Usage
	Cost     *float64
	Models   []Share
	Side     Share
	Squeezed []Squeeze
}

// Share is what one model used. Name is provider/model; Turns counts the turns that it ended.
type Share struct {
	Name  string
	Turns int
	Usage Usage
	Cost  *float64
}

// Squeeze is one compression of the history, in tokens of the whole request.
type Squeeze struct {
	At            time.Time
	Before, After int
}

// Ledger is what the usage screen asks. It is called in a tea.Cmd.
type Ledger interface {
	// Bill adds up what the open session used.
	Bill(ctx context.Context) (Bill, error)
}
