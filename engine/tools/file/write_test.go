package file

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"talaria/engine"
	"talaria/engine/tools"
)

func TestANewFileIsWrittenWithItsFolders(t *testing.T) {
	d := newDesk(t)
	r := d.do("write_file", m{"path": "src/deep/a.go", "content": "package a\n\nvar x = 1\n"})
	expect(t, r, engine.StatusDone, "Wrote src/deep/a.go", "3 lines")
	d.holds("src/deep/a.go", "package a\n\nvar x = 1\n")
	if r.Note != "+3 −0" || len(r.Changed) != 1 || r.Changed[0] != filepath.Join(d.dir, "src/deep/a.go") {
		t.Fatalf("note %q, changed %v", r.Note, r.Changed)
	}
	if !strings.Contains(r.Diff, "--- /dev/null\n+++ b/src/deep/a.go\n@@") || !strings.Contains(r.Diff, "\n+var x = 1\n") {
		t.Fatalf("diff %q", r.Diff)
	}
	d.noLitter()
}

func TestAnOverwrittenFileKeepsModeLineEndsAndMark(t *testing.T) {
	d := newDesk(t)
	path := d.put("run.sh", "\xEF\xBB\xBFone\r\ntwo\r\n")
	if err := os.Chmod(path, 0o750); err != nil {
		t.Fatal(err)
	}
	r := d.do("write_file", m{"path": "run.sh", "content": "one\nthree\n"})
	expect(t, r, engine.StatusDone)
	d.holds("run.sh", "\xEF\xBB\xBFone\r\nthree\r\n")
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o750 {
		t.Fatalf("mode %v", info.Mode())
	}
	if r.Note != "+1 −1" || strings.Contains(r.Diff, "\r") {
		t.Fatalf("%q %q", r.Note, r.Diff)
	}
}

func TestContentWithItsOwnLineEndsIsTakenAsItIs(t *testing.T) {
	d := newDesk(t)
	d.put("a.txt", "one\r\ntwo\r\n")
	expect(t, d.do("write_file", m{"path": "a.txt", "content": "one\r\nx\ny\r\n"}), engine.StatusDone)
	d.holds("a.txt", "one\r\nx\ny\r\n")
}

func TestWritingWhatIsThereSaysThatNothingChanged(t *testing.T) {
	d := newDesk(t)
	path := d.put("a.txt", "one\n")
	before, _ := os.Stat(path)
	r := d.do("write_file", m{"path": "a.txt", "content": "one\n"})
	expect(t, r, engine.StatusDone, "nothing changed")
	after, _ := os.Stat(path)
	if !os.SameFile(before, after) || len(r.Changed) != 0 || r.Diff != "" {
		t.Fatal("it was written all the same")
	}
}

func TestAFileThatChangedSinceItWasReadIsLeftAlone(t *testing.T) {
	for _, tool := range []string{"patch", "write_file"} {
		d := newDesk(t)
		path := d.put("src/cart.ts", "const a = 1\n")
		expect(t, d.do("read_file", m{"path": "src/cart.ts"}), engine.StatusDone)
		d.put("src/cart.ts", "const a = 1\nconst user = 2\n")
		args := m{"path": "src/cart.ts", "old_string": "const a = 1", "new_string": "const a = 9", "content": "const a = 9\n"}
		r := d.do(tool, args)
		expect(t, r, engine.StatusFailed, "src/cart.ts changed on disk since it was read. The edit was not applied")
		d.holds("src/cart.ts", "const a = 1\nconst user = 2\n")
		if r.Note == "" || len(r.Changed) > 0 {
			t.Fatalf("%+v", r)
		}
		expect(t, d.do("read_file", m{"path": path}), engine.StatusDone)
		expect(t, d.do(tool, args), engine.StatusDone)
	}
}

