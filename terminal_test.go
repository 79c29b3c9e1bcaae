package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// person sits at a terminal: an emulator that draws what the program writes and answers what it asks. What is waited
// for is looked for on the drawn screen.
type person struct {
	t        testing.TB
	cmd      *exec.Cmd
	pty, tty *os.File
	before   *term.State // of the terminal, as stty would tell it
	ended    chan struct{}
	drawn    chan struct{} // closes when everything written was drawn

	mu     sync.Mutex
	screen *vt.Emulator
	raw    bytes.Buffer
}

// desk is where a person works: a directory, a home, and what is set in the environment.
type desk struct {
	t         testing.TB
	dir, home string
	program   string
	env       []string
	w, h      int
	silent    bool // the terminal answers no question
}

func newDesk(t testing.TB) *desk {
	t.Helper()
	program, err := watched()
	if err != nil {
		t.Fatal(err)
	}
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t: t, dir: filepath.Join(base, "project"), home: filepath.Join(base, "talaria"), program: program, w: 100, h: 30}
	for _, dir := range []string{d.dir, d.home, filepath.Join(base, "home")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	d.write("../talaria/config.yaml", quick)
	d.env = append(clean(filepath.Join(base, "home"), d.home), "TERM=xterm-256color")
	return d
}

// write makes a file below the project.
func (d *desk) write(name, text string) {
	d.t.Helper()
	if err := os.WriteFile(filepath.Join(d.dir, name), []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

// read returns a file below the project, "" when it is not there.
func (d *desk) read(name string) string {
	b, err := os.ReadFile(filepath.Join(d.dir, name))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		d.t.Fatal(err)
	}
	return string(b)
}

// model starts a fake model server and points the program at it.
func (d *desk) model(script string) *model {
	d.t.Helper()
	m, err := newModel(script)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { m.CloseClientConnections(); m.Close() })
	d.env = append(d.env, "TALARIA_BASE_URL="+m.URL, "TALARIA_MODEL=scripted")
	return m
}

// open starts the program in a terminal of its own.
func (d *desk) open(args ...string) *person {
	d.t.Helper()
	p := &person{t: d.t, ended: make(chan struct{}), drawn: make(chan struct{}), screen: vt.NewEmulator(d.w, d.h)}
	var err error
	if p.pty, p.tty, err = pty.Open(); err != nil {
		d.t.Fatal(err)
	}
	if err := pty.Setsize(p.pty, &pty.Winsize{Cols: uint16(d.w), Rows: uint16(d.h)}); err != nil {
		d.t.Fatal(err)
	}
	if p.before, err = term.GetState(p.tty.Fd()); err != nil {
		d.t.Fatal(err)
	}
	p.cmd = exec.Command(d.program, args...)
	p.cmd.Dir, p.cmd.Env = d.dir, d.env
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = p.tty, p.tty, p.tty
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := p.cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	go p.draw()
	if d.silent {
		go io.Copy(io.Discard, p.screen)
	} else {
		go io.Copy(p.pty, p.screen) // what the terminal answers to questions
	}
	go func() { _ = p.cmd.Wait(); close(p.ended) }()
	d.t.Cleanup(p.away)
	return p
}

// away ends whatever is left.
func (p *person) away() {
	if p.t.Failed() {
		p.t.Logf("the screen at the end:\n%s", p.look())
	}
	_ = p.cmd.Process.Kill()
	<-p.ended
	p.tty.Close()
	p.pty.Close()
	<-p.drawn
	if in, ok := p.screen.InputPipe().(io.Closer); ok { // its own Close races with Read
		in.Close()
	}
}

func (p *person) draw() {
	defer close(p.drawn)
	buf := make([]byte, 32<<10)
	for {
		n, err := p.pty.Read(buf)
		if n > 0 {
			p.mu.Lock()
			p.raw.Write(buf[:n])
			_, _ = p.screen.Write(buf[:n])
			p.mu.Unlock()
		}
		if err != nil {
			return
		}
	}
}

// look is the text of the screen, a line a row.
func (p *person) look() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.screen.String()
}

// written is every byte the program has written.
func (p *person) written() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.raw.String()
}

// sees waits for all of these texts to stand on the screen at once.
func (p *person) sees(texts ...string) {
	p.t.Helper()
	p.until(fmt.Sprintf("the screen to show %q", texts), func(screen string) bool {
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				return false
			}
		}
		return true
	})
}

// seesNo waits for a text to be gone from the screen.
func (p *person) seesNo(text string) {
	p.t.Helper()
	p.until(fmt.Sprintf("%q to leave the screen", text), func(screen string) bool { return !strings.Contains(screen, text) })
}

