package rewind

import (
	"cmp"
	"context"
	"fmt"

	"talaria/engine"
	"talaria/engine/core/journal"
)

// Fork makes a copy of a stored session, also of one that another window has, and returns the copy's id. Of a
// lineage of compressions the newest is copied.
func (r *Rewinder) Fork(ctx context.Context, id string) (string, error) {
	from, err := r.d.Store.Find(ctx, id, "")
	if err != nil {
		return "", fmt.Errorf("fork: %w", err)
	}
	recs, err := r.d.Store.Tail(ctx, from.ID, 0)
	if err != nil {
		return "", fmt.Errorf("fork: %w", err)
	}
	return r.fork(ctx, from, engine.Standing(recs))
}

// fork stores a copy of from with these of its records.
func (r *Rewinder) fork(ctx context.Context, from engine.Session, standing []engine.Record) (string, error) {
	now := r.d.Now()
	row := engine.Session{ID: engine.NewSessionID(now), ParentID: from.ID, ParentWhy: engine.WhyFork, Title: from.Title, TitleSet: from.TitleSet, Dir: from.Dir,
		Repo: from.Repo, Created: now, Updated: now, Route: from.Route, Mode: from.Mode, System: from.System, Cost: new(float64)}
	copied := []engine.Record{{At: now, Event: engine.Opened{Session: row}}}
	for _, rec := range standing {
		if _, opened := rec.Event.(engine.Opened); opened || rec.Event == nil {
			continue // the copy has its own beginning, and nobody asked it for anything yet
		}
		if _, queued := rec.Event.(engine.Queued); queued {
			continue // what waits is still sent, by the session that it was written in
		}
		copied = append(copied, engine.Record{At: rec.At, Event: rec.Event})
		journal.Count(&row, rec.Event, rec.At)
	}
	row.Updated = now
	return row.ID, r.keepFork(ctx, from, row, copied)
}

func (r *Rewinder) keepFork(ctx context.Context, from, row engine.Session, recs []engine.Record) error {
	log, err := r.d.Store.Create(ctx, row)
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
	if r.kept == nil {
		return nil
	}
	if err := r.kept.Copy(cmp.Or(from.Root, from.ID), row.ID); err != nil {
		return fmt.Errorf("fork: the files of earlier turns cannot be undone in the copy: %w", err)
	}
	return nil
}
