package pages_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"talaria/engine"
	"talaria/engine/core/pages"
	"talaria/store"
)

// tale writes a conversation into a store: turns with calls, undos and redos, compressions. all is what was said in it, in
// order, what was carried over left out.
type tale struct {
	t       fataler
	st      engine.Store
	id      string
	log     engine.Log
	all     []engine.Record
	turns   []string // the user's messages that stand
	undone  []string // of the newest undo: what it took
	undo    string   // its id
	n       int
	foreign bool // written by a program that tells messages only
}

type fataler interface {
	Helper()
	Fatal(args ...any)
}

func newTale(t fataler) *tale {
	s := &tale{t: t, st: store.NewMemory()}
	s.open(engine.Session{ID: "s0"})
	return s
}

func (s *tale) open(row engine.Session) {
	var err error
	if s.log, err = s.st.Create(context.Background(), row); err != nil {
		s.t.Fatal(err)
	}
	s.id = row.ID
	s.add(engine.Opened{Session: row})
}

func (s *tale) keep(recs ...engine.Record) {
	s.t.Helper()
	if err := s.log.Append(context.Background(), recs...); err != nil {
		s.t.Fatal(err)
	}
}

func (s *tale) add(events ...engine.Event) {
	for _, e := range events {
		r := engine.Record{At: time.Unix(1, 0), Event: e}
		s.keep(r)
		s.all = append(s.all, r)
	}
}

func (s *tale) message(role engine.Role, parts ...engine.Part) engine.Message {
	s.n++
	return engine.Message{ID: fmt.Sprint("m", s.n), Role: role, Parts: parts}
}

func (s *tale) turn(rounds int) {
	user := s.message(engine.RoleUser, engine.Text{Text: fmt.Sprint("question ", s.n)})
	s.turns, s.undone, s.undo = append(s.turns, user.ID), nil, ""
	if s.foreign {
		s.add(engine.Appended{Message: user}, engine.Appended{Message: s.message(engine.RoleAssistant, engine.Text{Text: "answer"})})
		return
	}
	r := engine.Record{Op: engine.Submit{Text: "x"}}
	s.keep(r)
	s.all = append(s.all, r)
	s.add(engine.Began{Turn: len(s.turns)}, engine.Noted{Kind: engine.NoteInfo, Text: "note"}, engine.Appended{Message: user})
	for i := range rounds {
		if i > 0 {
			s.add(engine.Stepped{Iteration: i + 1})
		}
		call := engine.Call{ID: fmt.Sprint("c", s.n), Name: "x", Args: "{}"}
		reply := s.message(engine.RoleAssistant, call)
		half := reply
		half.Aside = true
		s.add(engine.Appended{Message: half}, engine.Appended{Message: reply}, engine.CallBegan{Call: call}, engine.CallEnded{Result: engine.Result{CallID: call.ID}},
			engine.Appended{Message: s.message(engine.RoleTool, engine.Result{CallID: call.ID, Text: "done"})})
	}
	s.add(engine.Appended{Message: s.message(engine.RoleAssistant, engine.Text{Text: "answer"})}, engine.Ended{Why: engine.ExitFinished})
}

func (s *tale) back(n int) {
	at := max(0, len(s.turns)-n)
	if at == len(s.turns) {
		return
	}
	s.n++
	s.undo, s.undone = fmt.Sprint("u", s.n), slices.Clone(s.turns[at:])
	s.add(engine.Rewound{ID: s.undo, From: s.turns[at]})
	s.turns = s.turns[:at]
}

func (s *tale) redo() {
	if s.undo != "" {
		s.add(engine.Rewound{ID: s.undo, Back: true, From: s.undone[0]})
		s.turns, s.undo = append(s.turns, s.undone...), ""
	}
}

