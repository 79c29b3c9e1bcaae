package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"go.yaml.in/yaml/v3"
)

// Trust remembers which directories' own instructions may be read. It holds real paths: a link to a trusted directory
// is trusted, a directory below one is not, since anything may be cloned into it.
type Trust struct{ path string }

// OpenTrust returns the trust kept in the file at path, which need not exist.
func OpenTrust(path string) Trust { return Trust{path} }

type trusted struct {
	Dir string    `yaml:"dir"`
	At  time.Time `yaml:"at"`
}

type trustFile struct {
	Trusted []trusted `yaml:"trusted"`
}

// Has reports whether dir was trusted before. A file that cannot be read trusts nobody, and says so.
func (t Trust) Has(dir string) (bool, error) {
	real, err := realDir(dir)
	if err != nil {
		return false, err
	}
	f, err := t.read()
	for _, e := range f.Trusted {
		if e.Dir == real {
			return true, nil
		}
	}
	return false, err
}

// Add trusts dir from now on.
func (t Trust) Add(dir string, at time.Time) error {
	real, err := realDir(dir)
	if err != nil {
		return err
	}
	f, err := t.read()
	if err != nil {
		return err // never write over what could not be read
	}
	for _, e := range f.Trusted {
		if e.Dir == real {
			return nil
		}
	}
	f.Trusted = append(f.Trusted, trusted{real, at.UTC().Truncate(time.Second)})
	data, err := yaml.Marshal(f)
	if err != nil {
		return fmt.Errorf("remember that %s is trusted: %w", real, err)
	}
	return writeFile(t.path, data)
}

func (t Trust) read() (trustFile, error) {
	var f trustFile
	data, err := os.ReadFile(t.path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return f, fmt.Errorf("read the trusted directories: %w", err)
	}
	if err := yaml.Unmarshal(data, &f); err != nil {
		return trustFile{}, syntaxFault(t.path, err)
	}
	return f, nil
}

func realDir(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return "", fmt.Errorf("find the real path of %s: %w", dir, err)
	}
	return abs, nil
}
