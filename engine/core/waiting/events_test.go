package waiting

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"talaria/engine"
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
			q := NewEvents()
			go q.Run(t.Context())
			var sent, got []engine.Event
			done := make(chan struct{})
			go func() {
				defer close(done)
				for e := range q.Out() {
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
				q.Push(e) // never blocks
				if i%50 == 0 {
					time.Sleep(time.Millisecond)
				}
			}
			q.Close()
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
		q := NewEvents()
		ended := make(chan struct{})
		go func() { q.Run(ctx); close(ended) }()
		for i := range 200 {
			q.Push(engine.Stepped{Iteration: i})
		}
		q.Close()
		cancel()
		began := time.Now()
		<-ended
		if took := time.Since(began); took > drainTime {
			t.Fatalf("it waited %v", took)
		}
	})
}
