package main

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/config"
	"talaria/ui"
)

// printed runs f and returns what it wrote to stdout and stderr.
func printed(t *testing.T, f func()) (out, errs string) {
	t.Helper()
	read := func(of **os.File) func() string {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		before := *of
		*of = w
		return func() string {
			*of = before
			_ = w.Close()
			b, _ := io.ReadAll(r)
			return string(b)
		}
	}
	stdout, stderr := read(&os.Stdout), read(&os.Stderr)
	f()
	return stdout(), stderr()
}

// On a full disk the last words are what there is: no command that would resume what was never stored, and a code that
// says that something went wrong.
func TestAfterAFullDiskNothingIsPromised(t *testing.T) {
	e := ui.Exit{Stored: true, Session: engine.Session{ID: "20261201_120000_abcdef", Turns: 1}, Answer: "The port is 8080."}
	p := &program{dir: t.TempDir()}
	code := 0
	out, errs := printed(t, func() { code = p.farewell(e, errors.New("write: no space left on device")) })
	if strings.Contains(out+errs, "--resume") || strings.Contains(out+errs, e.Session.ID) {
		t.Errorf("it promises to resume: %q, %q", out, errs)
	}
	if !strings.Contains(out, "The port is 8080.") || !strings.Contains(errs, "no space left on device") || !strings.Contains(errs, "not on disk") || code != exitFailed {
		t.Errorf("code %d, %q, %q", code, out, errs)
	}

	out, errs = printed(t, func() { code = p.farewell(e, nil) })
	if !strings.Contains(out, "talaria --resume "+e.Session.ID) || errs != "" || code != 0 {
		t.Errorf("saved: code %d, %q, %q", code, out, errs)
	}
}

// mended is a store that found something damaged.
type mended struct{ engine.Store }

func (mended) Problems() []string {
	return []string{"the session database was damaged and rebuilt from the journals; the old one is sessions.db.bad\x1b[2J"}
}

// What was damaged and mended is told at the end, on the normal screen, and cannot drive the terminal.
func TestWhatWasMendedIsToldAtTheEnd(t *testing.T) {
	p := &program{dir: t.TempDir(), store: mended{}}
	code := 0
	_, errs := printed(t, func() { code = p.farewell(ui.Exit{}, nil) })
	if !strings.Contains(errs, "talaria: the session database was damaged and rebuilt") || strings.Contains(errs, "\x1b") || code != 0 {
		t.Errorf("code %d, %q", code, errs)
	}
}

// G07: a panic's words may hold a key; the report of it does not.
func TestG07ACrashReportHoldsNoKey(t *testing.T) {
	p := &program{dir: t.TempDir(), paths: config.Paths{Crash: t.TempDir()}}
	const key = "sk-test-AAAABBBBCCCCDDDDEEEE"
	path := p.crashReport(engine.Crash{Where: "a turn", Value: "refused: Authorization: Bearer " + key, Stack: []byte("goroutine 1\nmain.ask({" + key + "})")})
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "AAAABBBB") || !strings.Contains(string(text), "goroutine 1") {
		t.Errorf("%s", text)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// The last answer stands on the normal screen as it stood on the other: broken at words, not inside of them.
func TestTheLastAnswerIsBrokenAtWords(t *testing.T) {
	got := folded("You wrote meanwhile that it cannot change its course; a real\n\n    indented code", 20)
	if got != "You wrote meanwhile\nthat it cannot\nchange its course; a\nreal\n\n    indented code" {
		t.Errorf("%q", got)
	}
}
