package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"talaria/engine"
	"talaria/engine/agent"
	"talaria/engine/provider/providertest"
)

// world is a conversation with a scripted model, a few tools, and everything that was told.
type world struct {
	t      *testing.T
	model  *providertest.Script
	tools  toolbox
	deps   agent.Deps
	mu     sync.Mutex
	events []engine.Event
	on     func(engine.Event)
}

func newWorld(t *testing.T, steps ...providertest.Step) *world {
	w := &world{t: t, model: providertest.Scripted(steps...), tools: toolbox{}}
	w.tools["echo"] = tool{engine.Spec{Name: "echo", Effect: engine.Reads}, func(_ context.Context, c engine.Call, _ engine.Output) (engine.Result, error) {
		return engine.Succeeded(c, "echo "+c.Args), nil
	}}
	w.deps = agent.Deps{Provider: w.model, Tools: w.tools, Emit: w.emit, Session: engine.Session{ID: "s1"}, MaxTurns: 90,
		System: func(string) string { return "be brief" }, Route: engine.Route{Model: "m"}}
	return w
}

func (w *world) emit(_ context.Context, e engine.Event) {
	w.mu.Lock()
	w.events = append(w.events, e)
	on := w.on
	w.mu.Unlock()
	if on != nil {
		on(e)
	}
}

func (w *world) run(in agent.Input) agent.Result {
	w.t.Helper()
	r, _ := agent.New(w.deps).RunConversation(context.Background(), in)
	w.checkLaws(r)
	return r
}

// checkLaws asserts what holds after every turn: each call one result in call order, each request valid, an explanation.
func (w *world) checkLaws(r agent.Result) {
	w.t.Helper()
	var open []string
	for _, m := range r.Messages {
		for _, res := range m.Results() {
			if len(open) == 0 || open[0] != res.CallID {
				w.t.Fatalf("result %s out of order, open calls %v", res.CallID, open)
			}
			open = open[1:]
		}
		if m.Role == engine.RoleAssistant && len(open) > 0 {
			w.t.Fatalf("unanswered calls %v before the next reply", open)
		}
		for _, c := range m.Calls() {
			open = append(open, c.ID)
		}
	}
	if len(open) > 0 {
		w.t.Fatalf("unanswered calls %v at the end of the turn", open)
	}
	for _, req := range w.model.Requests() {
		checkValid(w.t, req.Messages)
	}
	if r.Final == "" && r.Err == nil && r.Exit != engine.ExitInterrupted && r.Exit != engine.ExitApproval {
		w.t.Fatalf("a turn ended with neither text nor explanation: %+v", r)
	}
}

func checkValid(t *testing.T, msgs []engine.Message) {
	t.Helper()
	before := engine.Role("")
	for i, m := range msgs {
		if m.Role == before && m.Role != engine.RoleTool || i == 0 && m.Role != engine.RoleUser || len(m.Parts) == 0 {
			t.Fatalf("message %d (%s after %q, %d parts) breaks the alternation", i, m.Role, before, len(m.Parts))
		}
		before = m.Role
	}
}

func (w *world) count(want engine.Event) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, e := range w.events {
		if fmt.Sprintf("%T", e) == fmt.Sprintf("%T", want) {
			n++
		}
	}
	return n
}

type toolbox map[string]engine.Tool

func (b toolbox) Specs() []engine.Spec {
	var specs []engine.Spec
	for _, t := range b {
		specs = append(specs, t.Spec())
	}
	slices.SortFunc(specs, func(x, y engine.Spec) int { return strings.Compare(x.Name, y.Name) })
	return specs
}

func (b toolbox) Resolve(c engine.Call) (engine.Tool, engine.Call, *engine.Result) {
	t, ok := b[c.Name]
	if !ok {
		r := engine.Badly(c, "there is no tool %q", c.Name)
		return nil, c, &r
	}
	if !json.Valid([]byte(c.Args)) {
		r := engine.Badly(c, "the arguments are not valid JSON; the call was not executed")
		return nil, c, &r
	}
	return t, c, nil
}

type tool struct {
	spec engine.Spec
	run  func(context.Context, engine.Call, engine.Output) (engine.Result, error)
}