// compress goes on in a child that carries the last turns over.
func (s *tale) compress(told bool) {
	var carried []engine.Record
	for _, r := range engine.Standing(s.all) {
		if a, ok := r.Event.(engine.Appended); ok && !a.Message.Summary && !a.Message.Aside {
			carried = append(carried, engine.Record{Event: a})
		}
	}
	carried = carried[max(0, len(carried)-5):]
	summary := s.message(engine.RoleUser, engine.Text{Text: "summary"})
	summary.Summary = true
	carried = append([]engine.Record{{Event: engine.Appended{Message: summary}}}, carried...)
	child := engine.Session{ID: fmt.Sprint(s.id, "x"), ParentID: s.id, ParentWhy: engine.WhyCompression, Messages: len(carried)}
	if told {
		s.add(engine.Compacted{Child: child.ID, Summary: "summary"})
	}
	s.open(child)
	s.keep(carried...)
	if !told {
		s.all = append(s.all, carried[0]) // nothing else tells the summary
	}
	s.undo = ""
}

// read returns the conversation read back in pages of about n records, and checks each page.
func (s *tale) read(n int) []engine.Record {
	s.t.Helper()
	var all []engine.Record
	at := &engine.Place{Session: s.id}
	for rounds := 0; at != nil; rounds++ {
		page, err := pages.Reader{Library: s.st}.Earlier(context.Background(), *at, n)
		if err != nil || rounds > 10_000 {
			s.t.Fatal(rounds, err)
		}
		began, ended := map[string]bool{}, 0
		for _, r := range page.Records {
			if c, ok := r.Event.(engine.CallBegan); ok {
				began[c.Call.ID] = true
			}
			if c, ok := r.Event.(engine.CallEnded); ok && began[c.Result.CallID] {
				ended++
			}
		}
		if ended != len(began) {
			s.t.Fatal("a page parts a call from its result")
		}
		all = append(slices.Clone(page.Records), all...)
		at = page.Next
	}
	return all
}

func texts(recs []engine.Record) string {
	var b strings.Builder
	for _, r := range recs {
		if r.Event != nil {
			j, err := engine.EncodeEvent(r.Event)
			fmt.Fprintln(&b, string(j), err)
		}
	}
	return b.String()
}

// TestPagesAreTheConversationAsItStands: whatever was undone, brought back and compressed, and however long pages are.
func TestPagesAreTheConversationAsItStands(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newTale(t)
		s.foreign = rapid.IntRange(0, 4).Draw(t, "foreign") == 0
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			switch rapid.IntRange(0, 7).Draw(t, "step") {
			case 0, 1, 2, 3:
				s.turn(rapid.IntRange(0, 4).Draw(t, "rounds"))
			case 4:
				s.back(rapid.IntRange(1, 4).Draw(t, "turns"))
			case 5:
				s.redo()
			case 6:
				s.compress(rapid.IntRange(0, 3).Draw(t, "told") > 0)
			case 7:
				s.add(engine.Noted{Kind: engine.NoteInfo, Text: "between"})
			}
		}
		want := texts(engine.Standing(s.all))
		for _, n := range []int{1, rapid.IntRange(2, 30).Draw(t, "page"), 100_000} {
			if got := texts(s.read(n)); got != want {
				t.Fatalf("in pages of %d:\n%s\nwant:\n%s", n, got, want)
			}
		}
	})
}

func TestWithoutItsParentAChildShowsWhatItCarried(t *testing.T) {
	s := newTale(t)
	s.turn(1)
	s.compress(true)
	s.turn(1)
	parent := s.id[:len(s.id)-1]
	s.read(2)
	for _, l := range []string{parent} {
		log, err := s.st.Open(t.Context(), l)
		if err == nil {
			log.Close()
		}
	}
	lib := gone{s.st, parent}
	page, err := pages.Reader{Library: lib}.Earlier(t.Context(), engine.Place{Session: s.id}, 1000)
	if err != nil || page.Next != nil {
		t.Fatal(err, page.Next)
	}
	if got := texts(page.Records); !strings.Contains(got, `"text":"summary"`) || !strings.Contains(got, "question 0") {
		t.Errorf("%s", got)
	}
}

// gone is a library that lost a session.
type gone struct {
	engine.Library
	id string
}

func (g gone) Before(ctx context.Context, id string, seq uint64, n int) ([]engine.Record, error) {
	if id == g.id {
		return nil, engine.ErrNotFound
	}
	return g.Library.Before(ctx, id, seq, n)
}
