package rewind

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"talaria/engine"
	"talaria/engine/core/past"
)

// Timeline is what the timeline screen asks of the open session.
func (r *Rewinder) Timeline() engine.Timeline { return timeline{r} }

// timeline reads the journal and the log of changes; it changes nothing of either.
type timeline struct{ r *Rewinder }

// Turns lists the turns, those that a redo would bring back last.
func (t timeline) Turns(ctx context.Context) ([]engine.Turn, error) {
	recs, err := t.r.d.Journal.Records(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the session: %w", err)
	}
	here := past.Turns(engine.Standing(recs))
	for i := range here {
		here[i].Here = true
	}
	all := here
	if open := past.Undone(recs); len(open) > 0 {
		back := recs
		for _, u := range open {
			back = append(slices.Clone(back), engine.Record{Event: engine.Rewound{ID: u.ID, Back: true, From: u.From}})
		}
		if whole := past.Turns(engine.Standing(back)); len(whole) > len(here) {
			all = append(all, whole[len(here):]...)
		}
	}
	gone := max(0, t.r.d.Journal.Session().Turns-len(here)) // turns that were summarised
	for i := range all {
		all[i].Number = gone + i + 1
		if err := t.files(&all[i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (t timeline) files(turn *engine.Turn) error {
	log := t.r.changes.Load()
	if log == nil {
		return nil
	}
	files, commands, _, err := log.Changes(turn.ID)
	if err != nil {
		return err
	}
	for _, f := range files {
		turn.Files = append(turn.Files, engine.FileChange{Path: f.Path, Name: t.name(f.Path), Kind: f.Kind, Add: f.Add, Del: f.Del,
			Edited: f.Edited, Undone: f.Undone, Lost: f.Lost})
	}
	turn.Commands = commands
	return nil
}

func (t timeline) name(path string) string { return filepath.ToSlash(t.r.d.Space.Rel(path)) }

// Rewind says what going back to before turn n would do.
func (t timeline) Rewind(ctx context.Context, n int) (engine.Rewind, error) {
	recs, err := t.r.d.Journal.Records(ctx)
	if err != nil {
		return engine.Rewind{}, fmt.Errorf("read the session: %w", err)
	}
	s, err := t.r.planUndo(recs, engine.Undo{Turn: n})
	if err != nil {
		return engine.Rewind{}, err
	}
	r := engine.Rewind{Turn: s.event.Turn, Text: s.event.Text, Turns: s.event.Turns, Blind: s.plan.Blind, Commands: s.plan.Commands}
	turns := past.Turns(engine.Standing(recs))
	first := turns[len(turns)-s.event.Turns]
	r.Before, r.Text = first.At, first.Text
	for _, f := range s.plan.Files {
		change := engine.FileChange{Path: f.Path, Name: t.name(f.Path), Edited: f.Edited, Lost: f.Lost}
		change.Kind, change.Add, change.Del = t.r.kept.Compare(t.r.kept.Look(f.Path), f.Want)
		r.Files = append(r.Files, change)
	}
	return r, nil
}

// Diff is what going back to before turn n would do to the file at path, "" for all.
func (t timeline) Diff(ctx context.Context, n int, path string) (string, error) {
	recs, err := t.r.d.Journal.Records(ctx)
	if err != nil {
		return "", fmt.Errorf("read the session: %w", err)
	}
	s, err := t.r.planUndo(recs, engine.Undo{Turn: n})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, f := range s.plan.Files {
		if path == "" || path == f.Path {
			b.WriteString(t.r.kept.Diff(t.name(f.Path), t.r.kept.Look(f.Path), f.Want))
		}
	}
	return b.String(), nil
}

// Fork makes a copy of the session as it was before turn n, or with n 0 as it is. Its files can be undone in both.
func (t timeline) Fork(ctx context.Context, n int) (string, error) {
	recs, err := t.r.d.Journal.Records(ctx)
	if err != nil {
		return "", fmt.Errorf("read the session: %w", err)
	}
	standing := engine.Standing(recs)
	turns := past.Turns(standing)
	gone := max(0, t.r.d.Journal.Session().Turns-len(turns)) // turns that were summarised
	switch {
	case len(turns) == 0:
		return "", fmt.Errorf("fork: nothing was sent yet")
	case n < 0 || n > 0 && n <= gone || n > gone+len(turns):
		return "", fmt.Errorf("fork: there is no turn %d to go back to; the session has %s", n, counted(gone+len(turns), "turn"))
	case n > 0:
		standing = engine.Standing(append(standing, engine.Record{Event: engine.Rewound{From: turns[n-gone-1].ID}}))
		standing = standing[:len(standing)-1]
	}
	return t.r.fork(ctx, t.r.d.Journal.Session(), standing)
}
