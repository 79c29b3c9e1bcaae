package main

import (
	"bytes"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// shared is a buffer that one goroutine fills while another looks.
type shared struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *shared) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// TestAStdinThatStaysOpenIsToldOf: a service manager or a script may leave stdin open for ever. The program says what it
// waits for, and a signal ends it as any turn: with the JSON and the code of the signal.
func TestAStdinThatStaysOpenIsToldOf(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	m := d.model("reply again\ntext Never said.\n")
	cmd := exec.Command(filepath.Join(binary, "talaria"), "-p", "--output", "json", "hi")
	if err := build(); err != nil {
		t.Fatal(err)
	}
	var out, errs shared
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = d.dir, d.env, &out, &errs
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(stdin, "the first line\n"); err != nil {
		t.Error(err)
	}
	if err := soon("a word about stdin", func() bool { return strings.Contains(errs.String(), "standard input") }); err != nil {
		t.Error(err)
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Error(err)
	}
	if code := exitCode(cmd.Wait()); code != 130 {
		t.Errorf("exit code %d", code)
	}
	if !strings.Contains(out.String(), `"exit_reason":"interrupted"`) || len(m.requests()) != 0 {
		t.Errorf("%d requests, stdout %q", len(m.requests()), out.String())
	}
}
