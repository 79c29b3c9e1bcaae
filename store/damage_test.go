package store

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"talaria/engine"
	"talaria/store/journal"
	"talaria/store/storetest"
)

// filled makes a store with sessions of 50 records each, folded and closed, and returns its directory.
func filled(t *testing.T, sessions int) string {
	t.Helper()
	dir := t.TempDir()
	st := at(t, dir)
	for i := range sessions {
		l, err := st.Create(t.Context(), engine.Session{ID: fmt.Sprint("s", i), Dir: "/p", System: "be brief", Created: storetest.Start})
		must(t, err)
		for j := range 50 {
			must(t, l.Append(t.Context(), storetest.Said(fmt.Sprint(j, strings.Repeat(" z", 400)), time.Now()),
				engine.Record{Event: engine.Used{Usage: engine.Usage{Input: 2}}}))
		}
		must(t, l.Fold(t.Context(), func(s *engine.Session) { s.Title, s.Route.Model = fmt.Sprint("title ", i), "m" }))
		must(t, l.Close())
	}
	must(t, st.Rename(t.Context(), "s0", "renamed"))
	must(t, st.SaveDraft(t.Context(), "/p", "s0", "half typed"))
	must(t, st.AddHistory(t.Context(), "/p", "a line"))
	must(t, st.Close())
	return dir
}

func TestADamagedDatabaseIsMovedAsideAndRebuilt(t *testing.T) {
	damages := map[string]func([]byte) []byte{
		"cut short":         func(b []byte) []byte { return b[:len(b)/2/4096*4096] },
		"cut to a page":     func(b []byte) []byte { return b[:4096] },
		"cut oddly":         func(b []byte) []byte { return b[:5000] },
		"garbage":           func(b []byte) []byte { return bytes.Repeat([]byte("garbage!"), 4096) },
		"zeroed heads":      func(b []byte) []byte { copy(b, make([]byte, 8192)); return b },
		"zeroed":            func(b []byte) []byte { return make([]byte, len(b)) },
		"a hole in the end": func(b []byte) []byte { copy(b[len(b)/3:], make([]byte, len(b)/2)); return b },
	}
	for name, damage := range damages {
		t.Run(name, func(t *testing.T) {
			dir := filled(t, 4)
			path := filepath.Join(dir, "sessions.db")
			b, err := os.ReadFile(path)
			must(t, err)
			must(t, os.WriteFile(path, damage(b), 0o600))
			st := at(t, dir)
			list, err := st.List(t.Context(), engine.Query{Text: "e"})
			must(t, err)
			if len(list) != 4 {
				t.Fatalf("%d sessions, want 4; %q", len(list), st.Problems())
			}
			s, err := st.Find(t.Context(), "renamed", "")
			must(t, err)
			folded, err := st.fromDatabase(t.Context(), "s0", 0, 1000)
			must(t, err)
			if s.ID != "s0" || s.System != "be brief" || len(folded) != 100 {
				t.Errorf("rebuilt: %+v with %d records, want 100", s, len(folded))
			}
			days, err := st.Usage(t.Context())
			must(t, err)
			sum := 0
			for _, d := range days {
				sum += d.Requests
			}
			if sum != 200 {
				t.Errorf("%d requests are counted after the rebuild, want 200", sum)
			}
			aside, _ := filepath.Glob(path + ".corrupt-*")
			if len(aside) != 1 || !strings.Contains(strings.Join(st.Problems(), "\n"), aside[0]) {
				t.Errorf("moved aside to %q, told %q", aside, st.Problems())
			}
			checkDatabase(t, dir)
		})
	}
}

func TestDraftsAndHistoryAreReadFromADamagedDatabase(t *testing.T) {
	dir := filled(t, 1)
	path := filepath.Join(dir, "sessions.db")
	b, err := os.ReadFile(path)
	must(t, err)
	at0 := bytes.Index(b, []byte(strings.Repeat(" z", 100))) / 4096 * 4096 // a page of messages
	copy(b[at0:], bytes.Repeat([]byte{0xff}, 4096))
	must(t, os.WriteFile(path, b, 0o600))
	st := at(t, dir)
	_, _ = st.fromDatabase(t.Context(), "s0", 0, 1000) // whoever reads the page finds out
	if len(st.Problems()) == 0 {
		t.Fatal("the damage went unnoticed: the test tested nothing")
	}
	text, err := st.Draft(t.Context(), "/p", "s0")
	must(t, err)
	lines, err := st.History(t.Context(), "/p", 0)
	must(t, err)
	if text != "half typed" || len(lines) != 1 {
		t.Errorf("draft %q, history %q", text, lines)
	}
	list, err := st.List(t.Context(), engine.Query{})
	must(t, err)
	recs, err := st.Tail(t.Context(), "s0", 0)
	must(t, err)
	if len(list) != 1 || len(recs) != 100 {
		t.Errorf("%d sessions, %d records", len(list), len(recs))
	}
}

