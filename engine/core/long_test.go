package core_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/agent"
	"talaria/engine/config"
	"talaria/engine/provider/providertest"
)

func compacted(e engine.Event) bool { c, ok := e.(engine.Compacted); return ok && c.Child != "" }

// sent is everything that a request says, as text.
func sent(r engine.Request) string {
	var b strings.Builder
	b.WriteString(r.System)
	for _, m := range r.Messages {
		b.WriteString("\n" + string(m.Role) + ": " + m.Text())
		for _, p := range m.Parts {
			if x, ok := p.(engine.Result); ok {
				b.WriteString(x.Text)
			}
			if x, ok := p.(engine.Call); ok {
				b.WriteString(x.Args)
			}
		}
	}
	return b.String()
}

// keeper is a side model that writes a checkpoint with the goal that it finds in what it is shown, and says so where it
// finds none.
func keeper(goal string) providertest.Step {
	return providertest.React(func(r engine.Request) []engine.Delta {
		say := "## Goal\nnobody said what it is, as far as can be seen in this piece"
		if strings.Contains(r.Messages[0].Text(), goal) {
			say = "## Goal\n" + goal + ". Everything else is as it was before."
		}
		return []engine.Delta{engine.TextDelta{Text: say}, engine.Done{Stop: engine.StopEnd}}
	})
}

// A conversation that passes its window three times keeps what it is for, its tasks and its last answers, and is one
// session to whoever looks for it.
func TestASessionPastItsWindowThreeTimesKeepsWhatMatters(t *testing.T) {
	const goal = "port the lexer to Go with table tests"
	todo := providertest.Calls(engine.Call{ID: "t1", Name: "todo", Args: `{"todos":[{"id":"a","content":"write the scanner","status":"completed"},{"id":"b","content":"write the fuzz target","status":"in_progress"}]}`})
	s := newStory(t, todo, providertest.Text("Planned."))
	for i := range 90 {
		s.model.Add(providertest.Text(fmt.Sprintf("answer %d %s", i+2, strings.Repeat("some words about the work ", 150))))
	}
	steps := []providertest.Step{}
	for range 30 {
		steps = append(steps, keeper(goal))
	}
	side := s.summaries(steps...)
	s.narrow(20_000)
	s.start("")
	first := until(s, func(engine.Opened) bool { return true }).Session.ID
	s.core.Do(engine.Submit{Text: "Please " + goal + "."})
	s.ended(1)
	n := 1
	for s.count(compacted) < 3 {
		if n++; n > 80 {
			t.Fatalf("compacted %d times in %d turns", s.count(compacted), n)
		}
		s.turns(n, n)
	}
	n++
	end := s.turns(n, n)
	last, _ := s.model.Last()
	text := sent(last)
	for _, want := range []string{goal, "write the fuzz target", fmt.Sprintf("answer %d ", n-1), fmt.Sprintf("request %d", n-1), fmt.Sprintf("request %d", n)} {
		if !strings.Contains(text, want) {
			t.Errorf("the last request does not hold %q", want)
		}
	}
	for _, r := range side.Requests() {
		if len(r.Messages) != 1 || r.Tools != nil {
			t.Errorf("a summary was asked for with %d messages and %d tools", len(r.Messages), len(r.Tools))
		}
	}
	s.stop()
	list, err := s.store.List(context.Background(), engine.Query{})
	if err != nil || len(list) != 1 || list[0].ID != end.Outcome.SessionID || list[0].Turns != n {
		t.Fatalf("%v: %d sessions, %d turns of %d", err, len(list), list[0].Turns, n)
	}
	lineage, at := 0, list[0]
	var oldest []engine.Record
	for {
		if oldest, err = s.store.Tail(context.Background(), at.ID, 0); err != nil || len(oldest) == 0 {
			t.Fatalf("%s: %d records, %v", at.ID, len(oldest), err)
		}
		if at.ParentID == "" {
			break
		}
		log, err := s.store.Open(context.Background(), at.ParentID)
		if err != nil {
			t.Fatal(err)
		}
		at = log.Session()
		log.Close()
		lineage++
	}
	if lineage != 3 || at.ID != first {
		t.Errorf("%d parents lead to %s, want 3 and %s", lineage, at.ID, first)
	}
	found := false
	for _, r := range oldest {
		if a, ok := r.Event.(engine.Appended); ok {
			found = found || strings.Contains(a.Message.Text(), goal)
		}
	}
	if !found {
		t.Error("the first message is not on disk any more")
	}
	s.start(list[0].ID)
	tasks := until(s, func(p engine.Planned) bool { return len(p.Tasks) > 0 })
	if len(tasks.Tasks) != 2 || tasks.Tasks[1].Content != "write the fuzz target" {
		t.Errorf("the tasks after a resume: %+v", tasks.Tasks)
	}
}

