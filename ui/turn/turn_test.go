package turn

import (
	"testing"
	"time"

	"talaria/engine"
)

var start = time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC)

func told(t *Turn, at time.Duration, events ...engine.Event) {
	for _, e := range events {
		t.On(e, start.Add(at))
	}
}

func ask(id string) engine.Event {
	return engine.Asked{Question: engine.Question{ID: id, Kind: engine.Approval}}
}

func TestTheClockStopsWhileAnyQuestionIsOpen(t *testing.T) {
	var turn Turn
	told(&turn, 0, engine.Began{Turn: 1})
	told(&turn, 10*time.Second, ask("a"), ask("b"))
	told(&turn, 40*time.Second, engine.Withdrawn{ID: "a"})
	if turn.State != NeedsYou {
		t.Errorf("state %d while a question is open", turn.State)
	}
	told(&turn, 50*time.Second, engine.CallBegan{Call: engine.Call{ID: "1"}}) // another call begins beside the question
	if turn.State != NeedsYou {
		t.Errorf("state %d while a question is open", turn.State)
	}
	told(&turn, 70*time.Second, engine.Withdrawn{ID: "b"})
	if got := turn.Elapsed(start.Add(75 * time.Second)); got != 15*time.Second || turn.State != Tools {
		t.Errorf("%v in state %d, want 15s at work with a tool", got, turn.State)
	}
	told(&turn, 80*time.Second, engine.Ended{Why: engine.ExitFinished})
	if got := turn.Elapsed(start.Add(time.Hour)); got != 20*time.Second || turn.State != Ready {
		t.Errorf("%v in state %d, want 20s and ready", got, turn.State)
	}
}

func TestNothingHidesAStopThatIsUnderWay(t *testing.T) {
	var turn Turn
	told(&turn, 0, engine.Began{Turn: 1}, ask("a"))
	turn.Stop(false, start.Add(5*time.Second))
	told(&turn, 6*time.Second, engine.Streamed{Delta: engine.TextDelta{Text: "x"}}, engine.CallBegan{}, engine.Withdrawn{ID: "a"}, ask("b"), engine.Stepped{})
	if turn.State != Stopping || turn.Hard {
		t.Errorf("state %d, hard %v", turn.State, turn.Hard)
	}
	turn.Stop(true, start.Add(7*time.Second))
	turn.Stop(false, start.Add(7*time.Second))
	if !turn.Hard {
		t.Error("a hard stop became a graceful one")
	}
	told(&turn, 8*time.Second, engine.Ended{Why: engine.ExitInterrupted, Outcome: engine.Outcome{Interrupted: true}})
	if turn.State != Stopped || turn.Active {
		t.Errorf("state %d, active %v", turn.State, turn.Active)
	}
	turn.Stop(true, start)
	if turn.State != Stopped {
		t.Error("a stop of nothing changed the state")
	}
}

func TestHowPeopleReadTimesAndCounts(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0:00", 42 * time.Second: "0:42", 67 * time.Second: "1:07", time.Hour + 2*time.Minute + 3*time.Second: "1:02:03"} {
		if got := Clock(d); got != want {
			t.Errorf("Clock(%v) is %q, want %q", d, got, want)
		}
	}
	for n, want := range map[int]string{0: "0", 950: "950", 12_400: "12.4k", 12_000: "12k", 1_200_000: "1.2M"} {
		if got := Count(n); got != want {
			t.Errorf("Count(%d) is %q, want %q", n, got, want)
		}
	}
}

func TestASessionThatEndedInTheMiddleOfATurnCanBeContinued(t *testing.T) {
	said := func(r engine.Role, parts ...engine.Part) engine.Record {
		return engine.Record{Event: engine.Appended{Message: engine.Message{Role: r, Parts: parts}}}
	}
	user, answer := said(engine.RoleUser, engine.Text{Text: "go"}), said(engine.RoleAssistant, engine.Text{Text: "done"})
	call, result := said(engine.RoleAssistant, engine.Call{ID: "a"}), said(engine.RoleTool, engine.Result{CallID: "a"})
	began, ended := engine.Record{Event: engine.Began{Turn: 1}}, engine.Record{Event: engine.Ended{Why: engine.ExitFinished}}
	for name, tc := range map[string]struct {
		past []engine.Record
		want State
	}{
		"answered":              {[]engine.Record{user, answer}, Ready},
		"no answer":             {[]engine.Record{user}, Stopped},
		"in a tool":             {[]engine.Record{user, call}, Stopped},
		"after a tool":          {[]engine.Record{user, call, result}, Stopped},
		"a message without one": {[]engine.Record{user, answer, user}, Stopped},
		"nothing":               {nil, Ready},
		"a command of the user": {[]engine.Record{began, user, answer, ended, user}, Ready}, // run with "!", for the model to see next time
		"nothing but that":      {[]engine.Record{{Event: engine.Opened{}}, user}, Ready},
		"that after a stop":     {[]engine.Record{began, user, ended, user}, Stopped},
		"the next turn":         {[]engine.Record{began, user, answer, ended, user, began, user}, Stopped},
		"cut after compacting":  {[]engine.Record{{Event: engine.Opened{Session: engine.Session{ParentWhy: engine.WhyCompression}}}, answer, user}, Stopped},
	} {
		var u Turn
		u.On(engine.Opened{Resumed: true, Past: tc.past}, time.Time{})
		if u.State != tc.want {
			t.Errorf("%s: state %d", name, u.State)
		}
	}
}
