package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// tree is every file below dir with its mode and contents.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	if err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		if all[path] = info.Mode().String(); info.Mode().IsRegular() {
			all[path] += "\n" + string(readFile(t, path))
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestEverythingWrittenIsPrivate: after a session with tools, questions, an undo copy, a long output, a draft and a kill,
// nobody else can read a file of the home, and no planted key stands in any; with --no-session nothing is written at all.
func TestEverythingWrittenIsPrivate(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	const planted, own = "sk-proj-PLANTED0PLANTED1PLANTED2PLANTED3PLANTED4", "sk-test-OWNKEY0OWNKEY1OWNKEY2OWNKEY3"
	d.env = append(d.env, "TALARIA_API_KEY="+own)
	d.write(".env", "OPENAI_API_KEY="+planted+"\n")
	d.write("b.txt", "before\n")
	m := d.model("reply\nthink I shall look.\ncall terminal {\"command\":\"cat .env; env; seq 1 60000\"}\n" +
		"reply\ncall write_file {\"path\":\"b.txt\",\"content\":\"after\\n\"}\nreply\ntext Done.\n" +
		"reply\nstatus 401\nbody {\"error\":{\"message\":\"wrong key " + own + "\"}}\n")
	before := tree(t, d.home)
	p := d.open("--no-session", "--yolo")
	p.sees(ready)
	p.presses("words that nobody keeps")
	p.sees("words that nobody keeps")
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	p.exits()
	for path, is := range tree(t, d.home) {
		if before[path] == "" {
			t.Errorf("--no-session left %s (%.10s)", path, is)
		}
	}

	p = d.open("--yolo")
	p.sees(ready)
	p.says("look at everything")
	p.sees("Done.", "Ready")
	p.says("and again")
	p.sees("▸")
	p.presses("half a thought")
	p.sees("half a thought")
	_ = p.cmd.Process.Kill()
	p.exits()
	if len(m.requests()) < 3 {
		t.Fatalf("%d requests: the session was not what this test needs", len(m.requests()))
	}
	long := false
	for path, is := range tree(t, d.home) {
		mode, text, _ := strings.Cut(is, "\n")
		if !strings.HasSuffix(mode, "------") {
			t.Errorf("others can read %s: %s", path, mode)
		}
		for _, key := range []string{planted, own} {
			if strings.Contains(text, key) {
				t.Errorf("a key stands in %s", path)
			}
		}
		long = long || strings.Contains(text, "59999")
	}
	if !long {
		t.Error("the long output is in no file: the walk saw nothing")
	}
	if _, err := os.Stat(filepath.Join(d.home, "sessions.db")); err != nil {
		t.Error(err)
	}
}