func (t tool) Spec() engine.Spec { return t.spec }
func (t tool) Run(ctx context.Context, c engine.Call, out engine.Output) (engine.Result, error) {
	return t.run(ctx, c, out)
}
func (t tool) Touches(c engine.Call) []string {
	var in struct{ Path string }
	if json.Unmarshal([]byte(c.Args), &in) != nil || in.Path == "" {
		return nil
	}
	return []string{in.Path}
}

func call(id, name, args string) engine.Call { return engine.Call{ID: id, Name: name, Args: args} }

func TestAQuestionIsAnsweredAfterTwoRoundsOfTools(t *testing.T) {
	w := newWorld(t, providertest.Calls(call("a", "echo", `{"x":1}`)), providertest.Calls(call("b", "echo", `{}`), call("c", "echo", `{}`)), providertest.Text("done"))
	r := w.run(agent.Input{Text: "go"})
	if r.Final != "done" || !r.Completed || r.Exit != engine.ExitFinished || r.Iterations != 3 || r.APICalls != 3 || len(r.Messages) != 7 {
		t.Fatalf("result: %+v", r)
	}
	if got := r.Messages[2].Results()[0]; got.Text != `echo {"x":1}` || got.CallID != "a" {
		t.Fatalf("first result: %+v", got)
	}
}

func TestTheUsersMessageIsStoredBeforeTheFirstRequest(t *testing.T) {
	w := newWorld(t, providertest.React(func(engine.Request) []engine.Delta { return []engine.Delta{engine.TextDelta{Text: "hi"}} }))
	stored := false
	w.deps.Provider = checkedProvider{w.model, func() {
		if !stored {
			t.Error("the request was made before the message was stored")
		}
	}}
	w.on = func(e engine.Event) {
		if a, ok := e.(engine.Appended); ok && a.Message.Text() == "hello" {
			stored = true
		}
	}
	w.run(agent.Input{Text: "hello"})
}

func TestTheBudgetEndsWithOneCallWithoutTools(t *testing.T) {
	var steps []providertest.Step
	for i := range 3 {
		steps = append(steps, providertest.Calls(call(fmt.Sprint("c", i), "echo", "{}")))
	}
	w := newWorld(t, append(steps, providertest.Say(engine.TextDelta{Text: "summary"}, engine.CallDelta{Index: 0, ID: "z", Name: "echo"}))...)
	w.deps.MaxTurns = 3
	r := w.run(agent.Input{Text: "go"})
	if r.Final != "summary" || r.Completed || r.Exit != engine.ExitIterations || r.Iterations != 3 || r.APICalls != 4 || r.ExitCode() != 5 {
		t.Fatalf("result: %+v", r)
	}
	reqs := w.model.Requests()
	last := reqs[len(reqs)-1]
	if len(last.Tools) != 0 || len(reqs[0].Tools) == 0 {
		t.Fatalf("the grace call had %d tools, the first %d", len(last.Tools), len(reqs[0].Tools))
	}
	if text := last.Messages[len(last.Messages)-1].Text(); !strings.Contains(text, "last iteration") {
		t.Fatalf("no last notice in the grace call: %q", text)
	}
	for _, m := range r.Messages {
		if strings.Contains(m.Text(), "last iteration") {
			t.Fatal("the notice was stored")
		}
	}
}

func TestRoundsThatOnlyRanCodeAreFreeButNotForEver(t *testing.T) {
	w := newWorld(t)
	w.tools["execute_code"] = tool{engine.Spec{Name: "execute_code", Effect: engine.Executes}, w.tools["echo"].Run}
	for i := range 20 {
		w.model.Add(providertest.Calls(call(fmt.Sprint("c", i), "execute_code", fmt.Sprintf(`{"n":%d}`, i))))
	}
	w.deps.MaxTurns = 3
	w.deps.Provider = lastText{w.model}
	r := w.run(agent.Input{Text: "go"})
	if r.APICalls != 2*3+1 || r.Exit != engine.ExitIterations {
		t.Fatalf("%d calls, %s: successful requests must end at twice the limit and the grace call", r.APICalls, r.Exit)
	}
}

