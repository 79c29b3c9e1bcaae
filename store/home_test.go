package store

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"talaria/engine"
	"talaria/store/storetest"
)

// home makes a home of sessions with 100 messages each, of words that are rare and frequent as words are, or takes the one
// that TALARIA_BENCH_HOME names and that an earlier run made.
func home(tb testing.TB) string {
	tb.Helper()
	sessions, dir := 1000, os.Getenv("TALARIA_BENCH_HOME")
	if n, err := strconv.Atoi(os.Getenv("TALARIA_BENCH_SESSIONS")); err == nil {
		sessions = n
	}
	if dir == "" {
		dir = tb.TempDir()
	}
	if _, err := os.Stat(dir + "/sessions.db"); err == nil {
		return dir
	}
	st, err := Open(dir)
	must(tb, err)
	st.(*disk).fs = unsynced{}
	r := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(r, 1.1, 8, 200_000)
	for i := range sessions {
		at := storetest.Start.Add(time.Duration(i-sessions) * time.Minute)
		l, err := st.Create(tb.Context(), engine.Session{ID: engine.NewSessionID(at), Dir: fmt.Sprint("/home/ada/src/p", i%20), Repo: fmt.Sprint("/home/ada/src/p", i%20),
			Title: fmt.Sprintf("w%d and w%d", zipf.Uint64(), zipf.Uint64()), Created: at})
		must(tb, err)
		var recs []engine.Record
		for n := range 100 {
			var b strings.Builder
			for range 55 {
				fmt.Fprintf(&b, "w%d ", zipf.Uint64())
			}
			if n == 50 {
				fmt.Fprintf(&b, "needle%d 令牌刷新%d Скорости обновлений %d", i, i%100, i)
			}
			recs = append(recs, storetest.Said(b.String(), at.Add(time.Duration(n)*time.Second)))
		}
		must(tb, l.Append(tb.Context(), recs...))
		must(tb, l.Close())
	}
	must(tb, st.Close())
	return dir
}

// BenchmarkHome is the home of somebody who never deletes: TALARIA_BENCH_SESSIONS=10000 makes a million messages.
func BenchmarkHome(b *testing.B) {
	dir := home(b)
	st, err := Open(dir)
	must(b, err)
	defer st.Close()
	start := time.Now()
	_, err = st.List(b.Context(), engine.Query{})
	must(b, err)
	b.Logf("taking in the journals: %v", time.Since(start))
	start = time.Now()
	st.(*disk).follow.Wait(b.Context())
	b.Logf("making the index: %v", time.Since(start))
	run := func(name string, least int, ask func(engine.Store) (int, error)) {
		b.Run(name, func(b *testing.B) {
			before := spent(b)
			for b.Loop() {
				st, err := Open(dir)
				must(b, err)
				n, err := ask(st)
				must(b, err)
				if n < least {
					b.Fatalf("%d found, want %d", n, least)
				}
				must(b, st.Close())
			}
			b.ReportMetric(float64((spent(b)-before).Microseconds())/float64(b.N)/1000, "cpu-ms/op")
		})
	}
	search := func(name, text string, least int) {
		b.Run("search/"+name, func(b *testing.B) { // in a program that runs: the picker has looked for new journals
			before := spent(b)
			for b.Loop() {
				hits, err := st.Search(b.Context(), engine.SearchQuery{Text: text})
				must(b, err)
				if len(hits) < least {
					b.Fatalf("%d found, want %d", len(hits), least)
				}
			}
			b.ReportMetric(float64((spent(b)-before).Microseconds())/float64(b.N)/1000, "cpu-ms/op")
		})
	}
	search("a word of one message", "needle77", 1)
	search("a word of every session", "w1", 50)
	search("three frequent words", "w1 w2 w3", 50)
	search("a rare word and a frequent one", "w1 w4321", 1)
	search("two rare words of different sessions", "needle77 needle78", 0)
	search("the beginning of a word", "needle9", 10)
	search("the beginning of many words", "w12", 50)
	search("Chinese", "令牌刷新", 9)
	search("a Chinese letter", "刷", 50)
	search("Cyrillic", "скорость обновления", 50)
	search("no such word", "nowhere", 0)
	search("inside a word", "eedle77", 1)
	for n := range "needle77" { // as it is typed into the picker
		search("typing/"+"needle77"[:n+1], "needle77"[:n+1], 1)
	}
	list := func(name string, q engine.Query) {
		run("list/"+name, 50, func(st engine.Store) (int, error) {
			found, err := st.List(b.Context(), q)
			return len(found), err
		})
	}
	list("picker of a directory", engine.Query{Dir: "/home/ada/src/p3", Limit: 500})
	list("picker of a repository", engine.Query{Repos: []string{"/home/ada/src/p3", "/home/ada/src/p4"}, Limit: 500})
	list("picker of all", engine.Query{Limit: 500})
}
