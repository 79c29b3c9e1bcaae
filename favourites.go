package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"talaria/engine/catalog"
	"talaria/ui/picker"
)

// modelCard is what the catalogue knows of a model, as the picker shows it.
func modelCard(provider, model string) picker.Card {
	info, ok := catalog.Model(provider, model)
	return picker.Card{Window: info.Window, In: info.Price.In, Out: info.Price.Out, Images: info.Vision, Tools: info.Tools, Thinking: info.Reasons, Known: ok}
}

// favourites are the models that were starred, a line each in a file of the user's data.
type favourites struct{ path string }

// Starred reads them.
func (f favourites) Starred() ([]string, error) {
	b, err := os.ReadFile(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the favourite models: %w", err)
	}
	return strings.Fields(string(b)), nil
}

// Star marks a model, or takes its mark away.
func (f favourites) Star(ref string, on bool) error {
	refs, err := f.Starred()
	if err != nil {
		return err
	}
	refs = slices.DeleteFunc(refs, func(r string) bool { return r == ref })
	if on {
		refs = append(refs, ref)
	}
	err = os.MkdirAll(filepath.Dir(f.path), 0o700)
	if err == nil {
		temp := f.path + ".new"
		if err = os.WriteFile(temp, []byte(strings.Join(append(refs, ""), "\n")), 0o600); err == nil {
			err = os.Rename(temp, f.path)
		}
	}
	if err != nil {
		return fmt.Errorf("keep the favourite models: %w", err)
	}
	return nil
}