func TestEightSlowReadsRunTogetherAndAnswerInCallOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls []engine.Call
		for i := range 8 {
			calls = append(calls, call(fmt.Sprint("c", i), "slow", fmt.Sprintf(`{"wait":%d}`, 8-i)))
		}
		w := newWorld(t, providertest.Calls(calls...), providertest.Text("done"))
		w.tools["slow"] = tool{engine.Spec{Name: "slow", Effect: engine.Reads}, func(ctx context.Context, c engine.Call, _ engine.Output) (engine.Result, error) {
			var in struct{ Wait int }
			json.Unmarshal([]byte(c.Args), &in)
			time.Sleep(time.Duration(in.Wait) * time.Second)
			return engine.Succeeded(c, c.ID), nil
		}}
		began := time.Now()
		r := w.run(agent.Input{Text: "go"})
		if took := time.Since(began); took != 8*time.Second {
			t.Fatalf("took %v, not the longest of them", took)
		}
		for i := range 8 {
			if got := r.Messages[2+i].Results()[0].Text; got != fmt.Sprint("c", i) {
				t.Fatalf("result %d is %q", i, got)
			}
		}
	})
}

func TestWhatRunsTogetherFollowsEffectsAndPaths(t *testing.T) {
	for name, tc := range map[string]struct {
		calls []string
		want  bool
	}{
		"two reads of one file":              {[]string{"r:a", "r:a"}, true},
		"reads and a write elsewhere":        {[]string{"r:a", "r:b", "w:c"}, true},
		"a write to what is read":            {[]string{"w:a", "r:a"}, false},
		"a write below a directory read":     {[]string{"r:src", "w:src/a.go"}, false},
		"a name that begins like another":    {[]string{"r:src", "w:srcs/a.go"}, true},
		"a write that does not say where":    {[]string{"r:a", "w:"}, false},
		"a command beside a read":            {[]string{"r:a", "x:"}, false},
		"a question beside a read":           {[]string{"q:", "r:a"}, false},
		"two writes to different files":      {[]string{"w:a", "w:b"}, true},
		"two writes that differ by spelling": {[]string{"w:a", "w:./a"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var now, peak atomic.Int32
				slow := func(ctx context.Context, c engine.Call, _ engine.Output) (engine.Result, error) {
					peak.Store(max(peak.Load(), now.Add(1)))
					time.Sleep(time.Second)
					now.Add(-1)
					return engine.Succeeded(c, "ok"), nil
				}
				var calls []engine.Call
				for i, c := range tc.calls {
					kind, path, _ := strings.Cut(c, ":")
					calls = append(calls, call(fmt.Sprint("c", i), kind, fmt.Sprintf(`{"path":%q}`, path)))
				}
				w := newWorld(t, providertest.Calls(calls...), providertest.Text("done"))
				for kind, e := range map[string]engine.Effect{"r": engine.Reads, "w": engine.Writes, "x": engine.Executes, "q": engine.Asks} {
					w.tools[kind] = tool{engine.Spec{Name: kind, Effect: e}, slow}
				}
				w.run(agent.Input{Text: "go"})
				if (peak.Load() > 1) != tc.want {
					t.Fatalf("at most %d ran at once", peak.Load())
				}
			})
		})
	}
}

func TestAToolThatPanicsHurtsNobodyElse(t *testing.T) {
	w := newWorld(t, providertest.Calls(call("a", "bad", "{}"), call("b", "echo", "{}")), providertest.Text("done"))
	w.tools["bad"] = tool{engine.Spec{Name: "bad", Effect: engine.Reads}, func(context.Context, engine.Call, engine.Output) (engine.Result, error) { panic("boom") }}
	r := w.run(agent.Input{Text: "go"})
	if bad := r.Messages[2].Results()[0]; bad.Status != engine.StatusFailed || !strings.Contains(bad.Text, "boom") {
		t.Fatalf("result of the panic: %+v", bad)
	}
	if r.Final != "done" || r.Messages[3].Results()[0].Text != "echo {}" {
		t.Fatalf("result: %+v", r)
	}
}

func TestThreeRoundsOfUnknownToolsEndTheTurn(t *testing.T) {
	w := newWorld(t, providertest.Calls(call("a", "foo", "{}")), providertest.Calls(call("b", "foo", "{}")), providertest.Calls(call("c", "foo", "{}")), providertest.Text("never"))
	r := w.run(agent.Input{Text: "go"})
	if r.Exit != engine.ExitInvalidCalls || len(w.model.Requests()) != 3 || !strings.HasPrefix(r.Messages[2].Results()[0].Text, "refused:") || r.ExitCode() != 1 {
		t.Fatalf("%s after %d requests: %+v", r.Exit, len(w.model.Requests()), r.Messages[2])
	}
}

