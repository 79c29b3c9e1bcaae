package core

import (
	"context"
	"fmt"
	"sync"
	"time"

	"talaria/engine"
	"talaria/engine/core/waiting"
)

// journal makes events durable and then tells them, in one order (law 1). Light events (that a round began, what it
// used) are written with the next one that matters, so that a round costs few disk syncs. Its methods may be called
// from any goroutine.
type journal struct {
	mu       sync.Mutex
	log      engine.Log // nil until the session is written for the first time
	events   *waiting.Events
	now      func() time.Time
	light    []engine.Record
	degraded bool

	row     engine.Session // the session as the events so far leave it
	folding sync.Mutex
	pending chan struct{} // a fold is wanted
}

func newJournal(events *waiting.Events, now func() time.Time) *journal {
	return &journal{events: events, now: now, pending: make(chan struct{}, 1)}
}

// use makes log and row the session that is written.
func (j *journal) use(log engine.Log, row engine.Session) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.log, j.row, j.light = log, row, nil
}

// attached reports whether the session has a log: whether it was ever written.
func (j *journal) attached() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.log != nil
}

// begin makes log the place this session is written to, beginning with first. What was told before that (a mode, a
// note) is not part of the conversation.
func (j *journal) begin(log engine.Log, first engine.Event) {
	j.mu.Lock()
	defer j.mu.Unlock()
	ops := j.light
	j.log, j.light = log, append([]engine.Record{{At: j.now(), Event: first}}, ops...)
}

// session is the row as it stands.
func (j *journal) session() engine.Session {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.row
}

// change changes the row; it is stored with the next fold.
func (j *journal) change(f func(*engine.Session)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	f(&j.row)
}

// emit stores e where that is due and tells it.
func (j *journal) emit(ctx context.Context, e engine.Event) {
	if engine.Transient(e) {
		j.events.Push(e)
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.put(ctx, e)
}

func (j *journal) put(ctx context.Context, e engine.Event) {
	count(&j.row, e, j.now())
	j.write(ctx, engine.Record{At: j.now(), Event: e}, light(e))
	j.events.Push(e)
}

// name gives the session id a title, if it is still the one that is written.
func (j *journal) name(ctx context.Context, id, title string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.row.ID == id && j.log != nil {
		j.put(ctx, engine.Noted{Kind: engine.NoteTitle, Text: title})
		j.foldSoon()
	}
}

// op keeps what the user asked; it becomes durable with the event that follows from it.
func (j *journal) op(o engine.Op) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.light = append(j.light, engine.Record{At: j.now(), Op: o})
}

// keep stores a record without telling it: a partial reply.
func (j *journal) keep(ctx context.Context, m engine.Message) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.write(ctx, engine.Record{At: j.now(), Event: engine.Appended{Message: m}}, false)
}

// write appends the record, after the light ones before it. A failure turns the degraded notice on; the log keeps what
// it could not write and tries again with the next record.
func (j *journal) write(ctx context.Context, r engine.Record, light bool) {
	if j.log == nil {
		return // nothing of this session is on disk yet, and nothing of it needs to be
	}
	j.light = append(j.light, r)
	if light {
		return
	}
	j.flush(ctx)
}

func (j *journal) flush(ctx context.Context) {
	if j.log == nil || len(j.light) == 0 && !j.degraded {
		return
	}
	err := j.log.Append(ctx, j.light...)
	j.light = nil
	j.health(err)
}

func (j *journal) health(err error) {
	switch {
	case err != nil && !j.degraded:
		j.degraded = true
		j.events.Push(engine.Noted{Kind: engine.NoteDegraded, Text: fmt.Sprintf("Saving fails: %v. The conversation goes on in memory and is saved as soon as that works again.", err)})
	case err == nil && j.degraded:
		j.degraded = false
		j.events.Push(engine.Noted{Kind: engine.NoteSaved, Text: "Saving works again; everything is on disk."})
	}
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

// records are all records of the session so far, nil before the first is written.
func (j *journal) records(ctx context.Context) ([]engine.Record, error) {
	j.mu.Lock()
	j.flush(ctx)
	log := j.log
	j.mu.Unlock()
	if log == nil {
		return nil, nil
	}
	return log.Records(ctx)
}

// foldSoon asks for the database to be brought up; it never waits.
func (j *journal) foldSoon() {
	select {
	case j.pending <- struct{}{}:
	default:
	}
}

// folder brings the database up to the journal whenever asked, off the turn's path, until ctx ends.
func (j *journal) folder(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-j.pending:
			j.fold(ctx)
		}
	}
}

// fold writes what is light, then the database. The user's own title in the store wins over ours.
func (j *journal) fold(ctx context.Context) {
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
	j.health(err)
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

// move goes on in a child session. The child's first records are stored in one append; without it nothing changes. Then
// the parent is told of it and given free.
func (j *journal) move(ctx context.Context, log engine.Log, child engine.Session, first []engine.Event, told engine.Event) error {
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
			j.health(err) // the parent's journal has it all; the next start folds it
		}
		_ = j.log.Close()
	}
	j.log, j.row, j.light = log, child, nil
	j.events.Push(told)
	return nil
}

// close folds and gives the session free.
func (j *journal) close(ctx context.Context) error {
	j.fold(ctx)
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.log == nil {
		return nil
	}
	log := j.log
	j.log = nil
	return log.Close()
}
