package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"talaria/engine"
	"talaria/store/journal"
	"talaria/store/storetest"
)

// faulty is a disk on which any operation may fail, writes also half way.
type faulty struct {
	journal.OS
	rand *rand.Rand
	rate float64 // how likely one operation fails
	ops  int     // that failed
}

type faultyFile struct {
	journal.File
	disk *faulty
}

func (d *faulty) fails() error {
	if d.rand.Float64() >= d.rate {
		return nil
	}
	d.ops++
	return []error{syscall.ENOSPC, syscall.EIO, syscall.EROFS}[d.rand.IntN(3)]
}

func (d *faulty) Open(path string, flag int) (journal.File, error) {
	if err := d.fails(); err != nil {
		return nil, err
	}
	f, err := d.OS.Open(path, flag)
	if err != nil {
		return nil, err
	}
	return &faultyFile{f, d}, nil
}

// Same needs the file underneath.
func (d *faulty) Same(f journal.File, path string) (bool, error) {
	if err := d.fails(); err != nil {
		return false, err
	}
	return d.OS.Same(f.(*faultyFile).File, path)
}

func (d *faulty) MakeDir(dir string) error { return errors.Join(d.fails(), d.OS.MakeDir(dir)) }
func (d *faulty) SyncDir(dir string) error { return errors.Join(d.fails(), d.OS.SyncDir(dir)) }

func (f *faultyFile) WriteAt(b []byte, at int64) (int, error) {
	if err := f.disk.fails(); err != nil {
		n, _ := f.File.WriteAt(b[:f.disk.rand.IntN(len(b))], at)
		return n, err
	}
	return f.File.WriteAt(b, at)
}

// Sync that fails has dropped some of what was written, as a kernel may.
func (f *faultyFile) Sync() error {
	if err := f.disk.fails(); err != nil {
		if info, e := f.Stat(); e == nil && info.Size() > 30 {
			_, _ = f.File.WriteAt(make([]byte, 20), info.Size()-25)
		}
		return err
	}
	return f.File.Sync()
}

func (f *faultyFile) Truncate(n int64) error {
	if err := f.disk.fails(); err != nil {
		return err
	}
	return f.File.Truncate(n)
}

func TestADiskThatFailsAtRandomLosesNothingOnceItWorks(t *testing.T) {
	for seed := range uint64(25) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			dir := t.TempDir()
			st := at(t, dir)
			bad := &faulty{rand: rand.New(rand.NewPCG(seed, 1)), rate: 0.3}
			st.fs = bad
			l, err := st.Create(t.Context(), engine.Session{ID: "one"})
			must(t, err)
			failed := 0
			for i := range 60 {
				if err := l.Append(t.Context(), storetest.Said(fmt.Sprint(i, " ", strings.Repeat("y", bad.rand.IntN(200))), time.Now())); err != nil {
					failed++
				}
				if i%7 == 0 {
					_ = l.Fold(t.Context(), func(s *engine.Session) { s.Messages++ })
				}
				if i%13 == 0 && i > 0 {
					must(t, os.RemoveAll(filepath.Join(dir, "journal")))
				}
			}
			if failed == 0 || bad.ops == 0 {
				t.Fatal("nothing failed: the test tested nothing")
			}
			bad.rate = 0
			must(t, l.Append(t.Context(), storetest.Said("60 ", time.Now())))
			must(t, l.Close())

			must(t, os.Remove(filepath.Join(dir, "sessions.db"))) // the journal alone must have everything
			st = at(t, dir)
			s, err := st.Find(t.Context(), "one", "")
			must(t, err)
			recs, err := st.Tail(t.Context(), "one", 0)
			must(t, err)
			for i, text := range storetest.Texts(recs) {
				if !strings.HasPrefix(text, fmt.Sprint(i, " ")) || recs[i].Seq != uint64(i+1) {
					t.Fatalf("record %d has number %d and says %.20q", i, recs[i].Seq, text)
				}
			}
			if len(recs) != 61 || s.Folded != 61 || len(st.Problems()) > 0 {
				t.Errorf("%d records, folded %d, want 61; problems %q", len(recs), s.Folded, st.Problems())
			}
		})
	}
}

func TestARemovedHomeDirectoryComesBack(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "home")
	st := at(t, dir)
	l, err := st.Create(t.Context(), engine.Session{ID: "one", Dir: "/p", System: "sys"})
	must(t, err)
	must(t, l.Append(t.Context(), storetest.Said("a", time.Now())))
	must(t, l.Fold(t.Context(), func(s *engine.Session) { s.Title = "T" }))
	must(t, os.RemoveAll(dir))
	must(t, l.Append(t.Context(), storetest.Said("b", time.Now())))
	must(t, l.Fold(t.Context(), nil))
	must(t, l.Close())
	st = at(t, dir)
	l, err = st.Open(t.Context(), "one")
	must(t, err)
	defer l.Close()
	recs, err := l.Records(t.Context())
	must(t, err)
	folded, err := st.fromDatabase(t.Context(), "one", 0, 99)
	must(t, err)
	if len(recs) != 2 || len(folded) != 2 || l.Session().Title != "T" || l.Session().System != "sys" {
		t.Errorf("%d records, %d in the database, %+v", len(recs), len(folded), l.Session())
	}
}
