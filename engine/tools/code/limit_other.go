//go:build unix && !linux

package code

import "golang.org/x/sys/unix"

// limit bounds the process where the system can; memory is bounded by the watch alone.
func limit() { unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}) }
