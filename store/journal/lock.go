//go:build unix

package journal

import (
	"context"
	"errors"
	"syscall"
	"time"

	"talaria/engine"
)

// How long own waits: for a sweep, which folds the journal, and for a rename or deletion, which takes a moment.
const (
	sweepLimit = 1500 * time.Millisecond
	briefLimit = 250 * time.Millisecond
	lockStep   = 5 * time.Millisecond
)

// errBusy means that another process holds a flock.
var errBusy = errors.New("locked by another process")

// flock takes the lock of an open file: syscall.LOCK_EX or LOCK_SH, with LOCK_NB to not wait (then errBusy).
func flock(fd uintptr, how int) error {
	for {
		err := syscall.Flock(int(fd), how)
		switch err {
		case syscall.EINTR:
			continue
		case syscall.EWOULDBLOCK:
			return errBusy
		}
		return err
	}
}

// own takes f for this process alone. Somebody who only reads it for a sweep holds it shared and is waited for;
// somebody who owns it is not, but for the moment that a rename or a deletion takes.
func own(ctx context.Context, f File) error {
	start := time.Now()
	for {
		err := flock(f.Fd(), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, errBusy) {
			return err
		}
		limit := briefLimit
		if flock(f.Fd(), syscall.LOCK_SH|syscall.LOCK_NB) == nil {
			limit = sweepLimit
			_ = flock(f.Fd(), syscall.LOCK_UN) // it was only a question
		}
		if time.Since(start) > limit {
			return engine.ErrOwned
		}
		if err := sleep(ctx, lockStep); err != nil {
			return err
		}
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
