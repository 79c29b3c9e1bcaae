package storetest

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"talaria/engine"
)

func recordsComeBack(t *testing.T, st engine.Store) {
	l := create(t, st, engine.Session{ID: "one", Dir: "/p"})
	cost := 0.25
	in := []engine.Record{
		{At: Start, Op: engine.Submit{Text: "hi <b>&amp;\u2028 \"there\"\n"}},
		Said("line one\nline two", Start),
		{At: Start, Event: engine.Used{Usage: engine.Usage{Input: 3}, Cost: &cost}},
	}
	must(t, l.Append(t.Context(), in...))
	must(t, l.Append(t.Context(), engine.Record{Event: engine.Noted{Kind: engine.NoteInfo, Text: "x"}}))
	must(t, l.Append(t.Context()))
	out, err := l.Records(t.Context())
	must(t, err)
	want(t, "count", len(out), 4)
	for i, r := range out {
		want(t, "number", r.Seq, uint64(i+1))
		if i < len(in) {
			want(t, "event", r.Event, in[i].Event)
			want(t, "op", r.Op, in[i].Op)
			want(t, "time", r.At.Equal(in[i].At), true)
		}
	}
	if out[3].At.IsZero() {
		t.Fatal("a record without a time got none")
	}
	must(t, l.Close())
	must(t, l.Close())
	if l.Append(t.Context(), in...) == nil || l.Fold(t.Context(), nil) == nil {
		t.Fatal("a closed session took a record")
	}
}

func unknownSurvives(t *testing.T, st engine.Store) {
	l := create(t, st, engine.Session{ID: "one"})
	future := engine.Unknown{Type: "telepathy", Raw: json.RawMessage(`{"type":"telepathy","thoughts":["a",{"b":1}]}`)}
	must(t, l.Append(t.Context(), engine.Record{At: Start, Event: future}))
	raw := `{"seq":77,"at":"2026-11-30T12:00:00Z","type":"noted","kind":"info","text":"t","colour":"green"}`
	rec, err := engine.DecodeRecord([]byte(raw))
	must(t, err)
	must(t, l.Append(t.Context(), rec))
	must(t, l.Append(t.Context(), engine.Record{Raw: json.RawMessage(`{"type":"noted","kind":5,` + "\n" + `"at":"2026-11-30T12:00:00Z"}`)}))
	must(t, l.Fold(t.Context(), nil))
	must(t, l.Close())
	l, err = st.Open(t.Context(), "one")
	must(t, err)
	defer l.Close()
	out, err := l.Records(t.Context())
	must(t, err)
	want(t, "count", len(out), 3)
	u, ok := out[0].Event.(engine.Unknown)
	if !ok || u.Type != "telepathy" {
		t.Fatalf("an unknown record came back as %#v", out[0].Event)
	}
	var fields map[string]any
	must(t, json.Unmarshal(u.Raw, &fields))
	want(t, "unknown field", fields["thoughts"], []any{"a", map[string]any{"b": 1.0}})
	must(t, json.Unmarshal(out[1].Raw, &fields))
	want(t, "field of a later version", fields["colour"], "green")
	want(t, "its number", fields["seq"], 2.0)
	if u, ok := out[2].Event.(engine.Unknown); !ok || u.Type != "noted" {
		t.Fatalf("a record whose fields changed came back as %#v", out[2].Event)
	}
}

func nothingBeforeTheFirst(t *testing.T, st engine.Store) {
	l := create(t, st, engine.Session{ID: "one", Dir: "/p"})
	must(t, l.Fold(t.Context(), func(s *engine.Session) { s.Mode = "plan" }))
	want(t, "mode", l.Session().Mode, "plan")
	list, err := st.List(t.Context(), engine.Query{})
	must(t, err)
	want(t, "list", ids(list), []string{})
	_, err = st.Find(t.Context(), "", "/p")
	is(t, err, engine.ErrNotFound)
	must(t, l.Close())
	_, err = st.Open(t.Context(), "one")
	is(t, err, engine.ErrNotFound)
	_, err = st.Tail(t.Context(), "one", 5)
	is(t, err, engine.ErrNotFound)
	l, err = st.Create(t.Context(), engine.Session{})
	must(t, err)
	if s := l.Session(); s.ID == "" || s.Created.IsZero() {
		t.Fatalf("a session without id or time: %+v", s)
	}
	must(t, l.Close())
	if _, err := st.Create(t.Context(), engine.Session{ID: "../../etc"}); err == nil {
		t.Fatal("an id that is a path was taken")
	}
}

func oneOwner(t *testing.T, st engine.Store) {
	l := create(t, st, engine.Session{ID: "one"}, "hi")
	_, err := st.Open(t.Context(), "one")
	is(t, err, engine.ErrOwned)
	_, err = st.Create(t.Context(), engine.Session{ID: "one"})
	is(t, err, engine.ErrOwned)
	is(t, st.Delete(t.Context(), "one"), engine.ErrOwned)
	must(t, l.Close())
	l, err = st.Open(t.Context(), "one")
	must(t, err)
	must(t, l.Close())
	_, err = st.Open(t.Context(), "two")
	is(t, err, engine.ErrNotFound)
}

