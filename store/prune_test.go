package store

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"talaria/engine"
	"talaria/store/meter"
	"talaria/store/storetest"
)

func TestOldSessionsGoAndAYoungChildKeepsItsParents(t *testing.T) {
	dir := t.TempDir()
	st := at(t, dir)
	now := time.Now()
	make := func(s engine.Session, age time.Duration) engine.Log {
		s.Created, s.Dir = now.Add(-age), "/p"
		l, err := st.Create(t.Context(), s)
		must(t, err)
		must(t, l.Append(t.Context(), storetest.Said("hello", s.Created)))
		must(t, l.Fold(t.Context(), nil))
		return l
	}
	must(t, make(engine.Session{ID: "old"}, 100*time.Hour).Close())
	must(t, make(engine.Session{ID: "parent"}, 90*time.Hour).Close())
	must(t, make(engine.Session{ID: "child", ParentID: "parent", ParentWhy: engine.WhyCompression}, time.Hour).Close())
	must(t, make(engine.Session{ID: "older_parent"}, 99*time.Hour).Close())
	must(t, make(engine.Session{ID: "old_child", ParentID: "older_parent", ParentWhy: engine.WhyCompression}, 98*time.Hour).Close())
	imported := make(engine.Session{ID: "imported"}, 100*time.Hour) // today: its journal is new
	must(t, imported.Close())
	for id, age := range map[string]time.Duration{"old": 100, "parent": 90, "older_parent": 99, "old_child": 98} {
		at := now.Add(-age * time.Hour)
		must(t, os.Chtimes(filepath.Join(dir, "journal", id+".jsonl"), at, at))
	}
	opened := make(engine.Session{ID: "open"}, 97*time.Hour)
	defer opened.Close()
	limit := now.Add(-48 * time.Hour)
	old, err := st.Old(t.Context(), limit)
	must(t, err)
	if len(old) != 3 || old[0].ID != "old" {
		t.Fatalf("old are %+v", old)
	}
	gone, err := st.Prune(t.Context(), limit)
	must(t, err)
	if len(gone) != 3 {
		t.Errorf("gone are %+v", gone)
	}
	for id, there := range map[string]bool{"old": false, "parent": true, "child": true, "older_parent": false, "old_child": false, "open": true, "imported": true} {
		_, err := os.Stat(filepath.Join(dir, "journal", id+".jsonl"))
		if (err == nil) != there {
			t.Errorf("%s: %v", id, err)
		}
	}
}

// Deleting gives space back: a database that is mostly free is written anew.
func TestDeletingGivesSpaceBack(t *testing.T) {
	dir := t.TempDir()
	st := at(t, dir)
	st.db.Spare = 2 << 20
	for _, id := range []string{"big", "small"} {
		l, err := st.Create(t.Context(), engine.Session{ID: id, Dir: "/p"})
		must(t, err)
		n := map[string]int{"big": 8 << 20, "small": 1 << 10}[id]
		for range 10 {
			b := make([]byte, n/20)
			rand.Read(b)
			must(t, l.Append(t.Context(), storetest.Said(hex.EncodeToString(b), time.Now()))) // halves again when it is packed
			must(t, l.Fold(t.Context(), nil))
		}
		must(t, l.Close())
	}
	size := func() int64 {
		info, err := os.Stat(filepath.Join(dir, "sessions.db"))
		must(t, err)
		return info.Size()
	}
	before := size()
	if before < 3<<20 {
		t.Fatalf("the database has only %d bytes: nothing is tried here", before)
	}
	must(t, st.SaveDraft(t.Context(), "/p", "", "kept"))
	must(t, st.db.Compact(t.Context()))
	if size() != before {
		t.Error("a full database was written anew")
	}
	must(t, st.Delete(t.Context(), "big"))
	if after := size(); after > 1<<20 {
		t.Errorf("%d bytes before, %d after", before, after)
	}
	recs, err := st.Tail(t.Context(), "small", 0)
	draft, derr := st.Draft(t.Context(), "/p", "")
	if err != nil || len(recs) != 10 || draft != "kept" || derr != nil {
		t.Errorf("%d records, %v; draft %q, %v", len(recs), err, draft, derr)
	}
	if info, err := os.Stat(filepath.Join(dir, "sessions.db")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.compact")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// randomly makes a session of half a megabyte or so that does not compress, with words that no other session has.
func randomly(t *testing.T, st *disk, id string) {
	t.Helper()
	l, err := st.Create(t.Context(), engine.Session{ID: id, Dir: "/p"})
	must(t, err)
	for range 8 {
		words, signs := make([]byte, 512), make([]byte, 100<<10)
		rand.Read(words)
		rand.Read(signs)
		for i, b := range signs {
			signs[i] = "!#$%&()*+,-./:;="[b%16] // they are stored, and are no words
		}
		text := strings.Join(chunks(hex.EncodeToString(words), 8), " ") + " " + string(signs)
		must(t, l.Append(t.Context(), storetest.Said(text, time.Now())))
	}
	must(t, l.Fold(t.Context(), nil))
	must(t, l.Close())
}

func chunks(s string, n int) (all []string) {
	for c := range slices.Chunk([]byte(s), n) {
		all = append(all, string(c))
	}
	return all
}

// sizeOf is how many bytes the files below path have.
func sizeOf(t *testing.T, path string) (n int64) {
	t.Helper()
	must(t, filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		n += info.Size()
		return err
	}))
	return n
}

