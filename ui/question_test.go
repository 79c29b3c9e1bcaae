package ui

import (
	"image/color"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/uitest"
)

func TestKeysMeantForThePromptDoNotAnswerAnApproval(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 80, 24)
		s.Tell(engine.Asked{Question: editQuestion("q1")})
		s.Hit("y")
		s.none(t)
		s.See("Allow this edit?")
		s.Pass(390 * time.Millisecond) // an ignored key prolongs the guard
		s.Hit("y")
		s.none(t)
		s.Pass(410 * time.Millisecond)
		s.Hit("y")
		if got := op[engine.Answer](t, s); got.ID != "q1" || got.Choice != engine.ChoiceOnce {
			t.Errorf("answered %+v", got)
		}
		s.NotSee("Allow this edit?")
	})
	story(t, func(t *testing.T) { // somebody who was typing in the last 700 ms is typing
		s := working(t, 80, 24)
		s.Type("steady")
		s.Tell(engine.Asked{Question: editQuestion("q1")})
		s.Pass(450 * time.Millisecond)
		s.Hit("y")
		s.none(t)
		s.See("steady")
	})
}

func TestTheFirstAskedIsTheFirstShown(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 80, 24)
		s.Tell(engine.Asked{Question: commandQuestion("q1", "npm test")}, engine.Asked{Question: commandQuestion("q2", "npm run lint")}, engine.Asked{Question: commandQuestion("q3", "npm run build")})
		s.See("npm test", "1 of 3 waiting")
		if bells := len(s.Raw); bells != 1 {
			t.Errorf("the bell rang %d times", bells)
		}
		s.guardOver()
		s.Hit("y")
		if got := op[engine.Answer](t, s).ID; got != "q1" {
			t.Errorf("answered %s", got)
		}
		s.See("npm run lint")
		s.Hit("y") // the same finger, still on the key: the next question is guarded anew
		s.none(t)
		s.Tell(engine.Withdrawn{ID: "q1", Choice: engine.ChoiceOnce})
		s.See("npm run lint", "1 of 2 waiting", "⏸ Needs you")
		s.guardOver()
		s.Hit("y")
		if got := op[engine.Answer](t, s).ID; got != "q2" {
			t.Errorf("answered %s", got)
		}
		s.Tell(engine.Withdrawn{ID: "q2"}, engine.Withdrawn{ID: "q3"})
		s.NotSee("npm run build", "waiting")
		s.See("Waiting for sonnet-4.5")
	})
}

func TestCtrlCStopsTheTurnFromAnApproval(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 80, 24)
		s.Tell(engine.Asked{Question: editQuestion("q1")})
		s.Hit("ctrl+c")
		if op[engine.Interrupt](t, s).Graceful {
			t.Error("it waits")
		}
		s.See("Stopping")
		s.Tell(engine.Withdrawn{ID: "q1"}, uitest.Stopped())
		s.NotSee("Allow this edit?")
		s.See("■ Stopped")
	})
}

func TestADialogClosesWithTheTurnThatAskedIt(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 80, 24)
		s.Tell(engine.Asked{Question: editQuestion("q1")}, engine.Asked{Question: storeQuestion("q2")}, uitest.Stopped())
		s.NotSee("Allow this edit?", "Which token store")
		s.Press("enter")
		op[engine.Continue](t, s)
	})
}

func TestAQuestionLeftForLaterComesBack(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 80, 24)
		s.Type("my draft")
		s.Tell(engine.Asked{Question: storeQuestion("q1")})
		s.See("⏸ Question", "Esc later", "my draft")
		s.Press("esc")
		s.none(t)
		s.NotSee("In memory")
		s.See("1 question waits: Which token store", "Enter opens it", "my draft", "⏸ Question")
		s.Press("ctrl+x", "j")
		s.See("In memory")
		s.guardOver()
		s.Press("2")
		if got := op[engine.Answer](t, s); got.ID != "q1" || got.Choice != "memory" {
			t.Errorf("answered %+v", got)
		}
		s.Tell(engine.Withdrawn{ID: "q1", Choice: "memory"})
		s.NotSee("question waits")
		s.See("my draft")
	})
}

func TestTheClockStopsWhileItWaitsForYou(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 80, 24)
		s.Pass(10 * time.Second)
		s.Tell(engine.Asked{Question: editQuestion("q1")})
		s.Pass(time.Minute)
		s.See("⏸ Needs you · waiting 1:00  · clock stopped", "n deny")
		if got := s.View().WindowTitle; got != "⏸ fix auth tests · talaria" {
			t.Errorf("the title is %q", got)
		}
		s.Tell(engine.Withdrawn{ID: "q1"})
		s.See("0:10")
	})
}

func TestWhatIsAboveAQuestionStaysInView(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 120, 36)
		s.Tell(uitest.Reply("There are two token stores in this repository."), engine.Asked{Question: storeQuestion("q1")})
		s.See("There are two token stores", "Which token store", "❯ Fix the race.")
	})
}

func TestAThemeThatComesLateReachesTheConnectScreen(t *testing.T) {
	story(t, func(t *testing.T) {
		s := start(t, 80, 24, func(s *setting) {
			s.Theme = func(dark, known bool) themes.Theme {
				if known && !dark {
					return theme("paper")(false, true)
				}
				return theme("dusk")(true, true)
			}
		})
		s.Tell(engine.Opened{Session: engine.Session{ID: thisSession, Dir: workDir}})
		before := s.View().Content
		s.Send(tea.BackgroundColorMsg{Color: color.White})
		s.See("Choose how to connect")
		after := s.View().Content
		if before == after || s.m.Sheet.Theme.Name != "paper" {
			t.Errorf("the theme is %s", s.m.Sheet.Theme.Name)
		}
		s.Press("esc")
		s.Type("/theme dusk\n")
		s.Send(tea.FocusMsg{})
		s.Send(tea.BackgroundColorMsg{Color: color.White})
		if got := s.m.Sheet.Theme.Name; got != "dusk" {
			t.Errorf("the chosen theme gave way to %s", got)
		}
	})
}