// A window that is smaller than most replies of tools (RULINGS 7, C04): results are bounded when they are stored, the
// history is compacted, every request fits, and the conversation goes on.
func TestC04SmallWindowsCompressAndGoOn(t *testing.T) {
	for _, window := range []int{8_192, 32_768} {
		t.Run(fmt.Sprint(window), func(t *testing.T) {
			s := newStory(t)
			const turns = 5
			for i := range turns {
				s.model.Add(providertest.Calls(engine.Call{ID: fmt.Sprintf("c%d", i), Name: "terminal", Args: fmt.Sprintf(`{"command":"cat huge.txt; echo %d"}`, i)}),
					providertest.Calls(engine.Call{ID: fmt.Sprintf("r%d", i), Name: "read_file", Args: `{"path":"huge.txt","limit":2000}`}),
					providertest.Text(fmt.Sprintf("answer %d %s", i, strings.Repeat("some words about the work ", window/80))))
			}
			if err := os.WriteFile(filepath.Join(s.deps.Dir, "huge.txt"), []byte(strings.Repeat("these are words of a large file, 日本語 too\n", 450)), 0o600); err != nil {
				t.Fatal(err)
			}
			steps := []providertest.Step{}
			for range 200 {
				steps = append(steps, keeper("look at the large file"))
			}
			s.summaries(steps...)
			s.narrow(window)
			s.deps.Mode = "auto"
			s.start("")
			s.core.Do(engine.Submit{Text: "look at the large file"})
			s.ended(1)
			end := s.turns(2, turns)
			if end.Why != engine.ExitFinished || s.count(compacted) == 0 {
				t.Errorf("ended %s after %d compactions: %v", end.Why, s.count(compacted), end.Outcome.Err)
			}
			for i, r := range s.model.Requests() {
				if n := agent.Estimate(r.System, r.Messages, r.Tools); n > window {
					t.Errorf("request %d has %d tokens for a window of %d", i+1, n, window)
				}
				for _, m := range r.Messages {
					if n := agent.Size(m); m.Role == engine.RoleTool && n > window/4+100 {
						t.Errorf("request %d: a result of %d tokens", i+1, n)
					}
				}
			}
			if last, _ := s.model.Last(); !strings.Contains(sent(last), "look at the large file") {
				t.Error("what it is about is lost")
			}
			for _, e := range s.told() {
				if x, ok := e.(engine.Ended); ok && x.Why != engine.ExitFinished {
					t.Errorf("a turn ended %s: %v", x.Why, x.Outcome.Err)
				}
			}
		})
	}
}

