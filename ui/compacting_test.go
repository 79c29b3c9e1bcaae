package ui

import (
	"testing"
	"time"

	"talaria/engine"
	"talaria/ui/uitest"
)

func TestCompactingShowsHowFarItIsAndEscEndsItAlone(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 15}} {
		story(t, func(t *testing.T) {
			s := working(t, size[0], size[1])
			s.Tell(engine.Used{Context: 104_000, Window: 200_000})
			s.Tell(engine.Compacted{Running: true, Before: 104_000, Kept: 12, Old: 62, Part: 1, Parts: 2})
			s.See("Context", "52% full", "104k tokens", "Esc cancel")
			s.Type("then run the full suite")
			s.See("then run the full suite")
			s.none(t)
			s.Press("esc")
			if got := op[engine.Interrupt](t, s); !got.Graceful {
				t.Error("the turn was stopped at once")
			}
			s.NotSee("104k tokens")
		})
	}
}

func TestTheCompactingBoxGoesWhenItIsDoneAndTheSessionIsTheChild(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 80, 24)
		s.Tell(engine.Compacted{Running: true, Before: 9_000, Kept: 1, Old: 3, Parts: 1})
		s.See("tokens", "Kept word for word   last 1 message", "Summarised           3 messages")
		s.Tell(engine.Compacted{Child: "20000101_000001_bbbbbb", Summary: "We fixed it.", Before: 9_000, After: 4_000})
		s.NotSee("Kept word for word")
		s.See("Older turns were summarised")
		if s.m.Session.Row.ID != "20000101_000001_bbbbbb" {
			t.Errorf("the session is %s", s.m.Session.Row.ID)
		}
	})
}

func compactingFrame(t *testing.T, w, h int, change ...func(*setting)) *stage {
	s := open(t, w, h, change...)
	s.Tell(engine.Noted{Kind: engine.NoteTitle, Text: "fix auth tests"}, uitest.User("Fix the race."), uitest.Reply("Done."),
		engine.Used{Context: 104_000, Window: 200_000, Cost: new(0.21)}, workDone()[0], engine.Compacted{Running: true, Before: 104_000, Kept: 9, Old: 61, Parts: 2})
	s.Pass(6 * time.Second)
	s.Tell(engine.Compacted{Running: true, Before: 104_000, Kept: 9, Old: 61, Part: 1, Parts: 2})
	s.Type("then run the full suite")
	return s
}

func TestEscEndsTheCompactingAndNotTheTurn(t *testing.T) {
	story(t, func(t *testing.T) {
		s := compactingFrame(t, 80, 24)
		s.ops()
		s.See("52% full", "part 2 of 2", "Esc cancel", "then run the full suite")
		s.Press("esc")
		if i := op[engine.Interrupt](t, s); !i.Graceful {
			t.Error("Esc stopped more than the compacting")
		}
		s.Tell(engine.Compacted{Before: 104_000, After: 104_000})
		s.NotSee("being summarised", "Compacting")
		s.See("then run the full suite")
	})
}

func TestACompactedConversationShowsTheSummaryOnDemand(t *testing.T) {
	story(t, func(t *testing.T) {
		s := compactingFrame(t, 80, 24)
		s.Tell(engine.Compacted{Child: "20000101_000000_cccccc", Summary: "The race is **fixed**.", Before: 104_000, After: 31_000})
		s.See("Older turns were summarised: 104k to 31k tokens")
		s.NotSee("The race is fixed.")
		s.Press("ctrl+o")
		s.See("The race is fixed.")
	})
}

func TestEachAgentHasOneRowWhileItWorks(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 80, 24)
		s.Tell(engine.CallBegan{Call: engine.Call{ID: "d", Name: "delegate_task"}, Line: "Delegate 2 tasks"},
			uitest.Prints("d", "[1/2] Read a.go\n[2/2] Read b.go\n[1/2] $ go test ./...\n"))
		s.See("├ [1/2] $ go test ./...", "└ [2/2] Read b.go")
		s.NotSee("Read a.go")
	})
}
