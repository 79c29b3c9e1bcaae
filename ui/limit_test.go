package ui

import (
	"testing"
	"time"

	"talaria/engine"
)

// spent ends the turn at its limit.
func (s *stage) spent(why engine.Exit) {
	s.Tell(engine.Planned{Tasks: []engine.Task{{Content: "a", Status: "completed"}, {Content: "b", Status: "pending"}}},
		engine.Ended{Why: why, Outcome: engine.Outcome{Exit: why, Route: sonnet, Iterations: 14, Cost: new(5.01), DurationMS: 31 * 60_000, FilesChanged: []string{"a.go"},
			Usage: engine.Usage{Input: 350_000, CacheRead: 860_000, Output: 88_000}}})
	s.Pass(time.Second)
}

func TestATurnThatReachedItsBudgetOffersToGoOn(t *testing.T) {
	story(t, func(t *testing.T) {
		for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 15}} {
			s := working(t, size[0], size[1], func(s *setting) { s.Options.Budget = 5 })
			s.spent(engine.ExitBudget)
			s.See("This turn reached its $5.00 budget", "Budget reached")
			if size[0] > 60 {
				s.See("Add $5.00 and continue", "1 of 2 tasks", "1 file changed", "71% cached", "14 rounds", "31:00", "$5.01")
			}
			s.Press("1")
			op[engine.Continue](t, s)
			s.NotSee("This turn reached its $5.00")
		}
	})
}

func TestAnotherAmountIsTypedAndTheTurnGoesOn(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 80, 24)
		s.spent(engine.ExitIterations)
		s.See("limit of 14 rounds")
		s.Press("2")
		s.Type("much")
		s.Press("enter")
		s.See("That is no amount")
		s.none(t)
		s.Press("2")
		s.Type("40 turns")
		s.Press("enter")
		ops := s.ops()
		if len(ops) != 2 {
			t.Fatalf("%#v", ops)
		}
		if set, ok := ops[0].(engine.Set); !ok || *set.Turns != 40 || set.Budget != nil || set.Mode != "" {
			t.Errorf("%#v", ops[0])
		}
		if _, ok := ops[1].(engine.Continue); !ok {
			t.Errorf("%#v", ops[1])
		}
		s.NotSee("limit of 14 rounds")

		s.spent(engine.ExitIterations)
		s.Press("esc")
		s.NotSee("limit of 14 rounds")
		s.none(t)
	})
}

func TestTheBudgetIsSetWhileTheAgentWorks(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 120, 36)
		s.Tell(engine.Used{Cost: new(0.21), Context: 76_000, Window: 200_000})
		s.Type("/budget $0.50\n")
		if set := op[engine.Set](t, s); set.Budget == nil || *set.Budget != 0.5 || set.Turns != nil {
			t.Errorf("%+v", set)
		}
		s.See("$0.21/0.5")
		s.Type("/budget off\n")
		if set := op[engine.Set](t, s); *set.Budget != 0 || *set.Turns != 0 {
			t.Errorf("%+v", set)
		}
		s.NotSee("$0.21/")
		for _, wrong := range []string{"-1", "0", "inf", "nan", "five", "5 apples"} {
			s.Type("/budget " + wrong + "\n")
			s.See("takes an amount in dollars")
			s.none(t)
		}
	})
}

func budgetFrame(t *testing.T, w, h int, change ...func(*setting)) *stage {
	s := working(t, w, h, append(change, func(s *setting) { s.Options.Budget = 5 })...)
	s.Tell(engine.Used{Cost: new(5.01), Context: 128_000, Window: 200_000})
	s.spent(engine.ExitBudget)
	return s
}
