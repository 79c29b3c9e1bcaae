//go:build unix && !linux

package terminal

import "syscall"

// byMark says that processes are found by the mark in their environment.
const byMark = false

// alive returns the process group of t as one entry, when it has a living process. The number is negative, which is how
// kill addresses a group.
func (t tree) alive() []process {
	if t.root <= 0 || syscall.Kill(-t.root, 0) == syscall.ESRCH {
		return nil
	}
	return []process{{-t.root, "process group"}}
}
