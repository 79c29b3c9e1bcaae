package core_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/provider/providertest"
)

// TestReasoningThatWasStoredAsTextIsNeitherShownNorSentAgain: another program wrote the session, tags and all.
func TestReasoningThatWasStoredAsTextIsNeitherShownNorSentAgain(t *testing.T) {
	s := newStory(t, providertest.Text("Here I am."))
	ctx := context.Background()
	log, err := s.store.Create(ctx, engine.Session{ID: "old", Dir: s.deps.Dir, System: "prompt", Route: engine.Route{Provider: "demo", Model: "offline"}})
	if err != nil {
		t.Fatal(err)
	}
	reply := engine.Message{ID: "m2", Role: engine.RoleAssistant, Parts: engine.Parts{engine.Text{Text: "<think>hidden musing</think>The answer is `<b>`."}}}
	if err := log.Append(ctx, engine.Record{Event: engine.Opened{Session: log.Session()}}, engine.Record{Event: engine.Appended{Message: engine.UserMessage("what is it?", reply.At)}},
		engine.Record{Event: engine.Appended{Message: reply}}); err != nil {
		t.Fatal(err)
	}
	if err := log.Fold(ctx, nil); err != nil {
		t.Fatal(err)
	}
	log.Close()
	s.start("old")
	opened := until(s, func(engine.Opened) bool { return true })
	shown := ""
	for _, r := range opened.Past {
		if a, ok := r.Event.(engine.Appended); ok {
			shown += a.Message.Text()
		}
	}
	if strings.Contains(shown, "musing") || !strings.Contains(shown, "The answer is `<b>`.") {
		t.Errorf("shown: %q", shown)
	}
	s.core.Do(engine.Submit{Text: "and now?"})
	s.ended(1)
	last, _ := s.model.Last()
	sent := ""
	for _, m := range last.Messages {
		sent += m.Text() + "|"
	}
	if strings.Contains(sent, "musing") || strings.Contains(sent, "think>") || !strings.Contains(sent, "The answer is `<b>`.") {
		t.Errorf("sent: %q", sent)
	}
}

func TestATitleIsWithoutTheReasoningBeforeIt(t *testing.T) {
	s := newStory(t, providertest.Text("It was the clock."))
	s.aside(providertest.Text("<think>\nwhat a question\n</think>\n\nFlaky clock test"))
	s.start("")
	s.core.Do(engine.Submit{Text: "why is it flaky?"})
	if n := until(s, func(n engine.Noted) bool { return n.Kind == engine.NoteTitle }); n.Text != "Flaky clock test" {
		t.Errorf("the title is %q", n.Text)
	}
}

// TestN03ASessionThatIsResumedTellsItsEndFirst: the screen gets a page and where it goes on, and the engine has all of it.
func TestN03ASessionThatIsResumedTellsItsEndFirst(t *testing.T) {
	s := newStory(t, providertest.Text("Yes."))
	ctx := context.Background()
	log, err := s.store.Create(ctx, engine.Session{ID: "long", Dir: s.deps.Dir, System: "prompt", Route: engine.Route{Provider: "demo", Model: "offline"}})
	if err != nil {
		t.Fatal(err)
	}
	recs := []engine.Record{{Event: engine.Opened{Session: log.Session()}}}
	for i := range 400 {
		m := engine.UserMessage(fmt.Sprintf("said %d.", i), engine.Message{}.At)
		if i%2 == 1 {
			m.Role = engine.RoleAssistant
		}
		recs = append(recs, engine.Record{Event: engine.Appended{Message: m}})
	}
	if err := log.Append(ctx, recs...); err != nil {
		t.Fatal(err)
	}
	if err := log.Fold(ctx, nil); err != nil {
		t.Fatal(err)
	}
	log.Close()
	s.start("long")
	s.core.Do(engine.Submit{Text: "all of it?"}) // before anything else was read
	opened := until(s, func(engine.Opened) bool { return true })
	if n := len(opened.Past); n == 0 || n > 150 || opened.Earlier == nil {
		t.Errorf("%d records are told first, and then %+v", n, opened.Earlier)
	}
	n := len(opened.Past)
	for at := opened.Earlier; at != nil; {
		page, err := s.core.Past().Earlier(ctx, *at, 50)
		if err != nil {
			t.Fatal(err)
		}
		n, at = n+len(page.Records), page.Next
	}
	if n != len(recs) {
		t.Errorf("%d records in all pages, want %d", n, len(recs))
	}
	s.ended(1)
	last, _ := s.model.Last()
	if len(last.Messages) != 401 || last.Messages[0].Text() != "said 0." || last.System != "prompt" {
		t.Errorf("%d messages were sent, the first %q", len(last.Messages), last.Messages[0].Text())
	}
}

// unreadable is a store whose logs cannot be read whole.
type unreadable struct {
	engine.Store
	bad bool
}

func (u *unreadable) Open(ctx context.Context, id string) (engine.Log, error) {
	l, err := u.Store.Open(ctx, id)
	return unreadableLog{l, u}, err
}

type unreadableLog struct {
	engine.Log
	u *unreadable
}

func (l unreadableLog) Records(ctx context.Context) ([]engine.Record, error) {
	if l.u.bad {
		return nil, fmt.Errorf("the disk is gone")
	}
	return l.Log.Records(ctx)
}

func TestASessionThatCannotBeReadWholeIsNotGoneOnWith(t *testing.T) {
	s := newStory(t, providertest.Text("first"), providertest.Text("second"))
	s.start("")
	s.core.Do(engine.Submit{Text: "hello"})
	id := s.ended(1).Outcome.SessionID
	s.stop()
	u := &unreadable{Store: s.store, bad: true}
	s.deps.Store = u
	s.start(id)
	until(s, func(n engine.Noted) bool {
		return n.Kind == engine.NoteError && strings.Contains(n.Text, "the disk is gone")
	})
	until(s, func(o engine.Opened) bool { return !o.Resumed && o.Session.ID != id })
	s.core.Do(engine.Submit{Text: "in a new one"})
	if got := s.ended(1); got.Outcome.SessionID == id {
		t.Error("what was said went into the session that could not be read")
	}
}
