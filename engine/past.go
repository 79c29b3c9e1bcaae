package engine

import "context"

// Place is how far a conversation was read back: what stands below the number Before of Session, and before that session,
// was not read. Undone are undos and redos of what was read that reach further back.
type Place struct {
	Session string
	Before  uint64 // 0: the end of the session
	Undone  []Record
}

// Page is a piece of a conversation as it now stands, oldest record first. Next is where it goes on, nil when it begins
// with this page.
type Page struct {
	Records []Record
	Next    *Place
}

// Past reads a conversation back, over all sessions that it went on in after a compression. It is called in a tea.Cmd.
type Past interface {
	// Earlier returns about n records before p, more where a reply and its results would be parted.
	Earlier(ctx context.Context, p Place, n int) (Page, error)
}
