package journal

import (
	"os"
	"syscall"
	"time"
)

// Resting is a journal that nobody has open, locked so that nobody opens it meanwhile.
type Resting struct {
	ID   string
	Size int64 // of the file, in bytes
	Scan Scan
	f    *os.File
}

// Adopt reads the journal of id for folding it and locks it shared: several may do so at once. It is false when the
// session is open somewhere, or the file is gone; an error when it cannot be read.
func Adopt(dir, id string) (Resting, bool, error) {
	f, err := os.Open(Path(dir, id))
	if err != nil {
		return Resting{}, false, nil
	}
	if flock(f.Fd(), syscall.LOCK_SH|syscall.LOCK_NB) != nil {
		f.Close()
		return Resting{}, false, nil
	}
	info, err := f.Stat()
	if err == nil {
		var data []byte
		if data, err = readAll(f, info.Size()); err == nil {
			return Resting{id, info.Size(), Read(data), f}, true, nil
		}
	}
	f.Close()
	return Resting{}, false, err
}

// Owned reports whether a process has the session id open.
func Owned(dir, id string) bool {
	f, err := os.Open(Path(dir, id))
	if err != nil {
		return false
	}
	defer f.Close() // and with it the lock, which whoever opens the session waits for
	return flock(f.Fd(), syscall.LOCK_SH|syscall.LOCK_NB) != nil
}

// Borrow locks the journal of id for adding a row line; nothing is read. It is false when the session is open
// somewhere, when there is no journal, or when its end needs the repair of an Open first.
func Borrow(dir, id string) (Resting, bool) {
	f, err := os.OpenFile(Path(dir, id), os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return Resting{}, false
	}
	end := make([]byte, 1)
	if flock(f.Fd(), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
		if info, err := f.Stat(); err == nil && info.Size() > 0 {
			if _, err = f.ReadAt(end, info.Size()-1); err == nil && end[0] == '\n' {
				return Resting{ID: id, Size: info.Size(), f: f}, true
			}
		}
	}
	f.Close()
	return Resting{}, false
}

// AddRow appends r to a borrowed journal and returns its new size. r has the system prompt of the row line before it.
func (o Resting) AddRow(r Row) (int64, error) {
	body, err := encodeRowLine(r, r.System, time.Now())
	if err != nil {
		return o.Size, err
	}
	line := seal(body)
	if _, err := o.f.Write(line); err != nil {
		_ = o.f.Truncate(o.Size) // or the next Open cuts it
		return o.Size, err
	}
	return o.Size + int64(len(line)), nil
}

// Release ends the lock.
func (o Resting) Release() { o.f.Close() }
