package core_test

import (
	"testing"
	"time"

	"talaria/engine"
	"talaria/engine/provider/providertest"
)

// A turn that waits to be asked again is stopped and goes on with another model: the same message, sent once, answered.
func TestAWaitingTurnGoesOnWithAnotherModel(t *testing.T) {
	busy := engine.Retry{Err: &engine.Error{Reason: engine.ReasonOverloaded, Message: "overloaded"}, Action: engine.ActionRetry, Try: 2, Of: 3, After: time.Hour}
	s := newStory(t, providertest.Hang(busy), providertest.Text("From the other one."))
	s.start("")
	s.core.Do(engine.Submit{Text: "hi"})
	until(s, func(e engine.Streamed) bool { _, ok := e.Delta.(engine.Retry); return ok })
	s.core.Do(engine.Interrupt{})
	s.core.Do(engine.Switch{Model: "demo/other"})
	s.core.Do(engine.Continue{})
	if first := s.ended(1); first.Why != engine.ExitInterrupted {
		t.Errorf("the first ended %s", first.Why)
	}
	second := s.ended(2)
	if second.Why != engine.ExitFinished || second.Outcome.Final != "From the other one." {
		t.Errorf("%+v", second.Outcome)
	}
	last, _ := s.model.Last()
	if len(last.Messages) != 1 || last.Messages[0].Text() != "hi" || last.Route.Model != "other" {
		t.Errorf("asked %s with %+v", last.Route.Model, last.Messages)
	}
}

// Continue while a turn simply runs is nothing: it runs.
func TestContinueDuringATurnIsNotKeptForLater(t *testing.T) {
	s := newStory(t, providertest.Hang(engine.TextDelta{Text: "a"}), providertest.Text("never"))
	s.start("")
	s.core.Do(engine.Submit{Text: "hi"})
	until[engine.Streamed](s, nil)
	s.core.Do(engine.Continue{})
	s.core.Do(engine.Interrupt{})
	s.ended(1)
	s.core.Do(engine.Set{Mode: "plan"})
	until(s, func(e engine.Noted) bool { return e.Kind == engine.NoteMode })
	if s.model.Left() != 1 {
		t.Error("the turn was continued by itself")
	}
}