func TestACallThatTheOutputLimitCutIsNotExecuted(t *testing.T) {
	ran := false
	w := newWorld(t, providertest.Say(engine.CallDelta{Index: 0, ID: "a", Name: "mark", Args: `{"path":"a`}, engine.Done{Stop: engine.StopLength}), providertest.Text("done"))
	w.tools["mark"] = tool{engine.Spec{Name: "mark", Effect: engine.Reads}, func(_ context.Context, c engine.Call, _ engine.Output) (engine.Result, error) {
		ran = true
		return engine.Succeeded(c, ""), nil
	}}
	r := w.run(agent.Input{Text: "go"})
	if ran || !strings.Contains(r.Messages[2].Results()[0].Text, "not executed") || r.Final != "done" {
		t.Fatalf("ran %v: %+v", ran, r.Messages[2])
	}
}

func TestAStopDuringTheStreamKeepsTheTextAsideAndOutOfTheHistory(t *testing.T) {
	w := newWorld(t, providertest.Hang(engine.ThoughtDelta{Text: "hm"}, engine.TextDelta{Text: "half a"}), providertest.Text("whole"))
	a := agent.New(w.deps)
	w.on = func(e engine.Event) {
		if s, ok := e.(engine.Streamed); ok {
			if _, ok := s.Delta.(engine.TextDelta); ok {
				a.Stop(true) // no tool runs: graceful is immediate
			}
		}
	}
	r, err := a.RunConversation(context.Background(), agent.Input{Text: "go"})
	w.checkLaws(r)
	if err != nil || !r.Interrupted || r.Exit != engine.ExitInterrupted || len(r.Messages) != 1 {
		t.Fatalf("%v %+v", err, r)
	}
	aside := w.events[len(w.events)-2].(engine.Appended).Message
	if !aside.Aside || aside.Text() != "half a" || aside.Reasoning() != "hm" {
		t.Fatalf("aside: %+v", aside)
	}
	w.on = nil
	w.deps.History = func(context.Context) ([]engine.Message, error) {
		return []engine.Message{engine.UserMessage("go", time.Now()), aside}, nil
	}
	again := w.run(agent.Input{Continue: true})
	req, _ := w.model.Last()
	if len(req.Messages) != 1 || req.Messages[0].Text() != "go" || again.Final != "whole" {
		t.Fatalf("continue sent %+v", req.Messages)
	}
}

func TestAGracefulStopLetsTheRunningToolFinishAndStartsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, providertest.Calls(call("a", "slow", "{}"), call("b", "slow", "{}")), providertest.Text("never"))
		ran := 0
		w.tools["slow"] = tool{engine.Spec{Name: "slow", Effect: engine.Executes}, func(ctx context.Context, c engine.Call, _ engine.Output) (engine.Result, error) {
			ran++
			time.Sleep(5 * time.Second)
			return engine.Succeeded(c, "finished"), ctx.Err()
		}}
		a := agent.New(w.deps)
		var waiting atomic.Bool
		time.AfterFunc(time.Second, func() { waiting.Store(a.Stop(true)) })
		r, _ := a.RunConversation(context.Background(), agent.Input{Text: "go"})
		w.checkLaws(r)
		if !waiting.Load() || ran != 1 || !r.Interrupted || r.Messages[2].Results()[0].Text != "finished" || r.Messages[3].Results()[0].Status != engine.StatusStopped {
			t.Fatalf("waiting %v, ran %d: %+v", waiting.Load(), ran, r)
		}
	})
}

func TestASecondStopEndsTheToolNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, providertest.Calls(call("a", "slow", "{}")), providertest.Text("never"))
		w.tools["slow"] = tool{engine.Spec{Name: "slow", Effect: engine.Executes}, func(ctx context.Context, c engine.Call, _ engine.Output) (engine.Result, error) {
			<-ctx.Done()
			return engine.Result{}, ctx.Err()
		}}
		a := agent.New(w.deps)
		time.AfterFunc(time.Second, func() { a.Stop(true) })
		time.AfterFunc(2*time.Second, func() { a.Stop(false) })
		began := time.Now()
		r, _ := a.RunConversation(context.Background(), agent.Input{Text: "go"})
		w.checkLaws(r)
		if took := time.Since(began); took != 2*time.Second || r.Messages[2].Results()[0].Text != "stopped by the user" {
			t.Fatalf("%v: %+v", took, r.Messages[2])
		}
	})
}

