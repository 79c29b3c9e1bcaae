package core_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/config"
	"talaria/engine/provider/providertest"
)

const secretLine = "API_KEY=supersecretvalue12345"

func TestASecretInAResultReachesNeitherTheModelNorTheJournalAndIsNotWrittenOver(t *testing.T) {
	s := newStory(t,
		providertest.Calls(engine.Call{ID: "c1", Name: "read_file", Args: `{"path":"settings.ini"}`}),
		providertest.Calls(engine.Call{ID: "c2", Name: "write_file", Args: `{"path":"settings.ini","content":"API_KEY=supers…2345\nMORE=1\n"}`}),
		providertest.Calls(engine.Call{ID: "c3", Name: "patch", Args: `{"path":"settings.ini","old_string":"MORE=0","new_string":"MORE=1"}`}),
		providertest.Text("done"))
	s.deps.Mode = "auto"
	path := filepath.Join(s.deps.Dir, "settings.ini")
	if err := os.WriteFile(path, []byte(secretLine+"\nMORE=0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.start("")
	s.core.Do(engine.Submit{Text: "go"})
	s.ended(1)
	for i, r := range s.model.Requests() {
		if text, _ := json.Marshal(r.Messages); strings.Contains(string(text), "supersecretvalue") {
			t.Errorf("request %d holds the secret: %s", i, text)
		}
	}
	for _, e := range s.told() {
		if _, wrote := e.(engine.CallWrote); !wrote {
			if text, _ := json.Marshal(e); strings.Contains(string(text), "supersecretvalue") {
				t.Errorf("%T holds the secret: %s", e, text)
			}
		}
	}
	refused := until(s, func(e engine.CallEnded) bool { return e.Result.CallID == "c2" })
	if refused.Result.Status != engine.StatusRefused || !strings.Contains(refused.Result.Text, "the mask supers…2345") {
		t.Errorf("the write came to %+v", refused.Result)
	}
	if data, _ := os.ReadFile(path); string(data) != secretLine+"\nMORE=1\n" {
		t.Errorf("the file is now %q", data)
	}
}

func TestARuleForTheProjectOutlivesTheProgram(t *testing.T) {
	call := engine.Call{ID: "c1", Name: "terminal", Args: `{"command":"go version"}`}
	s := newStory(t, providertest.Calls(call), providertest.Text("one"), providertest.Calls(call), providertest.Text("two"), providertest.Calls(call), providertest.Text("three"))
	s.start("")
	s.core.Do(engine.Submit{Text: "go"})
	q := until[engine.Asked](s, nil).Question
	if q.Rule != "command go version" || len(q.Rungs) < 2 {
		t.Fatalf("%+v", q)
	}
	s.core.Do(engine.Answer{ID: q.ID, Choice: engine.ChoiceAlways})
	s.ended(1)
	s.stop()
	s.start("")
	s.core.Do(engine.Submit{Text: "go"})
	s.ended(1)
	rules, err := s.core.Permissions().List(t.Context())
	if err != nil || len(rules) != 1 || rules[0].Made != "$ go version" {
		t.Fatalf("%+v, %v", rules, err)
	}
	why, err := s.core.Permissions().Rulings(t.Context(), 1)
	if err != nil || len(why) != 1 || why[0].By != "the rule command go version" || why[0].Asked {
		t.Errorf("%+v, %v", why, err)
	}
	if err := s.core.Permissions().Revoke(t.Context(), rules[0].ID); err != nil {
		t.Fatal(err)
	}
	s.core.Do(engine.Submit{Text: "go"})
	q = until[engine.Asked](s, nil).Question
	s.core.Do(engine.Answer{ID: q.ID, Choice: engine.ChoiceDeny})
	s.ended(2)
}

func TestAnApprovalThatNobodyAnswersEndsByItself(t *testing.T) {
	s := newStory(t, providertest.Calls(engine.Call{ID: "c1", Name: "terminal", Args: `{"command":"touch P"}`}), providertest.Text("done"))
	s.deps.Resolver = settings(t, config.Value{Key: "approvals.timeout_seconds", Text: "0.05"})
	s.start("")
	s.core.Do(engine.Submit{Text: "go"})
	end := until(s, func(e engine.CallEnded) bool { return true })
	if end.Result.Status != engine.StatusDenied || !strings.Contains(end.Result.Text, "did not answer") {
		t.Errorf("%+v", end.Result)
	}
	until[engine.Withdrawn](s, nil)
	s.ended(1)
	if _, err := os.Stat(filepath.Join(s.deps.Dir, "P")); err == nil {
		t.Error("it ran")
	}
}

func TestTheModelIsToldWhatTheUserMadeOfItsCommand(t *testing.T) {
	s := newStory(t, providertest.Calls(engine.Call{ID: "c1", Name: "terminal", Args: `{"command":"echo wrong"}`}), providertest.Text("done"))
	s.start("")
	s.core.Do(engine.Submit{Text: "go"})
	q := until[engine.Asked](s, nil).Question
	s.core.Do(engine.Answer{ID: q.ID, Choice: engine.ChoiceEdit, Text: "echo right"})
	s.ended(1)
	end := until(s, func(e engine.CallEnded) bool { return true })
	if !strings.Contains(end.Result.Text, "The user changed this command before it ran. What ran is: echo right\n\nright") {
		t.Errorf("%q", end.Result.Text)
	}
}