func TestOwnEditsDoNotMakeAFileStale(t *testing.T) {
	d := newDesk(t)
	d.put("a.txt", "1\n2\n3\n")
	d.do("read_file", m{"path": "a.txt"})
	expect(t, d.do("patch", m{"path": "a.txt", "old_string": "1", "new_string": "one"}), engine.StatusDone)
	expect(t, d.do("patch", m{"path": "a.txt", "old_string": "2", "new_string": "two"}), engine.StatusDone)
	expect(t, d.do("write_file", m{"path": "a.txt", "content": "x"}), engine.StatusDone)
	d.holds("a.txt", "x")
}

func TestAFileThatWasDeletedCanBeWrittenAnew(t *testing.T) {
	d := newDesk(t)
	path := d.put("a.txt", "1\n")
	d.do("read_file", m{"path": "a.txt"})
	os.Remove(path)
	expect(t, d.do("write_file", m{"path": "a.txt", "content": "2\n"}), engine.StatusDone)
}

func TestTheUserApprovesOneDiffAndAnotherIsNeverWritten(t *testing.T) {
	d := newDesk(t)
	d.put("a.txt", "1\n2\n")
	c := d.call("write_file", m{"path": "a.txt", "content": "1\n3\n"})
	diff, err := Preview(d.w, c)
	if err != nil || !strings.Contains(diff, "-2\n+3\n") {
		t.Fatalf("%q, %v", diff, err)
	}
	d.holds("a.txt", "1\n2\n")
	d.put("a.txt", "1\n2\nand much that the user wrote meanwhile\n")
	expect(t, d.do("write_file", c.Args), engine.StatusFailed, "changed on disk")
	d.holds("a.txt", "1\n2\nand much that the user wrote meanwhile\n")
}

func TestAFileSavedBetweenTheLookAndTheWriteIsLeftAlone(t *testing.T) {
	for _, before := range []string{"", "1\n"} {
		d := newDesk(t)
		if before != "" {
			d.put("a.txt", before)
		}
		ch, err := space{d.w}.planWrite(writeIn{Path: "a.txt", Content: "2\n"})
		if err != nil {
			t.Fatal(err)
		}
		d.put("a.txt", "the user's own\n")
		r, err := space{d.w}.apply(context.Background(), engine.Call{ID: "1", Name: "write_file"}, ch)
		if err != nil {
			t.Fatal(err)
		}
		expect(t, r, engine.StatusFailed, "changed on disk")
		d.holds("a.txt", "the user's own\n")
	}
}

func TestPreviewIsTheDiffOfTheRun(t *testing.T) {
	d := newDesk(t)
	d.put("a.txt", "1\n2\n3\n")
	c := d.call("patch", m{"path": "a.txt", "old_string": "2", "new_string": "two"})
	diff, err := Preview(d.w, c)
	if err != nil {
		t.Fatal(err)
	}
	if r := d.do("patch", c.Args); r.Diff != diff || r.Note != "+1 −1" {
		t.Fatalf("%q, previewed %q", r.Diff, diff)
	}
	if _, err := Preview(d.w, c); err == nil || !strings.Contains(err.Error(), "not found") {
		t.Fatalf("a patch that would fail has the preview %v", err)
	}
	if diff, err := Preview(d.w, d.call("write_file", m{"path": "a.txt", "content": "1\ntwo\n3\n"})); diff != "" || err != nil {
		t.Fatalf("%q, %v", diff, err)
	}
	if diff, err := Preview(d.w, d.call("terminal", m{"command": "ls"})); diff != "" || err != nil {
		t.Fatalf("%q, %v", diff, err)
	}
}