func TestAnOpenSessionSurvivesTheLossOfTheDatabase(t *testing.T) {
	dir := t.TempDir()
	st := at(t, dir)
	l, err := st.Create(t.Context(), engine.Session{ID: "one", Dir: "/p"})
	must(t, err)
	for i := range 6 {
		must(t, l.Append(t.Context(), storetest.Said(fmt.Sprint(i), time.Now())))
		must(t, l.Fold(t.Context(), func(s *engine.Session) { s.Messages++ }))
		if i == 2 {
			must(t, os.WriteFile(filepath.Join(dir, "sessions.db"), []byte("nonsense"), 0o600))
		}
		if i == 4 {
			must(t, os.Remove(filepath.Join(dir, "sessions.db")))
		}
	}
	folded, err := st.fromDatabase(t.Context(), "one", 0, 99)
	must(t, err)
	s, err := st.Find(t.Context(), "one", "")
	must(t, err)
	if len(folded) != 6 || s.Messages != 6 {
		t.Errorf("%d records, %d counted, want 6", len(folded), s.Messages)
	}
}

func TestALostJournalComesBackFromTheDatabase(t *testing.T) {
	dir := filled(t, 1)
	must(t, os.Remove(journal.Path(dir, "s0")))
	st := at(t, dir)
	recs, err := st.Tail(t.Context(), "s0", 3)
	must(t, err)
	if len(recs) != 3 || recs[2].Seq != 100 {
		t.Errorf("the tail: %d records", len(recs))
	}
	l, err := st.Open(t.Context(), "s0")
	must(t, err)
	must(t, l.Append(t.Context(), storetest.Said("more", time.Now())))
	must(t, l.Close())
	data, err := os.ReadFile(journal.Path(dir, "s0"))
	must(t, err)
	if found := journal.Read(data); len(found.Recs) != 101 || found.RowOf("s0").Title != "renamed" {
		t.Errorf("the new journal has %d records, want 101, and the title %q", len(found.Recs), found.RowOf("s0").Title)
	}
}

func TestADamagedLineIsKeptAsideAndTheRestLoads(t *testing.T) {
	dir := filled(t, 1)
	path := journal.Path(dir, "s0")
	b, err := os.ReadFile(path)
	must(t, err)
	lines := bytes.SplitAfter(b, []byte("\n"))
	lines[11] = bytes.Replace(lines[11], []byte("z"), []byte("q"), 1)
	lines[20] = []byte("\n")
	lines[30] = append(make([]byte, 50), '\n')
	must(t, os.WriteFile(path, append(bytes.Join(lines, nil), `{"seq":101,"at":"2026-11-30T12:00`...), 0o600))
	must(t, os.Remove(filepath.Join(dir, "sessions.db"))) // or it fills the gaps
	st := at(t, dir)
	for range 2 {
		l, err := st.Open(t.Context(), "s0")
		must(t, err)
		recs, err := l.Records(t.Context())
		must(t, err)
		if len(recs) != 97 {
			t.Errorf("%d records, want 97", len(recs))
		}
		must(t, l.Close())
	}
	kept, err := os.ReadFile(path + ".bad")
	must(t, err)
	if n := bytes.Count(kept, []byte("\n")); n != 3 || !bytes.Contains(kept, []byte(`{"seq":101`)) {
		t.Errorf("%d lines were kept, want 3:\n%.300q", n, kept)
	}
	if told := strings.Join(st.Problems(), "\n"); !strings.Contains(told, "2 damaged lines") || !strings.Contains(told, "cut short") {
		t.Errorf("told %q", told)
	}
	l, err := st.Open(t.Context(), "s0")
	must(t, err)
	must(t, l.Append(t.Context(), storetest.Said("after the cut", time.Now())))
	recs, err := l.Records(t.Context())
	must(t, err)
	if last := recs[len(recs)-1]; last.Seq != 101 || storetest.Texts(recs[len(recs)-1:])[0] != "after the cut" {
		t.Errorf("the record after the cut: %+v", last)
	}
}

func TestTheDatabaseFillsTheGapsOfADamagedJournal(t *testing.T) {
	dir := filled(t, 1)
	path := journal.Path(dir, "s0")
	b, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path, bytes.Replace(b, []byte(`"41 z`), []byte(`"41 q`), 1), 0o600))
	st := at(t, dir)
	for _, n := range []int{0, 30} {
		recs, err := st.Tail(t.Context(), "s0", n)
		must(t, err)
		if want := max(n, 100*(1-min(n, 1))); len(recs) != want {
			t.Errorf("a tail of %d has %d records", n, len(recs))
		}
	}
	l, err := st.Open(t.Context(), "s0")
	must(t, err)
	recs, err := l.Records(t.Context())
	must(t, err)
	if len(recs) != 100 {
		t.Errorf("%d records, want 100", len(recs))
	}
}

