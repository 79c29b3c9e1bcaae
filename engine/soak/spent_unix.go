//go:build unix

package soak

import (
	"syscall"
	"time"
)

// Spent is the processor time that this process has used. What a test measures in it does not grow when the machine does
// something else.
func Spent() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err) // it fails for wrong arguments only
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
