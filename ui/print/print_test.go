package print

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"talaria/engine"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fake is an engine of two channels; play is what it does with each op, in a goroutine of its own.
type fake struct {
	mu     sync.Mutex
	ops    []engine.Op
	in     chan engine.Op
	events chan engine.Event
}

func newFake(play func(f *fake, op engine.Op)) *fake {
	f := &fake{in: make(chan engine.Op, 100), events: make(chan engine.Event, 1000)}
	go func() {
		for op := range f.in {
			play(f, op)
		}
	}()
	return f
}

func (f *fake) Do(op engine.Op) {
	f.mu.Lock()
	f.ops = append(f.ops, op)
	f.mu.Unlock()
	f.in <- op
}

func (f *fake) Events() <-chan engine.Event { return f.events }

func (f *fake) tell(all ...engine.Event) {
	for _, e := range all {
		f.events <- e
	}
}

func (f *fake) did() []engine.Op {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]engine.Op(nil), f.ops...)
}

func said(text string) engine.Outcome {
	return engine.Outcome{SessionID: "s1", Final: text, Completed: true, Exit: engine.ExitFinished, APICalls: 1, Iterations: 1, System: "sys",
		Messages: []engine.Message{engine.UserMessage("hi", time.Time{})}, Route: engine.Route{Provider: "p", Model: "m", APIMode: engine.ChatCompletions}}
}

// turn is a whole turn that ends with o.
func turn(o engine.Outcome, between ...engine.Event) []engine.Event {
	all := append([]engine.Event{engine.Began{Turn: 1}}, between...)
	return append(all, engine.Ended{Why: o.Exit, Outcome: o})
}

// answering ends each submitted turn with the outcome.
func answering(o engine.Outcome, between ...engine.Event) *fake {
	return newFake(func(f *fake, op engine.Op) {
		if _, ok := op.(engine.Submit); ok {
			f.tell(turn(o, between...)...)
		}
	})
}

type result struct {
	code     int
	out, err string
}

func (f *fake) run(ctx context.Context, d Deps) result {
	defer close(f.in)
	var out, errs bytes.Buffer
	if d.Out == nil {
		d.Out = &out
	}
	d.Engine, d.Err = f, &errs
	d.Now = func() time.Time { return time.Date(2026, 11, 30, 20, 15, 0, 5, time.UTC) }
	return result{Run(ctx, d), out.String(), errs.String()}
}

func TestTheAnswerAloneIsOnStdout(t *testing.T) {
	f := answering(said("Forty-two."), engine.CallBegan{Call: engine.Call{ID: "c"}, Line: "$ bc"},
		engine.CallEnded{Result: engine.Result{Name: "terminal", Status: engine.StatusFailed, Text: "exit 1\nmore"}}, engine.Noted{Kind: engine.NoteWarning, Text: "careful"})
	got := f.run(t.Context(), Deps{Prompt: "what?"})
	if got.code != 0 || got.out != "Forty-two.\n" {
		t.Errorf("%+v", got)
	}
	if got.err != "· $ bc\n  terminal failed: exit 1\nwarning: careful\n" {
		t.Errorf("stderr %q", got.err)
	}
	if op := f.did()[0].(engine.Submit); op.Text != "what?" || len(f.did()) != 1 {
		t.Errorf("%v", f.did())
	}
}

func TestPipedTextFollowsThePromptOrIsIt(t *testing.T) {
	for _, c := range []struct{ prompt, in, want string }{
		{"explain", "log line\n", "explain\n\nlog line"}, {"", " all of it\n", "all of it"}, {"alone", "", "alone"}, {"alone", " \n", "alone"},
	} {
		f := answering(said("ok"))
		got := f.run(t.Context(), Deps{Prompt: c.prompt, In: strings.NewReader(c.in)})
		if op := f.did()[0].(engine.Submit); op.Text != c.want || got.code != 0 {
			t.Errorf("%q + %q: sent %q", c.prompt, c.in, op.Text)
		}
	}
	f := answering(said("ok"))
	if got := f.run(t.Context(), Deps{In: strings.NewReader("  ")}); got.code != 2 || !strings.Contains(got.err, "no prompt") || got.out != "" || len(f.did()) != 0 {
		t.Errorf("%+v", got)
	}
	f = answering(said("ok"))
	if got := f.run(t.Context(), Deps{In: strings.NewReader(strings.Repeat("x", maxPrompt+1))}); got.code != 2 || !strings.Contains(got.err, "larger than 10 MB") {
		t.Errorf("%d %s", got.code, got.err)
	}
}

