// Package notebook is the memory as a screen shows and changes it. It refuses what the memory refuses: an entry that is
// too long, or that would talk a later model out of its instructions.
package notebook

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"talaria/engine"
	"talaria/engine/memory"
)

// Notebook implements engine.Remembered over the files of the memory.
type Notebook struct{ Files *memory.Files }

// New returns the notebook of these files, nil without any.
func New(files *memory.Files) engine.Remembered {
	if files == nil {
		return nil
	}
	return Notebook{files}
}

// Pages returns both files.
func (n Notebook) Pages(context.Context) ([]engine.NotePage, error) {
	var out []engine.NotePage
	for _, t := range []memory.Target{memory.Notes, memory.User} {
		entries, err := n.Files.Entries(t)
		if err != nil {
			return nil, err
		}
		out = append(out, engine.NotePage{Name: string(t), Path: n.Files.Path(t), Entries: entries,
			Used: utf8.RuneCountInString(strings.Join(entries, "\n§\n")), Limit: n.Files.Limits[t]})
	}
	return out, nil
}

// Change adds, replaces or removes an entry.
func (n Notebook) Change(_ context.Context, page, old, text string) (err error) {
	t := memory.Target(page)
	if t != memory.Notes && t != memory.User {
		return fmt.Errorf("change the memory: there is no page %q", page)
	}
	switch {
	case old == "" && strings.TrimSpace(text) == "":
		return errors.New("change the memory: nothing was written")
	case old == "":
		_, _, err = n.Files.Add(t, text)
	case strings.TrimSpace(text) == "":
		_, err = n.Files.Remove(t, old)
	default:
		_, err = n.Files.Replace(t, old, text)
	}
	return err
}
