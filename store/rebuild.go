package store

import (
	"context"
	"time"

	"talaria/engine"
)

// Rebuilder is a store that can be made anew from its journals.
type Rebuilder interface {
	// Rebuild makes the database anew and returns where the old one is kept, "" when there was none.
	Rebuild(ctx context.Context) (kept string, err error)
}

// Rebuild makes the database anew: titles, drafts and history from the old one, as far as it can be read, everything else
// from the journals, and then the search index.
func (d *disk) Rebuild(ctx context.Context) (string, error) {
	kept, err := d.db.Rebuild(ctx)
	if err != nil {
		return "", err
	}
	d.mu.Lock()
	d.swept = time.Time{}
	d.mu.Unlock()
	if err := d.words.Remove(ctx); err != nil {
		d.db.Note("the search index could not be taken away to be made anew: %v", err)
	}
	_, err = d.List(ctx, engine.Query{Limit: 1}) // takes the journals in
	d.follow.Wait(ctx)
	return kept, err
}
