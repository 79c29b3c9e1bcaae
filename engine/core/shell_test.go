package core_test

import (
	"context"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/provider/providertest"
)

// `!cmd`: the command runs in the session's shell, starts no turn, and the model reads it with the next request.
func TestACommandOfTheUserIsToldWithTheNextRequest(t *testing.T) {
	s := newStory(t, providertest.Calls(engine.Call{ID: "a", Name: "terminal", Args: `{"command":"echo $MINE; pwd"}`}), providertest.Text("seen"))
	s.deps.Mode = "auto"
	s.start("")
	r, err := s.core.Shell(context.Background(), "mkdir sub && cd sub; export MINE=yours; echo hello", true)
	if err != nil || !strings.HasPrefix(r.Text, "hello\n[exit 0]") {
		t.Fatalf("%+v %v", r, err)
	}
	if _, err := s.core.Shell(context.Background(), "echo private", false); err != nil {
		t.Fatal(err)
	}
	if len(s.model.Requests()) != 0 {
		t.Fatal("a turn was started")
	}
	s.core.Do(engine.Submit{Text: "what now?"})
	if o := s.ended(1).Outcome; o.Final != "seen" {
		t.Fatalf("%+v", o)
	}
	sent := ""
	for _, m := range s.model.Requests()[0].Messages {
		sent += string(m.Role) + ":" + m.Text() + "\n"
	}
	if !strings.HasPrefix(sent, "user:I ran this command myself:\n\n$ mkdir sub") || !strings.Contains(sent, "hello") || !strings.Contains(sent, "what now?") || strings.Contains(sent, "private") {
		t.Errorf("sent %q", sent)
	}
	if r := s.lastResult(); !strings.HasPrefix(r.Text, "yours\n") || !strings.Contains(r.Text, "/sub\n") {
		t.Errorf("the agent's command printed %q", r.Text)
	}
	stored := strings.Join(s.history(), "|")
	if !strings.Contains(stored, "private") || !strings.Contains(stored, "hello") {
		t.Errorf("stored %q", stored)
	}
}

func TestACommandOfTheUserDuringATurnIsASteer(t *testing.T) {
	s := newStory(t, providertest.Hang(engine.TextDelta{Text: "thinking"}))
	s.start("")
	s.core.Do(engine.Submit{Text: "go"})
	until(s, func(e engine.Streamed) bool { return true })
	if _, err := s.core.Shell(context.Background(), "echo meanwhile", true); err != nil {
		t.Fatal(err)
	}
	until(s, func(e engine.Steered) bool {
		return len(e.Waiting) == 1 && strings.Contains(e.Waiting[0].Text, "meanwhile")
	})
}

func TestBackgroundIsListedTailedEndedAndSwept(t *testing.T) {
	s := newStory(t, providertest.Calls(engine.Call{ID: "a", Name: "terminal", Args: `{"command":"echo up; sleep 8765432","background":true}`}), providertest.Text("started"),
		providertest.Calls(engine.Call{ID: "b", Name: "terminal", Args: `{"command":"sleep 8765433","background":true}`}), providertest.Text("again"))
	s.deps.Mode = "auto"
	s.start("")
	changed := s.core.Changed()
	s.core.Do(engine.Submit{Text: "serve"})
	s.ended(1)
	<-changed
	s.core.Do(engine.Submit{Text: "again"})
	s.ended(2)
	all := s.core.List()
	if len(all) != 2 || !all[0].Running || !all[1].Running || all[0].Command != "echo up; sleep 8765432" {
		t.Fatalf("%+v", all)
	}
	if text, err := s.core.Tail("bg_1", 10); text != "up\n" || err != nil {
		t.Errorf("%q %v", text, err)
	}
	if err := s.core.End("bg_1"); err != nil {
		t.Error(err)
	}
	s.stop()
	if swept := s.core.Swept(); len(swept) != 1 || swept[0].ID != "bg_2" {
		t.Errorf("swept %+v", swept)
	}
	for _, e := range s.told() {
		if n, ok := e.(engine.Noted); ok && strings.Contains(n.Text, "bg_") {
			t.Errorf("what was asked for is told as news: %q", n.Text)
		}
	}
}