func TestADatabaseOfANewerVersionIsReadAndNotWritten(t *testing.T) {
	dir := filled(t, 1)
	db, err := bolt.Open(filepath.Join(dir, "sessions.db"), 0o600, nil)
	must(t, err)
	must(t, db.Update(func(tx *bolt.Tx) error { return tx.Bucket([]byte("meta")).Put([]byte("schema"), []byte("2")) }))
	must(t, db.Close())
	st := at(t, dir)
	list, err := st.List(t.Context(), engine.Query{})
	must(t, err)
	l, err := st.Open(t.Context(), "s0")
	must(t, err)
	must(t, l.Append(t.Context(), storetest.Said("more", time.Now())))
	err = l.Fold(t.Context(), nil)
	if len(list) != 1 || err == nil || !strings.Contains(err.Error(), "newer talaria") {
		t.Errorf("listed %d; the fold said %v", len(list), err)
	}
	must(t, st.SaveDraft(t.Context(), "/p", "", "typed"))
	if text, err := st.Draft(t.Context(), "/p", ""); text != "typed" || err != nil {
		t.Errorf("the draft went to %q, %v", text, err)
	}
}

func TestAFieldOfALaterVersionStaysInTheRow(t *testing.T) {
	dir := filled(t, 1)
	db, err := bolt.Open(filepath.Join(dir, "sessions.db"), 0o600, nil)
	must(t, err)
	must(t, db.Update(func(tx *bolt.Tx) error {
		b := tx.Bucket(bucketSessions)
		return b.Put([]byte("s0"), bytes.Replace(b.Get([]byte("s0")), []byte(`"dir":`), []byte(`"mood":{"a":1},"dir":`), 1))
	}))
	must(t, db.Close())
	st := at(t, dir)
	l, err := st.Open(t.Context(), "s0")
	must(t, err)
	must(t, l.Fold(t.Context(), func(s *engine.Session) { s.Turns = 3 }))
	must(t, l.Close())
	must(t, os.Remove(filepath.Join(dir, "sessions.db")))
	st = at(t, dir)
	_, err = st.List(t.Context(), engine.Query{})
	must(t, err)
	must(t, st.db.View(t.Context(), func(tx *bolt.Tx) error {
		if v := tx.Bucket(bucketSessions).Get([]byte("s0")); !bytes.Contains(v, []byte(`"mood":{"a":1}`)) {
			t.Errorf("the row lost a field: %s", v)
		}
		return nil
	}))
}

func TestLongRecordsAreCompressedAndComeBack(t *testing.T) {
	dir := t.TempDir()
	st := at(t, dir)
	long := strings.Repeat("all work and no play ", 60_000)
	l, err := st.Create(t.Context(), engine.Session{ID: "one"})
	must(t, err)
	must(t, l.Append(t.Context(), storetest.Said(long, time.Now()), storetest.Said("short", time.Now())))
	must(t, l.Fold(t.Context(), nil))
	must(t, l.Close())
	info, err := os.Stat(filepath.Join(dir, "sessions.db"))
	must(t, err)
	must(t, os.Remove(journal.Path(dir, "one")))
	recs, err := st.Tail(t.Context(), "one", 0)
	must(t, err)
	if texts := storetest.Texts(recs); len(texts) != 2 || texts[0] != long || info.Size() > 1<<20 {
		t.Errorf("%d records came back, from a file of %d bytes", len(recs), info.Size())
	}
}

func TestFilesAreForTheirOwnerOnly(t *testing.T) {
	dir := filepath.Join(filled(t, 1), "sub")
	st := at(t, dir)
	l, err := st.Create(t.Context(), engine.Session{ID: "one"})
	must(t, err)
	must(t, l.Append(t.Context(), storetest.Said("secret", time.Now())))
	must(t, l.Fold(t.Context(), nil))
	must(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		must(t, err)
		info, err := d.Info()
		must(t, err)
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		return nil
	}))
}

func TestOpeningAStoreTouchesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "home")
	st := at(t, dir)
	list, err := st.List(t.Context(), engine.Query{})
	must(t, err)
	l, err := st.Create(t.Context(), engine.Session{})
	must(t, err)
	must(t, l.Fold(t.Context(), func(s *engine.Session) { s.Mode = "plan" }))
	must(t, l.Close())
	if _, err := os.Stat(dir); !os.IsNotExist(err) || len(list) != 0 {
		t.Errorf("something was written before the first record: %v", err)
	}
}
