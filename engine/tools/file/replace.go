package file

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"talaria/engine"
	"talaria/engine/tools"
)

// kept are the mode bits that a file keeps when its content is replaced.
const kept = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

// replaceFile makes data the content of path in one step: a new file beside it, flushed to disk, takes its name. old is
// what is replaced, whose mode and owner stay; nil makes a new file, its folders included. After an error the file is
// as it was.
func replaceFile(path string, data []byte, old fs.FileInfo) (fs.FileInfo, error) {
	mode := fs.FileMode(0)
	if old != nil {
		mode = old.Mode()
	}
	if err := replace(path, data, old, mode); err != nil {
		return nil, err
	}
	return os.Lstat(path)
}

// Replace makes data the content of path in one step, with this mode; its owner stays. After an error the file is as it
// was. It is for putting back what a tool changed.
func Replace(path string, data []byte, mode fs.FileMode) error {
	old, err := os.Lstat(path)
	if err != nil || !old.Mode().IsRegular() {
		old = nil
	}
	return replace(path, data, old, mode)
}

func replace(path string, data []byte, old fs.FileInfo, mode fs.FileMode) error {
	dir := filepath.Dir(path)
	if old == nil {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	temp := filepath.Join(dir, "."+tools.Cut(filepath.Base(path), 40)+engine.NewID(".")+".tmp")
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666) // the umask decides what a new file may
	if err != nil {
		return err
	}
	err = fill(f, data, old, mode)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		os.Remove(temp)
		return err
	}
	syncDir(dir)
	return nil
}

// fill writes data to f; mode 0 leaves what the umask gave it.
func fill(f *os.File, data []byte, old fs.FileInfo, mode fs.FileMode) error {
	if old != nil {
		keepOwner(f, old)
	}
	if mode&kept != 0 {
		if err := f.Chmod(mode & kept); err != nil {
			return fmt.Errorf("keep the mode: %w", err)
		}
	}
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Sync()
}

// syncDir makes the new name durable where the system can; where it cannot, the content is safe all the same.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		d.Close()
	}
}
