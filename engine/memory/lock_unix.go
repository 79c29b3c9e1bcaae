//go:build unix

package memory

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// lockWait is how long another program may hold the memory; it writes a small file, so a second is long.
const lockWait = 2 * time.Second

// lock takes the file at path for this process; the returned function gives it free.
func lock(path string) (func(), error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for until := time.Now().Add(lockWait); ; time.Sleep(5 * time.Millisecond) {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return func() { f.Close() }, nil
		case errors.Is(err, syscall.EINTR):
		case !errors.Is(err, syscall.EWOULDBLOCK), time.Now().After(until):
			f.Close()
			return nil, fmt.Errorf("another program holds %s: %w", path, err)
		}
	}
}