// A summariser that makes nothing shorter is asked twice at most, then the user is told, and the conversation goes on.
func TestC01CompactionThatDoesNotShrinkIsNotRepeated(t *testing.T) {
	s := newStory(t)
	for range 60 {
		s.model.Add(answerOf(4_000))
	}
	steps := []providertest.Step{}
	for range 60 {
		steps = append(steps, providertest.React(func(r engine.Request) []engine.Delta {
			return []engine.Delta{engine.TextDelta{Text: strings.Repeat(r.Messages[0].Text(), 2)}, engine.Done{Stop: engine.StopEnd}}
		}))
	}
	side := s.summaries(steps...)
	s.narrow(20_000)
	s.start("")
	s.turns(1, 12)
	before := len(side.Requests())
	end := s.turns(13, 30)
	if end.Why != engine.ExitFinished {
		t.Errorf("the last turn ended %s: %v", end.Why, end.Outcome.Err)
	}
	told := s.count(func(e engine.Event) bool {
		n, ok := e.(engine.Noted)
		return ok && strings.Contains(n.Text, "gains nothing")
	})
	all := len(side.Requests())
	if all == 0 || told == 0 || told > 2 {
		t.Errorf("%d summaries were asked for, %d of them before turn 13; told %d times", all, before, told)
	}
	if s.count(compacted) != 0 {
		t.Error("it was compacted to something longer")
	}
}

// What the user asked for long ago is background in the summary; what they ask now is the last message, word for word.
func TestC03AnOldRequestIsNotTheNewOne(t *testing.T) {
	s := newStory(t)
	for range 16 {
		s.model.Add(answerOf(3_000))
	}
	s.summaries(keeper("delete old logs"), keeper("delete old logs"))
	s.narrow(30_000)
	s.start("")
	s.core.Do(engine.Submit{Text: "delete old logs"})
	s.ended(1)
	s.turns(2, 10)
	s.core.Do(engine.Compact{})
	until(s, func(c engine.Compacted) bool { return c.Child != "" })
	s.core.Do(engine.Submit{Text: "now write README"})
	s.ended(11)
	last, _ := s.model.Last()
	newest := last.Messages[len(last.Messages)-1]
	if newest.Role != engine.RoleUser || newest.Text() != "now write README" {
		t.Errorf("the newest message is %q", newest.Text())
	}
	summaries := 0
	for i, m := range last.Messages {
		text := m.Text()
		if strings.Contains(text, "[Summary of the earlier conversation.") {
			summaries++
			if !strings.Contains(text, "do not take it up again") {
				t.Error("the summary does not say that it is background")
			}
		} else if summaries > 0 && i < len(last.Messages) && strings.Contains(text, "delete old logs") {
			t.Errorf("message %d after the summary asks for it again: %.80q", i, text)
		}
	}
	if summaries != 1 {
		t.Errorf("%d summaries", summaries)
	}
}

// Reasoning that a history holds as text, and keys, do not get into what is summarised, nor into the summary (RULINGS 2, 10).
func TestWhatIsSummarisedIsScrubbed(t *testing.T) {
	s := newStory(t)
	for range 12 {
		s.model.Add(answerOf(3_000))
	}
	side := providertest.React(func(engine.Request) []engine.Delta {
		return []engine.Delta{engine.TextDelta{Text: "<think>what do they want</think>" + checkpoint + "\nThe key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD"}, engine.Done{Stop: engine.StopEnd}}
	})
	sum := providertest.Scripted(side, side)
	s.deps.Aux = func(string, config.Resolved) (engine.Provider, engine.Route, error) {
		return forgetful{sum}, engine.Route{Provider: "demo", Model: "small"}, nil
	}
	s.narrow(30_000)
	s.start("")
	s.turns(1, 4)
	s.core.Do(engine.Submit{Text: "<think>hidden musing</think>the key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD"})
	s.ended(5)
	s.turns(6, 11)
	s.core.Do(engine.Compact{})
	told := until(s, func(c engine.Compacted) bool { return c.Child != "" })
	asked := sum.Requests()[0].Messages[0].Text()
	if !strings.Contains(asked, "the key is") {
		t.Fatal("the message was not among those that were summarised")
	}
	for what, text := range map[string]string{"the question": asked, "the summary": told.Summary} {
		for _, no := range []string{"hidden musing", "what do they want", "sk-proj-abcdefghijklmnop", "<think>"} {
			if strings.Contains(text, no) {
				t.Errorf("%s holds %q", what, no)
			}
		}
	}
}