func TestAStdinThatStaysOpenIsMentionedAndASignalEndsTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(5*time.Second, cancel)
		f := answering(said("ok"))
		got := f.run(ctx, Deps{Prompt: "hi", In: r, Output: JSON, ExitSignal: func() int { return 143 }})
		w.Close()
		if got.code != 143 || strings.Count(got.err, "reading standard input until it ends") != 1 || len(f.did()) != 0 {
			t.Errorf("%+v", got)
		}
		if o := object(t, got.out); o["exit_reason"] != "interrupted" {
			t.Errorf("%v", o)
		}
	})
}

func TestARetryDoesNotPrintTheTextTwice(t *testing.T) {
	f := answering(said("Hello world"), engine.Streamed{Delta: engine.TextDelta{Text: "Hello wo"}},
		engine.Streamed{Delta: engine.Retry{Action: engine.ActionRetry, Try: 2, Of: 3, After: 5 * time.Second, Err: &engine.Error{Reason: engine.ReasonTimeout, Message: "the connection was cut"}}},
		engine.Streamed{Delta: engine.TextDelta{Text: "Hello world"}})
	got := f.run(t.Context(), Deps{Prompt: "hi"})
	if got.out != "Hello world\n" || got.err != "· the connection was cut (timeout); retry in 5s (2 of 3)\n" {
		t.Errorf("%+v", got)
	}
}

func object(t *testing.T, text string) map[string]any {
	t.Helper()
	var o map[string]any
	if strings.Count(text, "\n") != 1 || !strings.HasSuffix(text, "\n") {
		t.Fatalf("not one line: %q", text)
	}
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	return o
}

func TestJSONIsOneObjectAlsoAfterAFailure(t *testing.T) {
	failed := engine.Outcome{SessionID: "s1", Exit: engine.ExitFailed, Err: &engine.Error{Reason: engine.ReasonBilling, Status: 402, Message: "no credit <b>", Hint: "top up"}}
	f := answering(failed, engine.Streamed{Delta: engine.TextDelta{Text: "noise"}})
	got := f.run(t.Context(), Deps{Prompt: "hi", Output: JSON})
	o := object(t, got.out)
	if got.code != 4 || o["session_id"] != "s1" || o["completed"] != false || o["error"].(map[string]any)["reason"] != "billing" || o["cost_usd"] != nil {
		t.Errorf("%d %v", got.code, o)
	}
	for _, key := range []string{"final_response", "messages", "usage", "files_changed", "recoveries", "api_calls", "iterations", "model", "provider", "api_mode", "duration_ms", "partial", "interrupted", "task_id", "parent_session_id", "pending_steer"} {
		if _, ok := o[key]; !ok {
			t.Errorf("%s is missing", key)
		}
	}
	if !strings.Contains(got.out, "<b>") {
		t.Error("HTML escapes in the JSON")
	}
}

func TestAnErrorIsToldInThreeParts(t *testing.T) {
	o := engine.Outcome{Exit: engine.ExitFailed, Final: "half", Err: &engine.Error{Reason: engine.ReasonOverloaded, Status: 529, Message: "busy\x1b[31m", Hint: "wait a little"},
		Recoveries: []engine.Recovery{{Reason: "overloaded", Action: "retry", AfterMS: 5000}, {Reason: "overloaded", Action: "retry", AfterMS: 10000}, {Reason: "timeout", Action: "fallback"}}}
	got := answering(o).run(t.Context(), Deps{Prompt: "hi"})
	want := "talaria: the turn failed: busy (overloaded, 529)\n  tried: retry after overloaded (2 times), fallback after timeout, with 15s of waiting\n  you can: wait a little\n"
	if got.err != want || got.out != "half\n" || got.code != 4 {
		t.Errorf("%+v\nwant %q", got, want)
	}
}

