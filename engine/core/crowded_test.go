package core_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/provider/providertest"
)

// TestC02NothingIsCompactedWhileAToolRuns: the reply that starts a command tells that the window is past its threshold. The
// command runs to its end, in peace also from /compact; then the history is compacted, and call and result go on together.
func TestC02NothingIsCompactedWhileAToolRuns(t *testing.T) {
	s := newStory(t)
	for range 5 {
		s.model.Add(answerOf(4_000))
	}
	call := engine.Call{ID: "slow", Name: "terminal", Args: `{"command":"until [ -e go ]; do sleep 0.02; done; echo it is finished"}`}
	s.model.Add(providertest.Say(engine.CallDelta{ID: call.ID, Name: call.Name, Args: call.Args}, engine.Done{Stop: engine.StopCalls, Usage: &engine.Usage{Input: 17_000, Output: 10}}),
		providertest.Text("All done."))
	sum := s.summaries(providertest.Text(checkpoint), providertest.Text(checkpoint), providertest.Text(checkpoint))
	s.narrow(20_000)
	s.deps.Mode = "auto"
	s.start("")
	s.turns(1, 5)
	s.core.Do(engine.Submit{Text: "wait for it"})
	until(s, func(c engine.CallBegan) bool { return c.Call.ID == call.ID })
	s.core.Do(engine.Compact{})
	until(s, func(n engine.Noted) bool { return strings.Contains(n.Text, "still working") })
	if n := len(sum.Requests()); n != 0 || s.count(func(e engine.Event) bool { _, ok := e.(engine.Compacted); return ok }) != 0 {
		t.Fatalf("%d summaries were asked for while the command runs", n)
	}
	if err := os.WriteFile(filepath.Join(s.deps.Dir, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	end := s.ended(6)
	if end.Why != engine.ExitFinished || end.Outcome.Final != "All done." {
		t.Fatalf("the turn ended %s with %q", end.Why, end.Outcome.Final)
	}
	order := ""
	for _, e := range s.told() {
		if c, ok := e.(engine.CallEnded); ok && c.Result.CallID == call.ID {
			order += "result "
		}
		if c, ok := e.(engine.Compacted); ok && c.Child != "" {
			order += "child "
		}
	}
	if order != "result child " {
		t.Errorf("it went %q", order)
	}
	last, _ := s.model.Last()
	for i, m := range last.Messages {
		if len(m.Calls()) == 0 {
			continue
		}
		if i+1 == len(last.Messages) || len(last.Messages[i+1].Results()) != 1 || !strings.Contains(last.Messages[i+1].Results()[0].Text, "it is finished") {
			t.Errorf("the call is parted from its result: %+v", last.Messages[i:])
		}
		return
	}
	t.Error("the newest call is not in the request after the compacting")
}
