package journal

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Files is what a journal asks of the file system; tests put one in its place that fails on demand.
type Files interface {
	Open(path string, flag int) (File, error)
	// Same reports whether path still leads to f; a path that leads nowhere is false without an error.
	Same(f File, path string) (bool, error)
	// MakeDir creates dir and what is above it, and makes the new names durable.
	MakeDir(dir string) error
	// SyncDir makes the names in dir durable.
	SyncDir(dir string) error
}

// File is an open journal.
type File interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Sync() error
	Truncate(size int64) error
	Stat() (fs.FileInfo, error)
	Fd() uintptr
}

// OS is the file system of the machine.
type OS struct{}

// Open opens or creates path, readable by its owner only.
func (OS) Open(path string, flag int) (File, error) {
	f, err := os.OpenFile(path, flag, 0o600)
	if err != nil {
		return nil, err // not a nil *os.File in a non-nil interface
	}
	return f, nil
}

// Same reports whether path leads to f.
func (OS) Same(f File, path string) (bool, error) {
	there, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	here, err := f.Stat()
	if err != nil {
		return false, err
	}
	return os.SameFile(here, there), nil
}

// MakeDir creates dir and syncs the directory above it.
func (OS) MakeDir(dir string) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return OS{}.SyncDir(filepath.Dir(dir))
}

// SyncDir syncs dir, where the file system has such a thing.
func (OS) SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		return nil // a file system that has no such thing
	}
	return err
}

// readAll returns the first size bytes of f.
func readAll(f File, size int64) ([]byte, error) {
	data := make([]byte, size)
	n, err := f.ReadAt(data, 0)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return data[:n], err
}
