package core_test

import (
	"context"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/config"
	"talaria/engine/provider/providertest"
	"talaria/store"
)

// summaries answers side tasks with a checkpoint; each failure comes first.
func (s *story) summaries(steps ...providertest.Step) *providertest.Script {
	script := providertest.Scripted(steps...)
	s.deps.Aux = func(string, config.Resolved) (engine.Provider, engine.Route, error) {
		return forgetful{script}, engine.Route{Provider: "demo", Model: "small"}, nil
	}
	return script
}

// forgetful is a model that finds nothing to remember before it summarises.
type forgetful struct{ *providertest.Script }

func (f forgetful) Stream(ctx context.Context, r engine.Request) iter.Seq2[engine.Delta, error] {
	if isSave(r) {
		return providertest.Scripted(providertest.Text("none")).Stream(ctx, r)
	}
	return f.Script.Stream(ctx, r)
}

func isSave(r engine.Request) bool {
	return strings.Contains(r.System, "name what should be remembered")
}

const checkpoint = "## Goal\nPort the parser to Go, file by file, with its tests."

// narrow gives the model a small window, so that a few turns fill it.
func (s *story) narrow(tokens int) {
	s.deps.Resolver = settings(s.t, config.Value{Key: "model.context_window", Text: fmt.Sprint(tokens)})
}

func answerOf(chars int) providertest.Step {
	return providertest.Text("an answer " + strings.Repeat("w", chars))
}

// fill runs turns of about 1,000 tokens each and reports the session.
func (s *story) turns(from, to int) engine.Ended {
	s.t.Helper()
	var end engine.Ended
	for i := from; i <= to; i++ {
		before := s.count(func(e engine.Event) bool { _, ok := e.(engine.Ended); return ok })
		s.core.Do(engine.Submit{Text: fmt.Sprintf("request %d", i)})
		s.untilCount(before+1, func(e engine.Event) bool {
			x, ok := e.(engine.Ended)
			if ok {
				end = x
			}
			return ok
		})
	}
	return end
}

func (s *story) count(fits func(engine.Event) bool) int {
	n := 0
	for _, e := range s.told() {
		if fits(e) {
			n++
		}
	}
	return n
}

func (s *story) untilCount(n int, fits func(engine.Event) bool) {
	s.t.Helper()
	until(s, func(engine.Ended) bool { return s.count(fits) >= n })
}

func TestALongConversationGoesOnInAShorterSession(t *testing.T) {
	var steps []providertest.Step
	for range 40 {
		steps = append(steps, answerOf(4_000))
	}
	s := newStory(t, steps...)
	sum := s.summaries(providertest.Text(checkpoint), providertest.Text(checkpoint), providertest.Text(checkpoint), providertest.Text(checkpoint))
	s.narrow(20_000)
	s.start("")
	first := until(s, func(engine.Opened) bool { return true }).Session.ID
	end := s.turns(1, 24)
	told := until(s, func(e engine.Compacted) bool { return e.Child != "" })
	if told.After >= told.Before || !strings.Contains(told.Summary, "Port the parser") {
		t.Errorf("told %+v", told)
	}
	if end.Outcome.SessionID == first || end.Why != engine.ExitFinished {
		t.Fatalf("the last turn ended %s in session %s", end.Why, end.Outcome.SessionID)
	}
	if n := len(sum.Requests()); n == 0 || n > 4 {
		t.Errorf("%d summaries were asked for", n)
	}
	reqs := s.model.Requests()
	last := reqs[len(reqs)-1].Messages
	if got := last[len(last)-1]; got.Role != engine.RoleUser || got.Text() != "request 24" {
		t.Errorf("the newest request is sent as %s %.80q", got.Role, got.Text())
	}
	began := 0
	for _, e := range s.told() {
		if b, ok := e.(engine.Began); ok {
			began++
			if b.Turn != began {
				t.Errorf("turn %d counts as %d", began, b.Turn)
			}
		}
	}
	s.stop()
	list, err := s.store.List(context.Background(), engine.Query{})
	if err != nil || len(list) != 1 || list[0].ID != end.Outcome.SessionID || list[0].Turns != 24 {
		t.Fatalf("%v: the list shows %+v", err, list)
	}
	again, err := s.store.Find(context.Background(), first, "")
	if err != nil || again.ID != end.Outcome.SessionID {
		t.Errorf("%v: the first session's id opens %s", err, again.ID)
	}
	old, err := s.store.Tail(context.Background(), first, 0)
	if err != nil || len(old) == 0 {
		t.Errorf("%v: %d records of the parent are left", err, len(old))
	}
	s.start(end.Outcome.SessionID)
	if o := until(s, func(engine.Opened) bool { return true }); len(o.Past) == 0 || o.Session.ID != end.Outcome.SessionID {
		t.Errorf("resumed %+v", o.Session)
	}
	if end := s.turns(25, 25); end.Why != engine.ExitFinished {
		t.Errorf("the turn after a resume ended %s", end.Why)
	}
}

