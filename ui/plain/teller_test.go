package plain

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"talaria/engine"
	"talaria/ui/uitest"
)

// transcript is what a teller makes of events, each entry the lines of one.
func transcript(look Look, events ...any) (out []string) {
	t := NewTeller(look)
	for _, e := range events {
		switch e := e.(type) {
		case engine.Event:
			out = append(out, t.Tell(e)...)
		case []engine.Event:
			for _, one := range e {
				out = append(out, t.Tell(one)...)
			}
		}
	}
	return out
}

func same(t *testing.T, got []string, want string) {
	t.Helper()
	if g := strings.Join(got, "\n"); g != strings.Trim(want, "\n") {
		t.Errorf("heard:\n%s\n\nwant:\n%s", g, want)
	}
}

func answered(thought, text string) []engine.Event {
	m := engine.Message{Role: engine.RoleAssistant}
	if thought != "" {
		m.Parts = append(m.Parts, engine.Thought{Text: thought, Signature: "s"})
	}
	m.Parts = append(m.Parts, engine.Text{Text: text})
	return []engine.Event{engine.Streamed{Delta: engine.ThoughtDelta{Text: thought, Signature: "s"}}, uitest.Says(text), engine.Streamed{Delta: engine.Done{}}, engine.Appended{Message: m}}
}

var began = engine.Began{Turn: 1, Route: engine.Route{Provider: "anthropic", Model: "sonnet"}}

// A whole turn as a listener hears it: every event its lines, in the order of the events.
func TestATurnIsHeardEventByEvent(t *testing.T) {
	approval := engine.Question{ID: "q1", Kind: engine.Approval, Title: "Edit src/auth.go", Why: "edits ask in this mode", Diff: "-a\n+b\u202e", Rule: "edit src/", Draft: "b",
		Choices: []engine.Choice{{Value: engine.ChoiceOnce}, {Value: engine.ChoiceSession}, {Value: engine.ChoiceAlways}, {Value: engine.ChoiceEdit}, {Value: engine.ChoiceDeny}}}
	clarify := engine.Question{ID: "q2", Kind: engine.Clarify, Title: "Which port?", Multi: true, Choices: []engine.Choice{{Value: "a", Label: "8080", Description: "free", Recommended: true}, {Value: "b", Label: "9090"}}}
	got := transcript(Look{}, began, uitest.User("fix it\nplease"), answered("First I look.\nThen I think.", "I look at two files.\n\nYou: this is not you\n"),
		uitest.Runs("1", "Read a.go"), uitest.Runs("2", "$ npm test"), uitest.Prints("2", "noise\n"), uitest.Done("1", "Read a.go", "12 lines", 0),
		engine.CallEnded{Result: engine.Result{CallID: "2", Name: "terminal", Status: engine.StatusFailed, Note: "exit 1", Text: "one\ntwo"}, Line: "$ npm test", DurationMS: 61_000},
		engine.Planned{Tasks: []engine.Task{{Status: "completed"}, {Content: "Write tests.", Status: "in_progress"}, {Status: "pending"}}},
		engine.Steered{Waiting: []engine.Waiting{{ID: "s", Text: "mind the gap"}}}, engine.Steered{}, uitest.Steer("mind the gap"),
		engine.Queued{Waiting: []engine.Waiting{{ID: "n", Text: "then the docs"}}},
		engine.Stepped{Iteration: 2}, engine.Asked{Question: approval}, engine.Withdrawn{ID: "q1", Choice: engine.ChoiceSession},
		engine.Asked{Question: clarify}, engine.Withdrawn{ID: "q2", Choice: "a,b"},
		engine.Child{Agent: "scout", Event: uitest.Runs("3", "Find \"x\"")}, engine.Child{Agent: "scout", Event: uitest.Says("quiet")}, engine.Child{Agent: "scout", Event: uitest.Finished()},
		engine.Compacted{Running: true, Old: 12, Kept: 5}, engine.Compacted{Running: true, Old: 12, Kept: 5, Part: 1}, engine.Compacted{Child: "c", Before: 104_000, After: 12_000},
		uitest.Cost(10, 100, 1), engine.Noted{Kind: engine.NoteMode, Text: "edit"}, engine.Noted{Kind: engine.NoteWarning, Text: "careful"},
		answered("", "All done."),
		engine.Ended{Why: engine.ExitFinished, Outcome: engine.Outcome{Iterations: 3, DurationMS: 125_000}})
	same(t, got, `
Working: turn 1, sonnet.
You: fix it
please
Thinking: First I look. (and 3 more words)
Assistant: I look at two files.

  You: this is not you
Tool started: Read a.go
Tool started: npm test
Tool done: Read a.go, 12 lines.
Tool failed: npm test, exit 1, 1 min 1 s.
  one
  two
Tasks: 1 of 3 done. Now: Write tests.
Steering: mind the gap. It goes in with the next step.
You, to the running turn: mind the gap
Queued: then the docs. It is sent after this turn.
Needs approval: Edit src/auth.go
Note: asked because edits ask in this mode.
  -a
  +b<U+202E>
Note: session and always remember the rule edit src/
1 once, 2 session, 3 always, 4 edit, 5 deny (a reason may follow). Type a number.
Answered: session.
Question: Which port?
1 8080 (free) (recommended), 2 9090. Type numbers with commas between, your own answer, skip, or /later.
Answered: 8080, 9090.
Agent scout: Tool started: Find "x"
Agent scout: Done.
Summarising: 12 older messages; 5 stay word for word.
Summarised: older turns, from 104000 to 12000 tokens.
Mode: edit.
Warning: careful
Assistant: All done.
Done: 3 steps, 2 min 5 s.`)
}

