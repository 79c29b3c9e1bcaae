package engine

import "context"

// Forks is what the screen may ask to copy sessions; it is called in a tea.Cmd.
type Forks interface {
	// ForkSession makes a copy of a stored session as it is, also of one that another window has open, and returns the
	// copy's id. Nothing of the original changes.
	ForkSession(ctx context.Context, id string) (string, error)
}