// A program that dies between a deletion and giving the space back, or that finds the database in use just then, leaves that
// to whoever brings the search index up; and the index shrinks as well.
func TestSpaceThatADeletionCouldNotGiveBackIsGivenBackLater(t *testing.T) {
	dir := t.TempDir()
	st := at(t, dir)
	ids := []string{"kept"}
	for i := range 4 {
		ids = append(ids, fmt.Sprintf("gone%d", i))
	}
	for _, id := range ids {
		randomly(t, st, id)
	}
	st.follow.Wait(t.Context())
	db, index := filepath.Join(dir, "sessions.db"), filepath.Join(dir, "search")
	dbBefore, indexBefore := sizeOf(t, db), sizeOf(t, index)
	must(t, st.remove(t.Context(), ids[1:]...)) // and here it is killed
	if after := sizeOf(t, db); after < dbBefore {
		t.Fatalf("the database has %d bytes and had %d: nothing is tried here", after, dbBefore)
	}
	st.follow.Close()

	next := at(t, dir)
	next.db.Spare, next.words.Spare = 64<<10, 64<<10
	next.follow.Wait(t.Context())
	dbAfter, indexAfter := sizeOf(t, db), sizeOf(t, index)
	t.Logf("problems %q; database %d, then %d; index %d, then %d bytes", next.Problems(), dbBefore, dbAfter, indexBefore, indexAfter)
	if dbAfter > dbBefore/2 {
		t.Errorf("four of five sessions are gone, and the database went from %d to %d bytes", dbBefore, dbAfter)
	}
	if indexAfter > indexBefore/2 {
		t.Errorf("four of five sessions are gone, and the search index went from %d to %d bytes", indexBefore, indexAfter)
	}
	recs, err := next.Tail(t.Context(), "kept", 0)
	if err != nil || len(recs) != 8 {
		t.Errorf("what was kept has %d records, %v", len(recs), err)
	}
}

func used(n int, cost *float64, at time.Time) engine.Record {
	return engine.Record{At: at, Event: engine.Used{Usage: engine.Usage{Input: n}, Cost: cost}}
}

// The sums of a day are those of its requests, over all sessions; what a compressed session had cost is not paid again.
func TestUsageCountsTokensAndMoneyByDayAndModel(t *testing.T) {
	dir := t.TempDir()
	st := at(t, dir)
	day := time.Date(2026, 11, 30, 12, 0, 0, 0, time.Local)
	usd := func(v float64) *float64 { return &v }
	route := engine.Route{Model: "sonnet"}
	l, err := st.Create(t.Context(), engine.Session{ID: "a", Route: route})
	must(t, err)
	must(t, l.Append(t.Context(), used(10, usd(0.25), day), used(5, usd(0.75), day)))
	must(t, l.Fold(t.Context(), func(s *engine.Session) { s.Cost = usd(0.75) }))
	must(t, l.Append(t.Context(), used(1, usd(1), day), used(1, usd(1.5), day.AddDate(0, 0, 1)),
		engine.Record{At: day, Event: engine.Began{Turn: 2, Route: engine.Route{Model: "haiku"}}}, used(3, usd(1.75), day)))
	must(t, l.Fold(t.Context(), nil))
	must(t, l.Close())
	child := engine.Session{ID: "b", ParentID: "a", ParentWhy: engine.WhyCompression, Route: route, Cost: usd(1.75)}
	l, err = st.Create(t.Context(), child)
	must(t, err)
	must(t, l.Append(t.Context(), engine.Record{At: day, Event: engine.Opened{Session: child}}, used(7, usd(2), day)))
	must(t, l.Fold(t.Context(), nil))
	must(t, l.Append(t.Context(), used(0, nil, day.AddDate(0, 0, 2)))) // its process dies before the fold
	must(t, l.Close())
	days, err := at(t, dir).Usage(t.Context())
	must(t, err)
	got := map[string]meter.Day{}
	for _, d := range days {
		got[d.Date+" "+d.Model] = d
	}
	check := func(key string, tokens, requests int, cost float64) {
		t.Helper()
		d := got[key]
		if d.Usage.Input != tokens || d.Requests != requests || d.Cost == nil || *d.Cost != cost {
			t.Errorf("%s: %+v, cost %v", key, d, d.Cost)
		}
	}
	check("2026-11-30 sonnet", 10+5+1+7, 4, 1.25)
	check("2026-12-01 sonnet", 1, 1, 0.5)
	check("2026-11-30 haiku", 3, 1, 0.25)
	if d := got["2026-12-02 sonnet"]; d.Requests != 1 || d.Cost != nil {
		t.Errorf("a price that is not known is not 0: %+v", d)
	}
}