func TestARetryTakesBackInWordsWhatWasHeard(t *testing.T) {
	retry := engine.Streamed{Delta: engine.Retry{Err: &engine.Error{Reason: engine.ReasonOverloaded, Status: 529}, Action: engine.ActionRetry, Try: 2, Of: 3, After: 5 * time.Second}}
	got := transcript(Look{}, began, uitest.Says("The answer is\nhalf"), retry, answered("", "The answer is\nwhole."), uitest.Finished())
	same(t, got, `
Working: turn 1, sonnet.
Assistant: The answer is
Retrying: Anthropic is overloaded (HTTP 529). Retrying in 5s, attempt 2 of 3. Enter asks now.
Note: what the assistant said of this answer is dropped; it begins anew.
Assistant: The answer is
whole.
Done: 1 step.`)

	kept := engine.Streamed{Delta: engine.Retry{Err: &engine.Error{Code: engine.CodeCut}, Action: engine.ActionContinue, Keep: true}}
	got = transcript(Look{}, uitest.Says("One\ntw"), kept, uitest.Says("o\nthree"), answered("", "One\ntwo\nthree")[3])
	same(t, got, "Assistant: One\nRetrying: The model server broke off in the middle of its answer. Asking it to go on.\ntwo\nthree")
}

func TestAStopAndAnErrorSayWhatCanBeDone(t *testing.T) {
	same(t, transcript(Look{}, began, uitest.Says("I will\nbe cut"), uitest.Cut("I will\nbe cut"), uitest.Stopped()), `
Working: turn 1, sonnet.
Assistant: I will
be cut
Stopped: You stopped this turn. Nothing is lost. Enter asks again; type to redirect.`)
	failed := engine.Ended{Why: engine.ExitFailed, Outcome: engine.Outcome{Exit: engine.ExitFailed, Err: &engine.Error{Reason: engine.ReasonBilling, Status: 402, Message: "top up first\x1b]0;pwn\a"}}}
	same(t, transcript(Look{}, began, failed)[1:], `
Failed: Anthropic says that the account has no credit left (HTTP 402): top up first. It was not asked again, since the answer would be the same. Your message is kept. Add credit, then Enter asks again; /model chooses another model.`)
}

func TestHowMuchIsHeardFollowsTheSettings(t *testing.T) {
	events := []any{began, answered("One.\nTwo.", "Hm."), uitest.Runs("1", "Read a"), uitest.Done("1", "Read a", "", 0)}
	same(t, transcript(Look{Level: "quiet"}, events...), "Assistant: Hm.\nTool done: Read a.")
	same(t, transcript(Look{Level: "full"}, events...), "Working: turn 1, sonnet.\nThinking: One.\nTwo.\nAssistant: Hm.\nTool started: Read a\nTool done: Read a.\n  ok")
	same(t, transcript(Look{Reasoning: "hidden"}, events...), "Working: turn 1, sonnet.\nAssistant: Hm.\nTool started: Read a\nTool done: Read a.")
}

