package agent_test

import (
	"encoding/json"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/agent"
	"talaria/engine/provider/providertest"
)

// told is everything that was stored or shown, as JSON.
func (w *world) told(r agent.Result) string {
	w.t.Helper()
	var all strings.Builder
	for _, e := range w.events {
		b, err := engine.Marshal(e)
		if err != nil {
			w.t.Fatal(err)
		}
		all.Write(b)
	}
	b, err := json.Marshal(r.Stored)
	if err != nil {
		w.t.Fatal(err)
	}
	all.Write(b)
	return all.String()
}

func (w *world) tool(name string) {
	w.tools[name] = tool{engine.Spec{Name: name, Effect: engine.Reads}, w.tools["echo"].(tool).run}
}

func quiet() providertest.Step { return providertest.Say(engine.Done{Stop: engine.StopEnd}) }

func TestAModelThatOnlyTidiesUpAfterItsAnswerMayBeSilent(t *testing.T) {
	w := newWorld(t, providertest.Say(engine.TextDelta{Text: "The port is 8080."}, engine.CallDelta{ID: "c1", Name: "todo", Args: "{}"}), quiet())
	w.tool("todo")
	r := w.run(agent.Input{Text: "which port?"})
	if !r.Completed || r.Final != "The port is 8080." || r.Exit != engine.ExitFinished || r.Iterations != 2 || r.APICalls != 2 {
		t.Errorf("%+v", r)
	}
	if last, _ := w.model.Last(); !last.MayBeEmpty {
		t.Error("the provider was not told that silence is fine")
	}
}

func TestSilenceAfterRealWorkIsAFailureThatSaysSo(t *testing.T) {
	w := newWorld(t, providertest.Say(engine.TextDelta{Text: "Looking."}, engine.CallDelta{ID: "c1", Name: "echo", Args: "{}"}), quiet())
	r := w.run(agent.Input{Text: "which port?"})
	if r.Completed || r.Exit != engine.ExitFailed || r.Err == nil || r.Err.Reason != engine.ReasonEmptyResponse || r.Err.Hint == "" {
		t.Errorf("%+v", r)
	}
	if last, _ := w.model.Last(); last.MayBeEmpty {
		t.Error("the provider was told that silence is fine")
	}
}

const ack = "Sure. I'll look through the repository and run the tests."

func TestAModelThatSaysWhatItWillDoAndStopsIsToldToGoOn(t *testing.T) {
	w := newWorld(t, providertest.Text(ack), providertest.Calls(engine.Call{ID: "c1", Name: "echo", Args: "{}"}), providertest.Text("All pass."))
	w.deps.Route.APIMode = engine.CodexResponses
	r := w.run(agent.Input{Text: "do the tests pass?"})
	if !r.Completed || r.Final != "All pass." {
		t.Fatalf("%+v", r)
	}
	if len(r.Recoveries) != 1 || r.Recoveries[0].Action != engine.ActionReask {
		t.Errorf("recoveries %+v", r.Recoveries)
	}
	second := w.model.Requests()[1].Messages
	if nudge := second[len(second)-1]; nudge.Role != engine.RoleUser || !strings.Contains(nudge.Text(), "Do it now") {
		t.Errorf("sent %+v", nudge)
	}
	third := w.model.Requests()[2].Messages
	for _, m := range third {
		if strings.Contains(m.Text(), "Do it now") {
			t.Error("the word to go on is sent a second time")
		}
	}
	if told := w.told(r); strings.Contains(told, "Do it now") || !strings.Contains(told, ack[:20]) {
		t.Error("the word to go on was stored or shown, or what the model said was not")
	}
}

func TestAModelThatKeepsAnnouncingIsTakenAtItsWord(t *testing.T) {
	w := newWorld(t, providertest.Text(ack), providertest.Text(ack), providertest.Text(ack), providertest.Text("never asked"))
	w.deps.Route.APIMode = engine.CodexResponses
	if r := w.run(agent.Input{Text: "do the tests pass?"}); !r.Completed || r.Final != ack || w.model.Left() != 1 {
		t.Errorf("%d steps left, %+v", w.model.Left(), r)
	}
}

func TestWhatIsAnAnswerIsNotTakenForAnAnnouncement(t *testing.T) {
	for name, c := range map[string]struct {
		mode engine.APIMode
		text string
	}{
		"another mode":     {engine.ChatCompletions, ack},
		"a question":       {engine.CodexResponses, "I'll check the tests. Which file do you mean?"},
		"no work":          {engine.CodexResponses, "I'll be glad to help."},
		"long":             {engine.CodexResponses, ack + strings.Repeat(" More words about it.", 80)},
		"in the past":      {engine.CodexResponses, "The tests in the repository pass."},
		"no thing of ours": {engine.CodexResponses, "I will look into whether Paris is nice."},
	} {
		w := newWorld(t, providertest.Text(c.text), providertest.Text("never asked"))
		w.deps.Route.APIMode = c.mode
		if r := w.run(agent.Input{Text: "hi"}); r.Final != c.text || w.model.Left() != 1 {
			t.Errorf("%s: %q", name, r.Final)
		}
	}
}

func TestARefusalEndsTheTurnWithWhatTheModelSaid(t *testing.T) {
	for _, c := range []struct {
		stop engine.Stop
		text string
		want string
	}{
		{engine.StopRefusal, "I cannot help with that.", "declined"},
		{engine.StopContentFilter, "", "content filter"},
	} {
		w := newWorld(t, providertest.Say(engine.TextDelta{Text: c.text}, engine.Done{Stop: c.stop}), providertest.Text("hello"))
		r := w.run(agent.Input{Text: "x"})
		if r.Completed || r.Exit != engine.ExitBlocked || r.Final != c.text || r.Err == nil || r.Err.Reason != engine.ReasonContentPolicy || !strings.Contains(r.Err.Message, c.want) || r.ExitCode() != 7 {
			t.Errorf("%s: %+v", c.stop, r)
		}
		again := w.run(agent.Input{Text: "hi", History: r.Stored})
		if !again.Completed || again.Final != "hello" {
			t.Errorf("%s: the next turn: %+v", c.stop, again)
		}
	}
}
