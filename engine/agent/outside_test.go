package agent_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"talaria/engine"
	"talaria/engine/agent"
	"talaria/engine/provider/providertest"
)

// What outside adds stands after the user's words in each request of the turn, and nowhere in what is kept.
func TestContextIsSentAndNeverStored(t *testing.T) {
	w := newWorld(t, providertest.Calls(call("a", "echo", "{}")), providertest.Text("done"))
	asked := 0
	w.deps.Context = func(_ context.Context, text string) (string, error) {
		asked++
		return "the build is red, said of " + text, nil
	}
	r := w.run(agent.Input{Text: "hello"})
	for i, req := range w.model.Requests() {
		if got := req.Messages[0].Text(); got != "hello\n\n<context>\nthe build is red, said of hello\n</context>" {
			t.Errorf("request %d begins %q", i, got)
		}
	}
	if asked != 1 || r.Messages[0].Text() != "hello" || r.Stored[0].Text() != "hello" {
		t.Fatalf("asked %d times, stored %q", asked, r.Stored[0].Text())
	}
}

func TestWhatOutsideBlocksEndsTheTurn(t *testing.T) {
	w := newWorld(t)
	w.deps.Context = func(context.Context, string) (string, error) {
		return "", &engine.Error{Reason: engine.ReasonProviderPolicy, Message: "a hook stopped this turn: no"}
	}
	r := w.run(agent.Input{Text: "hello"})
	if r.Exit != engine.ExitBlocked || r.ExitCode() != 7 || len(w.model.Requests()) != 0 || !strings.Contains(r.Err.Message, "no") || r.Stored[0].Text() != "hello" {
		t.Fatalf("%+v", r)
	}
}

// beside is a tool that runs something elsewhere, and may do so beside others.
type beside struct{ tool }

func (beside) Beside() bool { return true }

func TestCallsOfAServerThatIsParallelSafeRunSideBySide(t *testing.T) {
	for name, want := range map[string]bool{"safe": true, "other": false} {
		synctest.Test(t, func(t *testing.T) {
			var now, peak atomic.Int32
			run := func(_ context.Context, c engine.Call, _ engine.Output) (engine.Result, error) {
				peak.Store(max(peak.Load(), now.Add(1)))
				time.Sleep(time.Second)
				now.Add(-1)
				return engine.Succeeded(c, "ok"), nil
			}
			w := newWorld(t, providertest.Calls(call("a", name, "{}"), call("b", name, "{}")), providertest.Text("done"))
			w.tools["safe"] = beside{tool{engine.Spec{Name: "safe", Effect: engine.Executes}, run}}
			w.tools["other"] = tool{engine.Spec{Name: "other", Effect: engine.Executes}, run}
			w.run(agent.Input{Text: "go"})
			if (peak.Load() > 1) != want {
				t.Errorf("%s: at most %d ran at once", name, peak.Load())
			}
		})
	}
}
