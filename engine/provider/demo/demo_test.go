package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"talaria/engine"
)

var allTools = []string{"read_file", "write_file", "patch", "search_files", "terminal", "todo", "clarify"}

func specs(names []string) []engine.Spec {
	var out []engine.Spec
	for _, n := range names {
		out = append(out, engine.Spec{Name: n})
	}
	return out
}

// session plays the loop's part: it answers calls from results and keeps the history.
type session struct {
	t       *testing.T
	tools   []string
	results map[string]engine.Result // by tool, or by tool and the command's first word; the rest is done with "ok"
	history []engine.Message
	replies []engine.Message
}

func start(t *testing.T) *session {
	return &session{t: t, tools: allTools, results: map[string]engine.Result{
		"search_files": {Text: "src/a.go\nREADME.md\n2 files.", Status: engine.StatusDone, Note: "2 files"},
		"clarify":      {Text: "The user answered: A haiku", Status: engine.StatusDone},
	}}
}

func (s *session) ask() engine.Message {
	s.t.Helper()
	var f engine.Fold
	for d, err := range Paced(0).Stream(s.t.Context(), engine.Request{Messages: s.history, Tools: specs(s.tools)}) {
		if err != nil {
			s.t.Fatal(err)
		}
		f.Add(d)
	}
	if !f.Done() {
		s.t.Fatal("the reply has no end")
	}
	m := f.Message(time.Now())
	s.history, s.replies = append(s.history, m), append(s.replies, m)
	return m
}

func (s *session) result(c engine.Call) engine.Result {
	var args struct{ Command string }
	if err := json.Unmarshal([]byte(c.Args), &args); err != nil {
		s.t.Errorf("%s has the arguments %s: %v", c.ID, c.Args, err)
	}
	key, _, _ := strings.Cut(args.Command, " ")
	r, ok := s.results[strings.TrimSpace(c.Name+" "+key)]
	if !ok {
		r, ok = s.results[c.Name]
	}
	if !ok {
		r = engine.Result{Text: "ok", Status: engine.StatusDone}
	}
	r.CallID, r.Name = c.ID, c.Name
	return r
}

func (s *session) answer(m engine.Message) {
	for _, c := range m.Calls() {
		s.history = append(s.history, engine.ToolMessage(s.result(c), time.Now()))
	}
}

// say sends text and plays the turn to its end; it returns the last reply's text.
func (s *session) say(text string) string {
	s.t.Helper()
	s.replies = nil
	s.history = append(s.history, engine.UserMessage(text, time.Now()))
	for range 20 {
		m := s.ask()
		if len(m.Calls()) == 0 {
			return m.Text()
		}
		s.answer(m)
	}
	s.t.Fatal("the turn does not end")
	return ""
}

// calls lists the tools of each reply of the turn, as "todo+clarify".
func (s *session) calls() []string {
	var out []string
	for _, m := range s.replies {
		var names []string
		for _, c := range m.Calls() {
			names = append(names, c.Name)
		}
		out = append(out, strings.Join(names, "+"))
	}
	return out
}

func (s *session) said() string {
	var all []string
	for _, m := range s.replies {
		all = append(all, m.Text())
	}
	return strings.Join(all, "\n\n")
}

func (s *session) args(tool string) (all []string) {
	for _, m := range s.replies {
		for _, c := range m.Calls() {
			if c.Name == tool {
				all = append(all, c.Args)
			}
		}
	}
	return all
}

func expect(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%q is missing in:\n%s", p, text)
		}
	}
}