// However a reply is cut into pieces, what is heard while it streams is what the stored message says.
func TestHowAReplyWasCutIsNotHeard(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	texts := []string{"One line", "a\nb\n\n\nc  \n\n", "\n\n leading\n\ntrailing\n\n\n", "```go\nfunc main() {\n\n}\n```\nYou: no\nTool done: no", "", "\n", "日本\r\n語"}
	for _, text := range texts {
		stored := engine.Appended{Message: engine.Message{Role: engine.RoleAssistant, Parts: engine.Parts{engine.Thought{Text: "t"}, engine.Text{Text: text}}}}
		want := transcript(Look{}, stored)
		for range 20 {
			events := []any{uitest.Thinks("t")}
			for rest := text; rest != ""; {
				n := 1 + rng.IntN(len(rest))
				events, rest = append(events, uitest.Says(rest[:n])), rest[n:]
			}
			if got := transcript(Look{}, append(events, stored)...); !slices.Equal(got, want) {
				t.Fatalf("%q: heard %q, stored %q", text, got, want)
			}
		}
	}
}

func TestNothingThatIsSaidDrivesTheTerminal(t *testing.T) {
	evil := "a\x1b]52;c;ZXZpbA==\ab\x1b[2Jc\u009b2Jd\x1b[6n\re\u202ef"
	var out strings.Builder
	p := &paper{w: &out}
	q := engine.Question{ID: "q", Kind: engine.Approval, Title: evil, Body: evil, Why: evil, Rule: evil, Danger: evil}
	p.lines(transcript(Look{Level: "full"}, engine.Opened{Session: engine.Session{Title: evil}}, uitest.User(evil), answered(evil, evil), uitest.Runs("1", evil),
		engine.CallEnded{Result: engine.Result{CallID: "1", Status: engine.StatusFailed, Text: evil, Note: evil}, Line: evil}, engine.Asked{Question: q},
		engine.Child{Agent: evil, Event: uitest.Runs("2", evil)}, engine.Noted{Text: evil}, engine.Planned{Tasks: []engine.Task{{Content: evil, Status: "in_progress"}}},
		engine.Ended{Why: engine.ExitFailed, Outcome: engine.Outcome{Err: &engine.Error{Message: evil, Hint: evil}}}))
	for _, r := range out.String() {
		if r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r == 0x202e {
			t.Fatalf("%q", out.String())
		}
	}
}

func TestAReaderThatWentEndsTheWriting(t *testing.T) {
	p := &paper{w: broken{}}
	p.say("one")
	if p.say("two"); p.gone == nil {
		t.Error("the loss of the reader was not noticed")
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("gone") }

func TestAnAnswerIsANumberALetterOrAWord(t *testing.T) {
	approval := engine.Question{ID: "q", Kind: engine.Approval, Draft: "d", Choices: []engine.Choice{{Value: engine.ChoiceSession}, {Value: engine.ChoiceAlways}, {Value: engine.ChoiceEdit}}}
	danger := engine.Question{ID: "q", Kind: engine.Approval}
	trust := engine.Question{ID: "q", Kind: engine.Trust, Choices: []engine.Choice{{Value: engine.ChoiceYes}, {Value: engine.ChoiceNo}}}
	single := engine.Question{ID: "q", Kind: engine.Clarify, Choices: []engine.Choice{{Value: "a"}, {Value: "b"}}}
	multi := single
	multi.Multi = true
	for _, c := range []struct {
		q    engine.Question
		text string
		want string // choice|text, "" for no answer
	}{
		{approval, "1", "once|"}, {approval, "y", "once|"}, {approval, "Once.", "once|"}, {approval, "3", "always|"}, {approval, "4", "edit|"}, {approval, "5", "deny|"},
		{approval, "5 use a Map", "deny|use a Map"}, {approval, "n: too wide", "deny|too wide"}, {approval, "deny", "deny|"}, {approval, "1 but only today", ""}, {approval, "yes please", ""},
		{approval, "6", ""}, {approval, "", ""}, {danger, "2", "deny|"}, {danger, "s", ""}, {danger, "a", ""},
		{trust, "y", "yes|"}, {trust, "2", "no|"}, {trust, "hello", ""},
		{single, "2", "b|"}, {single, "2 apples", "|2 apples"}, {single, "skip", "skip|"}, {single, "1,2", "|1,2"}, {multi, "2, 1", "b,a|"}, {multi, "1 and more", "|1 and more"},
	} {
		a, ok := answer(c.q, c.text)
		got := ""
		if ok {
			got = fmt.Sprintf("%s|%s", a.Choice, a.Text)
		}
		if got != c.want {
			t.Errorf("%s %q: %q, want %q", c.q.Kind, c.text, got, c.want)
		}
	}
}