func TestAnOverflowIsCompressedAndAskedAgain(t *testing.T) {
	steps := []providertest.Step{}
	for range 8 {
		steps = append(steps, answerOf(4_000))
	}
	steps = append(steps, providertest.Fail(&engine.Error{Reason: engine.ReasonContextOverflow, Status: 400, Message: "too long", Window: 9_000}), answerOf(10))
	s := newStory(t, steps...)
	s.summaries(slices.Repeat([]providertest.Step{providertest.Text(checkpoint)}, 8)...) // a small window reads in pieces
	s.start("")
	s.turns(1, 8)
	end := s.turns(9, 9)
	if end.Why != engine.ExitFinished || len(end.Outcome.Recoveries) != 1 || end.Outcome.Recoveries[0].Action != engine.ActionCompress {
		t.Errorf("ended %s with %+v, %v", end.Why, end.Outcome.Recoveries, end.Outcome.Err)
	}
}

func TestAFailedSummaryLeavesTheConversationAsItIs(t *testing.T) {
	var steps []providertest.Step
	for range 40 {
		steps = append(steps, answerOf(4_000))
	}
	s := newStory(t, steps...)
	sum := s.summaries(providertest.Fail(&engine.Error{Reason: engine.ReasonAuth, Message: "no key"}))
	s.narrow(20_000)
	s.start("")
	first := until(s, func(engine.Opened) bool { return true }).Session.ID
	end := s.turns(1, 20)
	if end.Outcome.SessionID != first || end.Why != engine.ExitFinished || len(sum.Requests()) != 1 {
		t.Errorf("session %s, %s, %d summaries asked", end.Outcome.SessionID, end.Why, len(sum.Requests()))
	}
	until(s, func(n engine.Noted) bool { return strings.Contains(n.Text, "nothing was changed") })
	if got := len(end.Outcome.Stored); got != 40 {
		t.Errorf("%d of 40 messages are left", got)
	}
}

func TestEscCancelsTheCompactingAlone(t *testing.T) {
	var steps []providertest.Step
	for range 40 {
		steps = append(steps, answerOf(4_000))
	}
	s := newStory(t, steps...)
	s.summaries(providertest.Hang())
	s.narrow(20_000)
	s.start("")
	running := func(e engine.Event) bool { c, ok := e.(engine.Compacted); return ok && c.Running }
	ended := func(e engine.Event) bool { _, ok := e.(engine.Ended); return ok }
	for i := 1; s.count(running) == 0; i++ {
		s.core.Do(engine.Submit{Text: fmt.Sprintf("request %d", i)})
		until(s, func(e engine.Event) bool { return running(e) || s.count(ended) == i })
	}
	before := s.count(ended)
	s.core.Do(engine.Interrupt{Graceful: true})
	if end := s.ended(before + 1); end.Why != engine.ExitFinished {
		t.Errorf("ended %s", end.Why)
	}
}

func TestCompactWithAFocusAndATypedMessageThatWaits(t *testing.T) {
	steps := []providertest.Step{}
	for range 12 {
		steps = append(steps, answerOf(3_000))
	}
	s := newStory(t, steps...)
	hold := make(chan struct{})
	sum := s.summaries(providertest.React(func(engine.Request) []engine.Delta {
		<-hold
		return []engine.Delta{engine.TextDelta{Text: checkpoint}, engine.Done{Stop: engine.StopEnd}}
	}))
	s.narrow(30_000)
	s.start("")
	s.turns(1, 10)
	s.core.Do(engine.Compact{Focus: "the lexer"})
	until(s, func(e engine.Compacted) bool { return e.Running })
	s.core.Do(engine.Submit{Text: "request 11"})
	until(s, func(q engine.Queued) bool { return len(q.Waiting) == 1 })
	close(hold)
	s.untilCount(11, func(e engine.Event) bool { _, ok := e.(engine.Ended); return ok })
	if req := sum.Requests()[0]; !strings.Contains(req.Messages[0].Text(), "the lexer") {
		t.Error("the focus was not told")
	}
	if n := s.count(func(e engine.Event) bool { c, ok := e.(engine.Compacted); return ok && c.Child != "" }); n != 1 {
		t.Errorf("compacted %d times", n)
	}
}

