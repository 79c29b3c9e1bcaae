// Package bring takes sessions of other programs, as package adopt reads them, into the store: as sessions of ours in every
// way, with what our own tell around their messages.
//
// It refuses to take anything twice, to put what was said elsewhere behind what was said here, and to write a secret. What
// a session's row and title come to, what is secret and which model is asked are the caller's to say.
package bring

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"talaria/engine"
	"talaria/store/adopt"
)

// Importer writes sessions of other programs into Store. Count brings a row up to an event, Title makes a title of a text,
// Mask and Redact take secrets out of a text and of a result, Line names what a call does, Repo is the repository that a
// directory is in, Route the model that a session goes on with. All are needed.
type Importer struct {
	Store  engine.Store
	Count  func(row *engine.Session, e engine.Event, at time.Time)
	Title  func(text string) string
	Mask   func(text string) string
	Redact func(engine.Call, engine.Result) engine.Result
	Line   func(engine.Call) string
	Repo   func(dir string) string
	Route  func(adopt.Head) engine.Route
}

// Foreign is a session of another program and the one that it is, or became, here. Added counts messages, nil in a listing.
type Foreign struct {
	adopt.Head
	Session  string `json:"session_id"`
	Imported bool   `json:"imported"`
	Added    *int   `json:"added,omitempty"`
	Note     string `json:"note,omitempty"`
}

// Look reads src and says whether it is here already.
func (x Importer) Look(ctx context.Context, src adopt.Source) (Foreign, error) {
	h, err := src.Read(nil)
	one := Foreign{Head: h, Session: h.SessionID(0)}
	if err != nil || h.Messages == 0 {
		return one, err
	}
	_, err = x.Store.Find(ctx, one.Session, "")
	one.Imported = err == nil
	return one, nil
}

// batch is how many records are made durable at once.
const batch = 256

// taking is one session on its way into the store: of the part that is being written its log, its row, what is not yet
// written, and the messages that were there before.
type taking struct {
	Importer
	head  adopt.Head
	part  int
	log   engine.Log
	row   engine.Session
	due   []engine.Record
	had   map[string]engine.Message
	fresh bool
	calls map[string]engine.Call
	began time.Time // of the turn
	said  time.Time // the last thing of the turn, zero between turns
	added int
	over  int // messages that are not added, since the session went on here
}

// Take imports src; what is here already stays as it is.
func (x Importer) Take(ctx context.Context, src adopt.Source) (Foreign, error) {
	h, err := src.Read(nil) // what is written first tells what only the end of the file knows
	none := 0
	one := Foreign{Head: h, Session: h.SessionID(0), Added: &none}
	if err != nil || h.Messages == 0 {
		return one, err
	}
	t := &taking{Importer: x, head: h, part: -1}
	defer t.release()
	_, err = src.Read(func(p adopt.Piece) error {
		if p.Part != t.part {
			if err := t.begin(ctx, p.Part); err != nil {
				return err
			}
		}
		return t.add(ctx, p.Message)
	})
	if err == nil {
		err = t.finish(ctx, "")
	}
	one.Added, one.Imported = &t.added, err == nil
	one.Session = h.SessionID(max(0, t.part))
	if t.over > 0 {
		one.Note = fmt.Sprintf("%d newer messages stay in the other program, since this session went on here", t.over)
	}
	if errors.Is(err, engine.ErrOwned) {
		err = fmt.Errorf("its session %s is open in a window; close it there first", one.Session)
	}
	return one, err
}

// begin goes on with a part: it is made, or opened if it is here already.
func (t *taking) begin(ctx context.Context, part int) error {
	if t.log != nil {
		if err := t.finish(ctx, t.head.SessionID(part)); err != nil {
			return err
		}
	}
	t.part, t.had, t.calls, t.said = part, map[string]engine.Message{}, map[string]engine.Call{}, time.Time{}
	id := t.head.SessionID(part)
	log, err := t.Store.Open(ctx, id)
	if t.fresh = errors.Is(err, engine.ErrNotFound); t.fresh {
		return t.create(ctx, id)
	}
	if err != nil {
		return err
	}
	t.log, t.row = log, log.Session()
	recs, err := log.Records(ctx)
	if err != nil {
		return err
	}
	for _, r := range recs {
		if r.Seq > t.row.Folded && r.Event != nil {
			t.Count(&t.row, r.Event, r.At) // an import that was cut off
		}
		if a, ok := r.Event.(engine.Appended); ok {
			t.had[a.Message.ID] = a.Message
		}
	}
	return nil
}

// create makes the session of a part. It says where it comes from.
func (t *taking) create(ctx context.Context, id string) error {
	h := t.head
	cost := 0.0 // what was asked of a model through this program: nothing yet
	t.row = engine.Session{ID: id, Title: t.Title(t.Mask(h.Title)), TitleSet: h.Title != "", Dir: h.Dir, Repo: t.Repo(h.Dir), Created: h.Began, Updated: h.Began, Route: t.Route(h), Cost: &cost}
	if h.Title == "" {
		t.row.Title = t.Title(t.Mask(h.First))
	}
	if t.part > 0 {
		t.row.ParentID, t.row.ParentWhy, t.row.Root = h.SessionID(t.part-1), engine.WhyCompression, h.SessionID(0)
	}
	log, err := t.Store.Create(ctx, t.row)
	if err != nil {
		return err
	}
	t.log = log
	t.write(engine.Opened{Session: t.row}, h.Began)
	t.write(engine.Noted{Kind: engine.NoteInfo, Text: source(h)}, h.Began)
	return nil
}

