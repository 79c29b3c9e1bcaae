package store

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"talaria/engine"
	"talaria/store/journal"
	"talaria/store/storetest"
)

// unsynced writes journals without waiting for the disk: only to make many of them.
type unsynced struct{ journal.OS }

type unsyncedFile struct{ journal.File }

func (unsyncedFile) Sync() error { return nil }

func (unsynced) Open(path string, flag int) (journal.File, error) {
	f, err := journal.OS{}.Open(path, flag)
	return unsyncedFile{f}, err
}

func (unsynced) Same(f journal.File, path string) (bool, error) {
	return journal.OS{}.Same(f.(unsyncedFile).File, path)
}

func (unsynced) SyncDir(string) error { return nil }

// heavy is a home with many sessions that were left by killed processes, and one long session "long".
func heavy(tb testing.TB, sessions, long int) string {
	tb.Helper()
	dir := tb.TempDir()
	st, err := Open(dir)
	if err != nil {
		tb.Fatal(err)
	}
	st.(*disk).fs = unsynced{}
	write := func(s engine.Session, recs []engine.Record) {
		l, err := st.Create(tb.Context(), s)
		if err == nil {
			err = l.Append(tb.Context(), recs...)
		}
		if err == nil {
			err = l.Close()
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
	body := strings.Repeat("some words of a reply; ", 50)
	for i := range sessions {
		at := storetest.Start.Add(time.Duration(i) * time.Minute)
		write(engine.Session{ID: fmt.Sprintf("s%06d", i), Dir: fmt.Sprint("/p", i%20), Title: fmt.Sprint("title ", i), Created: at,
			System: strings.Repeat("system ", 100)}, []engine.Record{storetest.Said(body, at), storetest.Said(body, at)})
	}
	recs := make([]engine.Record, long)
	for i := range recs {
		recs[i] = storetest.Said(fmt.Sprint(i, " ", body), storetest.Start)
	}
	write(engine.Session{ID: "long", Dir: "/long"}, recs)
	return dir
}

// spent is the processor time of this process so far.
func spent(tb testing.TB) time.Duration {
	tb.Helper()
	var u syscall.Rusage
	must(tb, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// spending logs the processor time of do. What it should cost is BenchmarkN03's to show: a test that is timed fails on a
// busy machine.
func spending(t *testing.T, what string, do func()) {
	t.Helper()
	before := spent(t)
	do()
	t.Logf("%s: %v", what, spent(t)-before)
}

func TestN03ABigHistoryIsListedAndOpened(t *testing.T) {
	sessions, long := 2000, 15_000 // the benchmark has 10,000
	if raceOn {
		sessions, long = 200, 1000 // there it is the races that matter; the detector multiplies the work
	}
	dir := heavy(t, sessions, long)
	st := at(t, dir)
	var list []engine.Session
	var err error
	spending(t, "taking in all journals", func() {
		list, err = st.List(t.Context(), engine.Query{Limit: 20_000})
		must(t, err)
	})
	if len(list) != sessions+1 {
		t.Fatalf("%d sessions are listed, want %d", len(list), sessions+1)
	}
	st = at(t, dir)
	spending(t, "the first page of a new start", func() {
		list, err = st.List(t.Context(), engine.Query{})
		must(t, err)
	})
	spending(t, "another page", func() {
		list, err = st.List(t.Context(), engine.Query{Dir: "/p7"})
		must(t, err)
	})
	if len(list) != min(50, sessions/20) || list[0].Dir != "/p7" {
		t.Errorf("%d sessions, the first %s", len(list), list[0].ID)
	}
	spending(t, "the last records of the long session", func() {
		recs, err := st.Tail(t.Context(), "long", 50)
		must(t, err)
		if len(recs) != 50 || recs[49].Seq != uint64(long) {
			t.Errorf("%d records", len(recs))
		}
	})
	spending(t, "opening the long session whole", func() {
		l, err := st.Open(t.Context(), "long")
		must(t, err)
		recs, err := l.Records(t.Context())
		must(t, err)
		if len(recs) != long {
			t.Errorf("%d records", len(recs))
		}
	})
}

func BenchmarkN03(b *testing.B) {
	dir := heavy(b, 10_000, 15_000)
	st, err := Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer st.Close()
	run := func(name string, work func() error) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := work(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	ctx := b.Context()
	if _, err := st.List(ctx, engine.Query{}); err != nil {
		b.Fatal(err)
	}
	run("first list of a start", func() error {
		st, err := Open(dir)
		if err == nil {
			_, err = st.List(ctx, engine.Query{})
		}
		return err
	})
	run("page of the newest 50", func() error { _, err := st.List(ctx, engine.Query{}); return err })
	run("page of a directory", func() error { _, err := st.List(ctx, engine.Query{Dir: "/p3"}); return err })
	run("titles that hold a text", func() error { _, err := st.List(ctx, engine.Query{Text: "title 77"}); return err })
	run("last 50 of 15,000 records", func() error { _, err := st.Tail(ctx, "long", 50); return err })
	run("open and read 15,000 records", func() error {
		l, err := st.Open(ctx, "long")
		if err == nil {
			_, err = l.Records(ctx)
		}
		if err == nil {
			err = l.Close()
		}
		return err
	})
}

func BenchmarkAppendAndFold(b *testing.B) {
	st, err := Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer st.Close()
	l, err := st.Create(b.Context(), engine.Session{ID: "one"})
	if err != nil {
		b.Fatal(err)
	}
	rec := storetest.Said(strings.Repeat("words ", 300), storetest.Start)
	b.Run("append", func(b *testing.B) {
		for b.Loop() {
			if err := l.Append(b.Context(), rec); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("fold of one", func(b *testing.B) {
		for b.Loop() {
			if err := l.Append(b.Context(), rec); err != nil {
				b.Fatal(err)
			}
			if err := l.Fold(b.Context(), nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}
