package ui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Where motion is reduced, or nobody looks, a clock is drawn every ten seconds (UX 4.9).
func TestReducedMotionDrawsTheClockEveryTenSeconds(t *testing.T) {
	story(t, func(t *testing.T) {
		still := working(t, 100, 30, func(s *setting) { s.Options.Still = true })
		s := working(t, 100, 30)
		if still.m.beat() != 10*time.Second || s.m.beat() != time.Second {
			t.Errorf("%v, %v", still.m.beat(), s.m.beat())
		}
		s.Send(tea.BlurMsg{})
		if s.m.beat() != 10*time.Second {
			t.Errorf("%v while nobody looks", s.m.beat())
		}
		s.Send(tea.FocusMsg{})
		if s.m.beat() != time.Second {
			t.Errorf("%v when somebody looks again", s.m.beat())
		}
	})
}
