package health_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"talaria/engine"
	"talaria/store"
	"talaria/store/health"
	"talaria/store/journal"
	"talaria/store/search"
	"talaria/store/storetest"
)

// home is a store with three sessions of ten records; the last one's process died before its fold.
func home(t *testing.T) (dir string, st engine.Store) {
	t.Helper()
	dir = t.TempDir()
	must(t, os.Chmod(dir, 0o700))
	st, err := store.Open(dir)
	must(t, err)
	for i := range 3 {
		l, err := st.Create(t.Context(), engine.Session{ID: fmt.Sprint("s", i), Dir: "/p"})
		must(t, err)
		for j := range 10 {
			must(t, l.Append(t.Context(), storetest.Said(fmt.Sprint("word ", j), time.Now())))
		}
		if i < 2 {
			must(t, l.Fold(t.Context(), nil))
		}
		must(t, l.Close())
	}
	must(t, st.SaveDraft(t.Context(), "/p", "", "half typed"))
	return dir, st
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// check returns the findings that are not in order.
func check(t *testing.T, dir string) (text string, worst health.Level) {
	t.Helper()
	var r health.Report
	health.Check(t.Context(), dir, &r)
	for _, f := range r.Findings {
		if f.Level != health.OK {
			text += fmt.Sprintln(f.Level, f.Area, f.Text, "|", f.Do)
		}
	}
	return text, r.Worst()
}

// change rewrites a file.
func change(t *testing.T, path string, f func([]byte) []byte) {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path, f(b), 0o600))
}

func TestAKilledProcessLeavesNothingToWorryAbout(t *testing.T) {
	dir, st := home(t)
	text, worst := check(t, dir)
	if worst != health.Note || strings.Count(text, "\n") != 1 || !strings.Contains(text, "1 sessions have records that the database lacks") {
		t.Errorf("%s %s", worst, text)
	}
	change(t, journal.Path(dir, "s2"), func(b []byte) []byte { return b[:len(b)-5] })
	if text, worst = check(t, dir); worst != health.Note || !strings.Contains(text, "cut by a crash") {
		t.Errorf("%s %s", worst, text)
	}
	l, err := st.Open(t.Context(), "s2")
	must(t, err)
	if text, worst = check(t, dir); worst != health.Note || strings.Contains(text, "lacks") {
		t.Errorf("while it is open elsewhere: %s %s", worst, text)
	}
	must(t, l.Close())
	if text, worst = check(t, dir); worst != health.Note || !strings.Contains(text, "s2.jsonl.bad") {
		t.Errorf("the cut end is kept and told of: %s %s", worst, text)
	}
	must(t, os.Remove(journal.Path(dir, "s2")+".bad"))
	if text, worst = check(t, dir); worst != health.OK {
		t.Errorf("%s %s", worst, text)
	}
}

// The look alone changes nothing: a damaged file is there afterwards as it was.
func TestDamageIsFoundAndMendedOnRequestOnly(t *testing.T) {
	damages := map[string]func([]byte) []byte{
		"zeroed heads": func(b []byte) []byte { copy(b, make([]byte, 8192)); return b },
		"cut short":    func(b []byte) []byte { return b[:4*4096] },
		"a hole":       func(b []byte) []byte { copy(b[len(b)/4:], make([]byte, len(b)/2)); return b },
	}
	for name, damage := range damages {
		t.Run(name, func(t *testing.T) {
			dir, st := home(t)
			path := filepath.Join(dir, "sessions.db")
			change(t, path, damage)
			before, err := os.ReadFile(path)
			must(t, err)
			text, worst := check(t, dir)
			after, err := os.ReadFile(path)
			must(t, err)
			if worst != health.Fault || !strings.Contains(text, "doctor --repair") || !bytes.Equal(before, after) {
				t.Fatalf("%s %s", worst, text)
			}
			kept, err := st.(store.Rebuilder).Rebuild(t.Context())
			must(t, err)
			must(t, os.Remove(kept))
			if text, worst = check(t, dir); worst != health.OK {
				t.Errorf("after the repair: %s %s", worst, text)
			}
			list, err := st.List(t.Context(), engine.Query{})
			must(t, err)
			if len(list) != 3 || list[0].Messages != 10 {
				t.Errorf("%+v", list)
			}
		})
	}
}

