package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"talaria/engine"
)

const (
	quitGrace = 500 * time.Millisecond // after stdin is closed
	termGrace = time.Second            // after SIGTERM
	maxLine   = 64 << 20               // bytes of one message
	tailLines = 20                     // of stderr, kept for the reason of a failure
)

// process is a server that was started here. It leads a process group of its own: Ctrl+C in the terminal does not reach
// it, and what it starts ends with it. A grandchild that leaves the group is not found.
type process struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout *os.File
	errs   *tail
	gone   chan struct{} // closed when it has ended and was waited for
	ended  error         // set before gone closes
}

// launch starts the server. Each line of its stderr goes to log.
func launch(s Server, log func(string)) (*process, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer w.Close()
	cmd := exec.Command(s.Command, s.Args...)
	cmd.Env, cmd.Dir, cmd.Stdout = s.Env, s.Dir, w
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = quitGrace // a grandchild that holds stderr must not keep us
	p := &process{cmd: cmd, stdout: r, errs: &tail{log: log}, gone: make(chan struct{})}
	cmd.Stderr = p.errs
	if p.stdin, err = cmd.StdinPipe(); err == nil {
		err = cmd.Start()
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	engine.Go("mcp process "+s.Name, func() {
		err := cmd.Wait()
		if errors.Is(err, exec.ErrWaitDelay) {
			err = nil
		}
		p.signal(syscall.SIGKILL) // what is left of its group; stdout then ends too
		p.ended = err
		close(p.gone)
	})
	return p, nil
}

// end closes stdin, then asks, then kills. It returns when the process has ended.
func (p *process) end() {
	p.stdin.Close()
	if !p.within(quitGrace) {
		p.signal(syscall.SIGTERM)
		if !p.within(termGrace) {
			p.signal(syscall.SIGKILL)
			p.within(termGrace)
		}
	}
	p.stdout.Close()
}

func (p *process) within(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.gone:
		return true
	case <-timer.C:
		return false
	}
}

func (p *process) signal(s syscall.Signal) { syscall.Kill(-p.cmd.Process.Pid, s) }

// why says how the process ended, with the last words it said; "" while it runs. It waits a moment for an end that is
// just happening.
func (p *process) why() string {
	if !p.within(quitGrace) {
		return ""
	}
	text := "it ended"
	if p.ended != nil {
		text += " (" + p.ended.Error() + ")"
	}
	if last := p.errs.last(); last != "" {
		text += ": " + last
	}
	return text
}

// tail passes lines on to the log and keeps the newest.
type tail struct {
	mu    sync.Mutex
	log   func(string)
	part  []byte
	lines []string
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.part = append(t.part, b...)
	for {
		i := bytes.IndexByte(t.part, '\n')
		if i < 0 && len(t.part) < 4096 {
			return len(b), nil
		}
		if i < 0 {
			i = len(t.part) - 1
		}
		t.keep(string(t.part[:i+1]))
		t.part = t.part[i+1:]
	}
}

func (t *tail) keep(line string) {
	if line = strings.TrimSpace(strings.ToValidUTF8(line, "\uFFFD")); line == "" {
		return
	}
	t.log(line)
	t.lines = append(t.lines, line)
	if len(t.lines) > tailLines {
		t.lines = t.lines[1:]
	}
}

// last is the newest line, shortened.
func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.part) > 0 {
		t.keep(string(t.part))
		t.part = nil
	}
	if len(t.lines) == 0 {
		return ""
	}
	return short(t.lines[len(t.lines)-1])
}

// short makes one line of at most 300 characters, without control characters.
func short(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) > 300 {
		return string(r[:299]) + "…"
	}
	return string(r)
}

// lines reads a server's stdout and lets only messages of the protocol through: many servers print logs there (M02).
type lines struct {
	r    *bufio.Reader
	from io.Closer
	drop func(line string)
	rest []byte
}

func newLines(r io.ReadCloser, drop func(string)) *lines {
	return &lines{r: bufio.NewReaderSize(r, 64<<10), from: r, drop: drop}
}

func (l *lines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		line, err := l.next()
		if text := bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\uFEFF"))); len(text) > 0 {
			if isMessage(text) {
				l.rest = append(text, '\n')
			} else {
				l.drop(string(text[:min(len(text), 1000)]))
			}
		}
		if err != nil && len(l.rest) == 0 {
			return 0, err
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

func (l *lines) next() ([]byte, error) {
	var line []byte
	for {
		piece, err := l.r.ReadSlice('\n')
		line = append(line, piece...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
		if len(line) > maxLine {
			return nil, fmt.Errorf("read the server's answer: one line is longer than %d MB", maxLine>>20)
		}
	}
}

// Close ends the reading.
func (l *lines) Close() error { return l.from.Close() }

// isMessage reports whether text is JSON-RPC: an object, or a list of them.
func isMessage(text []byte) bool {
	var one struct {
		Version string `json:"jsonrpc"`
	}
	switch text[0] {
	case '{':
		return json.Unmarshal(text, &one) == nil && one.Version != ""
	case '[':
		var many []json.RawMessage
		return json.Unmarshal(text, &many) == nil && len(many) > 0 && json.Unmarshal(many[0], &one) == nil && one.Version != ""
	}
	return false
}
