package core

import (
	"cmp"
	"context"
	"fmt"

	"talaria/engine"
	"talaria/engine/core/journal"
)

// ForkSession makes a copy of a stored session, also of one that another window has, and returns the copy's id. Of a
// lineage of compressions the newest is copied.
func (c *Core) ForkSession(ctx context.Context, id string) (string, error) {
	from, err := c.d.Store.Find(ctx, id, "")
	if err != nil {
		return "", fmt.Errorf("fork: %w", err)
	}
	recs, err := c.d.Store.Tail(ctx, from.ID, 0)
	if err != nil {
		return "", fmt.Errorf("fork: %w", err)
	}
	return c.fork(ctx, from, engine.Standing(recs))
}

// fork stores a copy of from with these of its records.
func (c *Core) fork(ctx context.Context, from engine.Session, standing []engine.Record) (string, error) {
	now := c.d.Now()
	row := engine.Session{ID: engine.NewSessionID(now), ParentID: from.ID, ParentWhy: engine.WhyFork, Title: from.Title, TitleSet: from.TitleSet, Dir: from.Dir,
		Repo: from.Repo, Created: now, Updated: now, Route: from.Route, Mode: from.Mode, System: from.System, Cost: free()}
	copied := []engine.Record{{At: now, Event: engine.Opened{Session: row}}}
	for _, r := range standing {
		if _, opened := r.Event.(engine.Opened); opened || r.Event == nil {
			continue // the copy has its own beginning, and nobody asked it for anything yet
		}
		if _, queued := r.Event.(engine.Queued); queued {
			continue // what waits is still sent, by the session that it was written in
		}
		copied = append(copied, engine.Record{At: r.At, Event: r.Event})
		journal.Count(&row, r.Event, r.At)
	}
	row.Updated = now
	return row.ID, c.keepFork(ctx, from, row, copied)
}

func (c *Core) keepFork(ctx context.Context, from, row engine.Session, recs []engine.Record) error {
	log, err := c.d.Store.Create(ctx, row)
	if err != nil {
		return fmt.Errorf("fork: %w", err)
	}
	defer log.Close()
	if err := log.Append(ctx, recs...); err != nil {
		return fmt.Errorf("fork: %w", err)
	}
	if err := log.Fold(ctx, func(s *engine.Session) {
		folded := s.Folded
		*s = row
		s.Folded = folded
	}); err != nil {
		return fmt.Errorf("fork: %w", err)
	}
	if c.kept == nil {
		return nil
	}
	if err := c.kept.Copy(cmp.Or(from.Root, from.ID), row.ID); err != nil {
		return fmt.Errorf("fork: the files of earlier turns cannot be undone in the copy: %w", err)
	}
	return nil
}
