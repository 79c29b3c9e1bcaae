//go:build unix && !linux

package terminal

import (
	"syscall"
	"time"
)

// adopt does nothing: only Linux gives a process the orphans of its tree.
func adopt() {}

func leader() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// outlast waits until the shell's process group is empty.
func outlast(shell int) {
	for syscall.Kill(-shell, 0) != syscall.ESRCH {
		time.Sleep(10 * pollEvery)
	}
}
