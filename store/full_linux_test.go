package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"talaria/engine"
	"talaria/store/storetest"
)

func TestN02AFullTmpfsDuringATurn(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("mounting a tmpfs is not permitted here (%v); the size limit test covers the journal", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	st := at(t, dir)
	l, err := st.Create(t.Context(), engine.Session{ID: "one", Dir: "/p"})
	must(t, err)
	ballast := filepath.Join(dir, "ballast")
	append1 := func(i int) error {
		return l.Append(t.Context(), storetest.Said(fmt.Sprint(i, strings.Repeat(" x", 1000)), time.Now()))
	}
	for i := range 10 {
		must(t, append1(i))
	}
	must(t, l.Fold(t.Context(), nil))
	fill(t, ballast)
	failed := 0
	for i := 10; i < 20; i++ {
		err := append1(i)
		if err != nil && !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("not the real error: %v", err)
		}
		if err != nil {
			failed++
		}
	}
	foldErr := l.Fold(t.Context(), func(s *engine.Session) { s.Usage.Input += 5 })
	if failed == 0 || foldErr == nil {
		t.Fatalf("the disk was full and %d appends failed, the fold: %v", failed, foldErr)
	}
	recs, err := l.Records(t.Context())
	must(t, err)
	if len(recs) != 20 {
		t.Fatalf("the session goes on in memory: %d records, want 20", len(recs))
	}
	must(t, os.Remove(ballast))
	for i := 20; i < 30; i++ {
		must(t, append1(i))
	}
	must(t, l.Fold(t.Context(), nil))
	if got := l.Session().Usage.Input; got != 5 {
		t.Errorf("usage counted while the disk was full: %d, want 5", got)
	}
	must(t, l.Close())
	checkThirty(t, dir)
	checkDatabase(t, dir)
}

func fill(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	must(t, err)
	defer f.Close()
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
}

func TestAReadOnlyHomeOpensAndSaysWhyNothingIsSaved(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("mounting a tmpfs is not permitted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	st := at(t, dir)
	l, err := st.Create(t.Context(), engine.Session{ID: "one"})
	must(t, err)
	must(t, l.Append(t.Context(), storetest.Said("a", time.Now())))
	must(t, l.Fold(t.Context(), nil))
	must(t, l.Close())
	must(t, syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
	st = at(t, dir)
	list, err := st.List(t.Context(), engine.Query{})
	must(t, err)
	l, err = st.Open(t.Context(), "one")
	must(t, err)
	if err := l.Append(t.Context(), storetest.Said("b", time.Now())); !errors.Is(err, syscall.EROFS) {
		t.Errorf("an append to a read-only disk: %v", err)
	}
	if err := l.Fold(t.Context(), nil); !errors.Is(err, syscall.EROFS) {
		t.Errorf("a fold on a read-only disk: %v", err)
	}
	if err := st.SaveDraft(t.Context(), "/p", "", "typed"); !errors.Is(err, syscall.EROFS) {
		t.Errorf("a draft on a read-only disk: %v", err)
	}
	if text, err := st.Draft(t.Context(), "/p", ""); text != "typed" || err != nil {
		t.Errorf("the draft in memory: %q, %v", text, err)
	}
	must(t, syscall.Mount("", dir, "", syscall.MS_REMOUNT, ""))
	must(t, l.Append(t.Context(), storetest.Said("c", time.Now())))
	must(t, l.Fold(t.Context(), nil))
	must(t, st.Close())
	st = at(t, dir)
	recs, err := st.Tail(t.Context(), "one", 0)
	must(t, err)
	text, err := st.Draft(t.Context(), "/p", "")
	must(t, err)
	if len(list) != 1 || len(recs) != 3 || text != "typed" {
		t.Errorf("listed %d, records %d, draft %q", len(list), len(recs), text)
	}
}