func TestAToolThatIgnoresTheStopIsLeftBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, providertest.Calls(call("a", "deaf", "{}")))
		free := make(chan struct{})
		w.tools["deaf"] = tool{engine.Spec{Name: "deaf", Effect: engine.Executes}, func(_ context.Context, c engine.Call, _ engine.Output) (engine.Result, error) {
			<-free
			return engine.Succeeded(c, "late"), nil
		}}
		a := agent.New(w.deps)
		time.AfterFunc(time.Second, func() { a.Stop(false) })
		r, _ := a.RunConversation(context.Background(), agent.Input{Text: "go"})
		w.checkLaws(r)
		if r.Messages[2].Results()[0].Status != engine.StatusStopped {
			t.Fatalf("%+v", r.Messages[2])
		}
		close(free)
	})
}

func TestASteerIsStoredOnItsOwnAndRidesOnTheNewestResult(t *testing.T) {
	w := newWorld(t, providertest.Calls(call("a", "echo", "{}")), providertest.Calls(call("b", "echo", "{}")), providertest.Text("done"))
	said := []engine.Message{{ID: "st1", Role: engine.RoleUser, Steer: true, Parts: engine.Parts{engine.Text{Text: "skip the tests"}}}}
	w.deps.Steers = func() []engine.Message {
		if w.count(engine.CallEnded{}) == 0 {
			return nil // said while the first tool runs
		}
		m := said
		said = nil
		return m
	}
	r := w.run(agent.Input{Text: "go"})
	if m := r.Stored[3]; !m.Steer || m.Text() != "skip the tests" || r.Stored[2].Text() != "" {
		t.Fatalf("stored: %+v", r.Stored)
	}
	req := w.model.Requests()[1].Messages
	if m := req[len(req)-1]; m.Role != engine.RoleTool || m.Text() != "skip the tests" || len(m.Results()) != 1 {
		t.Fatalf("sent: %+v", m)
	}
	later := w.model.Requests()[2].Messages
	if fmt.Sprint(later[:len(req)]) != fmt.Sprint(req) {
		t.Fatal("the prefix of the next request changed")
	}
}

func TestWhatNobodyCanApproveEndsTheTurnWithEveryCallAnswered(t *testing.T) {
	w := newWorld(t, providertest.Calls(call("a", "echo", "{}"), call("b", "echo", "{}")), providertest.Text("never"))
	w.deps.Gates = []engine.Gate{func(_ context.Context, c engine.Call, _ engine.Spec) (engine.Verdict, error) {
		return engine.Verdict{Decision: engine.NeedsApproval, Reason: "run a command"}, nil
	}}
	r := w.run(agent.Input{Text: "go"})
	if r.Exit != engine.ExitApproval || r.ExitCode() != 6 || w.count(engine.CallBegan{}) != 0 || !strings.HasPrefix(r.Messages[2].Results()[0].Text, "refused:") {
		t.Fatalf("%+v", r)
	}
}

func TestADenialGoesBackToTheModelAndTheTurnGoesOn(t *testing.T) {
	w := newWorld(t, providertest.Calls(call("a", "echo", "{}")), providertest.Text("I will not"))
	w.deps.Gates = []engine.Gate{func(context.Context, engine.Call, engine.Spec) (engine.Verdict, error) {
		return engine.Verdict{Decision: engine.Deny, Reason: "the user denied this: use a Map"}, nil
	}}
	r := w.run(agent.Input{Text: "go"})
	if res := r.Messages[2].Results()[0]; res.Status != engine.StatusDenied || !strings.Contains(res.Text, "use a Map") || r.Final != "I will not" {
		t.Fatalf("%+v", r)
	}
}

