package past_test

import (
	"testing"
	"time"

	"talaria/engine"
	"talaria/engine/core/past"
)

func TestRestorePutsInTheResultOfACallThatEndedInACrash(t *testing.T) {
	reply := engine.Message{ID: "m1", Role: engine.RoleAssistant, Parts: engine.Parts{engine.Call{ID: "a", Name: "x", Args: "{}"}, engine.Call{ID: "b", Name: "x", Args: "{}"}}}
	res := func(id string) engine.Result { return engine.Result{CallID: id, Text: "result " + id} }
	s := past.Restore([]engine.Record{
		{Event: engine.Appended{Message: engine.Message{ID: "u", Role: engine.RoleUser, Parts: engine.Parts{engine.Text{Text: "go"}}}}},
		{Event: engine.Appended{Message: engine.Message{ID: "m1", Role: engine.RoleAssistant, Aside: true, Parts: engine.Parts{engine.Text{Text: "half"}}}}},
		{Event: engine.Appended{Message: reply}},
		{Event: engine.CallEnded{Result: res("a")}},
		{Event: engine.Appended{Message: engine.ToolMessage(res("a"), time.Time{})}},
		{Event: engine.CallEnded{Result: res("b")}}, // and here the power went
	})
	if len(s.Messages) != 4 || s.Messages[1].Aside || len(s.Messages[1].Calls()) != 2 {
		t.Fatalf("%+v", s.Messages)
	}
	if r := s.Messages[3].Results(); len(r) != 1 || r[0].Text != "result b" {
		t.Fatalf("%+v", s.Messages[3])
	}
}

func TestRestoreLeavesOutOfTheWaitingListWhatWasDelivered(t *testing.T) {
	s := past.Restore([]engine.Record{
		{Event: engine.Queued{Waiting: []engine.Waiting{{ID: "q1", Text: "one"}, {ID: "q2", Text: "two"}}}},
		{Event: engine.Steered{Waiting: []engine.Waiting{{ID: "s1", Text: "steer"}}}},
		{Event: engine.Appended{Message: engine.Message{ID: "q1", Role: engine.RoleUser, Parts: engine.Parts{engine.Text{Text: "one"}}}}},
		{Event: engine.Appended{Message: engine.Message{ID: "s1", Role: engine.RoleUser, Steer: true, Parts: engine.Parts{engine.Text{Text: "steer"}}}}},
	})
	if len(s.Queued) != 1 || s.Queued[0].ID != "q2" || len(s.Steers) != 0 {
		t.Fatalf("queued %+v steers %+v", s.Queued, s.Steers)
	}
}