// source says where a session comes from.
func source(h adopt.Head) string {
	text := fmt.Sprintf("Imported from %s, session %s", h.Tool, h.ID)
	if h.Model != "" {
		text += ", where " + h.Model + " answered"
	}
	return text + "." + h.Troubles() + "\n" + h.Path
}

// add takes one message over: with what our own sessions tell around it, and without secrets.
func (t *taking) add(ctx context.Context, m engine.Message) error {
	for i, p := range m.Parts {
		m.Parts[i] = t.masked(p)
	}
	old, had := t.had[m.ID]
	switch {
	case had && reflect.DeepEqual(old.Parts, m.Parts):
		t.note(m)
		t.began = time.Time{} // the end of that turn was told
		return nil
	case !had && !t.fresh && t.elsewhere():
		t.over++
		return nil
	}
	if !had {
		t.added++
	}
	if m.Role == engine.RoleUser {
		t.end()
		t.began = m.At
		t.write(engine.Began{Turn: t.row.Turns + 1, Route: t.row.Route}, m.At)
	}
	for _, r := range m.Results() {
		c := t.calls[r.CallID]
		t.write(engine.CallEnded{Result: r, DurationMS: max(0, m.At.Sub(t.said).Milliseconds()), Line: t.line(c)}, m.At)
	}
	before := t.row
	t.write(engine.Appended{Message: m}, m.At)
	if had { // it had grown since it was imported: it stands where it stood, and counts once
		t.row.Messages = before.Messages
	}
	t.note(m)
	if len(t.due) < batch {
		return nil
	}
	return t.flush(ctx)
}

// line names what a call does. A command that is a list of words, as Codex has them, is written as it would be typed.
func (t *taking) line(c engine.Call) string {
	var in struct {
		Command []string `json:"command"`
	}
	if json.Unmarshal([]byte(c.Args), &in) != nil || len(in.Command) == 0 {
		return t.Line(c)
	}
	words := in.Command
	if n := len(words); n == 3 && (words[1] == "-lc" || words[1] == "-c") {
		words = words[2:] // a shell, and what it runs
	}
	args, err := engine.Marshal(map[string]string{"command": strings.Join(words, " ")})
	if err != nil {
		return t.Line(c)
	}
	return t.Line(engine.Call{Name: "terminal", Args: string(args)})
}

// note follows what was said, for what is told around it.
func (t *taking) note(m engine.Message) {
	for _, c := range m.Calls() {
		t.calls[c.ID] = c
	}
	if t.said = m.At; m.Role == engine.RoleUser {
		t.began = m.At
	}
}

// elsewhere reports whether the session went on here: then it is the user's, and nothing is added behind it.
func (t *taking) elsewhere() bool {
	for id := range t.had {
		if !strings.HasPrefix(id, adopt.Prefix) {
			return true
		}
	}
	return false
}

// masked is a part without secrets.
func (t *taking) masked(p engine.Part) engine.Part {
	switch p := p.(type) {
	case engine.Text:
		p.Text = t.Mask(p.Text)
		return p
	case engine.Thought:
		p.Text = t.Mask(p.Text)
		return p
	case engine.Call:
		p.Args = adopt.Masked(p.Args, t.Mask)
		return p
	case engine.Result:
		return t.Redact(t.calls[p.CallID], p)
	case engine.Image, engine.Opaque, engine.Unknown:
	}
	return p
}

// write puts an event behind the others.
func (t *taking) write(e engine.Event, at time.Time) {
	t.due = append(t.due, engine.Record{At: at, Event: e})
	t.Count(&t.row, e, at)
}

// end closes a turn.
func (t *taking) end() {
	if t.said.IsZero() || t.began.IsZero() || t.row.Turns == 0 {
		return
	}
	t.write(engine.Ended{Why: engine.ExitFinished, Outcome: engine.Outcome{SessionID: t.row.ID, Completed: true, Exit: engine.ExitFinished, Route: t.row.Route,
		DurationMS: max(0, t.said.Sub(t.began).Milliseconds())}}, t.said)
	t.said = time.Time{}
}

// flush makes what waits durable.
func (t *taking) flush(ctx context.Context) error {
	if len(t.due) == 0 {
		return nil
	}
	if err := t.log.Append(ctx, t.due...); err != nil {
		return err
	}
	t.due = t.due[:0]
	row := t.row
	return t.log.Fold(ctx, func(s *engine.Session) {
		folded, name, set := s.Folded, s.Title, s.TitleSet
		if *s = row; set {
			s.Title, s.TitleSet = name, set
		}
		s.Folded = folded
	})
}

// finish writes the rest of a part and gives it free; next is the part that it goes on in, "" for none.
func (t *taking) finish(ctx context.Context, next string) error {
	if len(t.due) > 0 {
		t.end()
		if next != "" {
			t.write(engine.Compacted{Child: next}, t.row.Updated)
		}
	}
	err := t.flush(ctx)
	return errors.Join(err, t.release())
}

// release gives the session free.
func (t *taking) release() error {
	if t.log == nil {
		return nil
	}
	log := t.log
	t.log, t.due = nil, nil
	return log.Close()
}