func TestEveryEndHasItsExitCodeAndAdvice(t *testing.T) {
	for exit, code := range map[engine.Exit]int{
		engine.ExitIterations: 5, engine.ExitBudget: 5, engine.ExitInterrupted: 130, engine.ExitApproval: 6, engine.ExitBlocked: 7,
		engine.ExitTruncated: 1, engine.ExitInvalidCalls: 1, engine.ExitFailed: 1,
	} {
		got := answering(engine.Outcome{Exit: exit, Final: "so far"}).run(t.Context(), Deps{Prompt: "hi"})
		if got.code != code || got.out != "so far\n" || strings.Count(got.err, "\n") != 3 {
			t.Errorf("%s: %+v", exit, got)
		}
		if _, ok := advices[exit]; !ok {
			t.Errorf("%s has no advice", exit)
		}
	}
	noKey := engine.Outcome{Exit: engine.ExitFailed, Err: &engine.Error{Reason: engine.ReasonAuth, Code: engine.CodeNoKey, Message: "no model is connected"}}
	if got := answering(noKey).run(t.Context(), Deps{Prompt: "hi"}); got.code != 3 {
		t.Errorf("%+v", got)
	}
}

func TestStreamJSONIsOneEventALineAndTheResultLast(t *testing.T) {
	f := answering(said("done"), engine.Streamed{Delta: engine.TextDelta{Text: "do"}}, engine.Noted{Kind: engine.NoteInfo, Text: "n"})
	got := f.run(t.Context(), Deps{Prompt: "hi", Output: StreamJSON})
	lines := strings.Split(strings.TrimSpace(got.out), "\n")
	var types []string
	for _, l := range lines {
		types = append(types, object(t, l+"\n")["type"].(string))
	}
	if strings.Join(types, " ") != "began streamed noted ended result" {
		t.Errorf("%v", types)
	}
	if !strings.HasPrefix(lines[0], `{"at":"2026-11-30T20:15:00.000000005Z","type":"began",`) || !strings.HasPrefix(lines[4], `{"type":"result",`) {
		t.Errorf("%s\n%s", lines[0], lines[4])
	}
	if o := object(t, lines[4]+"\n"); o["final_response"] != "done" || o["session_id"] != "s1" || got.err != "" || got.code != 0 {
		t.Errorf("%v %+v", o, got)
	}
}

func TestASignalInterruptsTheTurnAndTheJSONIsStillPrinted(t *testing.T) {
	for _, code := range []int{130, 143} {
		ctx, cancel := context.WithCancel(t.Context())
		f := newFake(func(f *fake, op engine.Op) {
			switch op.(type) {
			case engine.Submit:
				f.tell(engine.Opened{Session: engine.Session{ID: "s1"}}, engine.Began{})
				cancel()
			case engine.Interrupt:
				o := engine.Outcome{SessionID: "s1", Exit: engine.ExitInterrupted, Interrupted: true}
				f.tell(engine.Ended{Why: o.Exit, Outcome: o})
			case engine.Steer, engine.Queue, engine.Continue, engine.Answer, engine.RetryNow, engine.Compact, engine.Open, engine.Switch, engine.Set, engine.Undo, engine.Unknown:
			}
		})
		got := f.run(ctx, Deps{Prompt: "hi", Output: JSON, ExitSignal: func() int { return code }})
		if o := object(t, got.out); got.code != code || o["exit_reason"] != "interrupted" || o["session_id"] != "s1" {
			t.Errorf("%d: %+v", code, got)
		}
	}
}

func TestAnEngineThatDoesNotStopIsLeftAfterTenSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		f := newFake(func(f *fake, op engine.Op) {
			if _, ok := op.(engine.Submit); ok {
				f.tell(engine.Opened{Session: engine.Session{ID: "s1"}}, engine.Began{})
				cancel()
			}
		})
		began := time.Now()
		got := f.run(ctx, Deps{Prompt: "hi", Output: JSON})
		if o := object(t, got.out); got.code != 130 || o["interrupted"] != true || o["session_id"] != "s1" || time.Since(began) != graceTime {
			t.Errorf("%+v after %v", got, time.Since(began))
		}
	})
}

func TestAnEngineThatEndsEarlyIsAnErrorWithItsJSON(t *testing.T) {
	f := newFake(func(f *fake, op engine.Op) {
		f.tell(engine.Opened{Session: engine.Session{ID: "s1"}}, engine.Began{})
		close(f.events)
	})
	got := f.run(t.Context(), Deps{Prompt: "hi", Output: JSON})
	o := object(t, got.out)
	if got.code != 1 || o["exit_reason"] != "failed" || o["session_id"] != "s1" || !strings.Contains(got.err, "the engine ended before the turn did") {
		t.Errorf("%+v", got)
	}
}

