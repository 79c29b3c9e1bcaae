package ui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

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
		s.Press("down", "down")
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
		for range themes.Names() {
			s.Press("down")
			for _, size := range [][2]int{{36, 8}, {40, 15}, {59, 20}, {60, 20}, {80, 24}, {200, 60}} {
				s.Resize(size[0], size[1])
				s.See(s.m.Sheet.Theme.Name)
				if size[1] >= 15 && s.m.Sheet.Theme.Kind != themes.None {
					s.See("Lowest text contrast")
				}
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
