package route_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"talaria/engine"
	"talaria/engine/provider"
	"talaria/engine/provider/providertest"
	"talaria/engine/provider/route"
)

func overloaded() *engine.Error {
	return &engine.Error{Reason: engine.ReasonOverloaded, Status: 529, Message: "overloaded"}
}

func limited(after time.Duration) *engine.Error {
	return &engine.Error{Reason: engine.ReasonRateLimit, Status: 429, Message: "slow down", After: after}
}

func text(s string) engine.Delta { return engine.TextDelta{Text: s} }

// heard is what a consumer got of one reply.
type heard struct {
	deltas  []engine.Delta
	message engine.Message
	retries []engine.Retry
	lost    engine.Usage
	err     error
	took    time.Duration
}

func ask(ctx context.Context, p engine.Provider, req engine.Request) heard {
	var h heard
	var f engine.Fold
	began := time.Now()
	for d, err := range p.Stream(ctx, req) {
		if err != nil {
			h.err = err
			break
		}
		h.deltas = append(h.deltas, d)
		f.Add(d)
	}
	h.message, h.retries, h.lost, h.took = f.Message(time.Now()), f.Retries(), f.Lost(), time.Since(began)
	return h
}

func (h heard) reason(t *testing.T) *engine.Error {
	t.Helper()
	e, ok := h.err.(*engine.Error)
	if !ok {
		t.Fatalf("the error is %T (%v), not *engine.Error", h.err, h.err)
	}
	return e
}

func fixed(f float64) func() float64 { return func() float64 { return f } }

func TestS25ARetryStartsTheReplyAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reset := &engine.Error{Reason: engine.ReasonTimeout, Code: engine.CodeCut, Message: "connection reset",
			Err: &provider.Failure{Cut: true, InCall: true, Usage: engine.Usage{Input: 7, Output: 2}}}
		p := providertest.Scripted(
			providertest.Fail(reset, text("Hello wor"), engine.CallDelta{ID: "dead", Name: "ls", Args: "{"}),
			providertest.Say(text("Hello world"), engine.Done{Stop: engine.StopEnd, Usage: &engine.Usage{Input: 7, Output: 3}}))
		h := ask(t.Context(), route.New(p, route.Options{}), engine.Request{})
		if h.err != nil || h.message.Text() != "Hello world" || len(h.message.Calls()) != 0 {
			t.Errorf("error %v, text %q, calls %v", h.err, h.message.Text(), h.message.Calls())
		}
		if h.lost != (engine.Usage{Input: 7, Output: 2}) || h.message.Usage == nil || h.message.Usage.Output != 3 {
			t.Errorf("lost %+v, used %+v", h.lost, h.message.Usage)
		}
		if p.Open() != 0 {
			t.Error("an attempt was left open")
		}
	})
}

func TestWaitsDoubleAndStaySpread(t *testing.T) {
	for _, c := range []struct {
		rand  float64
		waits []time.Duration
	}{
		{0, []time.Duration{5 * time.Second, 10 * time.Second, 20 * time.Second, 40 * time.Second, 80 * time.Second, 120 * time.Second, 120 * time.Second}},
		{1, []time.Duration{7500 * time.Millisecond, 15 * time.Second, 30 * time.Second, 60 * time.Second, 120 * time.Second, 180 * time.Second, 180 * time.Second}},
	} {
		synctest.Test(t, func(t *testing.T) {
			p := providertest.Scripted()
			for range c.waits {
				p.Add(providertest.Fail(overloaded()))
			}
			p.Add(providertest.Text("done"))
			o := route.Options{Attempts: len(c.waits) + 1, Rand: fixed(c.rand)}
			h := ask(t.Context(), route.New(p, o), engine.Request{})
			if h.err != nil || h.message.Text() != "done" || len(h.retries) != len(c.waits) {
				t.Fatalf("error %v, text %q, %d retries", h.err, h.message.Text(), len(h.retries))
			}
			total := time.Duration(0)
			for i, want := range c.waits {
				r := h.retries[i]
				if r.After != want || r.Try != i+2 || r.Of != len(c.waits)+1 || r.Keep || r.Action != engine.ActionRetry {
					t.Errorf("retry %d: %+v, want a wait of %v", i, r, want)
				}
				total += want
			}
			if h.took != total {
				t.Errorf("took %v, want %v", h.took, total)
			}
		})
	}
}

func TestTheOwnSeedKeepsWithinTheBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen := map[time.Duration]bool{}
		for range 50 {
			p := providertest.Scripted(providertest.Fail(overloaded()), providertest.Text("x"))
			h := ask(t.Context(), route.New(p, route.Options{}), engine.Request{})
			after := h.retries[0].After
			seen[after] = true
			if after < 5*time.Second || after >= 7500*time.Millisecond {
				t.Errorf("a wait of %v", after)
			}
		}
		if len(seen) < 10 {
			t.Errorf("only %d different waits in 50", len(seen))
		}
	})
}

func TestTheServersWaitIsTakenAsItIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := providertest.Scripted(providertest.Fail(limited(37*time.Second)), providertest.Text("ok"))
		h := ask(t.Context(), route.New(p, route.Options{Rand: fixed(0.5)}), engine.Request{})
		if h.err != nil || h.took != 37*time.Second+500*time.Millisecond {
			t.Errorf("error %v after %v", h.err, h.took)
		}
	})
}

func TestAServerThatAsksForTooLongIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := providertest.Scripted(providertest.Fail(limited(10 * time.Minute)))
		h := ask(t.Context(), route.New(p, route.Options{}), engine.Request{})
		e := h.reason(t)
		if e.Reason != engine.ReasonRateLimit || h.took != 0 || len(h.retries) != 0 || !strings.Contains(e.Hint, "10 min") {
			t.Errorf("%v, hint %q, after %v with %d retries", e, e.Hint, h.took, len(h.retries))
		}
	})
}

func TestAfterTheLastAttemptTheErrorSaysHowMany(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := providertest.Scripted(providertest.Fail(overloaded()), providertest.Fail(overloaded()), providertest.Fail(overloaded()))
		h := ask(t.Context(), route.New(p, route.Options{}), engine.Request{})
		if e := h.reason(t); e.Message != "overloaded (after 3 attempts)" || e.Status != 529 || len(h.retries) != 2 {
			t.Errorf("%v with %d retries", e, len(h.retries))
		}
	})
}

func TestWhatCannotGetBetterIsAskedOnce(t *testing.T) {
	for _, r := range []engine.Reason{engine.ReasonAuth, engine.ReasonBilling, engine.ReasonContextOverflow, engine.ReasonModelNotFound,
		engine.ReasonFormatError, engine.ReasonContentPolicy} {
		p := providertest.Scripted(providertest.Fail(&engine.Error{Reason: r, Message: "no"}), providertest.Text("never"))
		h := ask(t.Context(), route.New(p, route.Options{}), engine.Request{})
		if e := h.reason(t); e.Reason != r || e.Message != "no" || len(h.retries) != 0 || p.Left() != 1 {
			t.Errorf("%s: %v with %d retries", r, e, len(h.retries))
		}
	}
}

func TestAnEmptyReplyIsAskedForAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		used := engine.Done{Stop: engine.StopEnd, Usage: &engine.Usage{Input: 9}}
		p := providertest.Scripted(providertest.Say(text(" \n"), engine.ThoughtDelta{Text: "hm"}, used), providertest.Text("ok"))
		h := ask(t.Context(), route.New(p, route.Options{}), engine.Request{})
		if h.err != nil || h.message.Text() != "ok" || h.lost.Input != 9 || h.retries[0].Err.Reason != engine.ReasonEmptyResponse {
			t.Errorf("error %v, text %q, lost %+v, %+v", h.err, h.message.Text(), h.lost, h.retries)
		}
		p = providertest.Scripted(providertest.Say(used), providertest.Say(used), providertest.Say(used))
		h = ask(t.Context(), route.New(p, route.Options{}), engine.Request{})
		if e := h.reason(t); e.Reason != engine.ReasonEmptyResponse {
			t.Errorf("%v", e)
		}
	})
}

func TestAnEmptyReplyThatSaysWhyIsPassedOn(t *testing.T) {
	for _, s := range []engine.Stop{engine.StopLength, engine.StopContentFilter, engine.StopRefusal, engine.StopPause} {
		h := ask(t.Context(), route.New(providertest.Scripted(providertest.Say(engine.Done{Stop: s})), route.Options{}), engine.Request{})
		if h.err != nil || h.message.Stop != s {
			t.Errorf("%s: error %v, stop %s", s, h.err, h.message.Stop)
		}
	}
}

func TestTheUserCutsTheWaitShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := providertest.Scripted(providertest.Fail(overloaded()), providertest.Text("ok"))
		asked := time.Duration(0)
		h := ask(t.Context(), route.New(p, route.Options{Rand: fixed(0)}), engine.Request{Wait: func(_ context.Context, d time.Duration) error {
			asked = d
			return nil
		}})
		if h.err != nil || h.took != 0 || asked != 5*time.Second {
			t.Errorf("error %v, took %v, asked to wait %v", h.err, h.took, asked)
		}
	})
}

func TestAStopEndsAWaitAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		time.AfterFunc(2*time.Second, stop)
		p := providertest.Scripted(providertest.Fail(overloaded()), providertest.Text("never"))
		h := ask(ctx, route.New(p, route.Options{}), engine.Request{})
		if h.reason(t); !errors.Is(h.err, context.Canceled) || h.took != 2*time.Second || p.Left() != 1 {
			t.Errorf("error %v after %v", h.err, h.took)
		}
	})
}

func TestAStopEndsAStreamAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		time.AfterFunc(2*time.Second, stop)
		p := providertest.Scripted(providertest.Hang(text("par")), providertest.Text("never"))
		h := ask(ctx, route.New(p, route.Options{}), engine.Request{})
		if !errors.Is(h.err, context.Canceled) || h.took != 2*time.Second || len(h.retries) != 0 || p.Open() != 0 {
			t.Errorf("error %v after %v, %d retries", h.err, h.took, len(h.retries))
		}
	})
}

func TestAFailingWaitEndsTheReply(t *testing.T) {
	no := errors.New("no more")
	p := providertest.Scripted(providertest.Fail(overloaded()))
	h := ask(t.Context(), route.New(p, route.Options{}), engine.Request{Wait: func(context.Context, time.Duration) error { return no }})
	if h.reason(t); !errors.Is(h.err, no) {
		t.Errorf("error %v", h.err)
	}
}

func TestAStreamWithoutDataIsGivenUp(t *testing.T) {
	for _, c := range []struct {
		set      time.Duration
		estimate int
		quiet    time.Duration
		words    string
	}{
		{0, 0, 180 * time.Second, "connected, no data for 180 s"},
		{0, 60_000, 306 * time.Second, "connected, no data for 306 s"},
		{0, 150_000, 486 * time.Second, "connected, no data for 486 s"},
		{43 * time.Second, 150_000, 43 * time.Second, "connected, no data for 43 s"},
	} {
		synctest.Test(t, func(t *testing.T) {
			p := providertest.Scripted(providertest.Hang(), providertest.Text("whole"))
			h := ask(t.Context(), route.New(p, route.Options{NoData: c.set, Rand: fixed(0)}), engine.Request{Estimate: c.estimate})
			if h.err != nil || h.message.Text() != "whole" || h.took != c.quiet+5*time.Second || p.Open() != 0 {
				t.Fatalf("error %v, text %q, took %v", h.err, h.message.Text(), h.took)
			}
			if e := h.retries[0].Err; e.Reason != engine.ReasonTimeout || e.Message != c.words || errors.Is(e, context.Canceled) {
				t.Errorf("%v", e)
			}
		})
	}
}

func TestASlowConsumerIsNotASilentServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := route.New(providertest.Scripted(providertest.Say(text("a"), text("b"))), route.Options{NoData: time.Second})
		var f engine.Fold
		for d, err := range p.Stream(t.Context(), engine.Request{}) {
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Minute) // in the bubble: no real time
			f.Add(d)
		}
		if f.Message(time.Now()).Text() != "ab" || len(f.Retries()) != 0 {
			t.Errorf("text %q, %d retries", f.Message(time.Now()).Text(), len(f.Retries()))
		}
	})
}

func TestAStreamThatJustEndsIsACutReply(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		p := provFunc(func(yield func(engine.Delta, error) bool) {
			if calls++; calls == 1 {
				yield(text("the who"), nil)
				return
			}
			_ = yield(text("le"), nil) && yield(engine.Done{Stop: engine.StopEnd}, nil)
		})
		h := ask(t.Context(), route.New(p, route.Options{}), engine.Request{})
		if h.err != nil || h.message.Text() != "the whole" || h.retries[0].Err.Code != engine.CodeCut {
			t.Errorf("error %v, text %q, %+v", h.err, h.message.Text(), h.retries)
		}
	})
}

func TestAConsumerThatLeavesCancels(t *testing.T) {
	p := providertest.Scripted(providertest.Hang(text("a"), text("b")))
	for range route.New(p, route.Options{}).Stream(t.Context(), engine.Request{}) {
		break
	}
	if p.Open() != 0 {
		t.Error("the attempt is still open")
	}
	p = providertest.Scripted(providertest.Fail(overloaded()), providertest.Text("never"))
	for d := range route.New(p, route.Options{}).Stream(t.Context(), engine.Request{}) {
		if _, ok := d.(engine.Retry); ok {
			break
		}
	}
	if p.Left() != 1 {
		t.Error("another attempt was made")
	}
}

func TestARetryNamesWhoIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		req := engine.Request{Route: engine.Route{Provider: "openai", Model: "gpt"}}
		for name, want := range map[string]string{"": "openai", "mine": "mine"} {
			p := providertest.Scripted(providertest.Fail(overloaded()), providertest.Text("ok"))
			h := ask(t.Context(), route.New(p, route.Options{Name: name}), req)
			if r := h.retries[0]; r.Provider != want || r.Model != "gpt" {
				t.Errorf("%+v", r)
			}
		}
	})
}
