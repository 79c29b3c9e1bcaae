package terminal

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// adopt makes this process the parent of every descendant that loses its own.
func adopt() { unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// leader starts the shell in a session of its own, and has it killed with its guardian. The signal comes when the thread
// that forked ends: that is the guardian's main thread, which init never leaves.
func leader() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

// outlast waits for what is not the guardian's child; here everything is.
func outlast(int) {}
