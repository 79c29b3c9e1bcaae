package core

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"talaria/engine"
	"talaria/engine/core/past"
)

// said joins what a reader got: text pieces as they are, everything else by its name.
func said(events []engine.Event) string {
	var b strings.Builder
	for _, e := range events {
		if s, ok := e.(engine.Streamed); ok {
			b.WriteString(s.Delta.(engine.TextDelta).Text)
			continue
		}
		fmt.Fprintf(&b, "<%T %v>", e, e)
	}
	return b.String()
}

func TestLawSevenNothingIsDroppedOrReorderedHoweverSlowTheReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for seed := range uint64(50) {
			rnd := rand.New(rand.NewPCG(seed, 1))
			q := newQueue()
			go q.run(t.Context())
			var sent, got []engine.Event
			done := make(chan struct{})
			go func() {
				defer close(done)
				for e := range q.out {
					got = append(got, e)
					time.Sleep(time.Duration(rnd.IntN(3)) * time.Millisecond)
				}
			}()
			for i := range 500 {
				var e engine.Event = engine.Streamed{Delta: engine.TextDelta{Text: fmt.Sprint(i, " ")}}
				if i%7 == 0 {
					e = engine.Stepped{Iteration: i}
				}
				sent = append(sent, e)
				q.push(e) // never blocks
				if i%50 == 0 {
					time.Sleep(time.Millisecond)
				}
			}
			q.close()
			<-done
			if said(got) != said(sent) {
				t.Fatalf("seed %d:\nsent %s\ngot  %s", seed, said(sent), said(got))
			}
			if len(got) >= len(sent) {
				t.Fatalf("no pieces were joined: %d of %d", len(got), len(sent))
			}
		}
	})
}

func TestAReaderThatWentAwayDoesNotKeepTheEngine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		q := newQueue()
		ended := make(chan struct{})
		go func() { q.run(ctx); close(ended) }()
		for i := range 200 {
			q.push(engine.Stepped{Iteration: i})
		}
		q.close()
		cancel()
		began := time.Now()
		<-ended
		if took := time.Since(began); took > drainTime {
			t.Fatalf("it waited %v", took)
		}
	})
}

func TestRestorePutsInTheResultOfACallThatEndedInACrash(t *testing.T) {
	reply := engine.Message{ID: "m1", Role: engine.RoleAssistant, Parts: engine.Parts{engine.Call{ID: "a", Name: "x", Args: "{}"}, engine.Call{ID: "b", Name: "x", Args: "{}"}}}
	res := func(id string) engine.Result { return engine.Result{CallID: id, Text: "result " + id} }
	s := past.Restore([]engine.Record{
		{Event: engine.Appended{Message: engine.Message{ID: "u", Role: engine.RoleUser, Parts: engine.Parts{engine.Text{Text: "go"}}}}},
		{Event: engine.Appended{Message: engine.Message{ID: "m1", Role: engine.RoleAssistant, Aside: true, Parts: engine.Parts{engine.Text{Text: "half"}}}}},
		{Event: engine.Appended{Message: reply}},
		{Event: engine.CallEnded{Result: res("a")}},
		{Event: engine.Appended{Message: engine.ToolMessage(res("a"), time.Time{})}},
		{Event: engine.CallEnded{Result: res("b")}}, // and here the power went
	})
	if len(s.Messages) != 4 || s.Messages[1].Aside || len(s.Messages[1].Calls()) != 2 {
		t.Fatalf("%+v", s.Messages)
	}
	if r := s.Messages[3].Results(); len(r) != 1 || r[0].Text != "result b" {
		t.Fatalf("%+v", s.Messages[3])
	}
}

func TestRestoreLeavesOutOfTheWaitingListWhatWasDelivered(t *testing.T) {
	s := past.Restore([]engine.Record{
		{Event: engine.Queued{Waiting: []engine.Waiting{{ID: "q1", Text: "one"}, {ID: "q2", Text: "two"}}}},
		{Event: engine.Steered{Waiting: []engine.Waiting{{ID: "s1", Text: "steer"}}}},
		{Event: engine.Appended{Message: engine.Message{ID: "q1", Role: engine.RoleUser, Parts: engine.Parts{engine.Text{Text: "one"}}}}},
		{Event: engine.Appended{Message: engine.Message{ID: "s1", Role: engine.RoleUser, Steer: true, Parts: engine.Parts{engine.Text{Text: "steer"}}}}},
	})
	if len(s.Queued) != 1 || s.Queued[0].ID != "q2" || len(s.Steers) != 0 {
		t.Fatalf("queued %+v steers %+v", s.Queued, s.Steers)
	}
}
