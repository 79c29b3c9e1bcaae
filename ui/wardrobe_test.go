package ui

import (
	"context"
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/uitest"
)

// keeper notes what is kept for the next time.
type keeper struct{ saved []string }

func (k *keeper) Save(_ context.Context, key, text string) error {
	k.saved = append(k.saved, key+"="+text)
	return nil
}

func TestThemePickerFrames(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 15}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			story(t, func(t *testing.T) {
				s, _ := look(t, size[0], size[1])
				s.Press("ctrl+x", "t")
				s.Golden(fmt.Sprintf("09-theme-%dx%d", size[0], size[1]))
			})
		})
	}
}

func TestAThemeIsWornWhileItIsLookedAtAndPutBackByEsc(t *testing.T) {
	story(t, func(t *testing.T) {
		k := &keeper{}
		s := open(t, 100, 30, func(s *setting) { s.Save = k })
		s.Type("/theme\n")
		s.See("dusk", "linen", "colour-blind safe", "Lowest text contrast 4.6:1", "AA pass")
		s.Press("down")
		if got := s.m.Sheet.Theme.Name; got != "paper" {
			t.Fatalf("it wears %s", got)
		}
		s.Press("esc")
		if got := s.m.Sheet.Theme.Name; got != "dusk" || len(k.saved) > 0 {
			t.Fatalf("it wears %s and kept %v", got, k.saved)
		}
		s.Type("/theme\n")
		s.Press("down", "down", "down")
		s.See("AAA pass")
		s.Press("enter")
		s.Pass(time.Second)
		if got := s.m.Sheet.Theme.Name; got != "contrast-dark" || strings.Join(k.saved, " ") != "ui.theme=contrast-dark" {
			t.Fatalf("it wears %s and kept %v", got, k.saved)
		}
		s.Type("/theme nothing\n")
		s.See("fjord")
	})
}

func TestThePickerFitsEveryWindowInEveryTheme(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 80, 24)
		s.Type("/theme\n")
		for range 12 {
			s.Press("down")
			for _, size := range [][2]int{{36, 8}, {40, 15}, {59, 20}, {60, 20}, {80, 24}, {200, 60}} {
				s.Resize(size[0], size[1])
				s.See(s.m.Sheet.Theme.Name)
				if kind := s.m.Sheet.Theme.Kind; size[1] >= 15 && (kind == themes.Dark || kind == themes.Light) {
					s.See("Lowest text contrast")
				}
			}
		}
	})
}

// ownThemes is a setting with these files in the user's directory of themes.
func ownThemes(t *testing.T, files map[string]string) func(*setting) {
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name+".yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return func(s *setting) { s.Options.Themes = themes.Open(dir) }
}

func TestAThemeOfTheUserStandsInThePickerWithItsMistakesAndItsContrast(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 120, 36, ownThemes(t, map[string]string{"slate": "inherits: ember\nroles:\n  fg_muted: \"#5a6070\"\n  usr: \"#ffffff\"\n"}))
		s.Type("/theme\n")
		for s.m.Worn.Name != "slate" {
			s.Press("down")
		}
		s.See("slate · yours", "slate.yaml:4: there is no role \"usr\"; nearest", "fg_muted on panel", "wants 4.5 · try #", "too low")
		s.Press("esc")
		s.Type("/theme slate\n")
		s.See("The theme slate has mistakes", "slate.yaml:4")
		if s.m.Worn.Name != "slate" || s.m.Worn.Roles[themes.User] == "#ffffff" {
			t.Errorf("worn: %+v", s.m.Worn)
		}
	})
}

func TestACopyOfAThemeIsMadeToBeEdited(t *testing.T) {
	t.Setenv("VISUAL", "")
	t.Setenv("EDITOR", "")
	t.Setenv("PATH", "")
	story(t, func(t *testing.T) {
		k := &keeper{}
		s := open(t, 100, 30, ownThemes(t, nil), func(s *setting) { s.Save = k })
		s.Type("/theme\n")
		s.Press("down", "e")
		s.Pass(time.Second)
		s.See("No editor is known", "paper-copy.yaml", "/theme paper-copy")
		if s.m.Worn.Name != "paper-copy" || s.m.Worn.Kind != themes.Light || strings.Join(k.saved, " ") != "ui.theme=paper-copy" {
			t.Errorf("it wears %s and kept %v", s.m.Worn.Name, k.saved)
		}
		s.Type("/theme\n")
		s.See("▸ paper-copy · yours")
	})
}

