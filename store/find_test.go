package store

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"talaria/engine"
	"talaria/engine/soak"
	"talaria/store/hit"
	"talaria/store/search"
	"talaria/store/storetest"
)

// TestASearchFindsWhatReadingEverythingFinds: the index, the parts of words, what the index lacks yet, and the scan while
// there is none, all agree with a look at every message.
func TestASearchFindsWhatReadingEverythingFinds(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	words := strings.Fields(`run running runner token tokens tokenizer refresh refreshing auth auth.go snake_case Ёлка елки скорость скоростями
		令牌 令牌刷新 刷新 的 ภาษาไทย ｗｉｄｅ needle77 needle78 a b 7 w1 w12 w123 deadbeefcafe`)
	pick := func(n int) string {
		var out []string
		for range n {
			out = append(out, words[r.IntN(len(words))])
		}
		return strings.Join(out, " ")
	}
	st := at(t, t.TempDir())
	texts := map[string][]engine.Record{}
	write := func(n int) {
		for range n {
			id, when := fmt.Sprintf("s%03d", len(texts)), storetest.Start.Add(time.Duration(len(texts))*time.Minute)
			var recs []engine.Record
			for range 1 + r.IntN(6) {
				recs = append(recs, storetest.Said(pick(r.IntN(5)), when))
			}
			l, err := st.Create(t.Context(), engine.Session{ID: id, Dir: "/p", Created: when})
			must(t, err)
			must(t, l.Append(t.Context(), recs...))
			must(t, l.Fold(t.Context(), nil))
			must(t, l.Close())
			texts[id] = recs
		}
	}
	agree := func(when string, rounds int) {
		t.Helper()
		for range soak.Every(make([]int, rounds), 3, 0) { // in a soak all rounds
			query := pick(1 + r.IntN(2))
			if letters := []rune(query); r.IntN(2) == 0 { // a part of it
				from := r.IntN(len(letters))
				query = string(letters[from : from+1+r.IntN(len(letters)-from)])
			}
			hits, err := st.Search(t.Context(), engine.SearchQuery{Text: query, Limit: 1000})
			must(t, err)
			got := []string{}
			for _, h := range hits {
				got = append(got, h.Session.ID)
			}
			slices.Sort(got)
			if want := naively(t, st, texts, query); !slices.Equal(got, want) {
				t.Fatalf("%s, %q: found %v, want %v", when, query, got, want)
			}
		}
	}
	write(40)
	agree("while there is no index, or a new one", 20)
	st.follow.Wait(t.Context())
	agree("with an index", 150)
	write(5)
	agree("with an index that lacks some", 50)
	must(t, st.Delete(t.Context(), "s003"))
	delete(texts, "s003")
	agree("with an index that has too much", 50)
}

// naively returns the sessions with all the words of query, or, when there is none, with all as parts of words.
func naively(t *testing.T, st *disk, texts map[string][]engine.Record, query string) (ids []string) {
	w := search.Parse(query)
	if w.Empty() {
		return []string{}
	}
	for _, w := range []search.Words{w, w.Infix()} {
		if w.Short() && !w.In() || len(ids) > 0 {
			continue
		}
		ids = []string{}
		for id := range texts {
			recs, err := st.fromDatabase(t.Context(), id, 0, 1000)
			must(t, err)
			if _, n := w.Find(hit.Text(recs)); n == w.All() {
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	return ids
}
