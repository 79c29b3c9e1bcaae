package agent_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/agent"
	"talaria/engine/provider/providertest"
)

// circles is a model that makes the same call n times and then says done.
func circles(t *testing.T, n int) *world {
	w := newWorld(t)
	for i := range n {
		w.model.Add(providertest.Calls(call(fmt.Sprint("c", i), "echo", `{"b":1, "a":2}`)))
	}
	w.model.Add(providertest.Text("done"))
	return w
}

func TestTheThirdSameCallWithTheSameResultAsksTheUser(t *testing.T) {
	w := circles(t, 4)
	var asked []engine.Question
	w.deps.Line = func(c engine.Call) string { return "Echo" }
	w.deps.Ask = func(_ context.Context, q engine.Question) (engine.Answer, error) {
		asked = append(asked, q)
		return engine.Answer{Choice: q.Choices[0].Value}, nil
	}
	r := w.run(agent.Input{Text: "go"})
	if len(asked) != 1 || asked[0].Title != "The agent made the same call 3 times with the same result." || asked[0].Body != "Echo" || !asked[0].Choices[0].Recommended || asked[0].Esc != asked[0].Choices[1].Value {
		t.Fatalf("%+v", asked)
	}
	if r.Exit != engine.ExitFinished || !strings.Contains(r.Messages[4].Results()[0].Text, "for the second time") {
		t.Fatalf("%s %+v", r.Exit, r.Messages[4])
	}
}

func TestTheUserRedirectsOrStopsAModelThatGoesInCircles(t *testing.T) {
	for _, c := range []struct {
		answer engine.Answer
		exit   engine.Exit
	}{
		{engine.Answer{Text: "look in src instead"}, engine.ExitFinished}, {engine.Answer{Choice: "stop"}, engine.ExitInterrupted},
	} {
		w := circles(t, 5)
		w.deps.Ask = func(context.Context, engine.Question) (engine.Answer, error) { return c.answer, nil }
		r := w.run(agent.Input{Text: "go"})
		if r.Exit != c.exit {
			t.Fatalf("%+v: %s", c.answer, r.Exit)
		}
		steered := false
		for _, m := range r.Stored {
			steered = steered || m.Steer && m.Text() == "look in src instead"
		}
		if steered != (c.answer.Text != "") {
			t.Fatalf("%+v: %+v", c.answer, r.Stored)
		}
	}
}

func TestWhereNobodyCanBeAskedTheFifthSameCallEndsTheTurn(t *testing.T) {
	w := circles(t, 9)
	r := w.run(agent.Input{Text: "go"})
	if r.Exit != engine.ExitInvalidCalls || r.APICalls != 5 || !strings.Contains(r.Err.Message, "the same call 5 times") {
		t.Fatalf("%s after %d: %v", r.Exit, r.APICalls, r.Err)
	}
}

func TestOtherResultsAndChangesAreNoCircles(t *testing.T) {
	w := newWorld(t)
	n := 0
	w.tools["poll"] = tool{engine.Spec{Name: "poll", Effect: engine.Executes}, func(_ context.Context, c engine.Call, _ engine.Output) (engine.Result, error) {
		n++
		return engine.Succeeded(c, fmt.Sprint("line ", n)), nil
	}}
	w.tools["edit"] = tool{engine.Spec{Name: "edit", Effect: engine.Writes}, func(_ context.Context, c engine.Call, _ engine.Output) (engine.Result, error) {
		r := engine.Succeeded(c, "edited")
		r.Changed = []string{"/a"}
		return r, nil
	}}
	for i := range 7 {
		w.model.Add(providertest.Calls(call(fmt.Sprint("p", i), "poll", "{}")),
			providertest.Calls(call(fmt.Sprint("e", i), "echo", "{}")), providertest.Calls(call(fmt.Sprint("w", i), "edit", "{}")))
	}
	w.model.Add(providertest.Text("done"))
	w.deps.Ask = func(_ context.Context, q engine.Question) (engine.Answer, error) {
		t.Errorf("asked: %+v", q)
		return engine.Answer{}, nil
	}
	if r := w.run(agent.Input{Text: "go"}); r.Exit != engine.ExitFinished {
		t.Fatal(r.Exit)
	}
}

func TestTheLargestResultsOfARoundAreShortenedUntilAllFit(t *testing.T) {
	sizes := []int{3_000, 60_000, 90_000, 20_000, 50_000}
	var calls []engine.Call
	for i := range sizes {
		calls = append(calls, call(fmt.Sprint("c", i), "big", fmt.Sprintf(`{"i":%d}`, i)))
	}
	w := newWorld(t, providertest.Calls(calls...), providertest.Text("done"))
	w.tools["big"] = tool{engine.Spec{Name: "big", Effect: engine.Reads}, func(_ context.Context, c engine.Call, _ engine.Output) (engine.Result, error) {
		return engine.Succeeded(c, strings.Repeat("x", sizes[c.ID[1]-'0'])), nil
	}}
	w.deps.Shorten = func(r engine.Result) engine.Result {
		r.Text, r.Spill = "short", "/results/"+r.CallID
		return r
	}
	w.deps.ResultChars, w.deps.TurnChars = 80_000, 90_000
	r := w.run(agent.Input{Text: "go"})
	var got []int
	for _, m := range r.Messages {
		for _, res := range m.Results() {
			got = append(got, len(res.Text))
			if (res.Spill != "") != (res.Text == "short") {
				t.Fatalf("%+v", res)
			}
		}
	}
	// 90,000 is too large alone; of the rest the largest goes, and then all fit
	if fmt.Sprint(got) != "[3000 5 5 20000 50000]" {
		t.Fatal(got)
	}
}
