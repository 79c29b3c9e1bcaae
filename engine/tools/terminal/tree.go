//go:build unix

package terminal

import (
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// How long a tree of processes has after SIGTERM, and how long SIGKILL is repeated (law 6: gone within 2 s).
const (
	termGrace = time.Second
	killGrace = time.Second
	pollEvery = 20 * time.Millisecond
)

// tree is a command and everything it started. Its processes are found by descent from the guardian, which adopts what
// loses its parent, and by a mark in their environment, which finds them when the guardian was killed. Not found are
// processes that another one was asked to start (a service manager, a container daemon). On systems other than Linux
// only the process group is.
type tree struct {
	guardian *guardian // nil: by the mark alone
	mark     string    // NAME=value in the environment of each process, up to the NUL after it or a part of it; "" is none
}

// process is a living process of a tree.
type process struct {
	pid  int
	args string // the command line, shortened
}

// detach makes cmd the leader of a session of its own: without a controlling terminal /dev/tty cannot be opened.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// end ends the whole tree: SIGTERM, and SIGKILL for what is left after a second. It returns what could not be ended.
func (t tree) end() []process {
	t.signal(syscall.SIGTERM)
	if len(t.wait(termGrace, 0)) == 0 {
		return nil
	}
	return t.wait(killGrace, syscall.SIGKILL)
}

// wait polls until the tree is gone or d is over; sig is sent before each look, 0 for none.
func (t tree) wait(d time.Duration, sig syscall.Signal) []process {
	for until := time.Now().Add(d); ; time.Sleep(pollEvery) {
		if sig != 0 {
			t.signal(sig)
		}
		left := t.alive()
		if len(left) == 0 || time.Now().After(until) {
			return left
		}
	}
}

func (t tree) signal(sig syscall.Signal) {
	for _, p := range t.alive() {
		syscall.Kill(p.pid, sig) // what is gone meanwhile needs no signal
	}
}

// short makes one line of at most 80 characters of a command line whose words are separated by NUL.
func short(cmdline string) string {
	s := strings.Join(strings.Fields(strings.ToValidUTF8(strings.ReplaceAll(cmdline, "\x00", " "), "\uFFFD")), " ")
	if r := []rune(s); len(r) > 80 {
		return string(r[:79]) + "…"
	}
	return s
}
