package ui

import (
	"testing"

	"talaria/engine"
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
		s.See("9k tokens", "Kept word for word   1 message", "Summarised           3 messages")
		s.Tell(engine.Compacted{Child: "20000101_000001_bbbbbb", Summary: "We fixed it.", Before: 9_000, After: 4_000})
		s.NotSee("Kept word for word")
		s.See("Older turns were summarised")
		if s.m.Session.Row.ID != "20000101_000001_bbbbbb" {
			t.Errorf("the session is %s", s.m.Session.Row.ID)
		}
	})
}
