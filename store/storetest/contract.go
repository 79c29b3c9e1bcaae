// Package storetest is the contract of engine.Store as a suite of stories. Every store runs it; it knows nothing of how
// a store keeps things and makes no claim about crashes, which a store tests for itself.
package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"talaria/engine"
)

// Start is when the stories take place.
var Start = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// Contract runs all stories, each on a fresh store from open.
func Contract(t *testing.T, open func(t *testing.T) engine.Store) {
	stories := []struct {
		name string
		tell func(*testing.T, engine.Store)
	}{
		{"RecordsComeBackInOrder", recordsComeBack},
		{"WhatALaterVersionWroteSurvives", unknownSurvives},
		{"NothingIsKeptOfASessionWithoutRecords", nothingBeforeTheFirst},
		{"ASessionHasOneOwner", oneOwner},
		{"AResumedSessionGoesOn", resumed},
		{"SessionsAreListedNewestFirst", listed},
		{"ASessionThatWasNeverFoldedIsListed", neverFolded},
		{"ASessionIsFoundByWhatTheUserRemembers", found},
		{"ACompressedSessionLeadsToItsNewestChild", lineage},
		{"ATitleGivenByTheUserStays", renamed},
		{"ADeletedSessionIsGone", deleted},
		{"DraftsAreKeptForEachSession", drafts},
		{"HistoryIsNewestFirst", history},
		{"TheTailIsReadWithoutOwning", tail},
		{"ARecordThatCannotBeWrittenHoldsUpNoOther", refused},
		{"N07ManyUpdatesAtOnceLoseNothing", concurrent},
	}
	for _, s := range stories {
		t.Run(s.name, func(t *testing.T) {
			st := open(t)
			t.Cleanup(func() { must(t, st.Close()) })
			s.tell(t, st)
		})
	}
}

// Said is the record of a user's message.
func Said(text string, at time.Time) engine.Record {
	return engine.Record{At: at, Event: engine.Appended{Message: engine.UserMessage(text, at)}}
}

// Texts returns the text of the messages among recs.
func Texts(recs []engine.Record) []string {
	var all []string
	for _, r := range recs {
		if a, ok := r.Event.(engine.Appended); ok {
			all = append(all, a.Message.Text())
		}
	}
	return all
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func want(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%s: got %v, want %v", what, got, want)
	}
}

func is(t *testing.T, err, target error) {
	t.Helper()
	if !errors.Is(err, target) {
		t.Fatalf("got error %v, want %v", err, target)
	}
}

// create starts session id of dir and writes one message a text.
func create(t *testing.T, st engine.Store, s engine.Session, texts ...string) engine.Log {
	t.Helper()
	l, err := st.Create(t.Context(), s)
	must(t, err)
	for i, text := range texts {
		must(t, l.Append(t.Context(), Said(text, Start.Add(time.Duration(i)*time.Second))))
	}
	return l
}

// stored creates a session, folds it and closes it.
func stored(t *testing.T, st engine.Store, s engine.Session, texts ...string) {
	t.Helper()
	l := create(t, st, s, texts...)
	must(t, l.Fold(t.Context(), func(row *engine.Session) { row.Title, row.Updated = s.Title, s.Updated }))
	must(t, l.Close())
}

func ids(list []engine.Session) []string {
	out := []string{}
	for _, s := range list {
		out = append(out, s.ID)
	}
	return out
}

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

func listed(t *testing.T, st engine.Store) {
	for i := range 6 {
		s := engine.Session{ID: fmt.Sprintf("s%d", i), Dir: "/p", Title: "Fix Bug", System: "long", Updated: Start.Add(time.Duration(i) * time.Hour)}
		if i%2 == 1 {
			s.Dir, s.Title = "/q", fmt.Sprintf("Ärger %d", i)
		}
		stored(t, st, s, "hi")
	}
	ask := func(q engine.Query, ids_ ...string) {
		t.Helper()
		list, err := st.List(t.Context(), q)
		must(t, err)
		want(t, fmt.Sprintf("%+v", q), ids(list), ids_)
		for _, s := range list {
			want(t, "system prompt in a list", s.System, "")
		}
	}
	ask(engine.Query{}, "s5", "s4", "s3", "s2", "s1", "s0")
	ask(engine.Query{Limit: 2}, "s5", "s4")
	ask(engine.Query{Dir: "/p"}, "s4", "s2", "s0")
	ask(engine.Query{Dir: "/"}, []string{}...)
	ask(engine.Query{Text: "ärger"}, "s5", "s3", "s1")
	ask(engine.Query{Text: "BUG", Dir: "/p", Limit: 1}, "s4")
	l, err := st.Open(t.Context(), "s0")
	must(t, err)
	must(t, l.Append(t.Context(), Said("again", Start.Add(24*time.Hour))))
	must(t, l.Fold(t.Context(), nil))
	must(t, l.Close())
	ask(engine.Query{}, "s0", "s5", "s4", "s3", "s2", "s1")
	ask(engine.Query{Dir: "/p"}, "s0", "s4", "s2")
}

