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
	dir := filepath.Dir(path)
	if old == nil {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	temp := filepath.Join(dir, "."+tools.Cut(filepath.Base(path), 40)+engine.NewID(".")+".tmp")
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666) // the umask decides what a new file may
	if err != nil {
		return nil, err
	}
	err = fill(f, data, old)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		os.Remove(temp)
		return nil, err
	}
	syncDir(dir)
	return os.Lstat(path)
}

func fill(f *os.File, data []byte, old fs.FileInfo) error {
	if old != nil {
		keepOwner(f, old)
		if err := f.Chmod(old.Mode() & kept); err != nil {
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
