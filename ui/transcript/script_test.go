package transcript

import (
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/style"
)

// stage is a transcript with a clock that only the test moves.
type stage struct {
	*Transcript
	t   fataler
	now time.Time
}

func newStage(t fataler, w, h int) *stage {
	theme, err := themes.Load("dusk")
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{New(style.New(theme, false)), t, time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC)}
	s.SetClock(func() time.Time { return s.now })
	s.SetSize(w, h)
	return s
}

// on plays events as they would come from the engine.
func (s *stage) on(events ...engine.Event) {
	for _, e := range events {
		s.On(e, false)
	}
}

// pass lets time go by, with the tick of each second.
func (s *stage) pass(d time.Duration) {
	for ; d > 0; d -= time.Second {
		s.now = s.now.Add(min(d, time.Second))
		s.Tick(s.now)
	}
}

// screen is the view without colours and without blanks at line ends.
func (s *stage) screen() string {
	lines := s.View()
	for i, line := range lines {
		lines[i] = strings.TrimRight(ansi.Strip(line), " ")
	}
	return strings.Join(lines, "\n")
}

// see fails unless each text is on the screen.
func (s *stage) see(texts ...string) {
	s.t.Helper()
	for _, text := range texts {
		if !strings.Contains(s.screen(), text) {
			s.t.Errorf("%q is not on the screen:\n%s", text, s.screen())
		}
	}
}

func (s *stage) missing(texts ...string) {
	s.t.Helper()
	for _, text := range texts {
		if strings.Contains(s.screen(), text) {
			s.t.Errorf("%q is on the screen:\n%s", text, s.screen())
		}
	}
}

func user(text string) engine.Event {
	return engine.Appended{Message: engine.UserMessage(text, time.Time{})}
}

func steer(text string) engine.Event {
	m := engine.UserMessage(text, time.Time{})
	m.Steer = true
	return engine.Appended{Message: m}
}

func assistant(parts ...engine.Part) engine.Event {
	return engine.Appended{Message: engine.Message{Role: engine.RoleAssistant, Parts: parts}}
}

func says(text string) engine.Event   { return engine.Streamed{Delta: engine.TextDelta{Text: text}} }
func thinks(text string) engine.Event { return engine.Streamed{Delta: engine.ThoughtDelta{Text: text}} }
func fin() engine.Event               { return engine.Streamed{Delta: engine.Done{Stop: engine.StopEnd}} }

func began(id, line string) engine.Event {
	return engine.CallBegan{Call: engine.Call{ID: id, Name: "tool"}, Line: line}
}

func wrote(id, text string) engine.Event { return engine.CallWrote{CallID: id, Text: text} }

func ended(id string, status engine.Status, ms int64, note string) engine.Event {
	return engine.CallEnded{Result: engine.Result{CallID: id, Name: "tool", Text: "(no output)", Status: status, Note: note}, DurationMS: ms}
}

func turn() engine.Event {
	return engine.Began{Turn: 1, Route: engine.Route{Provider: "anthropic", Model: "sonnet-4.5"}}
}

const refreshDiff = `--- a/src/auth/refresh.ts
+++ b/src/auth/refresh.ts
@@ -41,4 +41,6 @@
 async function refresh(id: SessionId) {
-	if (inFlight) return inFlight;
-	const p = post("/token", id);
+	const running = inFlight.get(id);
+	if (running) return running;
+	const p = post("/token", id)
+		.finally(() => inFlight.delete(id));
 	return p;
`

const raceText = "The failure is a race:\n\n1. `refresh()` checks `refreshInFlight`\n2. and then awaits before setting it\n\n```ts\nif (running) return running;\n```\n"

// story plays a whole session: all that a transcript can show.
func story(s *stage) {
	s.on(turn(), user("The refresh token test fails about one run in five. Find out why and fix it."))
	s.on(thinks("Two callers can pass the expiry check before either sets refreshInFlight, so both post to /token and "))
	s.pass(14 * time.Second)
	s.on(thinks("the second one invalidates the first."), says("I will look at the code **first**."), fin())
	s.on(assistant(engine.Thought{Text: "Two callers can pass the expiry check before either sets refreshInFlight, so both post to /token and the second one invalidates the first."},
		engine.Text{Text: "I will look at the code **first**."}, engine.Call{ID: "1", Name: "read_file"}))
	s.on(began("1", "Read src/auth/refresh.ts"), ended("1", engine.StatusDone, 12, "1–214"))
	s.on(began("2", `Search "refreshInFlight"`), ended("2", engine.StatusDone, 30, "7 matches in 3 files"))
	edit := engine.CallEnded{Result: engine.Result{CallID: "3", Text: "ok", Status: engine.StatusDone, Diff: refreshDiff}, DurationMS: 2100}
	s.on(began("3", "Edit src/auth/refresh.ts"), edit)
	s.on(steer("skip the e2e tests, they need docker"))
	s.on(began("4", "$ npx eslint src"), wrote("4", "checking\r\n10%\r50%\r100%\n0 problems\n"), ended("4", engine.StatusDone, 9400, ""))
	s.on(began("5", "$ npm run types"), wrote("5", "src/a.ts(4,2): error TS2322\nsrc/b.ts(9,1): error TS2304\n"), ended("5", engine.StatusFailed, 3100, "exit 2"))
	s.on(began("6", "Write /etc/hosts"), engine.CallEnded{Result: engine.Result{CallID: "6", Text: "denied: not outside the project", Status: engine.StatusDenied}})
	s.on(engine.Streamed{Delta: engine.Retry{Err: &engine.Error{Reason: engine.ReasonOverloaded, Status: 529, Message: "Overloaded"},
		Action: engine.ActionRetry, Try: 2, Of: 3, After: 12 * time.Second}})
	s.pass(12 * time.Second)
	s.on(says(raceText))
	s.on(fin(), assistant(engine.Text{Text: raceText}, engine.Call{ID: "7", Name: "terminal"}))
	s.on(began("7", "$ npm test -- --reporter=dot"))
	s.pass(31 * time.Second)
	s.on(wrote("7", "one\ntwo\nthree\n212 of 330 tests\nFAIL test/cart/coupon.test.ts > applies percentage coupons\n  expected 90 but received 90.00000000000001\n"))
}

func finish(s *stage) {
	s.on(engine.CallEnded{Result: engine.Result{CallID: "7", Status: engine.StatusStopped, Text: "stopped by the user"}, DurationMS: 52000})
	s.on(says("The coupon failure is a floating point comparison. I was about to change"))
	s.on(engine.Appended{Message: engine.Message{Role: engine.RoleAssistant, Aside: true,
		Parts: engine.Parts{engine.Text{Text: "The coupon failure is a floating point comparison. I was about to change"}}}})
	s.on(engine.Ended{Why: engine.ExitInterrupted})
}

// fataler is what a plain test and a property test have in common.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
	Fatal(args ...any)
}
