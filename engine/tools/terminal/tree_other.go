//go:build unix && !linux

package terminal

import "syscall"

// alive returns the process group of t as one entry, when it has a living process. The number is negative, which is how
// kill addresses a group.
func (t tree) alive() []process {
	g := t.guardian
	if g == nil || !g.left() || syscall.Kill(-g.shell, 0) == syscall.ESRCH {
		return nil
	}
	return []process{{-g.shell, "process group"}}
}
