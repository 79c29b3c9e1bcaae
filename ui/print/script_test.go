package print

import (
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"talaria/engine"
)

// talker is an engine with a queue, as the real one has: a message during a turn waits for its end. A turn ends when
// the test sends on next.
type talker struct {
	*fake
	next chan engine.Outcome
}

func newTalker() *talker {
	t := &talker{next: make(chan engine.Outcome)}
	t.fake = &fake{in: make(chan engine.Op, 100), events: make(chan engine.Event, 1000)}
	go t.serve()
	return t
}

func (t *talker) serve() {
	var waiting []engine.Waiting
	running := false
	for {
		next := t.next
		if !running {
			next = nil
		}
		select {
		case op, ok := <-t.in:
			if !ok {
				return
			}
			s, isSubmit := op.(engine.Submit)
			_, isStop := op.(engine.Interrupt)
			switch {
			case isSubmit && running:
				waiting = append(waiting, engine.Waiting{Text: s.Text})
				t.tell(engine.Queued{Waiting: waiting})
			case isSubmit:
				running = true
				t.tell(engine.Began{})
			case isStop && running:
				running = false
				t.tell(engine.Ended{Outcome: engine.Outcome{Exit: engine.ExitInterrupted, Interrupted: true}})
				if len(waiting) > 0 {
					t.tell(engine.Queued{Waiting: waiting, Paused: true})
				}
			}
		case o := <-next:
			running = false
			t.tell(engine.Ended{Outcome: o})
			if len(waiting) > 0 {
				waiting, running = waiting[1:], true
				t.tell(engine.Began{}, engine.Queued{Waiting: waiting})
			}
		}
	}
}

func TestAScriptOfOpsRunsToItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newTalker()
		go func() {
			for _, text := range []string{"one", "two", "three"} {
				e.next <- said(text)
			}
		}()
		got := e.run(t.Context(), Deps{Prompt: "zero", Input: StreamJSON, In: strings.NewReader("{\"type\":\"submit\",\"text\":\"a\"}\n\n{\"type\":\"submit\",\"text\":\"b\"}")})
		if got.code != 0 || got.out != "one\ntwo\nthree\n" {
			t.Errorf("%+v", got)
		}
	})
}

func TestTheScriptCanAnswerAndTheRunEndsWithTheTurn(t *testing.T) {
	r, w := io.Pipe()
	f := newFake(func(f *fake, op engine.Op) {
		switch op := op.(type) {
		case engine.Submit:
			f.tell(engine.Began{}, engine.Asked{Question: engine.Question{ID: "q1", Kind: engine.Approval}})
			go func() {
				io.WriteString(w, `{"type":"answer","id":"q1","choice":"once"}`+"\n")
				w.Close()
			}()
		case engine.Answer:
			o := said("allowed " + op.Choice)
			f.tell(engine.Withdrawn{ID: op.ID, Choice: op.Choice}, engine.Ended{Outcome: o})
		case engine.Steer, engine.Queue, engine.Interrupt, engine.Continue, engine.RetryNow, engine.Compact, engine.Open, engine.Switch, engine.Set, engine.Undo, engine.Unknown:
		}
	})
	go io.WriteString(w, `{"type":"submit","text":"rm"}`+"\n")
	if got := f.run(t.Context(), Deps{Input: StreamJSON, In: r}); got.code != 0 || got.out != "allowed once\n" {
		t.Errorf("%+v", got)
	}
}

func TestABadLineStopsTheTurnAndExitsTwo(t *testing.T) {
	for _, bad := range []string{"hello", `{"type":"sing"}`, `{"type":"submit","text":5}`, `[]`} {
		e := newTalker()
		got := e.run(t.Context(), Deps{Input: StreamJSON, Output: JSON, In: strings.NewReader("{\"type\":\"submit\",\"text\":\"a\"}\n" + bad + "\n{\"type\":\"submit\",\"text\":\"never\"}\n")})
		if got.code != 2 || !strings.Contains(got.err, "line 2 of standard input is not an op") || object(t, got.out)["exit_reason"] != "interrupted" {
			t.Errorf("%s: %+v", bad, got)
		}
		for _, op := range e.did() {
			if s, ok := op.(engine.Submit); ok && s.Text == "never" {
				t.Error("what follows a bad line was done")
			}
		}
	}
}

func TestAnEmptyScriptIsAUsageError(t *testing.T) {
	f := answering(said("ok"))
	if got := f.run(t.Context(), Deps{Input: StreamJSON, In: strings.NewReader("\n")}); got.code != 2 || got.out != "" || !strings.Contains(got.err, "no op") {
		t.Errorf("%+v", got)
	}
}

func TestAContinueWithNothingToContinueDoesNotHang(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(func(*fake, engine.Op) {})
		began := time.Now()
		got := f.run(t.Context(), Deps{Input: StreamJSON, In: strings.NewReader(`{"type":"continue"}`)})
		if got.code != 1 || time.Since(began) != quietTime || !strings.Contains(got.err, "nothing to continue") {
			t.Errorf("%+v after %v", got, time.Since(began))
		}
	})
}

func TestASlowStartOfATurnIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(func(f *fake, op engine.Op) {
			f.tell(engine.Noted{Kind: engine.NoteWarning, Text: "a setting was ignored"})
			<-time.After(time.Minute) // of the bubble's clock
			f.tell(turn(said("at last"))...)
		})
		if got := f.run(t.Context(), Deps{Prompt: "hi"}); got.code != 0 || got.out != "at last\n" {
			t.Errorf("%+v", got)
		}
	})
}

func TestAFailedTurnLeavesWhatWaitsInTheSessionAndEnds(t *testing.T) {
	failed := engine.Outcome{Exit: engine.ExitFailed, Err: &engine.Error{Reason: engine.ReasonBilling, Status: 402, Message: "no credit"}}
	f := newFake(func(f *fake, op engine.Op) {
		if s := op.(engine.Submit); s.Text == "a" {
			f.tell(engine.Began{})
			return
		}
		waiting := []engine.Waiting{{Text: "b"}}
		f.tell(engine.Queued{Waiting: waiting}, engine.Ended{Why: failed.Exit, Outcome: failed}, engine.Queued{Waiting: waiting, Paused: true})
	})
	in := "{\"type\":\"submit\",\"text\":\"a\"}\n{\"type\":\"submit\",\"text\":\"b\"}\n"
	if got := f.run(t.Context(), Deps{Input: StreamJSON, In: strings.NewReader(in)}); got.code != 4 || !strings.Contains(got.err, "no credit") {
		t.Errorf("%+v", got)
	}
}

func TestASignalDuringAScriptPausesWhatWaits(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	e := newTalker()
	r, w := io.Pipe()
	go func() {
		io.WriteString(w, "{\"type\":\"submit\",\"text\":\"a\"}\n{\"type\":\"submit\",\"text\":\"b\"}\n")
		cancel()
	}()
	got := e.run(ctx, Deps{Input: StreamJSON, Output: StreamJSON, In: r, ExitSignal: func() int { return 130 }})
	w.Close()
	if got.code != 130 || !strings.Contains(got.out, `{"type":"result"`) {
		t.Errorf("%+v", got)
	}
}