func (p *person) until(what string, ok func(screen string) bool) {
	p.t.Helper()
	if err := soon(what, func() bool { return ok(p.look()) }); err != nil {
		p.t.Fatalf("%v\n%s", err, p.look())
	}
}

// presses writes keys, as a terminal sends them.
func (p *person) presses(keys string) {
	p.t.Helper()
	if _, err := p.pty.WriteString(keys); err != nil {
		p.t.Fatal(err)
	}
}

// says types a text, waits until it stands in the prompt, and sends it. Enter right behind a burst of keys would be
// taken for a pasted line end, so it is pressed again if the prompt keeps the text.
func (p *person) says(text string) {
	p.t.Helper()
	p.presses(text)
	p.until(fmt.Sprintf("%q in the prompt", text), func(string) bool { return strings.Contains(p.prompt(), text) })
	p.pressesUntil(fmt.Sprintf("%q to be sent", text), enter, func(string) bool { return !strings.Contains(p.prompt(), text) })
}

// guarded is longer than a dialog ignores keys after one that came too early.
const guarded = 800 * time.Millisecond

// pressesUntil presses a key, and again when nothing came of it: a dialog that has just opened ignores it.
func (p *person) pressesUntil(what, key string, ok func(screen string) bool) {
	p.t.Helper()
	next := time.Time{}
	p.until(what, func(screen string) bool {
		if ok(screen) {
			return true
		}
		if now := time.Now(); now.After(next) {
			p.presses(key)
			next = now.Add(guarded)
		}
		return false
	})
}

// answers presses a key of a dialog until its title is gone.
func (p *person) answers(title, key string) {
	p.t.Helper()
	p.sees(title)
	p.pressesUntil("an answer to "+title, key, func(screen string) bool { return !strings.Contains(screen, title) })
}

// prompt is what stands below the last rule of the screen, without the status row.
func (p *person) prompt() string {
	lines := strings.Split(strings.TrimRight(p.look(), "\n"), "\n")
	for i := len(lines) - 2; i >= 0; i-- {
		if strings.HasPrefix(lines[i], "────") {
			return strings.Join(lines[i+1:len(lines)-1], "\n")
		}
	}
	return ""
}

// resize changes the window.
func (p *person) resize(w, h int) {
	p.t.Helper()
	p.mu.Lock()
	p.screen.Resize(w, h)
	p.mu.Unlock()
	if err := pty.Setsize(p.pty, &pty.Winsize{Cols: uint16(w), Rows: uint16(h)}); err != nil {
		p.t.Fatal(err)
	}
}

// exits waits for the end of the program and returns its code, that of a signal as a shell gives it.
func (p *person) exits() int {
	p.t.Helper()
	if err := soon("the end of the program", func() bool {
		select {
		case <-p.ended:
			return true
		default:
			return false
		}
	}); err != nil {
		p.t.Fatalf("%v\n%s", err, p.look())
	}
	if ws, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return 128 + int(ws.Signal())
	}
	return p.cmd.ProcessState.ExitCode()
}

// restored checks that the terminal is as it was before the program: U13.
func (p *person) restored() {
	p.t.Helper()
	after, err := term.GetState(p.tty.Fd())
	if err != nil {
		p.t.Fatal(err)
	}
	if *after != *p.before {
		p.t.Errorf("the terminal's settings changed:\n%+v\n%+v", *p.before, *after)
	}
	var on []string
	p.until("the terminal's modes to be put back", func(string) bool {
		on = stillOn(p.written())
		return len(on) == 0
	})
}

// stillOn names the private modes that were set and not reset, and a cursor that was hidden and not shown.
func stillOn(written string) (on []string) {
	for name, mode := range map[string]string{"alternate screen": "1049", "mouse": "1000", "mouse drag": "1002", "mouse motion": "1003",
		"mouse encoding": "1006", "bracketed paste": "2004", "focus reports": "1004"} {
		if strings.LastIndex(written, "\x1b[?"+mode+"h") > strings.LastIndex(written, "\x1b[?"+mode+"l") {
			on = append(on, name)
		}
	}
	if strings.LastIndex(written, "\x1b[?25l") > strings.LastIndex(written, "\x1b[?25h") {
		on = append(on, "hidden cursor")
	}
	return on
}

// Keys, as a terminal sends them.
const (
	enter = "\r"
	esc   = "\x1b"
	ctrlC = "\x03"
	ctrlD = "\x04"

	backspace, down = "\x7f", "\x1b[B"
)