func resumed(t *testing.T, st engine.Store) {
	cost := 1.5
	l := create(t, st, engine.Session{ID: "one", Dir: "/p", Created: Start}, "a", "b")
	must(t, l.Fold(t.Context(), func(s *engine.Session) {
		s.Title, s.System, s.Messages, s.Cost, s.Changed = "work", "you are", 2, &cost, []string{"/p/x"}
	}))
	must(t, l.Append(t.Context(), Said("c", Start)))
	must(t, l.Fold(t.Context(), func(s *engine.Session) { s.Messages++ }))
	want(t, "folded", l.Session().Folded, uint64(3))
	before := l.Session()
	must(t, l.Close())
	l, err := st.Open(t.Context(), "one")
	must(t, err)
	defer l.Close()
	after := l.Session()
	want(t, "updated", after.Updated.Equal(before.Updated), true)
	after.Updated, after.Created = before.Updated, before.Created
	want(t, "row", after, before)
	must(t, l.Append(t.Context(), Said("d", Start)))
	recs, err := l.Records(t.Context())
	must(t, err)
	want(t, "texts", Texts(recs), []string{"a", "b", "c", "d"})
	want(t, "number", recs[3].Seq, uint64(4))
}

func tail(t *testing.T, st engine.Store) {
	l := create(t, st, engine.Session{ID: "one"})
	for i := range 300 {
		must(t, l.Append(t.Context(), Said(fmt.Sprint(i), Start)))
		if i == 100 {
			must(t, l.Fold(t.Context(), nil))
		}
	}
	check := func() {
		t.Helper()
		recs, err := st.Tail(t.Context(), "one", 3)
		must(t, err)
		want(t, "last three", Texts(recs), []string{"297", "298", "299"})
		recs, err = st.Tail(t.Context(), "one", 0)
		must(t, err)
		want(t, "all", len(recs), 300)
		recs, err = st.Before(t.Context(), "one", 151, 2)
		must(t, err)
		want(t, "two before number 151", Texts(recs), []string{"148", "149"})
		recs, err = st.Before(t.Context(), "one", 3, 50)
		must(t, err)
		want(t, "the first two", Texts(recs), []string{"0", "1"})
		recs, err = st.Before(t.Context(), "one", 1, 50)
		must(t, err)
		want(t, "before the first", len(recs), 0)
		recs, err = st.Before(t.Context(), "one", 1000, 1)
		must(t, err)
		want(t, "before what is to come", Texts(recs), []string{"299"})
	}
	check()
	must(t, l.Close())
	check()
}

func refused(t *testing.T, st engine.Store) {
	l := create(t, st, engine.Session{ID: "one"})
	defer l.Close()
	bad := engine.Record{Event: engine.Unknown{Type: "x", Raw: json.RawMessage(`{"type":"x",`)}}
	if l.Append(t.Context(), Said("before", Start), bad, engine.Record{}, Said("after", Start)) == nil {
		t.Fatal("a record that is no JSON was taken")
	}
	must(t, l.Append(t.Context(), Said("later", Start)))
	must(t, l.Fold(t.Context(), nil))
	if l.Fold(t.Context(), func(*engine.Session) { panic("a bug") }) == nil {
		t.Fatal("a change that panics went unnoticed")
	}
	must(t, l.Fold(t.Context(), func(s *engine.Session) { s.Mode = "edit" }))
	recs, err := l.Records(t.Context())
	must(t, err)
	want(t, "texts", Texts(recs), []string{"before", "after", "later"})
	want(t, "number", recs[2].Seq, uint64(3))
}

// concurrent is N07: titles, token sums and messages at once.
func concurrent(t *testing.T, st engine.Store) {
	const each = 200
	l := create(t, st, engine.Session{ID: "one", Dir: "/p"}, "first")
	ctx := context.Background()
	var wg sync.WaitGroup
	run := func(times int, work func(i int) error) {
		wg.Add(1)
		engine.Go("storetest", func() {
			defer wg.Done()
			for i := range times {
				if err := work(i); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for w := range 2 {
		run(each, func(i int) error { return l.Append(ctx, Said(fmt.Sprint(w, "/", i), Start)) })
	}
	for range 2 {
		run(each, func(int) error {
			return l.Fold(ctx, func(s *engine.Session) { s.Usage.Input += 3; s.Messages++ })
		})
	}
	run(each, func(i int) error { return st.Rename(ctx, "one", fmt.Sprint("title ", i)) })
	run(each/5, func(int) error { _, err := st.List(ctx, engine.Query{}); return err })
	run(each/5, func(int) error { _, err := st.Tail(ctx, "one", 5); return err })
	run(each/5, func(int) error { _ = l.Session(); _, err := l.Records(ctx); return err })
	wg.Wait()
	must(t, l.Fold(ctx, nil))
	s := l.Session()
	want(t, "sums and last title", []any{s.Usage.Input, s.Messages, s.Title}, []any{2 * each * 3, 2 * each, fmt.Sprint("title ", each-1)})
	must(t, l.Close())
	l, err := st.Open(ctx, "one")
	must(t, err)
	recs, err := l.Records(ctx)
	must(t, err)
	want(t, "messages", len(Texts(recs)), 2*each+1)
	s2 := l.Session()
	want(t, "sums after reopening", []any{s2.Usage.Input, s2.Messages, s2.Title}, []any{s.Usage.Input, s.Messages, s.Title})
	must(t, l.Close())
}
