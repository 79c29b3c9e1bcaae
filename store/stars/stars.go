// Package stars keeps which models the user starred: a line each in one file. It refuses to know what a model is.
package stars

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// File is where they are, its path.
type File string

// Starred reads them.
func (f File) Starred() ([]string, error) {
	b, err := os.ReadFile(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the favourite models: %w", err)
	}
	return strings.Fields(string(b)), nil
}

// Star marks a model, or takes its mark away.
func (f File) Star(ref string, on bool) error {
	refs, err := f.Starred()
	if err != nil {
		return err
	}
	refs = slices.DeleteFunc(refs, func(r string) bool { return r == ref })
	if on {
		refs = append(refs, ref)
	}
	err = os.MkdirAll(filepath.Dir(string(f)), 0o700)
	if err == nil {
		temp := string(f) + ".new"
		if err = os.WriteFile(temp, []byte(strings.Join(append(refs, ""), "\n")), 0o600); err == nil {
			err = os.Rename(temp, string(f))
		}
	}
	if err != nil {
		return fmt.Errorf("keep the favourite models: %w", err)
	}
	return nil
}
