package past_test

import (
	"strings"
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

// TestACrashAtAQuestionIsToldAsItWas: the call never ran, the open question is known again, and an answer that was given
// is not asked for twice.
func TestACrashAtAQuestionIsToldAsItWas(t *testing.T) {
	reply := engine.Message{ID: "m1", Role: engine.RoleAssistant, Parts: engine.Parts{engine.Call{ID: "a", Name: "terminal", Args: "{}"}}}
	before := []engine.Record{
		{Event: engine.Appended{Message: engine.Message{ID: "u", Role: engine.RoleUser, Parts: engine.Parts{engine.Text{Text: "go"}}}}},
		{Event: engine.Appended{Message: reply}},
	}
	approval := engine.Record{Event: engine.Asked{Question: engine.Question{ID: "q", Kind: engine.Approval, Title: "Run a command", CallID: "a"}}}
	clarify := engine.Record{Event: engine.Asked{Question: engine.Question{ID: "q", Kind: engine.Clarify, Title: "Which?", CallID: "a",
		Choices: []engine.Choice{{Value: "1", Label: "The left one"}}}}}
	began := engine.Record{Event: engine.CallBegan{Call: engine.Call{ID: "a"}}}
	for name, c := range map[string]struct {
		after []engine.Record
		want  string // in the result, "" for none
		open  int
	}{
		"an approval that was open":        {[]engine.Record{approval}, "never ran", 1},
		"an approval given, not yet begun": {[]engine.Record{approval, {Op: engine.Answer{ID: "q", Choice: "once"}}, {Event: engine.Withdrawn{ID: "q", Choice: "once"}}}, "never ran", 1},
		"allowed and begun":                {[]engine.Record{approval, {Event: engine.Withdrawn{ID: "q", Choice: "once"}}, began}, "", 0},
		"a question that was open":         {[]engine.Record{began, clarify}, "had not answered", 1},
		"a question that was answered":     {[]engine.Record{began, clarify, {Op: engine.Answer{ID: "q", Choice: "1", Text: "surely"}}, {Event: engine.Withdrawn{ID: "q", Choice: "1"}}}, "The left one surely", 0},
		"nothing asked":                    {nil, "", 0},
	} {
		s := past.Restore(append(append([]engine.Record{}, before...), c.after...))
		got := ""
		if len(s.Messages) == 3 {
			got = s.Messages[2].Results()[0].Text
		}
		if len(s.Open) != c.open || (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %d open, result %q", name, len(s.Open), got)
		}
	}
	goneOn := append(append([]engine.Record{}, before...), approval,
		engine.Record{Event: engine.Appended{Message: engine.Message{ID: "m2", Role: engine.RoleAssistant, Parts: engine.Parts{engine.Text{Text: "So be it."}}}}})
	if s := past.Restore(goneOn); len(s.Open) != 0 || len(s.Messages) != 4 {
		t.Errorf("a question of an older reply waits: %+v", s.Open)
	}
}