func TestTheTourShowsEveryPart(t *testing.T) {
	s := start(t)
	s.say("Tour!")
	want := []string{"todo", "search_files+search_files", "read_file+read_file", "todo+clarify", "todo+write_file", "todo+terminal", "todo+terminal", "todo", ""}
	if got := s.calls(); !slices.Equal(got, want) {
		t.Errorf("calls %q\nwant  %q", got, want)
	}
	expect(t, s.said(), "# The tour", "1. reading", "**script**", "2 files and 2 files", "| searching | 2 files", "```go", "`README.md` and `src/a.go`",
		"You chose **A haiku**", "is gone again", "## That was the tour")
	expect(t, s.args("write_file")[0], demoFile, "A script speaks its lines.")
	expect(t, s.args("clarify")[0], `"recommended":true`)
	expect(t, s.args("terminal")[1], "rm "+demoFile)
	if s.replies[0].Reasoning() == "" {
		t.Error("no thinking")
	}
	todos := s.args("todo")
	for i, want := range []string{"in_progress pending pending pending pending", "completed in_progress pending pending pending",
		"completed completed in_progress pending pending", "completed completed completed in_progress pending",
		"completed completed completed completed in_progress", "completed completed completed completed completed"} {
		var list struct{ Todos []engine.Task }
		if err := json.Unmarshal([]byte(todos[i]), &list); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, task := range list.Todos {
			got = append(got, task.Status)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("update %d: %s, want %s", i, got, want)
		}
	}
}

func TestADeniedEditIsAcknowledgedAndLeavesNothing(t *testing.T) {
	s := start(t)
	s.results["write_file"] = engine.Result{Text: "denied by the user", Status: engine.StatusDenied}
	s.say("tour")
	expect(t, s.said(), "You denied the edit", "Nothing was written, so nothing is left behind")
	if got := s.args("terminal"); len(got) != 1 {
		t.Errorf("commands %q: a file that does not exist is not removed", got)
	}
	expect(t, s.args("todo")[len(s.args("todo"))-1], `"id":"write","content":"Write talaria-demo.txt","status":"cancelled"`)
}

func TestADeniedRemovalSaysHowToDoIt(t *testing.T) {
	s := start(t)
	s.results["terminal rm"] = engine.Result{Text: "no", Status: engine.StatusDenied}
	s.say("tour")
	expect(t, s.said(), "The command ended by itself", "stays where it is", "`rm talaria-demo.txt`")
}

func TestTheAnswerDecidesWhatIsWritten(t *testing.T) {
	for _, c := range []struct {
		result engine.Result
		file   string
		said   string
	}{
		{engine.Result{Text: `{"question":"What?","choices_offered":["A greeting","A haiku"],"user_response":"A haiku"}`, Status: engine.StatusDone}, "A script speaks", "**A haiku**"},
		{engine.Result{Text: "The user answered: write about Go", Status: engine.StatusDone}, `You said:\n\nwrite about Go`, "in your own words"},
		{engine.Result{Text: "The user answered: a haiku about Go", Status: engine.StatusDone}, `You said:\n\na haiku about Go`, "in your own words"},
		{engine.Result{Text: "The user gave no answer. Use your best judgement.", Status: engine.StatusDone}, "Hello!", "There was no answer"},
		{engine.Result{Text: "stopped", Status: engine.StatusStopped}, "Hello!", "There was no answer"},
		{engine.Result{Text: "The user answered: No file at all\nThe user adds: thanks", Status: engine.StatusDone}, "", "so I write none"},
	} {
		s := start(t)
		s.results["clarify"] = c.result
		s.say("tour")
		expect(t, s.said(), c.said)
		if got := s.args("write_file"); c.file == "" && len(got) != 0 {
			t.Errorf("%q: wrote %q", c.result.Text, got)
		} else if c.file != "" {
			expect(t, strings.Join(got, ""), c.file)
		}
	}
}

func TestAToolThatIsSwitchedOffIsSkippedAndSaidOnceAStep(t *testing.T) {
	for off, steps := range map[string]int{"read_file": 1, "write_file": 1, "patch": 0, "search_files": 1, "terminal": 2, "todo": 2, "clarify": 1} {
		s := start(t)
		s.tools = slices.DeleteFunc(slices.Clone(allTools), func(n string) bool { return n == off })
		s.say("tour")
		if len(s.args(off)) != 0 {
			t.Errorf("%s was called", off)
		}
		if said := strings.Count(s.said(), "needs the tool `"+off+"`"); said != steps {
			t.Errorf("%s: said %d times, want %d:\n%s", off, said, steps, s.said())
		}
		expect(t, s.said(), "That was the tour")
	}
}

