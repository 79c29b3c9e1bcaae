package ui

import (
	"strings"
	"testing"

	"talaria/engine"
	"talaria/ui/style"
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

// A path of a tool's line and of its diff is a link to the file; not over ssh, where it would be one of another machine.
func TestPathsOfToolsAreLinksToTheFiles(t *testing.T) {
	tell := func(s *stage) {
		s.Tell(engine.CallBegan{Call: engine.Call{ID: "1", Name: "patch"}, Line: "Edit src/auth/refresh.ts"},
			engine.CallEnded{Result: engine.Result{CallID: "1", Name: "patch", Status: engine.StatusDone, Changed: []string{workDir + "/src/auth/refresh.ts"}, Diff: editQuestion("1").Diff}})
		s.Tell(uitest.Reply("I changed `src/auth/refresh.ts`, not src/other.ts."))
	}
	const target = "\x1b]8;;file://" + workDir + "/src/auth/refresh.ts\a"
	for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 15}} {
		story(t, func(t *testing.T) {
			s := working(t, size[0], size[1], func(s *setting) { s.Options.Terminal.Links, s.Options.Terminal.Local = true, true })
			tell(s)
			view := s.View().Content
			if strings.Count(view, target) < min(2, size[1]/12) || strings.Contains(view, "other.ts\a") {
				t.Errorf("%dx%d: %q", size[0], size[1], view)
			}
			for _, row := range strings.Split(view, "\n") {
				if style.Width(row) > size[0] {
					t.Errorf("wider than the screen: %q", row)
				}
			}
		})
	}
	for _, change := range []func(*setting){func(s *setting) { s.Options.Terminal.Links = true }, func(s *setting) { s.Options.Terminal.Local = true }} {
		story(t, func(t *testing.T) {
			s := working(t, 80, 24, change)
			tell(s)
			if strings.Contains(s.View().Content, "file://") {
				t.Errorf("%q", s.View().Content)
			}
		})
	}
}