func TestLightAndDarkFollowTheTerminalUntilAThemeIsChosen(t *testing.T) {
	story(t, func(t *testing.T) {
		k := &keeper{}
		s := open(t, 100, 30, func(s *setting) {
			s.Save = k
			s.Deps.Theme = func(dark, known bool) themes.Theme {
				kind := themes.Light
				if dark {
					kind = themes.Dark
				}
				th, _ := themes.Resolve("", themes.Terminal{Background: kind})
				return th
			}
		})
		wears := func(want string) {
			t.Helper()
			if got := s.m.Sheet.Theme.Name; got != want {
				t.Fatalf("it wears %s, want %s", got, want)
			}
		}
		light, dark := tea.BackgroundColorMsg{Color: color.White}, tea.BackgroundColorMsg{Color: color.Black}
		wears("dusk")
		s.Send(light)
		wears("paper")
		before := s.Updates
		s.Send(uv.DarkColorSchemeEvent{}) // the terminal is asked for its colour
		if s.Pass(time.Second); s.Updates < before+2 {
			t.Error("the word of the terminal led to nothing")
		}
		s.Send(dark)
		wears("dusk")
		s.Send(light)
		s.Type("/theme\n")
		s.See("terminal is light")
		s.Press("l") // locked
		s.Pass(time.Second)
		s.Send(dark)
		wears("paper")
		if strings.Join(k.saved, " ") != "ui.theme=paper" {
			t.Errorf("kept %v", k.saved)
		}
		s.Type("/theme auto\n")
		s.Send(dark)
		wears("dusk")
	})
}

func TestATerminalWithFewColoursGetsWhatItCanShow(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 100, 30)
		for profile, want := range map[colorprofile.Profile]string{colorprofile.ANSI: "terminal", colorprofile.ASCII: "mono", colorprofile.ANSI256: "dusk", colorprofile.TrueColor: "dusk"} {
			s.Send(tea.ColorProfileMsg{Profile: profile})
			if got := s.m.Sheet.Theme.Name; got != want || s.m.Worn.Name != "dusk" {
				t.Errorf("%v: it wears %s for %s", profile, got, s.m.Worn.Name)
			}
		}
		s.Send(tea.ColorProfileMsg{Profile: colorprofile.ANSI256})
		for role, hex := range s.m.Sheet.Theme.Roles { // what the toolkit makes of them is what was measured
			c := ansi.Convert256(lipgloss.Color(hex))
			if r, g, b, _ := c.RGBA(); fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8) != hex {
				t.Errorf("%s: %s becomes %v", role, hex, c)
			}
		}
	})
}

func TestRetryAsksTheLastMessageOnceMore(t *testing.T) {
	story(t, func(t *testing.T) {
		s, _ := look(t, 80, 24)
		s.Type("/retry\n")
		if got := op[engine.Undo](t, s); got != (engine.Undo{What: engine.UndoChat}) {
			t.Errorf("%+v", got)
		}
		s.Tell(engine.Rewound{ID: "w1", Turn: 1, Turns: 1, From: "u1", Text: "Fix the race.", Line: "Undid turn 1"})
		if got := op[engine.Submit](t, s); got.Text != "Fix the race." {
			t.Errorf("%+v", got)
		}
		if !s.m.Prompt.Empty() {
			t.Error("the message stands in the prompt too")
		}
		s.Tell(engine.Rewound{ID: "w2", Turn: 1, From: "u1", Text: "another", Line: "Undid"}) // not asked for by a retry
		s.none(t)
	})
}

func TestClearEmptiesTheViewAlone(t *testing.T) {
	story(t, func(t *testing.T) {
		s, _ := look(t, 80, 24)
		s.See("Fix the race.")
		s.Type("/clear\n")
		s.NotSee("Fix the race.")
		s.See("the chat is not")
		s.none(t)
		s.Tell(uitest.Cost(77_000, 200_000, 0.22))
		s.See("ctx 38%")
	})
}

func TestTheEffortIsChangedAndAWrongOneIsNot(t *testing.T) {
	story(t, func(t *testing.T) {
		s, _ := look(t, 80, 24)
		s.Type("/effort huge\n")
		s.See("There is no effort huge")
		s.none(t)
		s.Type("/effort low\n")
		if got := op[engine.Switch](t, s); got.Model != "anthropic/sonnet-4.5:low" {
			t.Errorf("%+v", got)
		}
	})
}
