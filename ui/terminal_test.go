package ui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/uitest"
)

// The tests of this file run the screen in a real terminal: the test binary starts itself in a pseudo-terminal, and an
// emulator stands where the window would be.

const childVar = "TALARIA_TEST_SCREEN" // what the child does: the name of a disaster, or "run"

func TestMain(m *testing.M) {
	if what := os.Getenv(childVar); what != "" {
		os.Exit(child(what))
	}
	os.Exit(m.Run())
}

// trouble is a screen whose surroundings panic where what says.
type trouble struct {
	*uitest.Library
	what string
}

// History is called in a command.
func (l trouble) History(ctx context.Context, dir string, n int) ([]string, error) {
	if l.what == "command" {
		panic("a bug in a command")
	}
	return l.Library.History(ctx, dir, n)
}

// child runs the screen and tells how it ended.
func child(what string) int {
	e := uitest.NewEngine()
	e.Tell(engine.Opened{Session: engine.Session{ID: thisSession, Dir: workDir, Route: sonnet}})
	lib := trouble{uitest.NewLibrary(), what}
	e.OnOp = func(op engine.Op) {
		s, ok := op.(engine.Submit)
		if !ok {
			return
		}
		e.Tell(engine.Began{Turn: 1, Route: sonnet}, uitest.User(s.Text), uitest.Says("You said: "+s.Text))
	}
	var once sync.Once
	d := Deps{Engine: e, Library: lib, Connect: &uitest.Connections{}, Options: Options{Dir: workDir, Version: "1.0", Mode: "ask"},
		Theme: func(dark, known bool) themes.Theme { return theme("dusk")(dark, known) },
		Clock: func() time.Time {
			stack := string(debug.Stack())
			if what == "view" && strings.Contains(stack, "statusRow") || what == "update" && strings.Contains(stack, "promptKey") {
				once.Do(func() { panic("a bug in " + what) })
			}
			return time.Now()
		}}
	if what == "engine" {
		engine.Go("engine", func() { time.Sleep(300 * time.Millisecond); panic("a bug in the engine") })
	}
	exit, err := Run(context.Background(), d)
	draft, _ := lib.Draft(context.Background(), workDir, "")
	crash := "none"
	if c := exit.Crash; c != nil {
		crash = fmt.Sprintf("in %s: %v, stack %v", c.Where, c.Value, len(c.Stack) > 0)
	}
	fmt.Printf("ended: code %d, error %v, draft %q, crash %s.\n", exit.Code, err, draft, crash)
	return exit.Code
}

// window is a pseudo-terminal with the child in it.
type window struct {
	t      *testing.T
	pty    *os.File
	cmd    *exec.Cmd
	before *term.State
	mu     sync.Mutex
	out    bytes.Buffer
	screen *vt.SafeEmulator
	done   chan error
}

func openWindow(t *testing.T, what string, w, h int) *window {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo-terminal here: %v", err)
	}
	if err := pty.Setsize(master, &pty.Winsize{Rows: uint16(h), Cols: uint16(w)}); err != nil {
		t.Fatal(err)
	}
	before, err := term.GetState(slave.Fd())
	if err != nil {
		t.Fatal(err)
	}
	win := &window{t: t, pty: master, before: before, screen: vt.NewSafeEmulator(w, h), done: make(chan error, 1)}
	win.cmd = exec.Command(os.Args[0], "-test.run=^$")
	win.cmd.Env = append(os.Environ(), childVar+"="+what, "TERM=xterm-256color", "COLORTERM=truecolor", "NO_COLOR=")
	win.cmd.Stdin, win.cmd.Stdout, win.cmd.Stderr = slave, slave, slave
	win.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := win.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(master, win.screen) }() // what the terminal answers
	go func() {
		buf := make([]byte, 1<<16)
		for {
			n, err := master.Read(buf)
			win.mu.Lock()
			win.out.Write(buf[:n])
			win.mu.Unlock()
			_, _ = win.screen.Write(buf[:n])
			if err != nil {
				return
			}
		}
	}()
	go func() { win.done <- win.cmd.Wait() }()
	t.Cleanup(func() {
		_ = win.cmd.Process.Kill()
		slave.Close()
		master.Close()
	})
	return win
}

func (w *window) bytes() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.String()
}

func (w *window) text() string { return ansi.Strip(w.screen.Render()) } // String is not safe beside Write

// until polls for what the window should show.
func (w *window) until(what string, ok func() bool) {
	w.t.Helper()
	for deadline := time.Now().Add(60 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			w.t.Fatalf("never: %s\n%s\n%q", what, w.text(), tail(w.bytes(), 2000))
		}
	}
}

func (w *window) see(text string) {
	w.t.Helper()
	w.until(text, func() bool { return strings.Contains(w.text(), text) })
}

func (w *window) write(s string) {
	w.t.Helper()
	if _, err := w.pty.WriteString(s); err != nil {
		w.t.Fatal(err)
	}
}

// exit waits for the end of the child.
func (w *window) exit() int {
	w.t.Helper()
	select {
	case err := <-w.done:
		w.until("the last line", func() bool { return lastLine.MatchString(w.bytes()) })
		var code *exec.ExitError
		if errors.As(err, &code) {
			return code.ExitCode()
		}
		return 0
	case <-time.After(60 * time.Second):
		w.t.Fatalf("the program does not end:\n%s", w.text())
		return 0
	}
}