func TestAFailureAfterAllRetriesIsTheResultAndKeepsWhatWasSaid(t *testing.T) {
	fault := &engine.Error{Reason: engine.ReasonBilling, Status: 402, Message: "no credit", Usage: engine.Usage{Input: 7}}
	w := newWorld(t, providertest.Fail(fault, engine.TextDelta{Text: "so far"}, engine.Retry{Err: fault, Action: engine.ActionRetry, Keep: true, Usage: engine.Usage{Input: 5}}))
	r, err := agent.New(w.deps).RunConversation(context.Background(), agent.Input{Text: "go"})
	w.checkLaws(r)
	var e *engine.Error
	if !errors.As(err, &e) || e.Reason != engine.ReasonBilling || r.Exit != engine.ExitFailed || r.ExitCode() != 4 || len(r.Recoveries) != 1 || r.Usage.Input != 12 {
		t.Fatalf("%v %+v", err, r)
	}
	if a := w.events[len(w.events)-2].(engine.Appended).Message; !a.Aside || a.Text() != "so far" {
		t.Fatalf("aside %+v", a)
	}
}

func TestAnAnswerWithoutTextIsExplained(t *testing.T) {
	w := newWorld(t, providertest.Say(engine.ThoughtDelta{Text: "hm"}, engine.Done{Stop: engine.StopEnd}))
	r := w.run(agent.Input{Text: "go"})
	if r.Exit != engine.ExitFailed || r.Err.Reason != engine.ReasonEmptyResponse {
		t.Fatalf("%+v", r)
	}
}

func TestALongReplyIsJournalledWhileItStreams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.deps.Provider = slowText{50, 200 * time.Millisecond}
		var kept []engine.Message
		w.deps.Keep = func(_ context.Context, m engine.Message) { kept = append(kept, m) }
		r, _ := agent.New(w.deps).RunConversation(context.Background(), agent.Input{Text: "go"})
		if len(kept) < 3 || len(kept) > 5 || !kept[0].Aside || kept[0].ID != r.Messages[1].ID {
			t.Fatalf("%d partial copies of a 10 s reply; first %+v", len(kept), kept)
		}
	})
}

func TestUsageAndPriceAreSummedAndUnknownPricesStayUnknown(t *testing.T) {
	u := engine.Usage{Input: 100, Output: 10}
	w := newWorld(t, providertest.Say(engine.CallDelta{Index: 0, ID: "a", Name: "echo"}, engine.Done{Stop: engine.StopCalls, Usage: &u}), providertest.Say(engine.TextDelta{Text: "done"}, engine.Done{Stop: engine.StopEnd, Usage: &u}))
	w.deps.Price = func(_ engine.Route, u engine.Usage) *float64 { p := float64(u.Input) / 1000; return &p }
	r := w.run(agent.Input{Text: "go"})
	if r.Usage.Input != 200 || r.Cost == nil || *r.Cost != 0.2 {
		t.Fatalf("usage %+v cost %v", r.Usage, r.Cost)
	}
	w2 := newWorld(t, providertest.Text("no usage told"))
	if r := w2.run(agent.Input{Text: "go"}); r.Cost != nil {
		t.Fatalf("cost %v, want unknown", *r.Cost)
	}
}

func TestEveryFieldOfTheInputDoesWhatItSays(t *testing.T) {
	w := newWorld(t, providertest.Text("one"))
	var asked string
	w.deps.System = func(message string) string { asked = message; return "prompt" }
	past := []engine.Message{engine.UserMessage("old", time.Now()), {ID: "x", Role: engine.RoleAssistant, Parts: engine.Parts{engine.Text{Text: "answer"}}}}
	r := w.run(agent.Input{Text: "augmented text", PersistText: "plain text", SystemMessage: "tier", History: past, TaskID: "task_1", ID: "msg_1"})
	req, _ := w.model.Last()
	if asked != "tier" || r.TaskID != "task_1" || r.Messages[2].Text() != "plain text" || r.Messages[2].ID != "msg_1" || req.Messages[2].Text() != "augmented text" || req.System != "prompt" {
		t.Fatalf("asked %q, result %+v, sent %+v", asked, r, req.Messages)
	}
	if len(past) != 2 {
		t.Fatal("the caller's history was changed")
	}
	if text, err := agent.New(agent.Deps{Provider: providertest.Scripted(providertest.Text("hey")), Tools: toolbox{}, Emit: w.emit}).Chat(context.Background(), "hi"); text != "hey" || err != nil {
		t.Fatalf("Chat: %q %v", text, err)
	}
}

