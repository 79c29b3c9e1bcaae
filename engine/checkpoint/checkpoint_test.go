package checkpoint

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// bench is a store and a directory with files that it keeps.
type bench struct {
	t    *testing.T
	s    *Store
	l    *Log
	dir  string
	lost []string
}

func newBench(t *testing.T, change func(*Options)) *bench {
	b := &bench{t: t, dir: t.TempDir()}
	o := Options{Dir: filepath.Join(t.TempDir(), "checkpoints"), Lost: func(s string) { b.lost = append(b.lost, s) },
		Write: func(path string, data []byte, mode fs.FileMode) error { return os.WriteFile(path, data, mode.Perm()) }}
	if change != nil {
		change(&o)
	}
	b.s = Open(o)
	b.l = b.s.Session("20260101_000000_abcdef")
	return b
}

func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }

// write is what a tool does.
func (b *bench) write(name, content string) {
	b.t.Helper()
	done := b.l.Keep(b.path(name))
	b.put(name, content)
	done()
}

// put is what the user does.
func (b *bench) put(name, content string) {
	b.t.Helper()
	if err := os.MkdirAll(filepath.Dir(b.path(name)), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(b.path(name), []byte(content), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) holds(name, want string) {
	b.t.Helper()
	if got, err := os.ReadFile(b.path(name)); err != nil || string(got) != want {
		b.t.Fatalf("%s holds %q, %v; want %q", name, got, err, want)
	}
}

func (b *bench) plan(turns ...string) Plan {
	b.t.Helper()
	p, err := b.l.Plan(turns)
	if err != nil {
		b.t.Fatal(err)
	}
	return p
}

func TestChangesOfManyTurnsGoBackToTheFirst(t *testing.T) {
	b := newBench(t, nil)
	b.put("a", "0")
	for i := range 5 {
		b.l.Begin(fmt.Sprint("m", i))
		b.write("a", fmt.Sprint("turn ", i))
	}
	if p := b.plan("m3", "m4"); len(p.Files) != 1 || p.Files[0].Edited {
		t.Fatalf("%+v", p)
	} else if _, _, err := b.l.Restore(p, "u1", false); err != nil {
		t.Fatal(err)
	}
	b.holds("a", "turn 2")
	if p := b.plan("m3", "m4"); len(p.Files) != 0 {
		t.Fatalf("what is undone is undone again: %+v", p)
	}
	if _, _, err := b.l.Restore(b.plan("m0", "m1", "m2", "m3", "m4"), "u2", false); err != nil {
		t.Fatal(err)
	}
	b.holds("a", "0")
	again := Open(b.s.o).Session("20260101_000000_abcdef") // another start of the program
	p, ok, err := again.Redo("u2")
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if _, _, err := again.Restore(p, "u2", false); err != nil {
		t.Fatal(err)
	}
	b.holds("a", "turn 2")
}

func TestWhatTheUserChangedBetweenTwoEditsIsNotOverwrittenUnasked(t *testing.T) {
	b := newBench(t, nil)
	b.put("a", "0")
	b.l.Begin("m1")
	b.write("a", "1")
	b.put("a", "1 and mine") // then the tool reads it again, and edits it
	b.write("a", "2 and mine")
	p := b.plan("m1")
	if len(p.Edited()) != 1 {
		t.Fatalf("%+v", p)
	}
	_, left, err := b.l.Restore(p, "u1", false)
	if err != nil || len(left) != 1 {
		t.Fatal(left, err)
	}
	b.holds("a", "2 and mine")
}

func TestACrashBetweenKeepingAndChangingLosesNothing(t *testing.T) {
	b := newBench(t, nil)
	b.put("a", "0")
	b.l.Begin("m1")
	b.l.Keep(b.path("a")) // the program ends here
	b.l = b.s.Session("20260101_000000_abcdef")
	if p := b.plan("m1"); len(p.Files) != 0 {
		t.Fatalf("a file that is as it was: %+v", p)
	}
	b.put("a", "half done?")
	if p := b.plan("m1"); len(p.Edited()) != 1 {
		t.Fatalf("who wrote that is not known: %+v", p)
	}
}

func TestATornLineCostsThatLineOnly(t *testing.T) {
	b := newBench(t, nil)
	b.put("a", "0")
	b.l.Begin("m1")
	b.write("a", "1")
	f, err := os.OpenFile(b.l.path, os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(`{"kind":"before","change":"ch`)
	f.Close()
	b.l = b.s.Session("20260101_000000_abcdef")
	b.l.Begin("m2")
	b.write("a", "2")
	b.l = b.s.Session("20260101_000000_abcdef")
	if p := b.plan("m2"); len(p.Files) != 1 || p.Files[0].Edited {
		t.Fatalf("%+v", p)
	}
}

func TestHugeFilesAreNotKeptAndThatIsSaid(t *testing.T) {
	b := newBench(t, func(o *Options) { o.MaxFile = 10 << 20 })
	b.put("big", strings.Repeat("x", 11<<20))
	b.l.Begin("m1")
	b.write("big", "small")
	if len(b.lost) != 1 || !strings.Contains(b.lost[0], "it has 11 MB, more than checkpoints.max_file_mb allows (10)") {
		t.Fatal(b.lost)
	}
	p := b.plan("m1")
	if len(p.Files) != 1 || !strings.Contains(p.Files[0].Lost, "max_file_mb") {
		t.Fatalf("%+v", p)
	}
	if restored, left, err := b.l.Restore(p, "u", true); err != nil || len(restored) != 0 || len(left) != 1 {
		t.Fatal(restored, left, err)
	}
	b.holds("big", "small")
}

func TestCopiesStayBelowTheirLimitAndTheOldestGoFirst(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	b := newBench(t, func(o *Options) { o.MaxBytes, o.Now = 60<<10, func() time.Time { at = at.Add(time.Minute); return at } })
	noise := func(seed int) string { // what does not compress
		var s strings.Builder
		x := uint32(seed*7919 + 1)
		for range 10 << 10 {
			x ^= x << 13
			x ^= x >> 17
			x ^= x << 5
			s.WriteByte(byte(x))
		}
		return s.String()
	}
	b.put("a", noise(0))
	for i := 1; i <= 12; i++ {
		b.l.Begin(fmt.Sprint("m", i))
		b.write("a", noise(i))
	}
	total := int64(0)
	for _, o := range b.s.objects() {
		total += o.size
	}
	if total > 60<<10 {
		t.Fatalf("%d bytes are kept", total)
	}
	if p := b.plan("m12"); len(p.Files) != 1 || p.Files[0].Lost != "" {
		t.Fatalf("the newest is gone: %+v", p.Files)
	}
	all := []string{}
	for i := 1; i <= 12; i++ {
		all = append(all, fmt.Sprint("m", i))
	}
	if p := b.plan(all...); !strings.Contains(p.Files[0].Lost, "checkpoints.max_mb") {
		t.Fatalf("the oldest should be gone: %+v", p.Files[0])
	}
}

func TestOldSessionsAndTheirCopiesAreRemoved(t *testing.T) {
	now := time.Now()
	b := newBench(t, func(o *Options) { o.MaxAge, o.Now = 7*24*time.Hour, func() time.Time { return now } })
	b.put("a", "0")
	b.l.Begin("m1")
	b.write("a", "1")
	other := b.s.Session("other")
	other.Begin("m1")
	done := other.Keep(b.path("a"))
	done()
	now = now.Add(6 * 24 * time.Hour)
	if err := b.s.Prune(); err != nil || len(b.s.objects()) != 2 {
		t.Fatal(err, b.s.objects())
	}
	now = now.Add(2 * 24 * time.Hour)
	if err := os.Chtimes(other.path, now, now); err != nil {
		t.Fatal(err)
	}
	if err := b.s.Prune(); err != nil || len(b.s.objects()) != 1 { // the other session still names what it saw
		t.Fatal(err, b.s.objects())
	}
	if _, err := os.Stat(b.l.path); err == nil {
		t.Fatal("the log of the old session is still there")
	}
}

func TestARestoreThatFailsHalfwayChangesNothing(t *testing.T) {
	b := newBench(t, nil)
	write := b.s.o.Write
	b.s.o.Write = func(path string, data []byte, mode fs.FileMode) error {
		if filepath.Base(path) == "c" {
			return fmt.Errorf("the disk is full")
		}
		return write(path, data, mode)
	}
	for _, name := range []string{"a", "b", "c"} {
		b.put(name, "0")
	}
	b.l.Begin("m1")
	for _, name := range []string{"a", "b", "c"} {
		b.write(name, "1")
	}
	if _, _, err := b.l.Restore(b.plan("m1"), "u", false); err == nil || !strings.Contains(err.Error(), "the disk is full") {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b", "c"} {
		b.holds(name, "1")
	}
	if p := b.plan("m1"); len(p.Files) != 3 {
		t.Fatalf("the turn counts as undone: %+v", p)
	}
}

func TestFilesAreForTheirOwnerOnly(t *testing.T) {
	b := newBench(t, nil)
	b.put(".env", "KEY=secret")
	b.write(".env", "KEY=other")
	err := filepath.WalkDir(b.s.o.Dir, func(path string, d fs.DirEntry, err error) error {
		info, ierr := d.Info()
		if err != nil || ierr != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v %v", path, info.Mode(), err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestACommandsChangesAreNoticed(t *testing.T) {
	b := newBench(t, nil)
	b.put("same", "x")
	b.put("changed", "x")
	b.put("removed", "x")
	b.put("node_modules/x", "x")
	b.l.Begin("m1")
	done := b.l.Watch(b.dir)
	b.put("changed", "xx")
	b.put("made/new", "x")
	b.put("node_modules/x", "xx")
	os.Remove(b.path("removed"))
	done()
	if p := b.plan("m1"); len(p.Files) != 0 || len(p.Commands) != 3 || p.Blind != "" {
		t.Fatalf("%+v", p)
	}
	b.s.o.CommandIn = 1
	for i := range 200 {
		b.put(fmt.Sprint("many/", i), "x")
	}
	b.l.Begin("m2")
	b.l.Watch(b.dir)()
	if p := b.plan("m2"); p.Blind == "" {
		t.Fatalf("%+v", p)
	}
}
