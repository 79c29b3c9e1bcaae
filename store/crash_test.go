package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"talaria/engine"
	"talaria/store/storetest"
)

// childMode makes the test binary play another talaria: the tests of this file start it, stop it and kill it.
const childMode = "TALARIA_STORE_CHILD"

func TestMain(m *testing.M) {
	play, ok := map[string]func(dir string) error{
		"write": childWrites, "count": childCounts, "hold": childHolds, "own": childOwns, "limit": childHitsTheLimit, "load": childLoads,
	}[os.Getenv(childMode)]
	if !ok {
		os.Exit(m.Run())
	}
	if err := play(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type child struct {
	cmd *exec.Cmd
	out *bufio.Scanner
}

func start(t *testing.T, mode, dir string) *child {
	t.Helper()
	cmd := exec.Command(os.Args[0], dir)
	cmd.Env = append(os.Environ(), childMode+"="+mode)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	c := &child{cmd, bufio.NewScanner(out)}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return c
}

// says waits for the child's next line.
func (c *child) says(t *testing.T) string {
	t.Helper()
	if !c.out.Scan() {
		t.Fatalf("the child ended: %v", c.cmd.Wait())
	}
	return c.out.Text()
}

func (c *child) signal(t *testing.T, s syscall.Signal) {
	t.Helper()
	must(t, c.cmd.Process.Signal(s))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func at(t *testing.T, dir string) *disk {
	t.Helper()
	st, err := Open(dir)
	must(t, err)
	t.Cleanup(func() { st.Close() })
	return st.(*disk)
}

// childWrites works as a session does, for ever: it appends, acknowledges each record on its output, and folds.
func childWrites(dir string) error {
	ctx := context.Background()
	st, err := Open(dir)
	if err != nil {
		return err
	}
	for {
		l, err := anySession(ctx, st)
		if err != nil {
			return err
		}
		id, seq, since := l.Session().ID, l.Session().Folded, 0
		for n := 1; n <= 25; n++ {
			seq++
			text := fmt.Sprintf("%s/%d %s", id, seq, strings.Repeat("x", rand.IntN(3000)))
			if err := l.Append(ctx, storetest.Said(text, time.Now())); err != nil {
				return err
			}
			fmt.Println(id, seq)
			if since++; n%10 == 0 {
				more := since // counted once, however often the fold is tried and whoever else counts
				if err := l.Fold(ctx, func(s *engine.Session) { s.Messages += more }); err != nil {
					return err
				}
				since = 0
			}
		}
		if err := l.Close(); err != nil {
			return err
		}
	}
}

// anySession goes on with the newest session that is free, or starts one.
func anySession(ctx context.Context, st engine.Store) (engine.Log, error) {
	s, err := st.Find(ctx, "", "/p")
	if err == nil && rand.IntN(3) > 0 {
		l, err := st.Open(ctx, s.ID)
		if !errors.Is(err, engine.ErrOwned) {
			return l, err
		}
	} else if err != nil && !errors.Is(err, engine.ErrNotFound) {
		return nil, err
	}
	return st.Create(ctx, engine.Session{Dir: "/p"})
}

// TestNothingAcknowledgedIsLostToKillNine is the contract of the whole package: two writers that are killed at any
// moment, again and again, beside a reader. TALARIA_SOAK sets the number of kills.
func TestNothingAcknowledgedIsLostToKillNine(t *testing.T) {
	kills := 40
	if n, err := strconv.Atoi(os.Getenv("TALARIA_SOAK")); err == nil {
		kills = n
	}
	dir := t.TempDir()
	var mu sync.Mutex
	acked, count := map[string]map[uint64]bool{}, 0
	var writers, reader sync.WaitGroup
	for range 2 {
		writers.Add(1)
		go func() {
			defer writers.Done()
			for range kills / 2 {
				writeUntilKilled(t, dir, func(id string, seq uint64) {
					mu.Lock()
					defer mu.Unlock()
					if acked[id] == nil {
						acked[id] = map[uint64]bool{}
					}
					acked[id][seq], count = true, count+1
				})
			}
		}()
	}
	done := make(chan struct{})
	reader.Add(1)
	go func() {
		defer reader.Done()
		readAlong(t, dir, done)
	}()
	writers.Wait()
	close(done)
	reader.Wait()
	if count < kills {
		t.Fatalf("only %d records were acknowledged in %d lives: the test tested nothing", count, kills)
	}
	st := at(t, dir)
	list, err := st.List(t.Context(), engine.Query{Limit: 1 << 20})
	must(t, err)
	listed := map[string]bool{}
	for _, s := range list {
		listed[s.ID] = true
	}
	for id, seqs := range acked {
		if !listed[id] {
			t.Errorf("session %s is not listed", id)
		}
		checkSession(t, st, id, seqs)
	}
	checkDatabase(t, dir)
	t.Logf("%d kills, %d records in %d sessions acknowledged, 0 lost; problems told: %q", kills, count, len(acked), st.Problems())
}

func writeUntilKilled(t *testing.T, dir string, ack func(id string, seq uint64)) {
	cmd := exec.Command(os.Args[0], dir)
	cmd.Env = append(os.Environ(), childMode+"=write")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil || cmd.Start() != nil {
		t.Errorf("start a writer: %v", err)
		return
	}
	lines := bufio.NewScanner(out)
	if lines.Scan() { // it is alive; from now on any moment is a good one
		time.AfterFunc(time.Duration(rand.IntN(150_000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
		for more := true; more; more = lines.Scan() {
			var id string
			var seq uint64
			if n, _ := fmt.Sscan(lines.Text(), &id, &seq); n == 2 {
				ack(id, seq)
			}
		}
	}
	_ = cmd.Wait()
	if stderr.Len() > 0 {
		t.Errorf("a writer failed: %s", stderr.String())
	}
}

func readAlong(t *testing.T, dir string, done chan struct{}) {
	st, err := Open(dir)
	if err != nil {
		t.Error(err)
		return
	}
	defer st.Close()
	for {
		select {
		case <-done:
			return
		default:
		}
		list, err := st.List(context.Background(), engine.Query{Limit: 5})
		if err != nil {
			t.Errorf("the reader: %v", err)
			return
		}
		for _, s := range list {
			if _, err := st.Tail(context.Background(), s.ID, 10); err != nil {
				t.Errorf("the reader: %v", err)
			}
		}
	}
}

// checkSession opens the session and looks for every acknowledged record, in the journal and in the database.
func checkSession(t *testing.T, st *disk, id string, seqs map[uint64]bool) {
	t.Helper()
	l, err := st.Open(t.Context(), id)
	must(t, err)
	defer l.Close()
	recs, err := l.Records(t.Context())
	must(t, err)
	folded, err := st.fromDatabase(t.Context(), id, 0, 1<<60)
	must(t, err)
	have, inDB := map[uint64]string{}, map[uint64]bool{}
	for _, r := range recs {
		have[r.Seq] = r.Event.(engine.Appended).Message.Text()
	}
	for _, e := range folded {
		inDB[e.Seq] = true
	}
	for seq := range seqs {
		if !strings.HasPrefix(have[seq], fmt.Sprintf("%s/%d ", id, seq)) || !inDB[seq] {
			t.Errorf("record %d of %s is lost: %.40q, in the database: %v", seq, id, have[seq], inDB[seq])
		}
	}
	if got := l.Session(); got.Messages != len(recs) || got.Folded != uint64(len(recs)) {
		t.Errorf("session %s has %d records and counts %d, folded %d", id, len(recs), got.Messages, got.Folded)
	}
}

func checkDatabase(t *testing.T, dir string) {
	t.Helper()
	db, err := bolt.Open(filepath.Join(dir, "sessions.db"), 0o600, &bolt.Options{ReadOnly: true, PreLoadFreelist: true})
	must(t, err)
	defer db.Close()
	must(t, db.View(func(tx *bolt.Tx) error {
		for err := range tx.Check() {
			t.Error("the database is damaged:", err)
		}
		return nil
	}))
}

func childCounts(dir string) error {
	ctx := context.Background()
	st, err := Open(dir)
	if err != nil {
		return err
	}
	l, err := st.Create(ctx, engine.Session{Dir: "/p"})
	if err != nil {
		return err
	}
	for i := range 200 {
		err := errors.Join(l.Append(ctx, storetest.Said(fmt.Sprint(i), time.Now())),
			l.Fold(ctx, func(s *engine.Session) { s.Messages++ }), st.AddHistory(ctx, "/p", fmt.Sprint(os.Getpid(), i)))
		if err != nil {
			return err
		}
	}
	fmt.Println(l.Session().ID)
	return st.Close()
}

func TestTwoWindowsWriteTwoHundredTimesEach(t *testing.T) {
	dir := t.TempDir()
	st := at(t, dir)
	a, b := start(t, "count", dir), start(t, "count", dir)
	for _, c := range []*child{a, b} {
		id := c.says(t)
		must(t, c.cmd.Wait())
		s, err := st.Find(t.Context(), id, "")
		must(t, err)
		recs, err := st.Tail(t.Context(), id, 0)
		must(t, err)
		if s.Messages != 200 || len(recs) != 200 {
			t.Errorf("session %s: %d counted, %d there, want 200", id, s.Messages, len(recs))
		}
	}
	lines, err := st.History(t.Context(), "/p", 0)
	must(t, err)
	if len(lines) != 400 {
		t.Errorf("%d lines of history, want 400", len(lines))
	}
	checkDatabase(t, dir)
}

// childHolds is a talaria that was stopped in the middle of a fold.
func childHolds(dir string) error {
	f, err := os.OpenFile(filepath.Join(dir, "sessions.lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		return err
	}
	fmt.Fprintln(f, os.Getpid())
	fmt.Println("held")
	time.Sleep(time.Hour)
	return nil
}

func within(t *testing.T, limit time.Duration, what string, do func()) {
	t.Helper()
	begun := time.Now()
	do()
	if d := time.Since(begun); d > limit {
		t.Errorf("%s took %v, at most %v allowed", what, d, limit)
	}
}

// The limits of the N01 tests leave a second for a busy machine; what the program itself waits is checked here.
func TestN01NoWaitIsLongerThanTwoSeconds(t *testing.T) {
	st := at(t, t.TempDir())
	if d := st.db.Longest(); d > 1900*time.Millisecond {
		t.Errorf("the longest wait is %v", d)
	}
}

func TestN01ASecondWindowWorksBesideOneThatWasStoppedInAFold(t *testing.T) {
	dir := t.TempDir()
	st := at(t, dir)
	old, err := st.Create(t.Context(), engine.Session{ID: "old", Dir: "/p", Mode: "edit"})
	must(t, err)
	must(t, old.Append(t.Context(), storetest.Said("before", time.Now())))
	must(t, old.Fold(t.Context(), nil))
	must(t, old.Close())
	holder := start(t, "hold", dir)
	holder.says(t)
	holder.signal(t, syscall.SIGSTOP)

	second := at(t, dir)
	var l engine.Log
	within(t, 1500*time.Millisecond, "a new session's first record", func() {
		l, err = second.Create(t.Context(), engine.Session{ID: "new", Dir: "/p"})
		must(t, err)
		must(t, l.Append(t.Context(), storetest.Said("hello", time.Now())))
	})
	within(t, 3*time.Second, "the list", func() {
		_, err := second.List(t.Context(), engine.Query{})
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("process %d", holder.cmd.Process.Pid)) {
			t.Errorf("the list does not say who is in the way: %v", err)
		}
	})
	within(t, 1500*time.Millisecond, "a fold, once it is known that the database is stuck", func() {
		if l.Fold(t.Context(), func(s *engine.Session) { s.Usage.Input += 7 }) == nil {
			t.Error("a fold that cannot have happened reported success")
		}
	})
	within(t, 3*time.Second, "finding and opening an older session", func() {
		s, err := second.Find(t.Context(), "old", "")
		must(t, err)
		again, err := second.Open(t.Context(), s.ID)
		must(t, err)
		recs, err := again.Records(t.Context())
		must(t, err)
		if len(recs) != 1 || again.Session().Mode != "edit" {
			t.Errorf("the older session came back as %d records, %+v", len(recs), again.Session())
		}
		must(t, again.Close())
	})
	must(t, second.SaveDraft(t.Context(), "/p", "new", "typed meanwhile"))
	if second.AddHistory(t.Context(), "/p", "line") == nil {
		t.Error("a line that cannot have been written was reported as written")
	}

	holder.signal(t, syscall.SIGKILL)
	deadline := time.Now().Add(60 * time.Second)
	for err = errors.New(""); err != nil; err = l.Fold(t.Context(), func(s *engine.Session) { s.Usage.Output = 1 }) {
		if time.Now().After(deadline) {
			t.Fatalf("the fold never worked again: %v", err)
		}
	}
	if got := l.Session(); got.Usage.Input != 7 || got.Usage.Output != 1 {
		t.Errorf("changes made while the database was stuck: %+v", got.Usage)
	}
	text, err := second.Draft(t.Context(), "/p", "new")
	must(t, err)
	lines, err := second.History(t.Context(), "/p", 5)
	must(t, err)
	if text != "typed meanwhile" || len(lines) != 1 {
		t.Errorf("typed while the database was stuck: draft %q, history %q", text, lines)
	}
}

// childOwns holds a session open.
func childOwns(dir string) error {
	st, err := Open(dir)
	if err != nil {
		return err
	}
	l, err := st.Create(context.Background(), engine.Session{ID: "one", Dir: "/p", System: "be brief"})
	if err != nil {
		return err
	}
	if err := l.Append(context.Background(), storetest.Said("kept", time.Now())); err != nil {
		return err
	}
	fmt.Println("open")
	time.Sleep(time.Hour)
	return nil
}

func TestN01TheSessionOfAnotherWindowIsOwnedUntilItDies(t *testing.T) {
	dir := t.TempDir()
	other := start(t, "own", dir)
	other.says(t)
	other.signal(t, syscall.SIGSTOP)
	st := at(t, dir)
	within(t, 3*time.Second, "the refusal", func() {
		if _, err := st.Open(t.Context(), "one"); !errors.Is(err, engine.ErrOwned) {
			t.Errorf("opening the session of another window: %v", err)
		}
		if err := st.Delete(t.Context(), "one"); !errors.Is(err, engine.ErrOwned) {
			t.Errorf("deleting the session of another window: %v", err)
		}
	})
	recs, err := st.Tail(t.Context(), "one", 5)
	must(t, err)
	if len(recs) != 1 {
		t.Errorf("reading the session of another window: %d records", len(recs))
	}
	other.signal(t, syscall.SIGKILL)
	_ = other.cmd.Wait()
	st = at(t, dir)
	s, err := st.Find(t.Context(), "", "/p")
	must(t, err)
	l, err := st.Open(t.Context(), s.ID)
	must(t, err)
	recs, err = l.Records(t.Context())
	must(t, err)
	if len(recs) != 1 || l.Session().System != "be brief" || l.Session().Dir != "/p" {
		t.Errorf("after the kill: %d records, %+v", len(recs), l.Session())
	}
}

// childHitsTheLimit writes against a limit on file sizes, which needs no rights to set, and then without it.
func childHitsTheLimit(dir string) error {
	signal.Ignore(syscall.SIGXFSZ)
	ctx := context.Background()
	limit := func(n uint64) error {
		var r syscall.Rlimit
		if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &r); err != nil {
			return err
		}
		r.Cur = min(n, r.Max)
		return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &r)
	}
	st, err := Open(dir)
	if err != nil {
		return err
	}
	l, err := st.Create(ctx, engine.Session{ID: "one", Dir: "/p"})
	if err != nil {
		return err
	}
	if err := limit(20_000); err != nil {
		return err
	}
	failed := 0
	for i := range 30 {
		if i == 20 {
			if err := limit(1 << 62); err != nil {
				return err
			}
		}
		err := l.Append(ctx, storetest.Said(fmt.Sprint(i, strings.Repeat(" x", 1000)), time.Now()))
		if err != nil && !errors.Is(err, syscall.EFBIG) {
			return fmt.Errorf("not the real error: %w", err)
		}
		if err != nil {
			failed++
		}
		if err != nil && i >= 20 {
			return fmt.Errorf("there is room again: %w", err)
		}
	}
	if failed == 0 {
		return errors.New("the limit was never hit")
	}
	fmt.Println(failed)
	return st.Close()
}

func TestN02RecordsOfAFullDiskAreWrittenWhenThereIsRoom(t *testing.T) {
	dir := t.TempDir()
	c := start(t, "limit", dir)
	c.says(t)
	must(t, c.cmd.Wait())
	checkThirty(t, dir)
}

func checkThirty(t *testing.T, dir string) {
	t.Helper()
	st := at(t, dir)
	l, err := st.Open(t.Context(), "one")
	must(t, err)
	defer l.Close()
	recs, err := l.Records(t.Context())
	must(t, err)
	for i, text := range storetest.Texts(recs) {
		if !strings.HasPrefix(text, fmt.Sprint(i, " x")) {
			t.Errorf("record %d is %.20q", i, text)
		}
	}
	if len(recs) != 30 || len(st.Problems()) > 0 {
		t.Errorf("%d records, want 30; problems %q", len(recs), st.Problems())
	}
}
