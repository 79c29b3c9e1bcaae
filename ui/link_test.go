package ui

import (
	"strings"
	"testing"

	"talaria/ui/uitest"
)

// Addresses are links only where the terminal is known to take them, and lead where they say, whatever a model writes.
func TestAddressesAreLinksWhereTheTerminalTakesThem(t *testing.T) {
	text := "See [the docs](https://docs.test/a) or \x1b]8;;http://evil.test\x1b\\https://good.test\x1b]8;;\x1b\\."
	story(t, func(t *testing.T) {
		s := working(t, 100, 24, func(s *setting) { s.Options.Terminal.Links = true })
		s.Tell(uitest.Reply(text))
		view := s.View().Content
		for _, want := range []string{"\x1b]8;;https://docs.test/a\a", "\x1b]8;;https://good.test\a"} {
			if !strings.Contains(view, want) {
				t.Errorf("%q is missing: %q", want, view)
			}
		}
		if strings.Contains(view, "evil") || strings.Count(view, "\x1b]8;") != 4 {
			t.Errorf("%q", view)
		}
	})
	story(t, func(t *testing.T) {
		s := working(t, 100, 24)
		s.Tell(uitest.Reply(text))
		if strings.Contains(s.View().Content, "\x1b]") {
			t.Errorf("%q", s.View().Content)
		}
	})
}
