package transcript

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/style"
)

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".txt")
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(path, []byte(got+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got+"\n" != string(want) {
		t.Errorf("%s:\n%s\nwant:\n%s", name, got, want)
	}
}

func TestAWholeSessionAtThreeWidths(t *testing.T) {
	for _, w := range []int{120, 80, 40} {
		s := newStage(t, w, 70)
		story(s)
		golden(t, fmt.Sprintf("running.%d", w), s.screen())
		finish(s)
		golden(t, fmt.Sprintf("stopped.%d", w), s.screen())
	}
}

func TestAReplayShowsTheSameAsTheLiveSession(t *testing.T) {
	s := newStage(t, 80, 30)
	s.on(turn(), user("hi"), thinks("let me think"), says("Hello *there*"), fin(),
		assistant(engine.Thought{Text: "let me think"}, engine.Text{Text: "Hello *there*"}),
		began("1", "Read a.go"), ended("1", engine.StatusDone, 2000, "1–9"), engine.Ended{Why: engine.ExitFinished})
	live := s.screen()
	past := []engine.Record{
		{Event: engine.Opened{}}, {Op: engine.Submit{Text: "hi"}}, {Event: turn()}, {Event: user("hi")},
		{Event: assistant(engine.Thought{Text: "let me think"}, engine.Text{Text: "Hello *there*"})},
		{Event: began("1", "Read a.go")}, {Event: ended("1", engine.StatusDone, 2000, "1–9")}, {Event: engine.Ended{Why: engine.ExitFinished}},
	}
	r := newStage(t, 80, 30)
	r.on(user("of another session"), engine.Opened{Resumed: true, Past: past})
	if r.screen() != live {
		t.Errorf("replayed:\n%s\nlive:\n%s", r.screen(), live)
	}
	if r.Busy() {
		t.Error("a replay has running clocks")
	}
}

func TestACallThatNeverEndedIsShownAsStopped(t *testing.T) {
	s := newStage(t, 80, 10)
	s.on(engine.Opened{Past: []engine.Record{{Event: user("go")}, {Event: began("1", "$ sleep 1000")}}})
	s.see("■ $ sleep 1000", "no result was stored")
}

func TestResultsWithoutACallAreShown(t *testing.T) {
	s := newStage(t, 80, 10)
	s.on(assistant(engine.Call{ID: "x", Name: "read_file", Args: `{"path": "a.go"}`}),
		engine.Appended{Message: engine.ToolMessage(engine.Result{CallID: "x", Name: "read_file", Text: "…", Status: engine.StatusDone}, time.Time{})})
	s.see(`✓ read_file {"path": "a.go"}`)
}

func TestS25TextStandsOnceAfterARetry(t *testing.T) {
	s := newStage(t, 80, 20)
	s.on(turn(), user("say it"), says("Hello wor"), engine.Streamed{Delta: engine.CallDelta{ID: "dead", Name: "ls", Args: "{" + strings.Repeat(" ", 500)}})
	s.see("Hello wor", "writing the call of ls")
	s.on(engine.Streamed{Delta: engine.Retry{Err: &engine.Error{Reason: engine.ReasonTimeout, Code: engine.CodeCut}, Action: engine.ActionRetry, Try: 2, Of: 3, After: 5 * time.Second}})
	s.missing("Hello", "writing")
	s.see("▲ Anthropic broke off in the middle of its answer", "Retrying in 5s", "attempt 2 of 3", "Enter retry now       m  another model for this turn")
	s.pass(3 * time.Second)
	s.see("Retrying in 2s")
	s.on(says("Hello world"), fin(), assistant(engine.Text{Text: "Hello world"}))
	if n := strings.Count(s.screen(), "Hello"); n != 1 {
		t.Errorf("the text stands %d times:\n%s", n, s.screen())
	}
	s.see("asked again, attempt 2 of 3")
	if s.Busy() {
		t.Error("the countdown still runs")
	}
}

func TestS25AContinuationGoesOnWhereItWas(t *testing.T) {
	s := newStage(t, 80, 20)
	s.on(says("one two "), engine.Streamed{Delta: engine.Retry{Action: engine.ActionContinue, Keep: true}})
	s.see("one two", "Asking it to go on")
	s.on(says("three"), fin(), assistant(engine.Text{Text: "one two three"}))
	s.see("one two three")
	s.missing("▲")
}

func TestAThoughtRollsAndThenFolds(t *testing.T) {
	s := newStage(t, 60, 12)
	for i := range 40 {
		s.on(thinks(fmt.Sprintf("step %d of the plan\n", i)))
	}
	s.pass(14 * time.Second)
	s.see("∴ Thinking · 14s", "Ctrl+O show all", "step 37", "step 38", "step 39")
	s.missing("step 36")
	s.on(says("Done thinking."))
	s.see("∴ Thought for 14s · step 0 of the plan       Ctrl+O show all", "Done thinking.")
	s.missing("step 39", "step 1")
	if !s.ToggleLast() {
		t.Fatal("the thought cannot be expanded")
	}
	s.see("step 0", "step 1")
	s.ToggleLast()
	s.missing("step 1")
}

func TestAShortThoughtIsALineWithNothingMoreToSee(t *testing.T) {
	s := newStage(t, 80, 8)
	s.on(thinks("Two searches at the same time."))
	s.see("∴ Thinking", "  Two searches at the same time.")
	s.missing("Ctrl+O")
	s.on(says("I look around."), fin(), assistant(engine.Thought{Text: "Two searches at the same time."}, engine.Text{Text: "I look around."}))
	s.see("∴ Thought · Two searches at the same time.")
	s.missing("Ctrl+O")
	if s.ToggleLast() {
		t.Error("it was expanded, though nothing is hidden")
	}
}

// snapshot is how a reply that still arrives stands in the journal.
func snapshot(id string, aside bool, parts ...engine.Part) engine.Event {
	return engine.Appended{Message: engine.Message{ID: id, Role: engine.RoleAssistant, Aside: aside, Parts: parts}}
}

func TestAReplyThatWasJournalledOnTheWayIsShownOnce(t *testing.T) {
	parts := func(text string) []engine.Part {
		return []engine.Part{engine.Thought{Text: "hm, " + text}, engine.Text{Text: text}}
	}
	past := []engine.Record{{Event: user("hi")}, {Event: snapshot("m1", true, parts("One")...)}, {Event: snapshot("m1", true, parts("One two")...)},
		{Event: snapshot("m1", false, parts("One two three.")...)}, {Event: engine.Ended{Why: engine.ExitFinished}},
		{Event: user("more")}, {Event: snapshot("m2", true, parts("Four")...)}, {Event: snapshot("m2", true, parts("Four five")...)}}
	s := newStage(t, 80, 20)
	s.on(engine.Opened{Resumed: true, Past: past[:5]})
	if got := strings.Fields(s.screen()); strings.Join(got, " ") != "❯ hi ∴ Thought · hm, One two three. One two three." {
		t.Errorf("a whole reply is shown as:\n%s", s.screen())
	}
	s.on(engine.Opened{Resumed: true, Past: past}) // the program ended while the second reply arrived
	s.see("One two three.", "Four five\n■ Stopped")
	if n := strings.Count(s.screen(), "Four"); n != 2 { // the thought and the text
		t.Errorf("the cut reply stands there %d times:\n%s", n, s.screen())
	}
}

func TestAQuestionOfAProgramThatEndedNeedsNobody(t *testing.T) {
	s := newStage(t, 80, 6)
	past := []engine.Record{{Event: engine.Asked{Question: engine.Question{ID: "q", CallID: "1"}}}, {Event: began("1", "Ask Which store?")}}
	s.on(engine.Opened{Resumed: true, Past: past})
	s.see("■ Ask Which store?")
	hundred(s, 10)
	s.PageUp()
	s.on(user("more"))
	if p := s.Pill(); strings.Contains(p, "needs you") {
		t.Errorf("the pill is %q", p)
	}
}

func TestACallThatWaitsForTheUserHasNoClock(t *testing.T) {
	s := newStage(t, 80, 12)
	ask := engine.Question{ID: "q", CallID: "1", Kind: engine.Clarify}
	s.on(began("1", "Ask Which store?"), engine.Asked{Question: ask}, began("2", "$ make"))
	s.pass(30 * time.Second)
	s.see("⏸ Ask Which store?  waiting for you\n◐ $ make", "0:30", "no output yet")
	if n := strings.Count(s.screen(), "0:30"); n != 1 {
		t.Errorf("%d clocks run:\n%s", n, s.screen())
	}
	s.on(engine.Withdrawn{ID: "q", Choice: "1"})
	s.pass(2 * time.Second)
	s.see("◐ Ask Which store?", "0:02", "0:32")
	s.on(ended("1", engine.StatusDone, 32000, "Redis"))
	s.see("✓ Ask Which store?  Redis\n")

	s.on(engine.Asked{Question: engine.Question{ID: "p", CallID: "3", Kind: engine.Approval}}, began("3", "Edit a.go")) // asked before it began
	s.see("⏸ Edit a.go  waiting for you")
	s.on(engine.Withdrawn{ID: "p"})
	s.pass(3 * time.Second)
	s.see("◐ Edit a.go")
	s.on(engine.Asked{Question: engine.Question{ID: "r", CallID: "3"}}, engine.Ended{Why: engine.ExitInterrupted})
	s.see("■ Edit a.go  stopped")
}

func TestACommandThatWasAllowedDespiteItsDangerShowsIt(t *testing.T) {
	s := newStage(t, 60, 8)
	for id, status := range map[string]engine.Status{"1": engine.StatusDone, "2": engine.StatusDenied} {
		s.on(engine.Asked{Question: engine.Question{ID: "q" + id, CallID: id, Kind: engine.Approval, Danger: "deletes a\ndirectory tree"}}, engine.Withdrawn{ID: "q" + id})
		if status == engine.StatusDone {
			s.on(began(id, "$ rm -r build"))
		} else {
			s.on(assistant(engine.Call{ID: id, Name: "terminal"}))
		}
		s.on(ended(id, status, 0, ""))
		s.see("  ▲ deletes a directory tree")
	}
	s.on(began("3", "$ ls"))
	if n := strings.Count(s.screen(), "▲"); n != 2 {
		t.Errorf("%d calls are shown as dangerous:\n%s", n, s.screen())
	}
}

func TestACommandThatPrintedNothingIsALine(t *testing.T) {
	s := newStage(t, 60, 8)
	for i, text := range []string{"(no output)\n[exit 0]", "hi\n[exit 0]"} {
		id := fmt.Sprint(i)
		s.on(began(id, "$ run "+id), engine.CallEnded{Result: engine.Result{CallID: id, Text: text, Status: engine.StatusDone}})
	}
	if got := strings.TrimSpace(s.screen()); got != "✓ $ run 0\n✓ $ run 1\n  hi" {
		t.Errorf("%s", got)
	}
	s.ToggleLast()
	s.see("[exit 0]")
}

func TestATaskListIsCountedOnceAndCanBeLookedAt(t *testing.T) {
	s := newStage(t, 60, 12)
	call := engine.Call{ID: "1", Name: "todo"}
	s.on(engine.CallBegan{Call: call, Line: "Todo 1/3"}, engine.CallEnded{Result: engine.Result{CallID: "1", Name: "todo", Status: engine.StatusDone, Note: "1/3",
		Text: `{"todos":[{"id":"1","content":"Read the tests","status":"completed"},{"id":"2","content":"Fix the race","status":"in_progress"},` +
			`{"id":"3","content":"Run them all, and when one of them still fails look at it again","status":"pending"},{"id":"4","content":"Tell","status":"cancelled"}],"counts":{}}`}})
	if got := strings.TrimSpace(s.screen()); got != "✓ Todo 1/3" {
		t.Errorf("the line is %q", got)
	}
	s.ToggleLast()
	s.see("  ✓ Read the tests", "  ◐ Fix the race", "  ○ Run them all, and when one of them still fails look at\n    it again", "  ⊘ Tell")
	s.missing("todos", "counts")
	s.on(engine.CallBegan{Call: engine.Call{ID: "2", Name: "todo"}, Line: "Todo"}, ended("2", engine.StatusDone, 0, "2/3"))
	s.see("✓ Todo  2/3")
}

func TestARunningToolHasAWindowOfFixedHeight(t *testing.T) {
	for _, c := range []struct{ width, rows int }{{80, 4}, {50, 2}} {
		s := newStage(t, c.width, 20)
		s.on(began("1", "$ make"))
		s.pass(3 * time.Second)
		s.see("◐ $ make", "0:03", "no output yet")
		s.on(wrote("1", "a\nb\nc\nd\ne\nf\n"))
		full := strings.TrimLeft(s.screen(), "\n")
		if got := strings.Count(full, "\n"); got != c.rows {
			t.Errorf("at %d the window has %d rows:\n%s", c.width, got, full)
		}
		s.on(wrote("1", "10%\r20%"))
		if rows := strings.Count(strings.TrimLeft(s.screen(), "\n"), "\n"); rows != c.rows {
			t.Errorf("the window changed its height to %d", rows)
		}
		s.see("20%")
		s.missing("10%")
		s.on(ended("1", engine.StatusDone, 8000, ""))
		s.see("✓ $ make", "0:08")
		if s.Busy() {
			t.Error("an ended call still has a clock")
		}
	}
}

func TestAFailedCallShowsItsLastTenLines(t *testing.T) {
	s := newStage(t, 80, 30)
	var out strings.Builder
	for i := range 412 {
		fmt.Fprintf(&out, "line %d\n", i)
	}
	s.on(began("1", "$ npm test"), wrote("1", out.String()), ended("1", engine.StatusFailed, 48000, "exit 1"))
	s.see("✗ $ npm test  exit 1", "0:48", "line 402", "line 411", "402 more lines · Ctrl+O")
	s.missing("line 401")
	s.ToggleLast()
	s.Bottom()
	s.see("line 390")
}

func TestAnEditShowsItsDiffCapped(t *testing.T) {
	s := newStage(t, 80, 60)
	var diff strings.Builder
	diff.WriteString("--- a/x.go\n+++ b/x.go\n@@ -0,0 +1,40 @@\n")
	for i := range 40 {
		fmt.Fprintf(&diff, "+line %d\n", i)
	}
	s.on(began("1", "Write x.go"), engine.CallEnded{Result: engine.Result{CallID: "1", Status: engine.StatusDone, Text: "ok", Diff: diff.String()}})
	s.see("✓ Write x.go  +40 −0", "+ line 0", "29 more lines · Ctrl+O")
	s.missing("line 20")
	s.ToggleLast()
	s.see("line 39")
}

func TestAnErrorHasThreeParts(t *testing.T) {
	s := newStage(t, 80, 12)
	s.on(turn(), user("hi"), engine.Ended{Why: engine.ExitFailed, Outcome: engine.Outcome{
		DurationMS: 41000, Recoveries: []engine.Recovery{{}, {}},
		Err: &engine.Error{Reason: engine.ReasonOverloaded, Status: 529, Message: "Overloaded: try later\nrequest req_8f2c"}}})
	s.see("✗ Anthropic is overloaded (HTTP 529)", "Overloaded: try later", "Asked 3 times in 41s, without an answer. Your message is kept.", "Enter asks again · /model")
	s.missing("req_8f2c")
	s.ToggleLast()
	s.see("req_8f2c")
	s.on(user("again"))
	s.missing("Enter asks again")
}

func TestAStopIsToldOnce(t *testing.T) {
	s := newStage(t, 80, 12)
	s.on(turn(), user("go"), says("I was about to"), engine.Appended{Message: engine.Message{Role: engine.RoleAssistant, Aside: true, Parts: engine.Parts{engine.Text{Text: "I was about to"}}}})
	s.see("I was about to", "■ Stopped")
	s.on(engine.Ended{Why: engine.ExitInterrupted})
	s.see("I was about to", "■ You stopped this turn. Nothing is lost.", "Enter asks again · type to redirect")
	s.missing("■ Stopped")
}

func TestEveryWayATurnCanEndIsTold(t *testing.T) {
	for _, why := range []engine.Exit{engine.ExitIterations, engine.ExitBudget, engine.ExitInterrupted, engine.ExitApproval, engine.ExitBlocked,
		engine.ExitTruncated, engine.ExitInvalidCalls, engine.ExitFailed} {
		s := newStage(t, 80, 12)
		s.on(user("go"), engine.Ended{Why: why})
		if lines := strings.Split(strings.TrimSpace(s.screen()), "\n"); len(lines) < 4 {
			t.Errorf("%s ends without a word and a way on:\n%s", why, s.screen())
		}
	}
	s := newStage(t, 80, 12)
	s.on(user("go"), engine.Ended{Why: engine.ExitFinished})
	if got := strings.TrimSpace(s.screen()); got != "❯ go" {
		t.Errorf("a finished turn says %q", got)
	}
}

func TestNotesAndSummariesAreShown(t *testing.T) {
	s := newStage(t, 80, 20)
	s.on(engine.Noted{Kind: engine.NoteDegraded, Text: "The disk is full.\nNothing is lost while this window is open."},
		engine.Noted{Kind: engine.NoteSaved, Text: "Saving works again."}, engine.Noted{Kind: engine.NoteModel, Text: "gpt-5.5"},
		engine.Noted{Kind: engine.NoteTitle, Text: "a title"}, engine.Compacted{Child: "c", Before: 104000, After: 40000, Summary: "We fixed *it*."})
	s.see("▲ The disk is full.", "  Nothing is lost while", "✓ Saving works again.", "· The model is now gpt-5.5", "── Older turns were summarised: 104k to 40k tokens ──")
	s.missing("a title", "We fixed")
	s.ToggleLast()
	s.see("We fixed it.")
}

func TestAnEmptyConversationShowsTheWelcomeFromTheTop(t *testing.T) {
	s := newStage(t, 40, 6)
	s.SetWelcome([]string{"", "talaria 1.0", strings.Repeat("a long line ", 9)})
	got := strings.Split(s.screen(), "\n")
	if got[1] != "talaria 1.0" || !s.Empty() || style.Width(got[2]) > 40 {
		t.Errorf("welcome:\n%s", s.screen())
	}
	s.on(user("hi"))
	if got = strings.Split(s.screen(), "\n"); got[5] != "❯ hi" || got[1] != "" {
		t.Errorf("a short conversation does not stand at the bottom:\n%s", s.screen())
	}
}

func TestALongMessageOfTheUserIsFolded(t *testing.T) {
	s := newStage(t, 60, 40)
	s.on(user(strings.Repeat("pasted\n", 60)))
	s.see("❯ pasted", "44 more lines · Ctrl+O")
	s.ToggleLast()
	s.Bottom()
	s.missing("more lines")
}

// payloads are those of U01.
var payloads = []string{
	"\x1b]52;c;ZXZpbA==\a", "\x1b]0;pwn\a", "\x1b]8;;http://x.test/\atext\x1b]8;;\a", "\x1b[2J", "\x1b[10A", "\x1b[6n", "\x1bc",
	"\x1bPqESC\x1b\\", "\x1b]", "\u009b2J", "\x9b2J", "&#27;]52;c;ZXZpbA==&#7;", "\b\b\r\v\f\x00",
}

func TestU01NothingShownCanDriveTheTerminal(t *testing.T) {
	for _, p := range payloads {
		s := newStage(t, 60, 90)
		p = "x" + p + "y"
		s.on(engine.Began{Route: engine.Route{Provider: p, Model: p}}, user(p), steer(p), thinks(p), says(p), says("\n```"+p+"\n"+p))
		check(t, p, s.View())
		s.on(engine.Streamed{Delta: engine.CallDelta{Name: p, Args: strings.Repeat("a", 600)}})
		check(t, p, s.View())
		s.on(engine.Streamed{Delta: engine.Retry{Err: &engine.Error{Reason: engine.ReasonServerError, Message: p}, Provider: p, Model: p, Action: engine.ActionFallback, After: time.Second}})
		check(t, p, s.View())
		s.on(assistant(engine.Thought{Text: p}, engine.Text{Text: "# " + p}, engine.Call{ID: "0", Name: p, Args: p}),
			began("1", p), wrote("1", p), wrote("1", "\n"+p))
		check(t, p, s.View())
		list, _ := json.Marshal(map[string]any{"todos": []engine.Task{{ID: p, Content: p, Status: p}}})
		s.on(engine.Asked{Question: engine.Question{ID: p, CallID: "t", Danger: p}}, engine.CallBegan{Call: engine.Call{ID: "t", Name: "todo"}, Line: p})
		check(t, p, s.View())
		s.on(engine.CallEnded{Result: engine.Result{CallID: "t", Name: "todo", Text: string(list), Note: p, Status: engine.StatusDone}})
		for i, status := range []engine.Status{engine.StatusDone, engine.StatusFailed, engine.StatusRefused, engine.StatusDenied, engine.StatusStopped, engine.StatusTimeout} {
			id := fmt.Sprint(i + 10)
			s.on(began(id, p+"\n"+p), engine.CallEnded{Result: engine.Result{CallID: id, Name: p, Text: p, Note: p, Status: status}})
			s.on(began("d"+id, p), engine.CallEnded{Result: engine.Result{CallID: "d" + id, Text: p, Status: status, Diff: "--- a/" + p + "\n+++ b/" + p + "\n@@ -1 +1 @@\n-" + p + "\n+" + p + "\n"}})
		}
		s.on(engine.CallEnded{Result: engine.Result{CallID: "0", Text: p, Status: engine.StatusDone}}, engine.Noted{Kind: engine.NoteWarning, Text: p + "\n" + p}, engine.Compacted{Child: "c", Summary: p},
			engine.Ended{Why: engine.ExitFailed, Outcome: engine.Outcome{Err: &engine.Error{Reason: engine.ReasonUnknown, Message: p + "\n" + p, Hint: p}}})
		check(t, p, s.View())
		for i := range s.feed.Entries {
			s.toggle(i)
		}
		s.SetSize(60, 400)
		check(t, p, s.View())
	}
}

func check(t *testing.T, payload string, lines []string) {
	t.Helper()
	for _, line := range lines {
		if left := ansi.Strip(line); style.OnlySGR(line) != line || left != style.Safe(left) || strings.ContainsAny(left, "\n\t") ||
			strings.Contains(line, "\x1b]") || strings.Contains(line, "]0;pwn") {
			t.Fatalf("%q gives %q", payload, line)
		}
	}
}

func TestU07AnySizeHolds(t *testing.T) {
	for w := range 12 {
		for h := range 8 {
			s := newStage(t, w, h)
			s.on(user("한글😀 hello"))
			story(s)
			s.Top()
			s.ScrollBy(3)
			s.ToggleLast()
			finish(s)
			for _, size := range [][2]int{{w, h}, {0, 0}, {1, 1}, {2, 2}, {7, 3}, {200, 50}, {w, h}} {
				s.SetSize(size[0], size[1])
				fits(t, s)
			}
		}
	}
}

// fits fails when the view is not exactly as high as the pane, or wider.
func fits(t fataler, s *stage) {
	t.Helper()
	lines := s.View()
	if len(lines) != s.view.height {
		t.Fatalf("%d lines in a pane of %d", len(lines), s.view.height)
	}
	for _, line := range lines {
		if style.Width(line) > s.layout.width {
			t.Fatalf("%q is wider than %d", ansi.Strip(line), s.layout.width)
		}
	}
}

func TestChangingTheThemeKeepsThePlace(t *testing.T) {
	s := newStage(t, 80, 10)
	story(s)
	s.ScrollBy(-5)
	before := s.screen()
	paper, err := themes.Load("paper")
	if err != nil {
		t.Fatal(err)
	}
	s.SetSheet(style.New(paper, false))
	if s.screen() != before || s.Following() {
		t.Errorf("before:\n%s\nafter:\n%s", before, s.screen())
	}
}

func TestWideCodeScrollsSideways(t *testing.T) {
	s := newStage(t, 40, 8)
	s.on(says("Prose stays.\n\n```\n"+strings.Repeat("0123456789", 6)+"\nshort\n```\n"), user("next"))
	s.see("012345678901234567890123456789012345678›")
	s.ScrollSideways(25)
	s.see("Prose stays.", "56789012345678901234567890123456789")
	s.missing("›", "short")
	s.ScrollSideways(-100)
	s.see("short", "5678›")
}

func TestASCIIGlyphsMeanASCIIOnly(t *testing.T) {
	mono, err := themes.Load("mono")
	if err != nil {
		t.Fatal(err)
	}
	s := newStage(t, 80, 80)
	s.SetSheet(style.New(mono, true))
	story(s)
	finish(s)
	s.on(engine.Noted{Kind: engine.NoteModel, Text: "m"}, engine.Ended{Why: engine.ExitFailed}, engine.Compacted{Child: "c"})
	for _, line := range s.View() {
		if rest := strings.ReplaceAll(line, "1–214", ""); strings.ContainsFunc(rest, func(r rune) bool { return r >= 0x80 }) {
			t.Errorf("%q is not ASCII", line)
		}
	}
	s.Top()
	s.on(user("one more"))
	if p := s.Pill(); strings.ContainsFunc(p, func(r rune) bool { return r >= 0x80 }) {
		t.Errorf("the pill is %q", p)
	}
}
