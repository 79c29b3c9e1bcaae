package engine

import "context"

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
