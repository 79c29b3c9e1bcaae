package providertest

import (
	"context"
	"errors"
	"io"
	"sync"
	"testing"
	"testing/synctest"

	"talaria/engine"
)

func TestAScriptPlaysItsStepsAndKeepsTheRequests(t *testing.T) {
	boom := errors.New("boom")
	s := Scripted(
		Text("one"),
		Calls(engine.Call{ID: "a", Name: "f", Args: "{}"}, engine.Call{ID: "b", Name: "g", Args: "{}"}),
		Fail(boom, engine.TextDelta{Text: "hal"}),
		React(func(r engine.Request) []engine.Delta { return []engine.Delta{engine.TextDelta{Text: r.System}} }),
	)
	if r := Collect(t.Context(), s, engine.Request{}); r.Message.Text() != "one" || r.Done.Stop != engine.StopEnd {
		t.Errorf("step 1: %+v", r)
	}
	if r := Collect(t.Context(), s, engine.Request{}); len(r.Message.Calls()) != 2 || r.Done.Stop != engine.StopCalls {
		t.Errorf("step 2: %+v", r)
	}
	if r := Collect(t.Context(), s, engine.Request{}); r.Err != boom || r.Message.Text() != "hal" {
		t.Errorf("step 3: %+v", r)
	}
	if r := Collect(t.Context(), s, engine.Request{System: "sys"}); r.Message.Text() != "sys" {
		t.Errorf("step 4: %+v", r)
	}
	if r := Collect(t.Context(), s, engine.Request{}); !errors.Is(r.Err, ErrScriptEnded) {
		t.Errorf("after the end: %+v", r)
	}
	if last, ok := s.Last(); !ok || len(s.Requests()) != 5 || s.Left() != 0 || s.Open() != 0 || last.System != "" {
		t.Errorf("%d requests, %d left, %d open", len(s.Requests()), s.Left(), s.Open())
	}
}

func TestAScriptThatHangsEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s, got := Scripted(Hang(engine.TextDelta{Text: "a"})), make(chan Reply)
		go func() { got <- Collect(ctx, s, engine.Request{}) }()
		synctest.Wait()
		if s.Open() != 1 {
			t.Errorf("%d open, want 1", s.Open())
		}
		cancel()
		if r := <-got; r.Err != context.Canceled || r.Message.Text() != "a" {
			t.Errorf("%+v", r)
		}
	})
}

func TestAScriptServesManyAtOnce(t *testing.T) {
	s := Scripted()
	for range 50 {
		s.Add(Text("x"))
	}
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if r := Collect(t.Context(), s, engine.Request{}); r.Err != nil {
				t.Error(r.Err)
			}
		})
	}
	all.Wait()
}

func TestChunkedGivesAllBytesInPiecesOfTheSizesAsked(t *testing.T) {
	for _, sizes := range [][]int{nil, {1}, {2, 3}, {7}, {0}} {
		r, buf, out := Chunked([]byte("hello, world"), sizes...), make([]byte, 64), ""
		for turn := 0; ; turn++ {
			n, err := r.Read(buf)
			if err == io.EOF {
				break
			}
			if len(sizes) > 0 && sizes[turn%len(sizes)] > 0 && n > sizes[turn%len(sizes)] {
				t.Errorf("sizes %v: a piece of %d", sizes, n)
			}
			out += string(buf[:n])
		}
		if out != "hello, world" {
			t.Errorf("sizes %v: %q", sizes, out)
		}
	}
}