// restored fails unless the terminal is as it was before the program.
func (w *window) restored() {
	w.t.Helper()
	out := w.bytes()
	last := func(seq string) int { return strings.LastIndex(out, "\x1b["+seq) }
	for on, off := range map[string]string{"?1049h": "?1049l", "?1000h": "?1000l", "?1002h": "?1002l", "?1003h": "?1003l", "?1006h": "?1006l", "?2004h": "?2004l", "?25l": "?25h", "?1004h": "?1004l"} {
		if last(on) > last(off) {
			w.t.Errorf("%s is not undone by %s", on, off)
		}
	}
	if last("?1049h") < 0 {
		w.t.Error("there never was a full screen: the test is blind")
	}
	if at := strings.Index(out, "ended: code"); at < last("?1049l") {
		w.t.Error("what the program says at its end went to the alternate screen")
	}
	after, err := term.GetState(w.pty.Fd())
	if err != nil || fmt.Sprint(after) != fmt.Sprint(w.before) {
		w.t.Errorf("the terminal's modes are %v, were %v, %v", after, w.before, err)
	}
}

var lastLine = regexp.MustCompile(`ended: code[^\n]*\.\r\n`)

func tail(s string, n int) string { return s[max(0, len(s)-n):] }

func TestU13TheTerminalIsRestoredAfterAPanic(t *testing.T) {
	for what, where := range map[string]string{"update": "update", "view": "view", "command": "command", "engine": "engine"} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			w := openWindow(t, what, 80, 24)
			if what == "update" {
				w.see("Ready")
				w.write("x")
			}
			if code := w.exit(); code != 1 {
				t.Errorf("exit code %d", code)
			}
			w.restored()
			if out := w.bytes(); !strings.Contains(out, "crash in "+where+": a bug in") || strings.Contains(out, "Caught panic") || !strings.Contains(out, "stack true") {
				t.Errorf("the crash is not told: %q", tail(out, 600))
			}
		})
	}
}

func TestU13TheTerminalIsRestoredAfterASignal(t *testing.T) {
	for sig, want := range map[syscall.Signal]int{syscall.SIGTERM: 143, syscall.SIGHUP: 129} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			w := openWindow(t, "run", 80, 24)
			w.see("Ready")
			w.write("half a thought")
			w.see("half a thought")
			if err := w.cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			if code := w.exit(); code != want {
				t.Errorf("exit code %d, want %d", code, want)
			}
			w.restored()
			if out := w.bytes(); !strings.Contains(out, `draft "half a thought"`) {
				t.Errorf("the draft is lost: %q", tail(out, 300))
			}
		})
	}
}

func TestU17CtrlCTwiceEndsCleanly(t *testing.T) {
	t.Parallel()
	w := openWindow(t, "run", 80, 24)
	w.see("Ready")
	w.write("\x03")
	w.see("Ctrl+C again to quit")
	if err := w.cmd.Process.Signal(syscall.SIGINT); err != nil { // from outside: never a second press
		t.Fatal(err)
	}
	w.write("hello")
	w.see("hello")
	w.write("\x03")
	w.until("an empty prompt", func() bool { return !strings.Contains(w.text(), "hello") })
	w.write("\x03\x03")
	if code := w.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	w.restored()
}

func TestU15RepliesAndSplitInputInARealTerminal(t *testing.T) {
	t.Parallel()
	w := openWindow(t, "run", 80, 24)
	w.see("Ready")
	for _, reply := range [][]string{{"\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\"}, {"\x1b]11;rgb:1e1e/1e1e/", "1e1e\x07"}, {"\x1b[50;1R"}, {"\x1b[?61;4;6;7;14;21;22;23;24;28;32;42;52c"}, {"\x1b[<64;10;", "5M"}} {
		for _, part := range reply {
			w.write(part)
			time.Sleep(2 * time.Millisecond) // two reads of one sequence: what a slow line does
		}
	}
	w.write("\xed\x95")
	w.write("\x9c!")
	w.see("❯ 한!")
	for _, junk := range []string{"rgb", "11;", ";5M", "52c", "50;1R"} {
		if strings.Contains(w.text(), junk) {
			t.Errorf("%q was typed:\n%s", junk, w.text())
		}
	}
}

func TestU03PasteInARealTerminal(t *testing.T) {
	t.Parallel()
	w := openWindow(t, "run", 80, 24)
	w.see("Ready")
	w.write("\x1b[200~line1\nline2\rline3\x1b[20")
	w.write("1~")
	w.see("line3")
	w.see("line1")
	w.write("\r")
	w.see("You said: line1")
}

// What a model, a tool, a title or a paste says reaches the terminal as text only.
func TestU01NothingButOurOwnSequencesReachesTheTerminal(t *testing.T) {
	t.Parallel()
	w := openWindow(t, "run", 80, 24)
	w.see("Ready")
	evil := "\x1b]52;c;ZXZpbA==\x07 \x1b]0;pwn\x07 \x1b[2J\x1b[10A\x1b[6n \x1bc \x1bPqx\x1b\\ \u009b2J &#27;]52;c;ZXZpbA==&#7; end"
	w.write("\x1b[200~" + evil + "\x1b[201~")
	w.see("end")
	w.write("\r")
	w.see("You said:")
	out := w.bytes()
	for _, bad := range []string{"]52;", "]0;pwn", "]2;pwn", "\x1bc", "\x1bP", "\u009b", "\x1b[10A"} {
		if strings.Contains(out, "\x1b"+bad) || strings.HasPrefix(bad, "\x1b") && strings.Contains(out, bad) || bad == "\u009b" && strings.Contains(out, bad) {
			t.Errorf("%q reached the terminal", bad)
		}
	}
	if !strings.Contains(w.text(), "You said:") {
		t.Error("the test is blind")
	}
}
