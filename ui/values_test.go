package ui

import (
	"errors"
	"strings"
	"testing"

	"talaria/engine"
)

// A session is opened by letters of its title; of two with the same title each is meant by its id.
func TestResumeCompletesTheTitlesOfThisDirectory(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 80, 24, func(s *setting) {
			s.lib.Sessions = []engine.Session{{ID: "20000101_000001_bbbbbb", Dir: workDir, Title: "fix auth tests"}, {ID: "20000101_000002_cccccc", Dir: workDir, Title: "twice"},
				{ID: "20000101_000003_dddddd", Dir: workDir, Title: "twice"}, {ID: thisSession, Dir: workDir, Title: "this one"}}
		})
		s.Type("/resume ")
		s.See("fix auth tests", "twice")
		if text := s.Text(); strings.Contains(text, "this one") {
			t.Errorf("the open session is offered:\n%s", text)
		}
		s.Type("fx at")
		if rows := s.m.Popup.View(80, 8); len(rows) != 1 || !strings.Contains(rows[0], "fix auth tests") {
			t.Errorf("not narrowed: %q", rows)
		}
		s.Press("tab")
		if got := s.m.Prompt.Value(); got != "/resume fix auth tests" {
			t.Errorf("%q", got)
		}
		s.Press("enter")
		if got := op[engine.Open](t, s).Session; got != "20000101_000001_bbbbbb" {
			t.Errorf("opened %q", got)
		}
		s.Type("/resume tw")
		s.Press("down", "enter")
		if got := op[engine.Open](t, s).Session; got != "20000101_000003_dddddd" {
			t.Errorf("opened %q", got)
		}
	})
}

// A store that cannot be read offers nothing, and Enter says what is wrong with it.
func TestResumeWithoutAListTakesWhatIsTyped(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 80, 24, func(s *setting) {
			s.lib.Sessions = []engine.Session{{ID: "20000101_000001_bbbbbb", Dir: workDir, Title: "fix auth tests"}}
		})
		s.lib.Fail(errors.New("the disk is gone"))
		s.Type("/resume 20000101_000001_bbbbbb")
		s.Press("enter")
		s.none(t)
		s.See("the disk is gone")
	})
}

// Names of models come as each connection says what it has; one that is in no list is used as it is typed.
func TestModelCompletesWhatTheConnectionsOffer(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 80, 24, func(s *setting) {
			s.conn.Ready = []engine.Connection{{Name: "Anthropic", Ready: true, Route: engine.Route{Provider: "anthropic"}, Models: []string{"sonnet-4.5", "opus-4"}},
				{Name: "OpenAI", Route: engine.Route{Provider: "openai"}, Models: []string{"gpt"}}}
			s.conn.Servers = []engine.Connection{{Name: "Ollama", Ready: true, Local: true, Route: engine.Route{Provider: "ollama"}, Models: []string{"qwen3:8b"}}}
		})
		s.Type("/model ")
		s.See("anthropic/sonnet-4.5", "anthropic/opus-4", "ollama/qwen3:8b")
		if text := s.Text(); strings.Contains(text, "openai/gpt") {
			t.Errorf("a model without a key is offered:\n%s", text)
		}
		s.Type("qw")
		s.Press("tab", "enter")
		if got := op[engine.Switch](t, s).Model; got != "ollama/qwen3:8b" {
			t.Errorf("switched to %q", got)
		}
		s.Type("/model son")
		s.Press("enter") // not chosen: as it is typed
		if got := op[engine.Switch](t, s).Model; got != "son" {
			t.Errorf("switched to %q", got)
		}
		s.Type("/model ")
		s.Press("esc", "esc")
		s.none(t)
		s.Press("ctrl+c")
		s.Type("/copy ")
		s.Press("tab")
		if got := s.m.Prompt.Value(); got != "/copy code" {
			t.Errorf("%q", got)
		}
	})
}

// A list that shows nothing takes no key from the prompt: while the agent works Tab queues.
func TestAListWithNothingInItTakesNoKey(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 80, 24)
		s.Type("/model no such thing")
		s.Press("tab")
		if got := op[engine.Queue](t, s).Text; got != "/model no such thing" {
			t.Errorf("%q", got)
		}
	})
}

// What the session is stands in one place: also its tokens, the files it changed, and what it came from.
func TestTheFactsOfTheSessionFollowWhatHappens(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 100, 30)
		s.Tell(engine.CallEnded{Result: engine.Result{CallID: "1", Changed: []string{workDir + "/src/cart.ts"}}}, engine.CallEnded{Result: engine.Result{CallID: "2", Changed: []string{workDir + "/src/cart.ts", "/etc/x"}}},
			engine.Used{Total: engine.Usage{Input: 1_000, CacheRead: 11_000, Output: 300}}, engine.Ended{Why: engine.ExitFinished})
		s.Press("ctrl+x", "i")
		s.See("Tokens", "12k sent, 300 received", "2 changed: src/cart.ts, /etc/x")
		if strings.Contains(s.Text(), "Lineage") {
			t.Error("it came from nothing")
		}
		s.Press("esc")
		s.Tell(engine.Compacted{Before: 9, After: 5, Child: "20000101_000009_ffffff"})
		s.Press("ctrl+x", "i")
		s.See("20000101_000009_ffffff", "goes on from "+thisSession)
		s.Resize(40, 15)
		s.Press("pgdown")
		s.See("Version")
	})
}

// The way of being told is changed at once, and kept for the next time.
func TestNotifyIsChangedAndKept(t *testing.T) {
	story(t, func(t *testing.T) {
		file := &saver{}
		s := working(t, 100, 30, func(s *setting) { s.Save = file })
		s.Type("/notify\n")
		s.See("a notification and the bell while you are away")
		s.Type("/notify loud\n")
		s.See("Nothing was changed.")
		s.Type("/notify of")
		s.Press("tab", "enter")
		s.See("neither bell nor notification")
		if got := strings.Join(file.kept, "|"); got != "ui.notify=off" || s.m.Options.Notify != "off" {
			t.Errorf("kept %q, in use %q", got, s.m.Options.Notify)
		}
	})
}

// Tips name the keys as they are here, and stay in every window.
func TestTipsNameTheKeysOfThisTerminal(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 100, 30)
		s.Type("/tips\n")
		s.See("Ctrl+X [ walks through", "Ctrl+X p finds everything")
		if text := s.Text(); strings.Contains(text, "{") {
			t.Errorf("%s", text)
		}
		s.Resize(40, 15)
		for range 6 {
			s.Press("pgdown")
		}
		s.See("messages are read.")
	})
}

// What makes no sense below the terminal's own scrollback says so, and runs nothing.
func TestInlineSaysWhyACommandIsNoneThere(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 100, 30)
		for _, name := range []string{"zen", "dump"} {
			c, _ := s.m.commands.Find(name)
			s.m.Options.Inline = false
			if why := s.m.commands.Why(c); why != "" {
				t.Errorf("/%s: %s", name, why)
			}
			s.m.Options.Inline = true
			if why := s.m.commands.Why(c); !strings.Contains(why, "with --inline") {
				t.Errorf("/%s: %q", name, why)
			}
		}
	})
}
