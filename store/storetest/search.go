package storetest

import (
	"testing"
	"time"

	"talaria/engine"
)

// marked are the pieces of a snippet that a hit marks.
func marked(h engine.Hit) (words []string) {
	for _, m := range h.Marks {
		words = append(words, h.Snippet[m[0]:m[1]])
	}
	return words
}

func searched(t *testing.T, st engine.Store) {
	at := func(h int) time.Time { return Start.Add(time.Duration(h) * time.Hour) }
	stored(t, st, engine.Session{ID: "20260101_a", Dir: "/p", Repo: "/p", Title: "auth", Updated: at(1)},
		"two callers can pass the expiry check", "Fixing refreshing tokens in src/auth/refresh.ts", "令牌刷新的竞态条件")
	stored(t, st, engine.Session{ID: "20260102_b", Dir: "/q", Repo: "/q", Title: "Биллинг", Updated: at(2)},
		"Объясни модули биллинга, ещё раз", "snake_case_name and camelCase")
	stored(t, st, engine.Session{ID: "20260103_c", Dir: "/p/sub", Repo: "/p", Title: "Token bucket", Updated: at(3)}, "쿠폰 반올림 버그", "rate limits of an API")
	stored(t, st, engine.Session{ID: "20260104_d", Dir: "/p", Title: "child", Updated: at(4), ParentID: "20260101_a", ParentWhy: "delegate"}, "expiry of the delegate")
	ask := func(q engine.SearchQuery, ids ...string) []engine.Hit {
		t.Helper()
		hits, err := st.Search(t.Context(), q)
		must(t, err)
		got := []string{}
		for _, h := range hits {
			got = append(got, h.Session.ID)
		}
		want(t, "hits of "+q.Text, got, append([]string{}, ids...))
		return hits
	}
	text := func(s string, ids ...string) []engine.Hit {
		t.Helper()
		return ask(engine.SearchQuery{Text: s}, ids...)
	}

	want(t, "stemmed", marked(text("token refreshes callers", "20260101_a")[0]), []string{"refreshing", "tokens", "refresh"})
	want(t, "a word of a path", marked(text("AUTH fixed", "20260101_a")[0]), []string{"Fixing", "auth"})
	want(t, "still typed", marked(text("expir", "20260101_a")[0]), []string{"expir"})
	want(t, "Chinese", marked(text("刷新的竞态", "20260101_a")[0]), []string{"刷新的竞态"})
	want(t, "one letter", marked(text("竞", "20260101_a")[0]), []string{"竞"})
	want(t, "Korean", marked(text("반올림", "20260103_c")[0]), []string{"반올림"})
	want(t, "Russian in another form", marked(text("модуль еще", "20260102_b")[0]), []string{"модули", "ещё"})
	want(t, "inside a word", marked(text("amelcas", "20260102_b")[0]), []string{"amelCas"})
	want(t, "of an identifier", marked(text("case name", "20260102_b")[0]), []string{"case", "name"})
	text("nothing of the kind")
	text("…!?")
	h := text("token", "20260103_c", "20260101_a") // the title first
	want(t, "a title that has it", []any{h[0].Seq, h[0].Snippet, marked(h[0])}, []any{uint64(0), "Token bucket", []string{"Token"}})
	want(t, "a message that has it", []any{h[1].Seq, h[1].Role, h[1].Tip}, []any{uint64(2), engine.RoleUser, "20260101_a"})
	ask(engine.SearchQuery{Text: "token", Order: "oldest"}, "20260101_a", "20260103_c")
	ask(engine.SearchQuery{Text: "token", Limit: 1}, "20260103_c")
	ask(engine.SearchQuery{Text: "token", Dir: "/p"}, "20260101_a")
	ask(engine.SearchQuery{Text: "limits", Repos: []string{"/p"}}, "20260103_c")
	ask(engine.SearchQuery{Text: "limits", Repos: []string{"/q", "/r"}})
	ask(engine.SearchQuery{Text: "expiry", Not: []string{"20260101_a"}})
	ask(engine.SearchQuery{Text: "expiry", Roles: []engine.Role{engine.RoleAssistant}})
	ask(engine.SearchQuery{Text: "expiry", Roles: []engine.Role{engine.RoleUser}}, "20260101_a")
	list, err := st.List(t.Context(), engine.Query{Repos: []string{"/p", "/elsewhere"}})
	must(t, err)
	want(t, "of the repository", ids(list), []string{"20260103_c", "20260101_a"})
}

func searchFollows(t *testing.T, st engine.Store) {
	found := func(text string, ids ...string) []engine.Hit {
		t.Helper()
		hits, err := st.Search(t.Context(), engine.SearchQuery{Text: text})
		must(t, err)
		got := []string{}
		for _, h := range hits {
			got = append(got, h.Session.ID+">"+h.Tip)
		}
		want(t, text, got, append([]string{}, ids...))
		return hits
	}
	stored(t, st, engine.Session{ID: "p1", Dir: "/p", Updated: Start}, "the alpha plan")
	found("alpha", "p1>p1")
	l, err := st.Open(t.Context(), "p1")
	must(t, err)
	for range 150 {
		must(t, l.Append(t.Context(), Said("filler", Start)))
	}
	must(t, l.Append(t.Context(), Said("now beta", Start)))
	must(t, l.Fold(t.Context(), nil))
	want(t, "the record", found("beta", "p1>p1")[0].Seq, uint64(152))
	found("alpha", "p1>p1")
	must(t, l.Close())
	stored(t, st, engine.Session{ID: "p2", Dir: "/p", ParentID: "p1", ParentWhy: "compression", Updated: Start.Add(1)}, "summary", "and gamma")
	found("alpha", "p1>p2")
	found("gamma", "p2>p2")
	hits, err := st.Search(t.Context(), engine.SearchQuery{Text: "alpha", Not: []string{"p2"}})
	must(t, err)
	want(t, "hits without the lineage", len(hits), 0)
	l = create(t, st, engine.Session{ID: "killed", Dir: "/p"}, "never folded delta")
	must(t, l.Close())
	must(t, st.Delete(t.Context(), "p2"))
	found("gamma")
	found("alpha")
	found("delta", "killed>killed")
}