func neverFolded(t *testing.T, st engine.Store) {
	l := create(t, st, engine.Session{ID: "one", Dir: "/p", Created: Start}, "please fix it\nnow", "and that")
	must(t, l.Append(t.Context(), engine.Record{Event: engine.Began{Turn: 2, Route: engine.Route{Model: "m"}}},
		engine.Record{Event: engine.Used{Total: engine.Usage{Input: 9}, Context: 7}}))
	must(t, l.Close())
	list, err := st.List(t.Context(), engine.Query{Dir: "/p"})
	must(t, err)
	want(t, "list", ids(list), []string{"one"})
	s := list[0]
	want(t, "title", s.Title, "please fix it")
	want(t, "counts", []any{s.Turns, s.Messages, s.Usage.Input, s.Context, s.Route.Model}, []any{2, 2, 9, 7, "m"})
	l, err = st.Open(t.Context(), "one")
	must(t, err)
	want(t, "messages", l.Session().Messages, 2)
	must(t, l.Close())
}

func found(t *testing.T, st engine.Store) {
	at := func(h int) time.Time { return Start.Add(time.Duration(h) * time.Hour) }
	stored(t, st, engine.Session{ID: "20261130_100000_aaaaaa", Dir: "/p", Title: "Fix the parser", Updated: at(1)}, "x")
	stored(t, st, engine.Session{ID: "20261130_110000_bbbbbb", Dir: "/p", Title: "fix the PARSER", Updated: at(2)}, "x")
	stored(t, st, engine.Session{ID: "20261201_110000_cccccc", Dir: "/q", Title: "Übersetzung", Updated: at(3)}, "x")
	stored(t, st, engine.Session{ID: "20261202_110000_dddddd", Dir: "/q", ParentID: "20261201_110000_cccccc", ParentWhy: "delegate", Updated: at(4)}, "x")
	for ref, id := range map[string]string{
		"20261130_100000_aaaaaa": "20261130_100000_aaaaaa",
		"20261130_11":            "20261130_110000_bbbbbb",
		"20261201":               "20261201_110000_cccccc",
		"Fix the parser":         "20261130_100000_aaaaaa",
		"fix the PARSER":         "20261130_110000_bbbbbb",
		"übersetzung":            "20261201_110000_cccccc",
	} {
		s, err := st.Find(t.Context(), ref, "/elsewhere")
		must(t, err)
		want(t, ref, s.ID, id)
	}
	for ref, target := range map[string]error{"20261130": engine.ErrMany, "FIX THE PARSER": engine.ErrMany, "fix": engine.ErrNotFound, "9": engine.ErrNotFound} {
		_, err := st.Find(t.Context(), ref, "/p")
		is(t, err, target)
	}
	for dir, id := range map[string]string{"/p": "20261130_110000_bbbbbb", "/q": "20261201_110000_cccccc", "": "20261201_110000_cccccc"} {
		s, err := st.Find(t.Context(), "", dir)
		must(t, err)
		want(t, "newest of "+dir, s.ID, id)
	}
	_, err := st.Find(t.Context(), "", "/nowhere")
	is(t, err, engine.ErrNotFound)
}

func lineage(t *testing.T, st engine.Store) {
	stored(t, st, engine.Session{ID: "p1", Dir: "/p", Title: "Long work", Updated: Start, System: "s1"}, "a")
	stored(t, st, engine.Session{ID: "p2", ParentID: "p1", ParentWhy: "compression", Dir: "/p", Title: "Long work", Updated: Start.Add(1)}, "b")
	l := create(t, st, engine.Session{ID: "p3", ParentID: "p2", ParentWhy: "compression", Dir: "/p"})
	s, err := st.Find(t.Context(), "p1", "")
	must(t, err)
	want(t, "the tip while the next child has no record", s.ID, "p2")
	must(t, l.Append(t.Context(), Said("summary", Start)))
	must(t, l.Fold(t.Context(), func(s *engine.Session) { s.Title = "Long work" }))
	must(t, l.Close())
	for _, ref := range []string{"p1", "p2", "p3", "Long work", ""} {
		s, err := st.Find(t.Context(), ref, "/p")
		must(t, err)
		want(t, "tip of "+ref, s.ID, "p3")
	}
	list, err := st.List(t.Context(), engine.Query{})
	must(t, err)
	want(t, "list", ids(list), []string{"p3"})
	must(t, st.Delete(t.Context(), "p3"))
	s, err = st.Find(t.Context(), "p1", "")
	must(t, err)
	want(t, "tip after the child was deleted", s.ID, "p2")
}

