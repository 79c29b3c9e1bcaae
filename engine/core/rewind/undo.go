package rewind

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"talaria/engine"
	"talaria/engine/checkpoint"
	"talaria/engine/core/journal"
	"talaria/engine/core/pages"
	"talaria/engine/core/past"
)

// Undo takes turns back, or brings them back. It runs between turns only.
func (r *Rewinder) Undo(ctx context.Context, op engine.Undo) {
	r.Drop()
	recs, err := r.d.Journal.Records(ctx)
	if err != nil {
		r.note(ctx, engine.NoteError, "Nothing was undone: the session cannot be read: %v", err)
		return
	}
	var s step
	if op.Redo {
		s, err = r.planRedo(recs)
	} else {
		s, err = r.planUndo(recs, op)
	}
	if err != nil {
		r.note(ctx, engine.NoteWarning, "%s: %v.", map[bool]string{false: "Nothing was undone", true: "Nothing was brought back"}[op.Redo], err)
		return
	}
	if edited := s.plan.Edited(); len(edited) > 0 && op.Edited != engine.UndoAll && op.Edited != engine.UndoMine {
		r.askEdited(ctx, op, s, edited)
		return
	}
	r.make(ctx, s, op.Edited == engine.UndoAll)
}

// step is an undo or a redo that can be made.
type step struct {
	event engine.Rewound // as it will be told, without what happened to the files
	plan  checkpoint.Plan
	files bool // files are part of it
}

// planUndo says what op comes to.
func (r *Rewinder) planUndo(recs []engine.Record, op engine.Undo) (step, error) {
	standing := engine.Standing(recs)
	turns := past.Asked(standing)
	gone := max(0, r.d.Journal.Session().Turns-len(turns)) // turns that were summarised
	n := op.Turn - gone
	if op.Turn <= 0 {
		n = len(turns) + min(op.Turn, -1) + 1
	}
	switch {
	case len(turns) == 0:
		return step{}, errors.New("nothing was sent yet")
	case n < 1 || n > len(turns):
		return step{}, fmt.Errorf("there is no such turn; the session has %s", counted(len(turns)+gone, "turn"))
	}
	first := turns[n-1]
	if past.Summarised(standing, first.ID) {
		return step{}, errors.New("that turn lies before what was compacted. The session as it was before that is in the session list")
	}
	s := step{event: engine.Rewound{ID: engine.NewID("undo_"), Turn: n + gone, Turns: len(turns) - n + 1}}
	if op.What != engine.UndoFiles {
		s.event.From, s.event.Text = first.ID, first.Text()
		s.event.Messages = past.Count(standing, first.ID)
	}
	log := r.changes.Load()
	if op.What == engine.UndoChat || log == nil {
		return s, nil
	}
	s.files = true
	all := past.Asked(recs) // those that left the chat without their files included
	at := slices.IndexFunc(all, func(m engine.Message) bool { return m.ID == first.ID })
	var ids []string
	for _, m := range all[at:] {
		ids = append(ids, m.ID)
	}
	var err error
	if s.plan, err = log.Plan(ids); err != nil {
		return s, err
	}
	if op.What == engine.UndoFiles && len(s.plan.Files) == 0 {
		return s, fmt.Errorf("no file is other than before turn %d, as far as edit tools changed it", n)
	}
	return s, nil
}

// planRedo says what bringing back the last undo comes to.
func (r *Rewinder) planRedo(recs []engine.Record) (step, error) {
	open := past.Undone(recs)
	if len(open) == 0 {
		return step{}, errors.New("nothing waits for a redo. What was undone can be brought back until the next message is sent")
	}
	last := open[len(open)-1]
	s := step{event: last}
	s.event.Back, s.event.Files, s.event.Kept, s.event.Line = true, nil, nil, ""
	if log := r.changes.Load(); log != nil {
		var err error
		if s.plan, s.files, err = log.Redo(last.ID); err != nil {
			return s, err
		}
	}
	return s, nil
}

// make makes the step: files first, since they can fail; then the chat.
func (r *Rewinder) make(ctx context.Context, s step, all bool) {
	e := s.event
	if log := r.changes.Load(); log != nil && s.files {
		var err error
		if e.Files, e.Kept, err = log.Restore(s.plan, e.ID, all); err != nil {
			r.note(ctx, engine.NoteError, "Nothing was undone: %v", err)
			return
		}
		r.d.Space.Forget(e.Files...)
	}
	before, _ := r.d.Journal.Records(ctx)
	after := past.Restore(append(before, engine.Record{Event: e}))
	e.Line = r.rewound(s, e, after.Messages)
	r.d.Journal.Emit(ctx, e)
	recs, err := r.d.Journal.Records(ctx)
	if err != nil {
		r.note(ctx, engine.NoteError, "The session cannot be read back: %v", err)
		return
	}
	state := past.Restore(recs)
	r.d.Space.Forget() // what was read is not in the chat any more
	r.d.Restored(state)
	r.d.Journal.Change(func(row *engine.Session) { row.Last = lastText(state.Messages) })
	r.d.Journal.FoldSoon()
	row := r.d.Journal.Session()
	page, err := pages.Reader{Library: r.d.Store}.Earlier(ctx, engine.Place{Session: row.ID}, pages.First)
	if err != nil {
		page = engine.Page{Records: engine.Standing(recs)} // what is in memory is enough
	}
	r.d.Tell(engine.Opened{Session: row, Resumed: true, Past: page.Records, Earlier: page.Next})
	r.d.Tell(engine.Planned{Tasks: state.Tasks})
	r.d.Retell(ctx)
}

