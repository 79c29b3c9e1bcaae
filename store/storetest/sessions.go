package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"talaria/engine"
)

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
	list, err := st.List(t.Context(), engine.Query{Dir: "/q"})
	must(t, err)
	want(t, "list without the work of delegates", ids(list), []string{"20261201_110000_cccccc"})
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
}

// deletedWhole is one row of a list and all that stands behind it: a delegate in the oldest session, a compression in a
// delegate, an unfinished branch. Forks are conversations of their own.
func deletedWhole(t *testing.T, st engine.Store) {
	family := []engine.Session{{ID: "p1"}, {ID: "p2", ParentID: "p1", ParentWhy: engine.WhyCompression}, {ID: "p2b", ParentID: "p1", ParentWhy: engine.WhyCompression},
		{ID: "p3", ParentID: "p2", ParentWhy: engine.WhyCompression}, {ID: "d1", ParentID: "p1", ParentWhy: engine.WhyDelegate}, {ID: "d2", ParentID: "d1", ParentWhy: engine.WhyCompression}}
	others := []engine.Session{{ID: "f1", ParentID: "p1", ParentWhy: engine.WhyFork}, {ID: "f2", ParentID: "f1", ParentWhy: engine.WhyCompression}, {ID: "o1"}, {ID: "p"},
		{ID: "lost", ParentID: "gone", ParentWhy: engine.WhyCompression}}
	for _, s := range append(append([]engine.Session{}, others...), family...) {
		s.Dir, s.Title = "/p", "title of "+s.ID
		stored(t, st, s, "said in "+s.ID)
	}
	for _, held := range []string{"p1", "d2", "p3"} {
		l, err := st.Open(t.Context(), held)
		must(t, err)
		is(t, st.Delete(t.Context(), "p3"), engine.ErrOwned)
		must(t, l.Close())
	}
	for _, s := range family {
		if recs, err := st.Tail(t.Context(), s.ID, 0); err != nil || len(recs) != 1 {
			t.Errorf("a deletion that was refused took %s: %d records, %v", s.ID, len(recs), err)
		}
	}
	must(t, st.Delete(t.Context(), "p3"))
	for _, s := range family {
		_, err := st.Open(t.Context(), s.ID)
		is(t, err, engine.ErrNotFound)
		_, err = st.Tail(t.Context(), s.ID, 0)
		is(t, err, engine.ErrNotFound)
	}
	list, err := st.List(t.Context(), engine.Query{})
	must(t, err)
	got := ids(list)
	slices.Sort(got)
	want(t, "list", got, []string{"f2", "lost", "o1", "p"})
	for _, s := range others {
		if recs, err := st.Tail(t.Context(), s.ID, 0); err != nil || len(recs) != 1 {
			t.Errorf("%s went with a conversation that it is no part of: %d records, %v", s.ID, len(recs), err)
		}
	}
	must(t, st.Delete(t.Context(), "lost"))
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