func renamed(t *testing.T, st engine.Store) {
	l := create(t, st, engine.Session{ID: "one"}, "hi")
	must(t, st.Rename(t.Context(), "one", "Mine"))
	copied := l.Session()
	must(t, l.Fold(t.Context(), func(s *engine.Session) { *s = copied; s.Messages = 1 }))
	want(t, "title after a change that carried an old copy", l.Session().Title, "Mine")
	must(t, l.Fold(t.Context(), func(s *engine.Session) { s.Title, s.TitleSet = "made up", false }))
	want(t, "title after a made-up one", l.Session().Title, "Mine")
	want(t, "set", l.Session().TitleSet, true)
	must(t, st.Rename(t.Context(), "one", "Mine too"))
	must(t, l.Close())
	must(t, st.Rename(t.Context(), "one", "Really mine"))
	l, err := st.Open(t.Context(), "one")
	must(t, err)
	want(t, "title after reopening", l.Session().Title, "Really mine")
	must(t, l.Fold(t.Context(), func(s *engine.Session) { s.Title, s.TitleSet = "By the owner", true }))
	must(t, l.Close())
	s, err := st.Find(t.Context(), "by the owner", "")
	must(t, err)
	want(t, "found by the new title", s.ID, "one")
	_, err = st.Find(t.Context(), "Mine", "")
	is(t, err, engine.ErrNotFound)
	is(t, st.Rename(t.Context(), "none", "x"), engine.ErrNotFound)
}

func deleted(t *testing.T, st engine.Store) {
	stored(t, st, engine.Session{ID: "one", Dir: "/p", Title: "T"}, "hi")
	l := create(t, st, engine.Session{ID: "two", Dir: "/p"}, "never folded")
	must(t, l.Close())
	must(t, st.SaveDraft(t.Context(), "/p", "one", "half a thought"))
	for _, id := range []string{"one", "two"} {
		must(t, st.Delete(t.Context(), id))
		is(t, st.Delete(t.Context(), id), engine.ErrNotFound)
		_, err := st.Open(t.Context(), id)
		is(t, err, engine.ErrNotFound)
		_, err = st.Tail(t.Context(), id, 0)
		is(t, err, engine.ErrNotFound)
		_, err = st.Find(t.Context(), id, "")
		is(t, err, engine.ErrNotFound)
	}
	_, err := st.Find(t.Context(), "T", "")
	is(t, err, engine.ErrNotFound)
	list, err := st.List(t.Context(), engine.Query{Dir: "/p"})
	must(t, err)
	want(t, "list", ids(list), []string{})
	text, err := st.Draft(t.Context(), "/p", "one")
	must(t, err)
	want(t, "draft", text, "")
}

func drafts(t *testing.T, st engine.Store) {
	read := func(dir, session string) string {
		t.Helper()
		text, err := st.Draft(t.Context(), dir, session)
		must(t, err)
		return text
	}
	want(t, "none yet", read("/p", ""), "")
	must(t, st.SaveDraft(t.Context(), "/p", "", "new\nsession ü"))
	must(t, st.SaveDraft(t.Context(), "/p", "one", "of one"))
	must(t, st.SaveDraft(t.Context(), "/q", "", "elsewhere"))
	must(t, st.SaveDraft(t.Context(), "/p", "one", "of one, longer"))
	want(t, "of the directory", read("/p", ""), "new\nsession ü")
	want(t, "of the session", read("/p", "one"), "of one, longer")
	want(t, "of the other directory", read("/q", ""), "elsewhere")
	must(t, st.SaveDraft(t.Context(), "/p", "", ""))
	want(t, "removed", read("/p", ""), "")
	want(t, "of the session still", read("/p", "one"), "of one, longer")
}

func history(t *testing.T, st engine.Store) {
	for _, line := range []string{"one", "two", "two", "three\nlines\nhere", ""} {
		must(t, st.AddHistory(t.Context(), "/p", line))
	}
	for _, dir := range []string{"/o", "/p/sub", "/q"} {
		must(t, st.AddHistory(t.Context(), dir, "of "+dir))
	}
	for n, lines := range map[int][]string{0: {"three\nlines\nhere", "two", "one"}, 2: {"three\nlines\nhere", "two"}, 9: {"three\nlines\nhere", "two", "one"}} {
		got, err := st.History(t.Context(), "/p", n)
		must(t, err)
		want(t, fmt.Sprint("newest ", n), got, lines)
	}
	got, err := st.History(t.Context(), "/nowhere", 5)
	must(t, err)
	want(t, "of a directory without any", len(got), 0)
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
	run := func(work func(i int) error) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range each {
				if err := work(i); err != nil {
					t.Error(err)
					return
				}
			}
		}()
	}
	for w := range 2 {
		run(func(i int) error { return l.Append(ctx, Said(fmt.Sprint(w, "/", i), Start)) })
	}
	for range 2 {
		run(func(int) error {
			return l.Fold(ctx, func(s *engine.Session) { s.Usage.Input += 3; s.Messages++ })
		})
	}
	run(func(i int) error { return st.Rename(ctx, "one", fmt.Sprint("title ", i)) })
	run(func(int) error { _, err := st.List(ctx, engine.Query{}); return err })
	run(func(int) error { _, err := st.Tail(ctx, "one", 5); return err })
	run(func(int) error { _ = l.Session(); _, err := l.Records(ctx); return err })
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
