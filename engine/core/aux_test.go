package core_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"talaria/engine"
	"talaria/engine/config"
	"talaria/engine/provider/providertest"
)

// aside gives s a model for its titles, which plays these steps.
func (s *story) aside(steps ...providertest.Step) *providertest.Script {
	side := providertest.Scripted(steps...)
	s.deps.Titles = true
	s.deps.Resolver = settings(s.t, config.Value{Key: "auxiliary.title.model", Text: "small"})
	s.deps.Aux = func(task string, main config.Resolved) (engine.Provider, engine.Route, error) {
		if task != engine.TaskTitle || main.Route.Model != "offline" {
			s.t.Errorf("asked for %s beside %+v", task, main.Route)
		}
		return side, engine.Route{Provider: "demo", Model: "small"}, nil
	}
	return side
}

func used(n int) engine.Delta {
	return engine.Done{Stop: engine.StopEnd, Usage: &engine.Usage{Input: n, Output: 1}}
}

func TestAModelNamesTheSessionAfterItsFirstTurnAndThatIsCounted(t *testing.T) {
	s := newStory(t, providertest.Say(engine.TextDelta{Text: "It was the clock."}, used(100)), providertest.Say(engine.TextDelta{Text: "Yes."}, used(10)))
	side := s.aside(providertest.Say(engine.TextDelta{Text: "\"Flaky clock test.\""}, used(7)))
	s.start("")
	s.core.Do(engine.Submit{Text: "why is it flaky?"})
	first := s.ended(1)
	if n := until(s, func(n engine.Noted) bool { return n.Kind == engine.NoteTitle }); n.Text != "Flaky clock test" {
		t.Fatal(n.Text)
	}
	s.core.Do(engine.Submit{Text: "sure?"})
	second := s.ended(2)
	s.stop()
	list, _ := s.store.List(context.Background(), engine.Query{})
	if len(list) != 1 || list[0].Title != "Flaky clock test" || list[0].Usage != (engine.Usage{Input: 117, Output: 3}) {
		t.Errorf("%+v", list)
	}
	for _, o := range []engine.Outcome{first.Outcome, second.Outcome} {
		if o.APICalls != 1 || len(o.Recoveries) != 0 {
			t.Errorf("the title counts in the turn: %d calls, %+v", o.APICalls, o.Recoveries)
		}
	}
	if first.Outcome.Usage.Input != 100 || second.Outcome.Usage.Input != 10 {
		t.Errorf("turns used %+v and %+v", first.Outcome.Usage, second.Outcome.Usage)
	}
	req, _ := side.Last()
	if len(side.Requests()) != 1 || !strings.Contains(req.Messages[0].Text(), "why is it flaky?") || !strings.Contains(req.Messages[0].Text(), "the clock") {
		t.Errorf("asked %d times, last %+v", len(side.Requests()), req.Messages)
	}
}

func TestATitleThatFailsLeavesTheFirstWords(t *testing.T) {
	s := newStory(t, providertest.Text("ok"))
	side := s.aside(providertest.Fail(&engine.Error{Reason: engine.ReasonBilling, Status: 402, Usage: engine.Usage{Input: 5}}))
	s.start("")
	s.core.Do(engine.Submit{Text: "the first words"})
	s.ended(1)
	until(s, func(u engine.Used) bool { return u.Usage.Input == 5 }) // a failure that was billed is paid for, too
	s.stop()
	list, _ := s.store.List(context.Background(), engine.Query{})
	if list[0].Title != "the first words" || len(side.Requests()) != 1 {
		t.Errorf("%+v", list[0])
	}
}

func TestTheUsersOwnTitleStays(t *testing.T) {
	s := newStory(t, providertest.Text("ok"))
	asked, answer := make(chan struct{}), make(chan struct{})
	s.aside(providertest.React(func(engine.Request) []engine.Delta {
		close(asked)
		<-answer
		return []engine.Delta{engine.TextDelta{Text: "a title of the model's"}, used(1)}
	}))
	s.start("")
	s.core.Do(engine.Submit{Text: "hi"})
	s.ended(1)
	<-asked
	var list []engine.Session
	for end := time.Now().Add(wait); len(list) == 0 && time.Now().Before(end); time.Sleep(time.Millisecond) {
		list, _ = s.store.List(context.Background(), engine.Query{}) // the database follows the journal a moment later
	}
	if err := s.store.Rename(context.Background(), list[0].ID, "mine"); err != nil {
		t.Fatal(err)
	}
	close(answer)
	until(s, func(u engine.Used) bool { return u.Usage.Input == 1 })
	s.stop()
	if list, _ = s.store.List(context.Background(), engine.Query{}); list[0].Title != "mine" {
		t.Error(list[0].Title)
	}
	for _, e := range s.told() {
		if n, ok := e.(engine.Noted); ok && n.Kind == engine.NoteTitle {
			t.Errorf("told %q", n.Text)
		}
	}
}

func TestAnAddressThatWasOnlyTypedIsAskedForNoTitle(t *testing.T) {
	s := newStory(t, providertest.Text("ok"), providertest.Text("ok"))
	side := s.aside()
	s.deps.Resolver = settings(t, config.Value{Key: "model.base_url", Text: "http://127.0.0.1:1/v1"})
	s.start("")
	s.core.Do(engine.Submit{Text: "hi"})
	s.ended(1)
	s.core.Do(engine.Submit{Text: "hi again"})
	s.ended(2)
	s.stop()
	if n := len(side.Requests()); n != 0 {
		t.Errorf("asked %d times", n)
	}
}
