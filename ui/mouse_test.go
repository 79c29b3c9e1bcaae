package ui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/uitest"
)

// at finds a text on the screen: its column and row.
func (s *stage) at(t *testing.T, text string) (x, y int) {
	t.Helper()
	for y, row := range strings.Split(s.Text(), "\n") {
		if before, _, ok := strings.Cut(row, text); ok {
			return len([]rune(before)), y
		}
	}
	t.Fatalf("%q is not on the screen:\n%s", text, s.Text())
	return 0, 0
}

func (s *stage) drag(x, y, toX, toY int) {
	s.Send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	s.Send(tea.MouseMotionMsg{X: toX, Y: toY, Button: tea.MouseLeft})
	s.Send(tea.MouseReleaseMsg{X: toX, Y: toY, Button: tea.MouseLeft})
}

const prose = "The quick brown fox jumps over the lazy dog, and then it runs along the river until the sun is down behind the hills."

// What is marked by dragging is the text as it was written: the break of a long line is none of it. More that arrives
// does not move the mark.
func TestDraggingMarksTextAndCtrlCCopiesIt(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 60, 24)
		s.Tell(uitest.Reply(prose))
		x, y := s.at(t, "brown")
		toX, toY := s.at(t, "river")
		if toY == y {
			t.Fatal("the line is not broken")
		}
		s.drag(x, y, toX+4, toY)
		s.Tell(uitest.Says("And more.\n\nAnd more.\n\n"))
		if got := s.m.Log.MarkedText(); !strings.HasPrefix(prose, "The quick "+got) || !strings.HasSuffix(got, "along the river") {
			t.Errorf("marked %q", got)
		}
		s.See("Ctrl+C copies")
		s.Press("ctrl+c")
		s.See("Copied 1 line (OSC 52).")
		s.none(t) // the turn goes on
		if s.m.Log.Marked() {
			t.Error("the mark is still there")
		}
		s.drag(0, y, 20, y)
		s.Press("esc")
		if s.none(t); s.m.Log.Marked() {
			t.Error("Esc left the mark")
		}
	})
}

func TestADoubleClickMarksAWord(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 100, 24)
		s.Tell(uitest.Reply("See src/auth/refresh.ts:41 for it."))
		x, y := s.at(t, "refresh")
		for range 2 {
			s.Send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
			s.Send(tea.MouseReleaseMsg{X: x, Y: y, Button: tea.MouseLeft})
		}
		if got := s.m.Log.MarkedText(); got != "src/auth/refresh.ts:41" {
			t.Errorf("marked %q", got)
		}
	})
}

func TestAClickOpensABlockAsFarAsTheSettingsAllowIt(t *testing.T) {
	for _, c := range []struct {
		mouse       string
		opens, mark bool
	}{{"all", true, true}, {"buttons", true, false}, {"wheel", false, false}, {"off", false, false}} {
		story(t, func(t *testing.T) {
			s := working(t, 100, 24, func(s *setting) { s.Options.Mouse = c.mouse })
			s.Tell(engine.Appended{Message: engine.Message{ID: "m", Role: engine.RoleAssistant, Parts: engine.Parts{engine.Thought{Text: "first line\nsecond line\nlast of it"}, engine.Text{Text: "Fine."}}}})
			x, y := s.at(t, "first line")
			s.Send(tea.FocusMsg{})
			s.Send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft}) // the click that brought the focus
			s.Send(tea.MouseReleaseMsg{X: x, Y: y, Button: tea.MouseLeft})
			s.NotSee("last of it")
			s.Pass(time.Second)
			s.Send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
			s.Send(tea.MouseReleaseMsg{X: x, Y: y, Button: tea.MouseLeft})
			if opened := strings.Contains(s.Text(), "last of it"); opened != c.opens {
				t.Errorf("%s: opened %v", c.mouse, opened)
			}
			s.Pass(time.Second)
			s.drag(0, y, 10, y)
			if s.m.Log.Marked() != c.mark {
				t.Errorf("%s: marked %v", c.mouse, s.m.Log.Marked())
			}
			if on := s.View().MouseMode != tea.MouseModeNone; on != (c.mouse != "off") {
				t.Errorf("%s: the terminal was asked for its mouse: %v", c.mouse, on)
			}
		})
	}
}

func TestWhatIsWrongWithTheSettingsIsSaidOnTheScreen(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 100, 24, func(s *setting) { s.Options.Warnings = []string{"ui.theme: there is no theme nonsense."} })
		s.See("there is no theme nonsense")
	})
}