func TestL13ALinkIsFollowedToWhereTheWriteWouldLand(t *testing.T) {
	d := newDesk(t)
	out := tools.Real(t.TempDir())
	link := func(to, name string) string {
		t.Helper()
		if err := os.Symlink(to, filepath.Join(d.dir, name)); err != nil {
			t.Skipf("no links here: %v", err)
		}
		return filepath.Join(d.dir, name)
	}
	d.put("real.md", "old\n")
	for _, c := range []struct{ path, want string }{
		{filepath.Join(link(out, "outbox"), "x"), filepath.Join(out, "x")},
		{filepath.Join(d.dir, "outbox", "new", "deep"), filepath.Join(out, "new", "deep")},
		{link(filepath.Join(out, "victim.txt"), "notes.md"), filepath.Join(out, "victim.txt")},
		{link(filepath.Join(out, "new.txt"), "draft.txt"), filepath.Join(out, "new.txt")},
		{link("draft.txt", "second.txt"), filepath.Join(out, "new.txt")},
		{link("outbox/../sibling.txt", "up.txt"), filepath.Join(filepath.Dir(out), "sibling.txt")},
		{link("real.md", "in.md"), filepath.Join(d.dir, "real.md")},
		{link("circle.txt", "circle.txt"), filepath.Join(d.dir, "circle.txt")},
		{filepath.Join(d.dir, "none", "at", "all"), filepath.Join(d.dir, "none", "at", "all")},
	} {
		if got := tools.Real(c.path); got != c.want {
			t.Errorf("tools.Real(%s) = %s, want %s", c.path, got, c.want)
		}
	}
	expect(t, d.do("write_file", m{"path": "in.md", "content": "new\n"}), engine.StatusDone)
	d.holds("real.md", "new\n")
	if info, _ := os.Lstat(filepath.Join(d.dir, "in.md")); info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced by a file")
	}
	expect(t, d.do("write_file", m{"path": "circle.txt", "content": "x"}), engine.StatusFailed, "circle")
}

func TestAFailedWriteLeavesTheFileAsItWas(t *testing.T) {
	d := newDesk(t)
	path := d.put("a.txt", "precious\n")
	dir := filepath.Dir(path)
	if os.Getuid() == 0 || runtime.GOOS == "windows" {
		// Root may write anywhere: the place of the new file is taken away in another way.
		if _, err := replaceFile(filepath.Join(dir, "a.txt", "below"), []byte("x"), nil); err == nil {
			t.Fatal("a file below a file")
		}
	} else {
		os.Chmod(dir, 0o555)
		defer os.Chmod(dir, 0o755)
		expect(t, d.do("write_file", m{"path": "a.txt", "content": "x"}), engine.StatusFailed, "left as it was")
	}
	d.holds("a.txt", "precious\n")
	d.noLitter()
}

func TestWhatIsNoOrdinaryFileIsNotWritten(t *testing.T) {
	d := newDesk(t)
	d.put("dir/x", "")
	expect(t, d.do("write_file", m{"path": "dir", "content": "x"}), engine.StatusFailed, "is a directory")
	expect(t, d.do("write_file", m{"path": "new/", "content": "x"}), engine.StatusFailed, "is a directory")
	expect(t, d.do("write_file", m{"path": "/dev/null", "content": "x"}), engine.StatusFailed, "character device")
	expect(t, d.do("write_file", m{"path": "dir/x/y", "content": "x"}), engine.StatusFailed)
	expect(t, d.do("write_file", m{"path": " ", "content": "x"}), engine.StatusFailed, "the path is empty")
	os.Chmod(filepath.Join(d.dir, "dir/x"), 0o444)
	expect(t, d.do("write_file", m{"path": "dir/x", "content": "x"}), engine.StatusFailed, "write-protected")
	d.put("p.png", "\x89PNG\r\n\x1a\n\x00\x00")
	expect(t, d.do("write_file", m{"path": "p.png", "content": "x"}), engine.StatusFailed, "image/png")
	d.put("w.txt", "\xff\xfeh\x00i\x00")
	expect(t, d.do("write_file", m{"path": "w.txt", "content": "x"}), engine.StatusFailed, "UTF-16LE")
	d.holds("w.txt", "\xff\xfeh\x00i\x00")
}

