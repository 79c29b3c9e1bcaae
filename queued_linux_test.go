package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// queued is how many bytes wait in the input queue of a terminal.
func queued(tty *os.File) (int, error) { return unix.IoctlGetInt(int(tty.Fd()), unix.TIOCINQ) }
