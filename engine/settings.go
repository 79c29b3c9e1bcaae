package engine

import "context"

// Settings keeps what the user changes on the screen for the next time. Its methods are called in a tea.Cmd.
type Settings interface {
	// Save writes one setting of the user's config.yaml; text is as `talaria config set` takes it. A setting that the
	// rules refuse leaves the file as it was.
	Save(ctx context.Context, key, text string) error
}