// From the timeline everything from a turn on is summarised: what came before is sent word for word, the session goes on as
// its child, and the first message can still be read in its parent.
func TestSummariseFromATurnKeepsWhatCameBefore(t *testing.T) {
	steps := []providertest.Step{}
	for range 12 {
		steps = append(steps, answerOf(3_000))
	}
	s := newStory(t, steps...)
	sum := s.summaries(providertest.Fail(&engine.Error{Reason: engine.ReasonServerError}), providertest.Text(checkpoint))
	s.narrow(60_000)
	s.start("")
	first := until(s, func(engine.Opened) bool { return true }).Session.ID
	s.turns(1, 6)
	from := ""
	for _, e := range s.told() {
		if a, ok := e.(engine.Appended); ok && a.Message.Text() == "request 4" {
			from = a.Message.ID
		}
	}
	s.core.Do(engine.Compact{From: "msg_that_was_undone"})
	until(s, func(n engine.Noted) bool { return strings.Contains(n.Text, "not in the conversation any more") })
	s.core.Do(engine.Compact{From: from})
	until(s, func(n engine.Noted) bool { return strings.Contains(n.Text, "nothing was changed") })
	s.core.Do(engine.Compact{From: from})
	told := until(s, func(e engine.Compacted) bool { return e.Child != "" })
	end := s.turns(7, 7)
	reqs := s.model.Requests()
	var got []string
	for _, m := range reqs[len(reqs)-1].Messages {
		got = append(got, fmt.Sprintf("%s %.12s", m.Role, m.Text()))
	}
	want := []string{"user request 1", "assistant an answer ww", "user request 2", "assistant an answer ww", "user request 3", "assistant an answer ww", "user request 6"}
	if len(got) != 9 || !slices.Equal(got[:7], want) || !strings.HasPrefix(got[7], "assistant ") || got[8] != "user request 7" {
		t.Errorf("sent %q", got)
	}
	if in := sum.Requests()[1].Messages[0].Text(); strings.Contains(in, "request 3") || !strings.Contains(in, "request 4") || !strings.Contains(in, "request 6") {
		t.Errorf("the summariser read %.200q", in)
	}
	if end.Outcome.SessionID != told.Child || told.Child == first {
		t.Errorf("it goes on in %s, the summary is in %s", end.Outcome.SessionID, told.Child)
	}
	s.stop()
	old, err := s.store.Tail(t.Context(), first, 0)
	if text := fmt.Sprint(old); err != nil || !strings.Contains(text, "request 5") {
		t.Errorf("the parent has lost what was summarised: %v", err)
	}
}

func TestACrashAfterCompactingOpensTheChildWithEveryMessage(t *testing.T) {
	dir := t.TempDir()
	st, err := store.Open(filepath.Join(dir, "data"))
	if err != nil {
		t.Fatal(err)
	}
	steps := []providertest.Step{}
	for range 12 {
		steps = append(steps, answerOf(3_000))
	}
	s := newStory(t, steps...)
	s.store, s.deps.Store = st, st
	s.summaries(providertest.Text(checkpoint))
	s.narrow(30_000)
	s.start("")
	s.turns(1, 10)
	s.core.Do(engine.Compact{})
	child := until(s, func(e engine.Compacted) bool { return e.Child != "" }).Child
	recs, err := st.Tail(t.Context(), child, 0)
	if err != nil {
		t.Fatal(err)
	}
	summaries := 0
	for _, r := range recs {
		if a, ok := r.Event.(engine.Appended); ok && a.Message.Summary {
			summaries++
		}
	}
	if summaries != 1 {
		t.Errorf("%d records, %d summaries on disk when it was told", len(recs), summaries)
	}
}
