package ui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"talaria/engine"
	"talaria/ui/picker"
)

func TestHelpSaysWhatAKeyIsWhatIsOnAndWhatThisTerminalCan(t *testing.T) {
	story(t, func(t *testing.T) {
		s, _ := look(t, 120, 36)
		s.Send(tea.KeyboardEnhancementsMsg{Flags: 1})
		s.Send(tea.ColorProfileMsg{Profile: colorprofile.TrueColor})
		s.Press("f1")
		s.See("K change a key")
		for range 60 {
			s.Press("down")
		}
		s.See("This terminal: kitty keys yes · mouse yes · OSC 52 clipboard yes · 24-bit colour")
		s.Press("tab", "tab")
		s.See("[Modes]", "▸ ask", "asks before edits and commands", "lets a running tool finish")
		s.Press("ctrl+t")
		s.See("Ctrl+T: Work panel")
		s.Press("q")
		s.See("q: types q") // it is looked at, not done
		s.Press("ctrl+\\")
		s.See("nothing is bound to it")
		s.Press("tab")
		s.See("[About]", "talaria 1.0", "~/src/shop", "no telemetry")
		for _, size := range [][2]int{{36, 8}, {40, 15}, {80, 24}, {200, 60}} {
			s.Resize(size[0], size[1])
			s.Press("shift+tab", "tab")
		}
		s.Resize(120, 36)
		s.Press("tab", "k")
		s.NotSee("[About]")
		s.See("Keys")
		s.none(t)
	})
}

// stars are favourites that live in the test.
type stars struct{ refs []string }

func (s *stars) Starred() ([]string, error) { return s.refs, nil }

func (s *stars) Star(ref string, on bool) error {
	s.refs = []string{ref}
	return nil
}

func TestAModelIsChosenWithItsEffortAndMadeTheDefault(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 100, 30, func(s *setting) {
			s.conn.Ready = []engine.Connection{{Name: "Anthropic", Ready: true, Models: []string{"sonnet-4.5", "opus-4.5"}, Route: engine.Route{Provider: "anthropic"}},
				{Name: "Google", Models: []string{"gemini-3-pro"}, Route: engine.Route{Provider: "google"}}}
			s.Views.Shelf = &stars{}
			s.Views.Models = func(_, model string) picker.Card {
				return picker.Card{Window: 200_000, In: 5, Out: 25, Tools: true, Known: model != "gemini-3-pro"}
			}
		})
		s.Type("/model\n")
		s.Pass(time.Second)
		s.See("Recent", "sonnet-4.5", "current", "200k", "$5/$25", "Needs a key", "Enter adds a key", "[high]", "Images no · tools yes · thinking no")
		s.Resize(40, 15)
		s.See("▸ sonnet-4.5", "[high]")
		s.Resize(100, 30)
		s.Type("opus")
		s.Press("left", "*")
		s.Pass(time.Second)
		s.See("★", "[med]")
		s.Press("tab")
		s.Pass(time.Second)
		s.See("opus-4.5 is the default for new sessions")
		if got := s.conn.Saved; len(got) != 1 || got[0].Route.Model != "opus-4.5" {
			t.Errorf("saved %+v", got)
		}
		s.ops()
		s.Press("enter")
		if got := op[engine.Switch](t, s); got.Route == nil || got.Route.Model != "opus-4.5" || got.Route.Effort != "medium" {
			t.Errorf("%+v", got)
		}
	})
}