func TestAnyOtherWordsGetAnHonestAnswer(t *testing.T) {
	for _, text := range []string{"hello", "please fix the bug in main.go", "what is a tour?", "11", "help", ""} {
		s := start(t)
		expect(t, s.say(text), "scripted", "cannot really read your question", "type `tour` to start")
		if len(s.calls()) != 1 {
			t.Errorf("%q: calls %q", text, s.calls())
		}
	}
	s := start(t)
	expect(t, s.say("continue"), "nothing to continue")
}

func TestEachPartOfTheListWorksByItself(t *testing.T) {
	for word, want := range map[string][]string{
		"2": {""}, "markdown": {""}, "files": {"search_files+search_files", "read_file+read_file", ""}, "4": {"clarify", ""},
		"edit": {"write_file", "terminal", ""}, "6.": {"terminal", ""}, "LONG": {""}, "8": {""},
	} {
		s := start(t)
		s.say(word)
		if !slices.Equal(s.calls(), want) {
			t.Errorf("%s: calls %q, want %q", word, s.calls(), want)
		}
	}
}

func TestASearchWithoutTextFilesLeavesOutTheReading(t *testing.T) {
	s := start(t)
	s.results["search_files"] = engine.Result{Text: "photo.png\n12:see notes.md", Status: engine.StatusDone}
	s.say("3")
	expect(t, s.said(), "named no text file")
}

func TestAStoppedTourGoesOnWhereItWas(t *testing.T) {
	s := start(t)
	s.history = append(s.history, engine.UserMessage("tour", time.Now()))
	for range 5 {
		s.answer(s.ask())
	}
	m := s.ask() // the command
	s.results["terminal"] = engine.Result{Text: "stopped by the user", Status: engine.StatusStopped}
	s.answer(m)
	delete(s.results, "terminal")
	s.say("continue")
	if want := []string{"todo+terminal", "todo", ""}; !slices.Equal(s.calls(), want) {
		t.Errorf("calls %q, want %q", s.calls(), want)
	}
	expect(t, s.said(), "You stopped the command", "That was the tour")
}

func TestASecondTourBeginsAnewWithOtherIDs(t *testing.T) {
	s := start(t)
	s.say("tour")
	s.say("thanks")
	s.say("tour")
	if len(s.calls()) != 9 {
		t.Errorf("calls %q", s.calls())
	}
	seen := map[string]bool{}
	for _, m := range s.history {
		for _, c := range m.Calls() {
			if seen[c.ID] {
				t.Errorf("id %s twice", c.ID)
			}
			seen[c.ID] = true
		}
	}
}

func TestTheSameRequestGetsTheSameReply(t *testing.T) {
	s := start(t)
	s.say("tour")
	for n := 1; n < len(s.history); n++ {
		req := engine.Request{Messages: s.history[:n], Tools: specs(allTools)}
		a, b := next(req), next(req)
		if fmt.Sprint(a) != fmt.Sprint(b) {
			t.Errorf("after %d messages: %v and %v", n, a, b)
		}
	}
}

func TestTheGraceCallSumsUp(t *testing.T) {
	s := start(t)
	s.history = append(s.history, engine.UserMessage("tour", time.Now()))
	for range 3 {
		s.answer(s.ask())
	}
	s.tools = nil
	m := s.ask()
	expect(t, m.Text(), "plan, find and read")
	if len(m.Calls()) != 0 {
		t.Errorf("calls %v", m.Calls())
	}
	s = start(t)
	s.tools = nil
	expect(t, s.say("tour"), "No tools are at hand")
}

func TestASteerIsAcknowledgedOnce(t *testing.T) {
	s := start(t)
	s.history = append(s.history, engine.UserMessage("tour", time.Now()))
	s.answer(s.ask())
	newest := &s.history[len(s.history)-1]
	newest.Parts = append(newest.Parts, engine.Text{Text: "be quick"})
	m := s.ask()
	expect(t, m.Text(), `"be quick"`)
	s.answer(m)
	if strings.Contains(s.ask().Text(), "be quick") {
		t.Error("said twice")
	}
}

