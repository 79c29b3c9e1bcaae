package ui

import (
	"slices"
	"strings"
	"testing"

	"talaria/engine"
)

// TestTheMenuIsInGroupsWithWhatWasUsedLastInFront: also what was used before this start.
func TestTheMenuIsInGroupsWithWhatWasUsedLastInFront(t *testing.T) {
	story(t, func(t *testing.T) {
		s := start(t, 100, 30, func(s *setting) {
			_ = s.lib.AddHistory(t.Context(), workDir, "/theme dusk")
			_ = s.lib.AddHistory(t.Context(), workDir, "fix /effort")
		})
		s.Tell(engine.Opened{Session: engine.Session{ID: thisSession, Dir: workDir, Route: sonnet, Cost: new(float64)}})
		s.Type("/mode\n")
		s.Type("/quit is what")
		s.Press("ctrl+c")
		s.Type("/")
		text := s.Text()
		at := func(word string) int { return strings.Index(text, word) }
		if order := []int{at("/mode "), at("/theme "), at("/new ")}; order[0] < 0 || !slices.IsSorted(order) {
			t.Errorf("what was used last is not in front:\n%s", text)
		}
		s.See("Recent", "Session")
		s.Press("esc", "ctrl+c", "up")
		if got := s.m.Prompt.Value(); got != "/" { // the draft that was cleared comes first
			t.Errorf("%q", got)
		}
		s.Press("up", "up")
		if got := s.m.Prompt.Value(); got != "/mode" {
			t.Errorf("a command is not in the history: %q", got)
		}
	})
}

func TestTheMenuFindsACommandByItsLettersAndAnExactNameFirst(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 80, 24)
		s.Type("/vrb")
		s.See("/verbosity")
		s.Press("tab")
		if got := s.m.Prompt.Value(); got != "/verbosity " {
			t.Fatalf("%q", got)
		}
		s.See("quiet", "normal", "full")
		s.Type("fu")
		s.Press("enter")
		s.See("Verbosity full")
		s.Type("/mode")
		s.Press("enter")
		s.See("The mode is ask.")
	})
}

func TestWhatFollowsACommandIsCompletedAndNeverGuessed(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 80, 24)
		s.Type("/mode ")
		s.See("▸ ask")
		s.Press("enter") // nothing chosen: the command alone
		s.See("The mode is ask.")
		s.none(t)
		s.Type("/mode ")
		s.Press("down", "down", "enter")
		if got := op[engine.Set](t, s).Mode; got != "edit" {
			t.Errorf("%q", got)
		}
		s.Type("/theme emb")
		s.Press("enter") // a list that may lack something: only Tab completes
		s.See("/theme NAME changes the colours")
		s.Type("/theme emb")
		s.Press("tab")
		if got := s.m.Prompt.Value(); got != "/theme ember" {
			t.Errorf("%q", got)
		}
		s.Press("ctrl+u")
		s.Type("/mode plan it")
		if s.m.Popup != nil {
			t.Error("a second word has no list")
		}
		s.Press("ctrl+u")
		s.Paste("/mode ")
		if s.m.Popup != nil {
			t.Error("pasted text opened a list")
		}
	})
}
