package hook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"talaria/engine"
)

const (
	maxOut  = 1 << 20 // bytes that are read of what a hook prints
	maxSaid = 16_000  // characters of a reason or a context
	blocks  = 2       // the exit code that blocks
)

// run runs one hook and returns what it answered.
func (r *Runner) run(ctx context.Context, h Hook, in map[string]any) (reply, error) {
	stdin, err := engine.Marshal(in)
	if err != nil {
		return reply{}, fmt.Errorf("write its input: %w", err)
	}
	limit := h.Timeout
	if limit <= 0 {
		limit = DefaultTimeout
	}
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(timed, "/bin/sh", "-c", h.Command)
	var stdout, stderr bounded
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(stdin), &stdout, &stderr
	cmd.Dir, cmd.Env = r.o.Dir(), append(append([]string{}, r.o.Env...), "TALARIA_HOOK="+string(h.Point))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // no terminal, and a group that can be ended whole
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 200 * time.Millisecond // what a hook leaves running in the background keeps nobody
	err = cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil
	}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return reply{}, ctx.Err()
	case timed.Err() != nil:
		return reply{}, fmt.Errorf("it took longer than %s", limit)
	case errors.As(err, &exit) && exit.ExitCode() == blocks:
		reason := clip(stderr.String())
		if reason == "" {
			reason = "a hook blocked this and gave no reason"
		}
		return reply{Block: reason}, nil
	case err != nil:
		if said := short(stderr.String()); said != "" {
			return reply{}, fmt.Errorf("%w: %s", err, said)
		}
		return reply{}, err
	}
	return parse(stdout.String())
}

// parse reads what a hook printed: JSON, or nothing.
func parse(text string) (reply, error) {
	var said reply
	if text = strings.TrimSpace(text); text == "" {
		return said, nil
	}
	if err := json.Unmarshal([]byte(text), &said); err != nil {
		return reply{}, fmt.Errorf("what it printed is no JSON object of the form {\"block\":\"...\"} or {\"context\":\"...\"}: %s", short(text))
	}
	return reply{clip(said.Block), clip(said.Context)}, nil
}

// bounded keeps the beginning of what is written to it.
type bounded struct{ bytes.Buffer }

func (b *bounded) Write(p []byte) (int, error) {
	if room := maxOut - b.Len(); room > 0 {
		b.Buffer.Write(p[:min(len(p), room)])
	}
	return len(p), nil
}

func clip(s string) string {
	r := []rune(strings.TrimSpace(strings.ToValidUTF8(s, "\uFFFD")))
	if len(r) > maxSaid {
		return string(r[:maxSaid]) + " […]"
	}
	return string(r)
}

// short is the last line of a text, for a message.
func short(s string) string {
	lines := strings.Split(strings.TrimSpace(strings.ToValidUTF8(s, "\uFFFD")), "\n")
	r := []rune(lines[len(lines)-1])
	if len(r) > 200 {
		return string(r[:200]) + "…"
	}
	return string(r)
}