func TestAMarkForCutTextIsNeverWritten(t *testing.T) {
	d := newDesk(t)
	d.put("a.txt", strings.Repeat("x", 5000)+"\nsecond\n")
	r := d.do("read_file", m{"path": "a.txt"})
	shown, _, _ := strings.Cut(strings.TrimPrefix(r.Text, "1|"), "\n")
	expect(t, d.do("write_file", m{"path": "a.txt", "content": shown + "\nsecond\n"}), engine.StatusFailed, "Nothing was written")
	expect(t, d.do("patch", m{"path": "a.txt", "old_string": "second", "new_string": shown}), engine.StatusFailed, "Nothing was written")
	expect(t, d.do("write_file", m{"path": "b.txt", "content": shown}), engine.StatusFailed)
	d.holds("a.txt", strings.Repeat("x", 5000)+"\nsecond\n")
}

func TestTwoEditsOfOneFileAtOnceAreBothMade(t *testing.T) {
	d := newDesk(t)
	d.put("a.txt", "one\ntwo\nthree\nfour\n")
	var wg sync.WaitGroup
	for _, word := range []string{"one", "two", "three", "four"} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			d.do("patch", m{"path": "a.txt", "old_string": word + "\n", "new_string": strings.ToUpper(word) + "\n"})
		}()
	}
	wg.Wait()
	d.holds("a.txt", "ONE\nTWO\nTHREE\nFOUR\n")
}

func TestAStopEndsTheWaitForALock(t *testing.T) {
	d := newDesk(t)
	unlock, err := d.w.Lock(context.Background(), filepath.Join(d.dir, "a.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	tool, c, _ := d.r.Resolve(d.call("write_file", m{"path": "a.txt", "content": "x"}))
	if _, err := tool.Run(ctx, c, nil); err == nil {
		t.Fatal("it did not wait, or did not stop")
	}
}

func TestS23ARawLineEndInTheArgumentsReachesTheTool(t *testing.T) {
	d := newDesk(t)
	expect(t, d.do("write_file", "{\"path\":\"a.txt\",\"content\":\"x\ny\"}"), engine.StatusDone)
	d.holds("a.txt", "x\ny")
}

func TestACallThatWasCutOffIsNotExecuted(t *testing.T) {
	d := newDesk(t)
	r := d.do("write_file", `{"path":"a.txt","content":"half of the te`)
	expect(t, r, engine.StatusRefused, "refused:", "write_file", "was not executed", "cut off")
	r = d.do("write_file", `{"path":"a.txt","content":"x"`)
	expect(t, r, engine.StatusRefused, "was not executed")
	r = d.do("write_file", "")
	expect(t, r, engine.StatusRefused, `"path", "content"`, "missing")
}

func TestEffectsAreThoseTheGatesGoBy(t *testing.T) {
	want := map[string]engine.Effect{"read_file": engine.Reads, "search_files": engine.Reads, "write_file": engine.Writes, "patch": engine.Writes,
		"todo": engine.Notes, "clarify": engine.Asks}
	d := newDesk(t)
	for _, s := range d.r.Specs() {
		if s.Effect != want[s.Name] {
			t.Errorf("%s has effect %d", s.Name, s.Effect)
		}
	}
	for name, args := range map[string]string{"read_file": `{"path":"a/../b"}`, "write_file": `{"path":"b","content":""}`,
		"patch": `{"path":"./b","old_string":"a","new_string":"b"}`, "search_files": `{"pattern":"x","path":"b"}`} {
		tool, c, refused := d.r.Resolve(engine.Call{Name: name, Args: args})
		if refused != nil {
			t.Fatal(refused.Text)
		}
		if got := tool.(engine.Toucher).Touches(c); len(got) != 1 || got[0] != d.dir+"/b" {
			t.Errorf("%s touches %v", name, got)
		}
	}
}
