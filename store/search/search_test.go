package search_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"talaria/store/search"
)

func put(t *testing.T, x *search.Index, entries ...search.Entry) {
	t.Helper()
	if err := x.Put(t.Context(), entries); err != nil {
		t.Fatal(err)
	}
}

func find(t *testing.T, x *search.Index, text string) []search.Place {
	t.Helper()
	places, err := x.Find(t.Context(), search.Query{Words: search.Parse(text), Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	return places
}

func TestABlockIsFoundReplacedAndTakenOut(t *testing.T) {
	x := search.New(t.TempDir())
	if _, err := x.Find(t.Context(), search.Query{Words: search.Parse("x")}); !errors.Is(err, search.ErrLost) {
		t.Fatal(err)
	}
	put(t, x, search.Entry{Session: "a", Block: 3, Text: "the quick fox"}, search.Entry{Session: "b", Text: "скорость и 令牌刷新"})
	if p := find(t, x, "foxes quick"); len(p) != 1 || p[0] != (search.Place{Session: "a", Block: 3}) {
		t.Fatal(p)
	}
	if p := find(t, x, "скорости 牌刷"); len(p) != 1 || p[0].Session != "b" {
		t.Fatal(p)
	}
	if p := find(t, x, "quick 令牌"); len(p) != 0 {
		t.Fatal("words of two sessions", p)
	}
	put(t, x, search.Entry{Session: "a", Block: 3, Text: "a slow fox"}, search.Entry{Session: "b"})
	if p := find(t, x, "quick"); len(p) != 0 {
		t.Fatal(p)
	}
	if len(find(t, x, "slow")) != 1 || len(find(t, x, "令牌")) != 0 {
		t.Fatal("replaced or taken out")
	}
}

func TestManySmallUpdatesStayFewFiles(t *testing.T) {
	dir := t.TempDir()
	x := search.New(dir)
	for i := range 60 {
		put(t, x, search.Entry{Session: fmt.Sprint("s", i), Text: fmt.Sprint("word", i, " all")})
	}
	files, err := filepath.Glob(filepath.Join(dir, "search", "3", "store", "*.zap"))
	if err != nil || len(files) == 0 || len(files) > 30 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	if p := find(t, x, "word31"); len(p) != 1 {
		t.Fatal(p)
	}
}

func TestADamagedIndexIsLostNotFatal(t *testing.T) {
	for name, harm := range map[string]func(path string, size int64) error{
		"cut":   func(path string, size int64) error { return os.Truncate(path, size/2) },
		"empty": func(path string, _ int64) error { return os.Truncate(path, 0) },
		"garbage": func(path string, size int64) error {
			return os.WriteFile(path, []byte(strings.Repeat("x", int(size))), 0o600)
		},
		"gone": func(path string, _ int64) error { return os.Remove(path) },
	} {
		for _, kind := range []string{"index_meta.json", "store/root.bolt", "store/*.zap"} {
			t.Run(name+" "+filepath.Base(kind), func(t *testing.T) {
				dir := t.TempDir()
				x := search.New(dir)
				put(t, x, search.Entry{Session: "a", Text: "the quick fox"})
				files, err := filepath.Glob(filepath.Join(dir, "search", "3", kind))
				if err != nil || len(files) == 0 {
					t.Fatal(files, err)
				}
				info, err := os.Stat(files[0])
				if err == nil {
					err = harm(files[0], info.Size())
				}
				if err != nil {
					t.Fatal(err)
				}
				places, err := x.Find(t.Context(), search.Query{Words: search.Parse("fox"), Limit: 10})
				if err == nil && len(places) == 1 {
					return // it has it all the same
				}
				if !errors.Is(err, search.ErrLost) {
					t.Fatalf("%v %v", places, err)
				}
				if err := x.Remove(t.Context()); err != nil {
					t.Fatal(err)
				}
				put(t, x, search.Entry{Session: "a", Text: "the quick fox"})
				if p := find(t, x, "fox"); len(p) != 1 {
					t.Fatal(p)
				}
			})
		}
	}
}

// patient finds as find does, and asks again while a writer holds the index for longer than a reader waits.
func patient(t *testing.T, x *search.Index, text string) []search.Place {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; {
		places, err := x.Find(t.Context(), search.Query{Words: search.Parse(text), Limit: 10})
		if err != nil && (!errors.Is(err, search.ErrBusy) || time.Now().After(end)) {
			t.Error(err)
		}
		if !errors.Is(err, search.ErrBusy) || time.Now().After(end) {
			return places
		}
	}
}

func TestSeveralReadAndWriteAtOnce(t *testing.T) {
	dir := t.TempDir()
	put(t, search.New(dir), search.Entry{Session: "first", Text: "everywhere"})
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			x := search.New(dir) // as another process has it
			for i := range 8 {
				if w%2 == 0 {
					put(t, x, search.Entry{Session: fmt.Sprint(w, "-", i), Text: "everywhere"})
				} else if len(patient(t, x, "everywhere")) == 0 {
					t.Error("nothing found beside a writer")
				}
			}
		})
	}
	wg.Wait()
	places, err := search.New(dir).Find(t.Context(), search.Query{Words: search.Parse("everywhere"), Limit: 100})
	if err != nil || len(places) != 17 {
		t.Fatal(len(places), err)
	}
}

func TestMarksStandWhereTheWordsAre(t *testing.T) {
	for _, c := range []struct{ query, text, marked string }{
		{"refresh", "Refreshing tokens", "Refreshing"},
		{"auth.ts", "src/auth.ts:12", "auth|ts"},
		{"令牌", "新的令牌和旧的令牌", "令牌"},
		{"ещё", "Еще раз", "Еще"},
		{"naïve", "A NAÏVE one", "NAÏVE"},
		{"İstanbul", "in İstanbul today", "İstanbul"},
		{"run", "running runner runs", "running|run|runs"}, // the last word may go on
		{"run x", "running runner runs x", "running|runs|x"},
		{"a b", "nothing", ""},
	} {
		marks, _ := search.Parse(c.query).Find(c.text)
		var got []string
		for _, m := range marks {
			got = append(got, c.text[m[0]:m[1]])
		}
		if strings.Join(got, "|") != c.marked {
			t.Errorf("%q in %q: %q, want %q", c.query, c.text, got, c.marked)
		}
	}
}

func FuzzASnippetHasTheMarksOfItsText(f *testing.F) {
	f.Add("token", strings.Repeat("before ", 40)+"the\n\n  token\t"+strings.Repeat("令牌 ", 90))
	f.Add("令牌", strings.Repeat("令", 300)+"牌")
	f.Add("a", "\xff\xfea\x00 A")
	f.Fuzz(func(t *testing.T, query, text string) {
		w := search.Parse(query)
		for _, w := range []search.Words{w, w.Infix()} {
			marks, n := w.Find(text)
			if n > w.All() {
				t.Fatal("more words found than there are")
			}
			end := 0
			for _, m := range marks {
				if m[0] < end || m[1] < m[0] || m[1] > len(text) {
					t.Fatalf("marks %v of %d bytes", marks, len(text))
				}
				end = m[1]
			}
			s, moved := search.Snippet(text, marks)
			if utf8.ValidString(text) && !utf8.ValidString(s) {
				t.Fatalf("%q is no text", s)
			}
			for _, m := range moved {
				if m[0] < 0 || m[1] < m[0] || m[1] > len(s) {
					t.Fatalf("marks %v in %q", moved, s)
				}
			}
			if len(marks) > 0 && len(moved) == 0 {
				t.Fatalf("the first mark is not in the snippet %q", s)
			}
		}
	})
}