// closing is a stdout whose reader goes after n writes.
type closing struct {
	n   int
	err error
}

func (c *closing) Write(b []byte) (int, error) {
	if c.n--; c.n < 0 {
		return 0, c.err
	}
	return len(b), nil
}

func TestAClosedStdoutEndsTheTurnQuietlyAfterItIsStored(t *testing.T) {
	stored := false
	f := newFake(func(f *fake, op engine.Op) {
		if _, ok := op.(engine.Submit); ok {
			f.tell(engine.Began{}, engine.Streamed{Delta: engine.TextDelta{Text: "x"}})
		}
		if _, ok := op.(engine.Interrupt); ok && !stored {
			stored = true
			f.tell(engine.Ended{Outcome: engine.Outcome{Exit: engine.ExitInterrupted, Interrupted: true}})
		}
	})
	got := f.run(t.Context(), Deps{Prompt: "hi", Output: StreamJSON, Out: &closing{1, &ioError{syscall.EPIPE}}})
	if got.code != 130 || got.err != "" || !stored {
		t.Errorf("%+v stored %v", got, stored)
	}
	full := answering(said("ok")).run(t.Context(), Deps{Prompt: "hi", Out: &closing{0, errors.New("no space left on device")}})
	if full.code != 1 || !strings.Contains(full.err, "no space left") {
		t.Errorf("%+v", full)
	}
}

type ioError struct{ err error }

func (e *ioError) Error() string { return "write |1: " + e.err.Error() }
func (e *ioError) Unwrap() error { return e.err }

func TestATerminalGetsNoControlSequences(t *testing.T) {
	evil := "a\x1b[31mred\x1b[0m \x1b]0;title\x07\x1b]52;c;eA==\x1b\\b\r\x08\u009b2Jc\u0085\td\x7f\n"
	o := said(evil)
	if got := answering(o).run(t.Context(), Deps{Prompt: "hi", TTY: true}); got.out != "ared b2Jc\td\n" && got.out != "ared bc\td\n" {
		t.Errorf("%q", got.out)
	}
	if got := answering(o).run(t.Context(), Deps{Prompt: "hi"}); got.out != evil {
		t.Errorf("a file gets the answer as it is: %q", got.out)
	}
	got := answering(o).run(t.Context(), Deps{Prompt: "hi", TTY: true, Output: JSON})
	if strings.ContainsFunc(strings.TrimSuffix(got.out, "\n"), func(r rune) bool { return r < ' ' || c1(r) }) || object(t, got.out)["final_response"] != evil {
		t.Errorf("%q", got.out)
	}
	note := answering(said("ok"), engine.Noted{Kind: engine.NoteWarning, Text: "x\x1b]0;t\x07y\x1b[2J"}).run(t.Context(), Deps{Prompt: "hi"})
	if note.err != "warning: xy\n" {
		t.Errorf("%q", note.err)
	}
}

func TestAQuestionThatNobodyAnswersIsDenied(t *testing.T) {
	f := newFake(func(f *fake, op engine.Op) {
		if _, ok := op.(engine.Submit); ok {
			f.tell(engine.Began{}, engine.Asked{Question: engine.Question{ID: "q1", Kind: engine.Approval, Title: "Run rm"}})
		}
		if a, ok := op.(engine.Answer); ok && a.Choice == engine.ChoiceDeny && a.ID == "q1" {
			f.tell(engine.Withdrawn{ID: "q1"}, engine.Ended{Outcome: engine.Outcome{Exit: engine.ExitApproval}})
		}
	})
	if got := f.run(t.Context(), Deps{Prompt: "hi"}); got.code != 6 || !strings.Contains(got.err, "? Run rm") {
		t.Errorf("%+v", got)
	}
}

func TestAWrongFormatIsAUsageError(t *testing.T) {
	for _, d := range []Deps{{Prompt: "hi", Output: "xml"}, {Prompt: "hi", Input: "yaml"}, {Input: StreamJSON}} {
		f := answering(said("ok"))
		if got := f.run(t.Context(), d); got.code != 2 || got.out != "" || !strings.HasPrefix(got.err, "talaria: --") || len(f.did()) != 0 {
			t.Errorf("%+v", got)
		}
	}
}