func TestARebuildKeepsTitlesDraftsAndUsage(t *testing.T) {
	dir, st := home(t)
	must(t, st.Rename(t.Context(), "s0", "my own title"))
	kept, err := st.(store.Rebuilder).Rebuild(t.Context())
	must(t, err)
	if info, err := os.Stat(kept); err != nil || info.Size() == 0 {
		t.Errorf("the old file: %v", err)
	}
	s, err := st.Find(t.Context(), "my own title", "")
	must(t, err)
	draft, err := st.Draft(t.Context(), "/p", "")
	must(t, err)
	if s.ID != "s0" || draft != "half typed" {
		t.Errorf("%s, draft %q", s.ID, draft)
	}
	if text, worst := check(t, dir); worst != health.Note || !strings.Contains(text, "before a rebuild") {
		t.Errorf("%s %s", worst, text)
	}
}

func TestJournalsAndDatabaseAreCompared(t *testing.T) {
	dir, _ := home(t)
	change(t, journal.Path(dir, "s0"), func(b []byte) []byte { return bytes.Replace(b, []byte("word 3"), []byte("wurd 3"), 1) })
	text, worst := check(t, dir)
	if worst != health.Warning || !strings.Contains(text, "session s0: 1 damaged lines") {
		t.Errorf("%s %s", worst, text)
	}
	must(t, os.Remove(journal.Path(dir, "s1")))
	if text, _ = check(t, dir); !strings.Contains(text, "1 sessions have no journal any more") {
		t.Errorf("%s", text)
	}
	must(t, os.Chmod(filepath.Join(dir, "sessions.db"), 0o644))
	must(t, os.WriteFile(filepath.Join(dir, "sessions.db.compact"), []byte("x"), 0o600))
	if text, _ = check(t, dir); !strings.Contains(text, "other users of this machine") || !strings.Contains(text, "sessions.db.compact") {
		t.Errorf("%s", text)
	}
	if done, err := health.Sweep(dir); err != nil || len(done) != 2 {
		t.Errorf("%v %v", done, err)
	}
	if text, _ = check(t, dir); strings.Contains(text, "other users") || strings.Contains(text, "compact") {
		t.Errorf("%s", text)
	}
}

func TestTheSearchIndexIsLookedAtAndMadeAnew(t *testing.T) {
	dir, st := home(t)
	found := func() int {
		t.Helper()
		hits, err := st.Search(t.Context(), engine.SearchQuery{Text: "word"})
		must(t, err)
		return len(hits)
	}
	if found() != 3 {
		t.Fatal("not all sessions are found")
	}
	indexed := func() string {
		t.Helper()
		var r health.Report
		health.Check(t.Context(), dir, &r)
		for _, f := range r.Findings {
			if f.Area == "search" {
				return fmt.Sprintln(f.Level, f.Text, f.Do)
			}
		}
		return ""
	}
	whole := "ok 3 entries of 3 sessions, 3 of them looked up"
	if text := indexed(); !strings.Contains(text, whole) {
		t.Fatal(text)
	}
	for name, harm := range map[string]func(){
		"cannot be read": func() {
			files, err := filepath.Glob(filepath.Join(dir, "search", "*", "store", "*.zap"))
			must(t, err)
			must(t, os.Truncate(files[0], 10))
		},
		"1 of 3 sessions that were looked up are not found": func() {
			must(t, search.New(dir).Put(t.Context(), []search.Entry{{Session: "s1", Block: 0}}))
		},
		"4 entries, more than the 3": func() {
			must(t, search.New(dir).Put(t.Context(), []search.Entry{{Session: "gone", Block: 0, Text: "x"}}))
		},
		"there is no search index": func() { must(t, os.RemoveAll(filepath.Join(dir, "search"))) },
	} {
		harm()
		if text := indexed(); !strings.Contains(text, name) {
			t.Errorf("%s: %s", name, text)
		}
		_, err := st.(store.Rebuilder).Rebuild(t.Context())
		must(t, err)
		if text := indexed(); !strings.Contains(text, whole) || found() != 3 {
			t.Errorf("%s, after the repair: %s", name, text)
		}
	}
}

func TestAnEmptyHomeIsInOrder(t *testing.T) {
	if text, worst := check(t, filepath.Join(t.TempDir(), "none")); worst != health.OK {
		t.Errorf("%s", text)
	}
}
