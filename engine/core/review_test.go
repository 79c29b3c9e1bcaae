package core_test

import (
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/config"
	"talaria/engine/provider/providertest"
)

// A session with a model of its own for reviews: after the tenth turn it is asked, with the history as it is, what should
// be remembered; the user reads one line, and the next session's prompt holds it.
func TestAfterTenTurnsTheAgentLooksBack(t *testing.T) {
	var steps []providertest.Step
	for range 12 {
		steps = append(steps, providertest.Text("an answer"))
	}
	s := newStory(t, steps...)
	s.deps.Titles = true
	s.deps.Resolver = settings(t, config.Value{Key: "auxiliary.review.provider", Text: "openai"}, config.Value{Key: "auxiliary.review.model", Text: "small"})
	side := s.summaries(
		providertest.Calls(engine.Call{ID: "c1", Name: "memory", Args: `{"action":"add","target":"user","content":"wants short answers"}`}),
		providertest.Say(engine.TextDelta{Text: "done"}, engine.Done{Stop: engine.StopEnd, Usage: &engine.Usage{Input: 700, Output: 5}}))
	answers := s.deps.Aux
	s.deps.Aux = func(task string, main config.Resolved) (engine.Provider, engine.Route, error) {
		if task == engine.TaskTitle {
			return nil, engine.Route{}, &engine.Error{Reason: engine.ReasonModelNotFound}
		}
		return answers(task, main)
	}
	s.start("")
	s.turns(1, 9)
	if n := len(side.Requests()); n != 0 {
		t.Fatalf("%d side requests after nine turns", n)
	}
	s.turns(10, 10)
	until(s, func(n engine.Noted) bool {
		return n.Text == "Kept for later conversations: USER.md remembered: wants short answers."
	})
	until(s, func(u engine.Used) bool { return u.Usage.Input == 700 && u.Total.Input >= 700 })
	reqs, mine := side.Requests(), s.model.Requests()
	last := mine[len(mine)-1]
	if got := reqs[0]; got.System != last.System || len(got.Tools) != len(last.Tools) || len(got.Messages) != len(last.Messages)+2 {
		t.Errorf("it was asked with %d messages and %d tools, the turn with %d and %d; the same prompt: %v", len(got.Messages), len(got.Tools), len(last.Messages), len(last.Tools), got.System == last.System)
	}
	for i, m := range last.Messages {
		if reqs[0].Messages[i].Text() != m.Text() {
			t.Errorf("message %d differs", i)
		}
	}
	for _, line := range s.history() {
		if strings.Contains(line, "look back") {
			t.Error("the look back is in the session")
		}
	}
	s.turns(11, 11)
	if n := len(side.Requests()); n != 2 {
		t.Errorf("%d requests: it looked back again at once", n)
	}
	s.core.Do(engine.Open{})
	s.turns(12, 12)
	mine = s.model.Requests()
	if !strings.Contains(mine[len(mine)-1].System, "wants short answers") {
		t.Error("the next session does not know it")
	}
}

// What is about to be summarised is looked at for facts first; they are on disk before the summary is asked for.
func TestMemoryIsSavedFirstThenTheSummaryIsAskedFor(t *testing.T) {
	steps := []providertest.Step{}
	for range 12 {
		steps = append(steps, answerOf(3_000))
	}
	s := newStory(t, steps...)
	var order []string
	one := providertest.React(func(r engine.Request) []engine.Delta {
		say := checkpoint
		if isSave(r) {
			order, say = append(order, "save"), "user: answers in one line, please\nsomething else"
		} else {
			order = append(order, "summary")
		}
		return []engine.Delta{engine.TextDelta{Text: say}, engine.Done{Stop: engine.StopEnd}}
	})
	script := providertest.Scripted(one, one)
	s.deps.Aux = func(string, config.Resolved) (engine.Provider, engine.Route, error) {
		return script, engine.Route{Provider: "demo", Model: "small"}, nil
	}
	s.narrow(30_000)
	s.start("")
	s.turns(1, 10)
	s.core.Do(engine.Compact{})
	until(s, func(e engine.Compacted) bool { return e.Child != "" })
	if strings.Join(order, " ") != "save summary" {
		t.Errorf("asked in the order %q", order)
	}
	until(s, func(n engine.Noted) bool {
		return strings.Contains(n.Text, `Remembered before compacting: "answers in one line, please".`)
	})
	s.turns(11, 11)
	if last, _ := s.model.Last(); !strings.Contains(last.System, "answers in one line, please") {
		t.Error("the prompt that the compression built does not hold it")
	}
}
