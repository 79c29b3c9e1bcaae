package review

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"talaria/engine"
)

// turn is one of so many rounds of calls, and the reply that ends it.
func turn(rounds int, used ...string) engine.Outcome {
	msgs := []engine.Message{engine.UserMessage("do it", engine.Message{}.At)}
	for _, name := range used {
		msgs = append(msgs, engine.Message{Role: engine.RoleTool, Parts: engine.Parts{engine.Result{Name: name, Status: engine.StatusDone}}})
	}
	return engine.Outcome{Completed: true, Final: "done", Iterations: rounds + 1, Stored: msgs}
}

func TestTheMemoryIsLookedAtAfterSoManyTurns(t *testing.T) {
	c := Clock{Turns: 3, Rounds: 10}
	for i, want := range []bool{false, false, true, true} {
		if d := c.Ended(turn(1)); d.Memory != want || d.Skills {
			t.Errorf("turn %d: %+v", i+1, d)
		}
	}
	c.Done(Due{Memory: true})
	if d := c.Ended(turn(5)); d.Memory {
		t.Error("due again at once")
	}
	if d := c.Ended(turn(5)); !d.Skills {
		t.Error("14 rounds and the skills are not due")
	}
}

func TestTalkWithoutToolsIsNoLongWork(t *testing.T) {
	c := Clock{Turns: 100, Rounds: 10}
	for i := range 40 {
		if d := c.Ended(turn(0)); d.Skills {
			t.Fatalf("after %d turns without a call the skills are due", i+1)
		}
	}
}

func TestNothingIsDueAfterAnInterruptOrFailureButItIsNotForgotten(t *testing.T) {
	for name, spoil := range map[string]func(*engine.Outcome){
		"interrupted": func(o *engine.Outcome) { o.Interrupted, o.Completed = true, false },
		"failed":      func(o *engine.Outcome) { o.Err, o.Completed = &engine.Error{}, false },
		"no answer":   func(o *engine.Outcome) { o.Final = " " },
	} {
		c := Clock{Turns: 1, Rounds: 1}
		bad := turn(1)
		spoil(&bad)
		if d := c.Ended(bad); d.Any() {
			t.Errorf("%s: %+v", name, d)
		}
		if d := c.Ended(turn(1)); !d.Memory || !d.Skills {
			t.Errorf("the turn after one that was %s: %+v", name, d)
		}
	}
}

func TestAModelThatSavesByItselfIsNotRemindedAndZeroIsNever(t *testing.T) {
	c := Clock{Turns: 1, Rounds: 1}
	if d := c.Ended(turn(1, "memory", "skill_manage")); d.Any() {
		t.Errorf("%+v", d)
	}
	c = Clock{}
	for range 50 {
		if d := c.Ended(turn(9)); d.Any() {
			t.Fatalf("%+v", d)
		}
	}
	c = Clock{Turns: 10}
	c.Resume(29)
	if d := c.Ended(turn(1)); !d.Memory {
		t.Error("a resumed session forgets its turns")
	}
}

func TestEachKindOfLookBackNamesItsToolsAndNoOthers(t *testing.T) {
	for _, d := range []Due{{Memory: true}, {Skills: true}, {Memory: true, Skills: true}} {
		prompt := d.Prompt()
		for _, name := range []string{"memory tool", "skill_manage"} {
			if want := name == "memory tool" && d.Memory || name == "skill_manage" && d.Skills; strings.Contains(prompt, name) != want {
				t.Errorf("%+v speaks of %s: %v", d, name, !want)
			}
		}
		if !strings.HasPrefix(prompt, "[This is not from the user.") || len(d.Tools()) == 0 {
			t.Errorf("%+v: %q", d, prompt)
		}
	}
}

func TestOnlyLinesOfTheTwoKindsAreTaken(t *testing.T) {
	var asked engine.Request
	aux := engine.Aux(func(_ context.Context, r engine.Request) (engine.Message, error) {
		asked = r
		return engine.Message{Parts: engine.Parts{engine.Text{Text: "Here is what I found:\nmemory: tests run with  make test\nuser: prefers tabs\n" +
			"User: loud\nmemory:no blank\nmemory: \nnote: other\nmemory: " + strings.Repeat("x", 400) + "\nnone"}}}, nil
	})
	facts, err := Facts(t.Context(), aux, "Here it is\n==========\n[user] hi\n==========\nWrite the checkpoint", []string{"old fact"})
	if err != nil || !reflect.DeepEqual(facts, []Fact{{false, "tests run with make test"}, {true, "prefers tabs"}}) {
		t.Errorf("%+v %v", facts, err)
	}
	said := asked.Messages[0].Text()
	if !strings.Contains(said, "[user] hi") || strings.Contains(said, "checkpoint") || !strings.Contains(said, "- old fact") {
		t.Error(said)
	}
	many := parse(strings.Repeat("user: a fact\n", 20))
	if len(many) != mostFacts {
		t.Errorf("%d facts", len(many))
	}
}
