package engine

import (
	"reflect"
	"testing"
	"time"
)

func folded(ds ...Delta) Message {
	var f Fold
	for _, d := range ds {
		f.Add(d)
	}
	return f.Message(time.Time{})
}

func TestPiecesFoldIntoOneMessage(t *testing.T) {
	m := folded(ThoughtDelta{Text: "hm "}, ThoughtDelta{Text: "so", Signature: "sig"}, ThoughtDelta{Text: "next"}, TextDelta{"He"}, TextDelta{"llo"},
		CallDelta{Index: 0, ID: "a", Name: "ls", Args: `{"x"`}, CallDelta{Index: 1, ID: "b", Name: "pwd"}, CallDelta{Index: 0, Args: `:1}`}, Done{Stop: StopEnd, Usage: &Usage{Input: 3}, Model: "m"})
	want := Parts{Thought{"hm so", "sig"}, Thought{"next", ""}, Text{"Hello"}, Call{ID: "a", Name: "ls", Args: `{"x":1}`}, Call{ID: "b", Name: "pwd", Args: "{}"}}
	if !reflect.DeepEqual(m.Parts, want) || m.Stop != StopCalls || m.Usage.Input != 3 || m.Model != "m" {
		t.Fatalf("%#v", m)
	}
}

func TestS25ARetryDropsWhatTheDeadAttemptSaid(t *testing.T) {
	m := folded(TextDelta{"Hello wor"}, CallDelta{Index: 0, ID: "dead", Name: "ls", Args: "{"}, Retry{Action: ActionRetry}, TextDelta{"Hello world"}, Done{Stop: StopEnd})
	if m.Text() != "Hello world" || len(m.Calls()) != 0 {
		t.Fatalf("%#v", m)
	}
}

func TestSeveralObjectsInOneCallAreSeveralCalls(t *testing.T) {
	m := folded(CallDelta{Index: 0, ID: "a", Name: "ls", Args: `{"p":1}{"p":2}`}, CallDelta{Index: 1, ID: "a", Name: "ls", Args: `{"p":3}`})
	calls := m.Calls()
	if len(calls) != 3 || calls[0].Args != `{"p":1}` || calls[1].Args != `{"p":2}` || calls[1].ID == "a" || calls[2].ID == "a" || calls[1].ID == calls[2].ID {
		t.Fatalf("%#v", calls)
	}
	again := folded(CallDelta{Index: 0, ID: "a", Name: "ls", Args: `{"p":1}{"p":2}`}, CallDelta{Index: 1, ID: "a", Name: "ls", Args: `{"p":3}`})
	if again.Calls()[1].ID != calls[1].ID {
		t.Fatal("a made id is not the same on a replay")
	}
}

func TestBrokenArgumentsStayAsTheyCame(t *testing.T) {
	for _, args := range []string{`{"path":"a`, `{"a":1} trailing`, `[1]`, `{"a":1}[2]`} {
		if got := folded(CallDelta{ID: "a", Name: "x", Args: args}).Calls(); len(got) != 1 || got[0].Args != args {
			t.Errorf("%s became %#v", args, got)
		}
	}
}

func TestMergeNeverChangesWhatIsFolded(t *testing.T) {
	ds := []Delta{TextDelta{"a"}, TextDelta{"b"}, ThoughtDelta{Text: "c"}, ThoughtDelta{Text: "d", Signature: "s"}, ThoughtDelta{Text: "e"},
		CallDelta{Index: 0, ID: "x", Name: "n", Args: "{"}, CallDelta{Index: 0, Args: "}"}, CallDelta{Index: 1, ID: "y", Name: "n"}, TextDelta{"f"}, Done{Stop: StopCalls}}
	var merged []Event
	for _, d := range ds {
		e := Event(Streamed{d})
		if n := len(merged); n > 0 {
			if joined, ok := Merge(merged[n-1], e); ok {
				merged[n-1] = joined
				continue
			}
		}
		merged = append(merged, e)
	}
	var f Fold
	for _, e := range merged {
		f.Add(e.(Streamed).Delta)
	}
	if got, want := f.Message(time.Time{}).Parts, folded(ds...).Parts; !reflect.DeepEqual(got, want) || len(merged) >= len(ds) {
		t.Fatalf("%d events: %#v, want %#v", len(merged), got, want)
	}
}

func BenchmarkFoldOneByteDeltas(b *testing.B) {
	for b.Loop() {
		var f Fold
		for range 200_000 {
			f.Add(TextDelta{"x"})
		}
		if len(f.Message(time.Time{}).Text()) != 200_000 {
			b.Fatal("text was lost")
		}
	}
}