func lastText(msgs []engine.Message) string {
	var row engine.Session
	for _, m := range msgs {
		journal.CountMessage(&row, m)
	}
	return row.Last
}

// rewound tells the step in words (UX 4.8).
func (r *Rewinder) rewound(s step, e engine.Rewound, left []engine.Message) string {
	verb, restored := "Undid", "restored"
	if e.Back {
		verb, restored = "Redid", "brought back"
	}
	what := fmt.Sprintf("turn %d", e.Turn)
	if e.Turns > 1 {
		what = fmt.Sprintf("turns %d–%d", e.Turn, e.Turn+e.Turns-1)
	}
	var parts []string
	switch {
	case s.files:
		parts = append(parts, counted(len(e.Files), "file")+" "+restored)
	case r.kept == nil && !e.Back:
		parts = append(parts, "files stay as they are (no copies are kept)")
	default:
		parts = append(parts, "files stay as they are")
	}
	switch {
	case e.From == "":
		parts = append(parts, "the chat stays")
	case len(left) == 0:
		parts = append(parts, "the chat is empty again")
	default:
		parts = append(parts, "chat back to "+left[len(left)-1].At.Local().Format("15:04"))
	}
	line := fmt.Sprintf("%s %s: %s.", verb, what, strings.Join(parts, ", "))
	if !e.Back {
		line += " Ctrl+X r redo."
	}
	for _, f := range s.plan.Files {
		if f.Lost != "" {
			line += fmt.Sprintf("\n%s could not be restored: %s.", r.d.Space.Rel(f.Path), f.Lost)
		} else if slices.Contains(e.Kept, f.Path) {
			line += fmt.Sprintf("\n%s stays as you have it.", r.d.Space.Rel(f.Path))
		}
	}
	if n := len(s.plan.Commands); n > 0 && s.files {
		line += fmt.Sprintf("\nFiles changed by commands (not by edit tools) stay as they are: %s.", r.named(s.plan.Commands, 5))
	} else if s.plan.Blind != "" {
		line += "\nFiles changed by commands stay as they are; which ones is not known: " + s.plan.Blind + "."
	}
	return line
}

// named lists the first n of paths as people name them.
func (r *Rewinder) named(paths []string, n int) string {
	var names []string
	for _, p := range paths[:min(n, len(paths))] {
		names = append(names, r.d.Space.Rel(p))
	}
	if more := len(paths) - n; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

func counted(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// The choices of the question about files that the user changed too.
const seeDiff = "diff"

// askEdited asks what shall become of files that the user changed since, in a goroutine of its own; the answer is a
// further Undo.
func (r *Rewinder) askEdited(ctx context.Context, op engine.Undo, s step, edited []checkpoint.File) {
	var paths []string
	for _, f := range edited {
		paths = append(paths, f.Path)
	}
	was := "was"
	if len(paths) > 1 {
		was = "were"
	}
	title := fmt.Sprintf("%s %s also changed by you.", r.named(paths, 3), was)
	if r.d.Ask == nil {
		r.note(ctx, engine.NoteWarning, "%s Nothing was undone. Send undo again with \"edited\":\"all\" to restore all, or \"mine\" to keep yours.", title)
		return
	}
	if !op.Redo {
		op.Turn = s.event.Turn // the last turn now may not be the last one when the answer comes
	}
	diff := r.editedDiff(edited)
	asking, cancel := context.WithCancel(ctx)
	r.asking = cancel
	engine.Go("ask about an undo", func() {
		defer cancel()
		q := engine.Question{Kind: engine.Clarify, Title: title, Choices: []engine.Choice{
			{Value: engine.UndoAll, Label: "restore all", Description: "your changes in " + r.named(paths, 3) + " are taken back too; redo brings them again"},
			{Value: engine.UndoMine, Label: "keep yours", Description: "everything else is restored"},
			{Value: seeDiff, Label: "see diff", Description: "what you changed"}}}
		for {
			a, err := r.d.Ask(asking, q)
			switch {
			case err != nil:
				return
			case a.Choice == engine.UndoAll, a.Choice == engine.UndoMine:
				op.Edited = a.Choice
				r.d.Do(op)
				return
			case a.Choice == seeDiff:
				q.ID, q.Body, q.Diff, q.Choices = "", diff, diff, q.Choices[:2]
			default:
				r.note(asking, engine.NoteInfo, "Nothing was undone.")
				return
			}
		}
	})
}

// Drop ends an open question about an undo: what it was about is not so any more.
func (r *Rewinder) Drop() {
	if r.asking != nil {
		r.asking()
		r.asking = nil
	}
}

// editedDiff is what others changed in files since the tools left them.
func (r *Rewinder) editedDiff(files []checkpoint.File) string {
	var b strings.Builder
	for _, f := range files {
		d := r.kept.Diff(filepath.ToSlash(r.d.Space.Rel(f.Path)), f.Left, r.kept.Look(f.Path))
		if d == "" {
			d = fmt.Sprintf("%s: no difference can be shown\n", r.d.Space.Rel(f.Path))
		}
		b.WriteString(d)
	}
	return b.String()
}
