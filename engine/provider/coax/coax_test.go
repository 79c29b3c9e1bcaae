package coax_test

import (
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/provider/coax"
	"talaria/engine/provider/providertest"
)

func user(text string) engine.Message {
	return engine.Message{ID: "u", Role: engine.RoleUser, Parts: engine.Parts{engine.Text{Text: text}}}
}

// worked is a history whose newest message answers a tool call.
func worked() engine.Request {
	return engine.Request{SessionID: "s", Messages: []engine.Message{user("list the files"),
		{ID: "a", Role: engine.RoleAssistant, Parts: engine.Parts{engine.Call{ID: "c1", Name: "ls", Args: "{}"}}},
		{ID: "t", Role: engine.RoleTool, Parts: engine.Parts{engine.Result{CallID: "c1", Name: "ls", Text: "a.go"}}}}}
}

// asked are the retries of a reply.
func asked(r providertest.Reply) (all []engine.Retry) {
	for _, d := range r.Deltas {
		if retry, ok := d.(engine.Retry); ok {
			all = append(all, retry)
		}
	}
	return all
}

func nothing() providertest.Step {
	return providertest.Say(engine.Done{Stop: engine.StopEnd, Usage: &engine.Usage{Output: 3}})
}

func thoughts(text string) providertest.Step {
	return providertest.Say(engine.ThoughtDelta{Text: text}, engine.Done{Stop: engine.StopEnd})
}

func TestAnEmptyReplyToToolResultsIsNudgedOnceAndNothingOfItIsKept(t *testing.T) {
	script := providertest.Scripted(nothing(), providertest.Text("There is a.go."))
	req := worked()
	r := providertest.Collect(t.Context(), coax.Wrap(script), req)
	if r.Err != nil || r.Message.Text() != "There is a.go." {
		t.Fatalf("%q, %v", r.Message.Text(), r.Err)
	}
	again := asked(r)
	if len(again) != 1 || again[0].Action != engine.ActionReask || again[0].Err.Reason != engine.ReasonEmptyResponse || again[0].Usage.Output != 3 || again[0].Keep {
		t.Errorf("retries %+v", again)
	}
	last, _ := script.Last()
	if n := len(last.Messages); n != 5 || last.Messages[3].Role != engine.RoleAssistant || !strings.Contains(last.Messages[4].Text(), "tool results above") {
		t.Errorf("sent %+v", last.Messages)
	}
	if len(req.Messages) != 3 {
		t.Error("the loop's own history was changed")
	}
}

func TestReasoningAloneIsAskedForItsAnswerTwice(t *testing.T) {
	script := providertest.Scripted(thoughts("hm"), thoughts("hm hm"), providertest.Text("42"))
	r := providertest.Collect(t.Context(), coax.Wrap(script), engine.Request{Messages: []engine.Message{user("why?")}})
	if r.Message.Text() != "42" || r.Message.Reasoning() != "" || len(asked(r)) != 2 {
		t.Fatalf("text %q, reasoning %q, %d retries", r.Message.Text(), r.Message.Reasoning(), len(asked(r)))
	}
	last, _ := script.Last()
	if n := len(last.Messages); n != 3 || last.Messages[1].Reasoning() != "hm hm" {
		t.Errorf("sent %+v", last.Messages)
	}
}

func TestAReplyThatStaysEmptyIsPassedOnAsItIs(t *testing.T) {
	for name, c := range map[string]struct {
		req   engine.Request
		steps []providertest.Step
		left  int
	}{
		"tools":    {worked(), []providertest.Step{nothing(), nothing(), nothing()}, 1},
		"thoughts": {engine.Request{Messages: []engine.Message{user("x")}}, []providertest.Step{thoughts("a"), thoughts("b"), thoughts("c"), thoughts("d")}, 1},
		"plain":    {engine.Request{Messages: []engine.Message{user("x")}}, []providertest.Step{nothing(), nothing()}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			script := providertest.Scripted(c.steps...)
			p := coax.Wrap(script)
			r := providertest.Collect(t.Context(), p, c.req)
			if r.Err != nil || r.Done == nil || r.Message.Text() != "" || script.Left() != c.left {
				t.Errorf("%+v, %d steps left, want %d", r, script.Left(), c.left)
			}
			// whoever repeats the same request gets no further words
			if r := providertest.Collect(t.Context(), p, c.req); len(asked(r)) != 0 || script.Left() != c.left-1 {
				t.Errorf("asked %d times more", len(asked(r)))
			}
		})
	}
}

func TestWhatIsNotEmptyIsLeftAlone(t *testing.T) {
	allowed := worked()
	allowed.MayBeEmpty = true
	for name, c := range map[string]struct {
		req  engine.Request
		step providertest.Step
	}{
		"text":          {worked(), providertest.Text("done")},
		"a call":        {worked(), providertest.Calls(engine.Call{ID: "c2", Name: "ls", Args: "{}"})},
		"cut":           {worked(), providertest.Say(engine.Done{Stop: engine.StopLength})},
		"refused":       {worked(), providertest.Say(engine.Done{Stop: engine.StopRefusal})},
		"filtered":      {worked(), providertest.Say(engine.Done{Stop: engine.StopContentFilter})},
		"paused":        {worked(), providertest.Say(engine.Done{Stop: engine.StopPause})},
		"may be empty":  {allowed, nothing()},
		"failed before": {worked(), providertest.Fail(&engine.Error{Reason: engine.ReasonOverloaded, Message: "busy"})},
	} {
		script := providertest.Scripted(c.step, providertest.Text("a second request"))
		if r := providertest.Collect(t.Context(), coax.Wrap(script), c.req); len(asked(r)) != 0 || script.Left() != 1 {
			t.Errorf("%s: asked again: %+v", name, r)
		}
	}
}

func TestANewHistoryMayBeNudgedAgain(t *testing.T) {
	script := providertest.Scripted(nothing(), providertest.Text("a"), nothing(), providertest.Text("b"))
	p := coax.Wrap(script)
	providertest.Collect(t.Context(), p, worked())
	later := worked()
	later.Messages[2].ID = "t2"
	if r := providertest.Collect(t.Context(), p, later); r.Message.Text() != "b" {
		t.Errorf("%+v", r)
	}
}