type streamOf = iter.Seq2[engine.Delta, error]

type checkedProvider struct {
	engine.Provider
	check func()
}

func (p checkedProvider) Stream(ctx context.Context, req engine.Request) streamOf {
	p.check()
	return p.Provider.Stream(ctx, req)
}

// lastText answers a request without tools with text, and passes every other one on.
type lastText struct{ engine.Provider }

func (p lastText) Stream(ctx context.Context, req engine.Request) streamOf {
	if len(req.Tools) == 0 {
		return providertest.Scripted(providertest.Text("summary")).Stream(ctx, req)
	}
	return p.Provider.Stream(ctx, req)
}

type slowText struct {
	n     int
	every time.Duration
}

func (p slowText) Stream(context.Context, engine.Request) streamOf {
	return func(yield func(engine.Delta, error) bool) {
		for range p.n {
			time.Sleep(p.every)
			if !yield(engine.TextDelta{Text: "word "}, nil) {
				return
			}
		}
		yield(engine.Done{Stop: engine.StopEnd}, nil)
	}
}

func TestAKeyThatTheProgramHoldsDoesNotGetIntoTheSession(t *testing.T) {
	w := newWorld(t, providertest.Calls(call("a", "leak", "{}")), providertest.Text("done"))
	w.tools["leak"] = tool{engine.Spec{Name: "leak", Effect: engine.Reads}, func(_ context.Context, c engine.Call, out engine.Output) (engine.Result, error) {
		fmt.Fprint(out, "printed held-secret")
		return engine.Succeeded(c, "the file says held-secret"), nil
	}}
	w.deps.Mask = strings.NewReplacer("held-secret", "[masked]").Replace
	w.run(agent.Input{Text: "go"})
	if told := fmt.Sprintf("%+v", w.events); strings.Contains(told, "held-secret") || !strings.Contains(told, "the file says [masked]") {
		t.Fatal(told)
	}
}

func TestS23TheHistoryHoldsTheArgumentsThatWereRun(t *testing.T) {
	w := newWorld(t, providertest.Calls(call("a", "Mend", `{"x":1,}`)), providertest.Text("done"))
	w.deps.Tools = mending{w.tools}
	r := w.run(agent.Input{Text: "go"})
	if c := r.Messages[1].Calls()[0]; c.Name != "echo" || c.Args != `{"x":1}` {
		t.Fatalf("the history says %+v", c)
	}
	if text := r.Messages[2].Results()[0].Text; text != `echo {"x":1}` {
		t.Fatal(text)
	}
}

// mending repairs every call to one of the tool echo.
type mending struct{ toolbox }

func (m mending) Resolve(c engine.Call) (engine.Tool, engine.Call, *engine.Result) {
	c.Name, c.Args = "echo", strings.ReplaceAll(c.Args, ",}", "}")
	return m.toolbox.Resolve(c)
}

// TestTheMoneyOfATurnIsCappedWhileItRuns: a cap that is set in the middle of a turn counts after the next round.
func TestTheMoneyOfATurnIsCappedWhileItRuns(t *testing.T) {
	for budget, rounds := range map[float64]int{0: 4, 0.25: 3, 0.1: 1} {
		var steps []providertest.Step
		for i := range 4 {
			steps = append(steps, providertest.Say(engine.CallDelta{Index: 0, ID: fmt.Sprint("c", i), Name: "echo", Args: "{}"}, engine.Done{Stop: engine.StopCalls, Usage: &engine.Usage{Input: 100}}))
		}
		w := newWorld(t, append(steps, providertest.Text("done"))...)
		w.deps.Price = func(_ engine.Route, u engine.Usage) *float64 { p := float64(u.Input) / 1000; return &p }
		w.deps.Budget = func() float64 { return budget }
		r := w.run(agent.Input{Text: "go"})
		want := engine.ExitBudget
		if budget == 0 {
			want = engine.ExitFinished
		}
		if r.Exit != want || len(r.Messages) < rounds*2 || budget > 0 && r.APICalls != rounds {
			t.Errorf("%v: %s after %d requests", budget, r.Exit, r.APICalls)
		}
	}
}
