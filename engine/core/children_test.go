package core_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/config"
	"talaria/engine/provider/providertest"
)

func TestADelegatedAgentAsksThroughTheScreenAndItsCostIsTheTurns(t *testing.T) {
	u := &engine.Usage{Input: 100, Output: 10}
	call := func(name, args string) providertest.Step {
		return providertest.Say(engine.CallDelta{ID: "c_" + name, Name: name, Args: args}, engine.Done{Stop: engine.StopCalls, Usage: u})
	}
	s := newStory(t, call("delegate_task", `{"goal":"make a.txt"}`), call("write_file", `{"path":"a.txt","content":"made"}`),
		providertest.Say(engine.TextDelta{Text: "I made a.txt."}, engine.Done{Stop: engine.StopEnd, Usage: u}), providertest.Say(engine.TextDelta{Text: "Done."}, engine.Done{Stop: engine.StopEnd, Usage: u}))
	s.start("")
	s.core.Do(engine.Submit{Text: "have it made"})
	q := until(s, func(engine.Asked) bool { return true }).Question
	if !strings.HasPrefix(q.Title, "agent 1: ") {
		t.Errorf("asked %q", q.Title)
	}
	if all := s.core.Agents(); len(all) != 1 || all[0].Goal != "make a.txt" {
		t.Errorf("running: %+v", all)
	}
	s.core.Do(engine.Answer{ID: q.ID, Choice: engine.ChoiceOnce})
	end := s.ended(1)
	if data, err := os.ReadFile(filepath.Join(s.deps.Dir, "a.txt")); err != nil || strings.TrimSpace(string(data)) != "made" {
		t.Fatalf("%v %q", err, data)
	}
	if end.Outcome.Usage.Input != 400 || end.Outcome.APICalls != 2 || len(end.Outcome.FilesChanged) != 1 {
		t.Errorf("used %+v in %d requests, changed %v", end.Outcome.Usage, end.Outcome.APICalls, end.Outcome.FilesChanged)
	}
	told := 0
	for _, e := range s.told() {
		if c, ok := e.(engine.Child); ok && c.Agent == "agent 1" {
			told++
		}
	}
	if told == 0 {
		t.Error("the screen heard nothing of the agent")
	}
	s.stop()
	list, err := s.store.List(t.Context(), engine.Query{})
	if err != nil || len(list) != 1 {
		t.Errorf("%v: the agent's session is listed: %+v", err, list)
	}
}

func TestStoppingTheTurnStopsItsAgents(t *testing.T) {
	s := newStory(t, providertest.Calls(engine.Call{ID: "d", Name: "delegate_task", Args: `{"tasks":[{"goal":"a"},{"goal":"b"}]}`}), providertest.Hang(), providertest.Hang())
	s.start("")
	s.core.Do(engine.Submit{Text: "go"})
	until(s, func(engine.Child) bool { return len(s.core.Agents()) == 2 })
	s.core.Do(engine.Interrupt{})
	if end := s.ended(1); !end.Outcome.Interrupted || len(s.core.Agents()) != 0 {
		t.Errorf("%s, %d agents still run", end.Why, len(s.core.Agents()))
	}
}

func TestWhatIsRememberedStandsInTheNextSessionsPrompt(t *testing.T) {
	s := newStory(t, providertest.Calls(engine.Call{ID: "m", Name: "memory", Args: `{"action":"add","target":"user","content":"Writes commit messages in French."}`}),
		providertest.Text("Noted."), providertest.Text("again"), providertest.Text("Bonjour"))
	s.start("")
	s.core.Do(engine.Submit{Text: "I write commit messages in French"})
	s.ended(1)
	s.core.Do(engine.Submit{Text: "and now"})
	s.ended(2)
	s.core.Do(engine.Open{})
	s.core.Do(engine.Submit{Text: "hello"})
	s.ended(3)
	reqs := s.model.Requests()
	if reqs[2].System != reqs[0].System {
		t.Error("the prompt changed within the session")
	}
	if strings.Contains(reqs[0].System, "French") || !strings.Contains(reqs[3].System, "Writes commit messages in French.") {
		t.Errorf("the next session's prompt:\n%s", reqs[3].System)
	}
	if !strings.Contains(reqs[1].Messages[len(reqs[1].Messages)-1].Results()[0].Text, "French") {
		t.Error("the tool's answer does not show the live state")
	}
}

func TestASessionThatKeepsNothingDoesNotRemember(t *testing.T) {
	s := newStory(t, providertest.Calls(engine.Call{ID: "m", Name: "memory", Args: `{"action":"add","target":"memory","content":"x"}`}), providertest.Text("ok"))
	s.deps.NoTrace = true
	s.start("")
	s.core.Do(engine.Submit{Text: "remember x"})
	s.ended(1)
	if _, err := os.Stat(s.deps.Paths.Memories); !os.IsNotExist(err) {
		t.Errorf("something was written: %v", err)
	}
	s.stop()
	off := newStory(t, providertest.Text("ok"))
	off.deps.Resolver = settings(t, config.Value{Key: "memory.enabled", Text: "false"})
	off.start("")
	off.core.Do(engine.Submit{Text: "hi"})
	off.ended(1)
	for _, spec := range off.model.Requests()[0].Tools {
		if spec.Name == "memory" {
			t.Error("the tool is there though the memory is switched off")
		}
	}
}