func TestWordsComeAtTheirPaceAndAStopEndsThemAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		req := engine.Request{Messages: []engine.Message{engine.UserMessage("7", time.Now())}, Tools: specs(allTools)}
		began, pieces := time.Now(), 0
		for d, err := range Paced(20*time.Millisecond).Stream(t.Context(), req) {
			if _, ok := d.(engine.TextDelta); ok && err == nil {
				pieces++
			}
		}
		if took := time.Since(began); took != time.Duration(pieces)*20*time.Millisecond || pieces < 300 {
			t.Errorf("%d pieces in %v", pieces, took)
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		began = time.Now()
		var last error
		for _, err := range New().Stream(ctx, req) {
			last = err
		}
		var e *engine.Error
		if time.Since(began) != time.Second || !errors.As(last, &e) || !errors.Is(last, context.Canceled) {
			t.Errorf("after %v: %v", time.Since(began), last)
		}
	})
}

func TestThePretendedFailureCountsDownAndDropsWhatWasSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		waited := time.Duration(0)
		req := engine.Request{Messages: []engine.Message{engine.UserMessage("8", time.Now())}, Tools: specs(allTools),
			Wait: func(_ context.Context, d time.Duration) error { waited = d; return nil }}
		var f engine.Fold
		for d, err := range New().Stream(t.Context(), req) {
			if err != nil {
				t.Fatal(err)
			}
			f.Add(d)
		}
		if text := f.Message(time.Now()).Text(); text != script["retry: again"] || len(f.Retries()) != 1 || waited != f.Retries()[0].After || waited < 5*time.Second {
			t.Errorf("text %q, retries %+v, waited %v", text, f.Retries(), waited)
		}
		stop := errors.New("stop")
		req.Wait = func(context.Context, time.Duration) error { return stop }
		var last error
		for _, err := range Paced(0).Stream(t.Context(), req) {
			last = err
		}
		if !errors.Is(last, stop) {
			t.Errorf("error %v", last)
		}
	})
}

func TestAConsumerMayLeaveAtAnyDelta(t *testing.T) {
	req := engine.Request{Messages: []engine.Message{engine.UserMessage("3", time.Now())}, Tools: specs(allTools)}
	for n := 1; n < 60; n++ {
		seen := 0
		for range Paced(0).Stream(t.Context(), req) {
			if seen++; seen == n {
				break
			}
		}
	}
}

// A text that nothing can say is dead; a text that is said but missing is silence.
func TestEveryTextIsUsedAndEveryUsedTextIsThere(t *testing.T) {
	used := map[string]bool{"help": true, "nothing to continue": true, "steer": true, "no tool": true, "sum": true, "idle": true,
		"ask: free": true, "ask: unanswered": true, "ask: done": true, "own words": true, "read: none": true, "write: skipped": true,
		"remove: nothing": true, "retry: again": true}
	must := maps.Clone(used)
	for _, p := range parts {
		must[p.end] = true
		used[p.end], used[p.end+": thought"] = true, true
		for _, n := range p.steps {
			must[n] = true
			used[n+": thought"] = true
			for _, status := range severity[1:] {
				used[n+": "+status] = true
				if n != "ask" && steps[n].tool != "todo" {
					must[n+": "+status] = true
				}
			}
		}
	}
	for _, c := range choices {
		if c.text != "" {
			must[c.text] = true
		}
	}
	maps.Copy(used, must)
	for name := range script {
		if !used[name] {
			t.Errorf("the text %q is never said", name)
		}
	}
	for name := range must {
		if script[name] == "" {
			t.Errorf("there is no text %q", name)
		}
	}
}

func TestNoTextHasAPlaceholderLeft(t *testing.T) {
	for _, status := range []engine.Status{engine.StatusDone, engine.StatusDenied, engine.StatusFailed, engine.StatusStopped} {
		s := start(t)
		for _, tool := range []string{"terminal", "write_file", "read_file", "terminal rm"} {
			s.results[tool] = engine.Result{Text: "x", Status: status}
		}
		s.say("tour")
		for _, name := range []string{"{file}", "{files}", "{note}", "{answer}", "{find}", "{read}", "{tool}", "{steer}", "{done}"} {
			if strings.Contains(s.said(), name) {
				t.Errorf("%s is left in:\n%s", name, s.said())
			}
		}
	}
	if _, err := os.Stat(demoFile); err == nil {
		t.Error("the demo wrote a file by itself")
	}
}
