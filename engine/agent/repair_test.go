package agent_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/agent"
)

func user(text string) engine.Message {
	return engine.Message{ID: "u" + text, Role: engine.RoleUser, Parts: engine.Parts{engine.Text{Text: text}}}
}

func says(parts ...engine.Part) engine.Message {
	return engine.Message{ID: "a", Role: engine.RoleAssistant, Parts: parts}
}

func answer(id, text string) engine.Message {
	return engine.Message{ID: "r" + id, Role: engine.RoleTool, Parts: engine.Parts{engine.Result{CallID: id, Text: text, Status: engine.StatusDone}}}
}

func text(s string) engine.Part { return engine.Text{Text: s} }

// shape writes messages as "user:a | assistant:b[c1] | tool:c1=x".
func shape(msgs []engine.Message) string {
	var out []string
	for _, m := range msgs {
		s := string(m.Role) + ":" + m.Text()
		for _, c := range m.Calls() {
			s += "[" + c.ID + c.Args + "]"
		}
		for _, r := range m.Results() {
			s += r.CallID + "=" + r.Text
		}
		out = append(out, s)
	}
	return strings.Join(out, " | ")
}

func TestH01AnInterruptDuringSeveralCallsLeavesNoCallUnanswered(t *testing.T) {
	got := agent.Repair([]engine.Message{user("go"), says(call("A", "x", "{}"), call("B", "x", "{}"), call("C", "x", "{}")), answer("A", "exit 127"), user("go on")})
	if len(got) != 6 || got[2].Results()[0].Text != "exit 127" || got[3].Results()[0].CallID != "B" || got[4].Results()[0].Status != engine.StatusStopped || got[5].Text() != "go on" {
		t.Fatal(shape(got))
	}
}

func TestH02OrphanAndDoubleResultsAreNotSent(t *testing.T) {
	got := agent.Repair([]engine.Message{user("a"), says(text("hi")), answer("gone", "x"), user("next"), says(call("c", "x", "{}")), answer("c", "one"), answer("c", "two"), user("end")})
	if want := "user:a | assistant:hi | user:next | assistant:[c{}] | tool:c=one | user:end"; shape(got) != want {
		t.Fatal(shape(got))
	}
}

func TestH03EmptyTextIsNeverSent(t *testing.T) {
	got := agent.Repair([]engine.Message{user("a"), says(text("\n\n"), call("c", "x", "{}")), answer("c", " "), says(text("")), user("   "), says(engine.Thought{Text: "only a thought"}), user("b")})
	if want := "user:a | assistant:[c{}] | tool:c=(no output) | user:b"; shape(got) != want {
		t.Fatal(shape(got))
	}
}

func TestH06TwoUserMessagesBecomeOne(t *testing.T) {
	if got := shape(agent.Repair([]engine.Message{user("a"), user("b")})); got != "user:a\n\nb" {
		t.Fatal(got)
	}
}

func TestH13NoLoneSurrogateAndNoInvalidByteIsSent(t *testing.T) {
	got := agent.Repair([]engine.Message{user("a\xff"), says(call("c", "x", `{"q":"현\ud99c 보유"}`)), answer("c", "\xff out")})
	if s := shape(got); strings.Contains(s, `\ud99c`) || strings.Contains(s, "\xff") || !strings.Contains(s, "현\uFFFD 보유") {
		t.Fatal(s)
	}
}

func TestArgumentsThatCannotBeParsedAreSentEmptyAndSaySo(t *testing.T) {
	got := agent.Repair([]engine.Message{user("a"), says(call("c", "x", `{"path":`)), answer("c", "done")})
	if c := got[1].Calls()[0]; c.Args != "{}" || !strings.Contains(got[2].Results()[0].Text, "could not be parsed") {
		t.Fatal(shape(got))
	}
}

func TestArgumentsAreCanonicalWithoutLosingDigits(t *testing.T) {
	got := agent.Repair([]engine.Message{user("a"), says(call("c", "x", `{"b": 12345678901234567890, "a": "<&>"}`)), answer("c", "ok")})
	if args := got[1].Calls()[0].Args; args != `{"a":"<&>","b":12345678901234567890}` {
		t.Fatal(args)
	}
}

// TestAnyHistoryBecomesAValidRequest throws random histories, broken in every way, at the repair.
func TestAnyHistoryBecomesAValidRequest(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		var history []engine.Message
		for range rnd.IntN(10) {
			id := fmt.Sprint("c", rnd.IntN(4))
			m := []engine.Message{
				user("u"), user(" "), says(text("t")), says(text("")), says(text("t"), call(id, "x", `{"a":1}`), call(id+"b", "x", "{")),
				answer(id, "r"), answer(id, ""), {Role: engine.RoleSystem, Parts: engine.Parts{text("s")}}, {Role: engine.RoleUser, Steer: true, Parts: engine.Parts{text("steer")}},
				{Role: engine.RoleAssistant, Aside: true, Parts: engine.Parts{text("aside")}}, says(engine.Thought{Text: "t", Signature: "s"}), {Role: engine.RoleUser},
				{Role: engine.RoleAssistant, Model: "a", Stop: engine.StopPause, Parts: engine.Parts{engine.Opaque{Kind: "k"}}}, {Role: engine.RoleAssistant, Model: "b", Parts: engine.Parts{text("t"), engine.Thought{Text: "t", Signature: "s"}}},
			}[rnd.IntN(14)]
			history = append(history, m)
		}
		before := shape(history)
		got := agent.Repair(history)
		checkValid(t, got)
		checkPaired(t, history, got)
		if shape(history) != before {
			t.Fatal("the history was changed")
		}
		if again := agent.Repair(history); !reflect.DeepEqual(again, got) {
			t.Fatal("the same history gave another request")
		}
	}
}

func checkPaired(t *testing.T, history, got []engine.Message) {
	t.Helper()
	var open []string
	for _, m := range got {
		if m.Role != engine.RoleTool && len(open) > 0 {
			t.Fatalf("unanswered %v in %s from %s", open, shape(got), shape(history))
		}
		for _, r := range m.Results() {
			if len(open) == 0 || open[0] != r.CallID || strings.TrimSpace(r.Text) == "" {
				t.Fatalf("result %s does not answer %v in %s", r.CallID, open, shape(got))
			}
			open = open[1:]
		}
		for _, c := range m.Calls() {
			open = append(open, c.ID)
		}
		if strings.Contains(m.Text(), "aside") {
			t.Fatal("an aside was sent")
		}
	}
}

func TestRepliesOfTwoModelsNextToEachOtherKeepNoReasoning(t *testing.T) {
	thought := engine.Thought{Text: "secret", Signature: "sig"}
	a, b := says(thought, text("one")), says(thought, text("two"))
	a.Model, b.Model = "a", "b"
	got := agent.Repair([]engine.Message{user("go"), a, b})
	if len(got) != 2 || got[1].Reasoning() != "" || got[1].Text() != "one\n\ntwo" {
		t.Fatalf("%+v", got)
	}
}

func TestTwoWordsOfTheUserOnOneResultStayTwo(t *testing.T) {
	steer := func(s string) engine.Message {
		return engine.Message{Role: engine.RoleUser, Steer: true, Parts: engine.Parts{text(s)}}
	}
	got := agent.Repair([]engine.Message{user("go"), says(call("c", "x", "{}")), answer("c", "ok"), steer("s2"), steer("s3")})
	if len(got) != 3 || got[2].Text() != "s2\n\ns3" {
		t.Fatal(shape(got))
	}
}
