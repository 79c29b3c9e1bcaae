// Package journal makes what happens durable and then tells it, and keeps the session's row up to it.
//
// It refuses to tell what is not stored: an event reaches the screen after its record is on disk, or after the notice that
// saving fails.
package journal

import (
	"context"
	"sync"
	"time"

	"talaria/engine"
	"talaria/engine/core/waiting"
)

// Journal makes events durable and then tells them, in one order (law 1). Light events (that a round began, what it
// used) are written with the next one that matters, so that a round costs few disk syncs. Its methods may be called
// from any goroutine.
type Journal struct {
	mu     sync.Mutex
	log    engine.Log // nil until the session is written for the first time
	events *waiting.Events
	now    func() time.Time
	light  []engine.Record
	health health

	row     engine.Session // the session as the events so far leave it
	folding sync.Mutex
	pending chan struct{} // a fold is wanted
}

// New returns a journal that tells its events to events.
func New(events *waiting.Events, now func() time.Time) *Journal {
	return &Journal{events: events, now: now, pending: make(chan struct{}, 1)}
}

// Use makes log and row the session that is written.
func (j *Journal) Use(log engine.Log, row engine.Session) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.log, j.row, j.light = log, row, nil
}

// Attached reports whether the session has a log: whether it was ever written.
func (j *Journal) Attached() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.log != nil
}

// Begin makes log the place this session is written to, beginning with first. What was told before that (a mode, a
// note) is not part of the conversation.
func (j *Journal) Begin(log engine.Log, first engine.Event) {
	j.mu.Lock()
	defer j.mu.Unlock()
	ops := j.light
	j.log, j.light = log, append([]engine.Record{{At: j.now(), Event: first}}, ops...)
}

// Session is the row as it stands.
func (j *Journal) Session() engine.Session {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.row
}

// Change changes the row; it is stored with the next fold.
func (j *Journal) Change(f func(*engine.Session)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	f(&j.row)
}

// Emit stores e where that is due and tells it.
func (j *Journal) Emit(ctx context.Context, e engine.Event) {
	if engine.Transient(e) {
		j.events.Push(e)
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.put(ctx, e)
}

// put is Emit with the lock held.
func (j *Journal) put(ctx context.Context, e engine.Event) {
	Count(&j.row, e, j.now())
	j.write(ctx, engine.Record{At: j.now(), Event: e}, light(e))
	j.events.Push(e)
}

// Name gives the session id a title, if it is still the one that is written.
func (j *Journal) Name(ctx context.Context, id, title string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.row.ID == id && j.log != nil {
		j.put(ctx, engine.Noted{Kind: engine.NoteTitle, Text: title})
		j.FoldSoon()
	}
}

// Op keeps what the user asked; it becomes durable with the event that follows from it.
func (j *Journal) Op(o engine.Op) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.light = append(j.light, engine.Record{At: j.now(), Op: o})
}

// Keep stores a record without telling it: a partial reply.
func (j *Journal) Keep(ctx context.Context, m engine.Message) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.write(ctx, engine.Record{At: j.now(), Event: engine.Appended{Message: m}}, false)
}

// write appends the record, after the light ones before it. A failure turns the degraded notice on; the log keeps what
// it could not write and tries again with the next record.
func (j *Journal) write(ctx context.Context, r engine.Record, light bool) {
	if j.log == nil {
		return // nothing of this session is on disk yet, and nothing of it needs to be
	}
	j.light = append(j.light, r)
	if light {
		return
	}
	j.flush(ctx)
}

func (j *Journal) flush(ctx context.Context) {
	if j.log == nil || len(j.light) == 0 && j.health.unwritten == nil {
		return
	}
	j.health.unwritten = j.log.Append(ctx, j.light...)
	j.light = nil
	j.health.tell(j.events.Push)
}

// light reports events whose loss in a crash costs nothing: the next durable record takes them along.
func light(e engine.Event) bool {
	switch e.(type) {
	case engine.Began, engine.Stepped, engine.Used, engine.Noted, engine.Child, engine.Planned:
		return true
	case engine.Opened, engine.Streamed, engine.Appended, engine.CallBegan, engine.CallWrote, engine.CallEnded, engine.Asked,
		engine.Withdrawn, engine.Steered, engine.Queued, engine.Compacted, engine.Rewound, engine.Ended, engine.Unknown:
		return false
	}
	return false
}

// Records are all records of the session so far, nil before the first is written.
func (j *Journal) Records(ctx context.Context) ([]engine.Record, error) {
	j.mu.Lock()
	j.flush(ctx)
	log := j.log
	j.mu.Unlock()
	if log == nil {
		return nil, nil
	}
	return log.Records(ctx)
}

// FoldSoon asks for the database to be brought up; it never waits.
func (j *Journal) FoldSoon() {
	select {
	case j.pending <- struct{}{}:
	default:
	}
}

// Folder brings the database up to the journal whenever asked, and again while that fails, off the turn's path, until ctx
// ends.
func (j *Journal) Folder(ctx context.Context) {
	for {
		var again <-chan time.Time
		j.mu.Lock()
		if j.health.failing() {
			again = time.After(retryAfter)
		}
		j.mu.Unlock()
		select {
		case <-ctx.Done():
			return
		case <-j.pending:
		case <-again:
		}
		j.Fold(ctx)
	}
}

// Fold writes what is light, then the database. The user's own title in the store wins over ours.
func (j *Journal) Fold(ctx context.Context) {
	j.folding.Lock()
	defer j.folding.Unlock()
	j.mu.Lock()
	j.flush(ctx)
	log, row := j.log, j.row
	j.mu.Unlock()
	if log == nil {
		return
	}
	err := foldRow(ctx, log, row)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.health.unfolded = err
	j.health.tell(j.events.Push)
}

func foldRow(ctx context.Context, log engine.Log, row engine.Session) error {
	return log.Fold(context.WithoutCancel(ctx), func(s *engine.Session) {
		title, set, folded, archived := s.Title, s.TitleSet, s.Folded, s.Archived
		*s = row
		s.Folded, s.Archived = folded, archived
		if set {
			s.Title, s.TitleSet = title, true
		}
	})
}

// Move goes on in a child session. The child's first records are stored in one append; without it nothing changes. Then
// the parent is told of it and given free.
func (j *Journal) Move(ctx context.Context, log engine.Log, child engine.Session, first []engine.Event, told engine.Event) error {
	j.folding.Lock()
	defer j.folding.Unlock()
	j.mu.Lock()
	defer j.mu.Unlock()
	var recs []engine.Record
	for _, e := range first {
		recs = append(recs, engine.Record{At: j.now(), Event: e})
	}
	if err := log.Append(ctx, recs...); err != nil {
		_ = log.Close() // what was not stored is not wanted either
		return err
	}
	j.write(ctx, engine.Record{At: j.now(), Event: told}, false)
	if j.log != nil {
		if err := foldRow(ctx, j.log, j.row); err != nil {
			j.health.unfolded = err // the parent's journal has it all; the next start folds it
		}
		_ = j.log.Close()
	}
	j.log, j.row, j.light = log, child, nil
	j.events.Push(told)
	return nil
}

// Close folds and gives the session free.
func (j *Journal) Close(ctx context.Context) error {
	j.Fold(ctx)
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.log == nil {
		return nil
	}
	log := j.log
	j.log = nil
	return log.Close()
}
