package memory

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// Target names one of the two files.
type Target string

// The targets of the tool (CONTRACT 7).
const (
	Notes Target = "memory" // MEMORY.md
	User  Target = "user"   // USER.md
)

// separator stands between two entries, on a line of its own.
const separator = "§"

// Files are the two files in one directory. Limits are in characters of the joined entries (CONTRACT 5). Threat says what
// is wrong with a text that would be shown to a model, "" when nothing is. ReadOnly, for sessions that keep nothing,
// refuses writes.
type Files struct {
	Dir      string
	Limits   map[Target]int
	Threat   func(string) string
	ReadOnly bool
}

// Path is the file of t.
func (f *Files) Path(t Target) string {
	if t == User {
		return filepath.Join(f.Dir, "USER.md")
	}
	return filepath.Join(f.Dir, "MEMORY.md")
}

// Entries are what stands in the file of t; none when it does not exist.
func (f *Files) Entries(t Target) ([]string, error) {
	data, err := os.ReadFile(f.Path(t))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the memory: %w", err)
	}
	if !utf8.Valid(data) {
		return nil, fmt.Errorf("read the memory: %s is not UTF-8 text. Mend or move it; nothing was changed", f.Path(t))
	}
	return split(string(data)), nil
}

// split reads entries. A file without separators, as somebody may have written it by hand, is one entry.
func split(text string) []string {
	var entries []string
	var one []string
	flush := func() {
		if s := strings.TrimSpace(strings.Join(one, "\n")); s != "" {
			entries = append(entries, s)
		}
		one = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) == separator {
			flush()
			continue
		}
		one = append(one, line)
	}
	flush()
	return entries
}

func join(entries []string) string { return strings.Join(entries, "\n"+separator+"\n") }

// size is what counts against the limit: characters, separators included.
func size(entries []string) int { return utf8.RuneCountInString(join(entries)) }

// change reads the entries under a lock that other programs take too, lets edit make new ones and replaces the file as a
// whole. What edit returns as an error leaves the file as it is.
func (f *Files) change(t Target, edit func([]string) ([]string, error)) ([]string, error) {
	if err := os.MkdirAll(f.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("keep the memory: %w", err)
	}
	unlock, err := lock(filepath.Join(f.Dir, ".lock"))
	if err != nil {
		return nil, fmt.Errorf("keep the memory: %w", err)
	}
	defer unlock()
	entries, err := f.Entries(t)
	if err != nil {
		return nil, err
	}
	entries, err = edit(entries)
	if err != nil {
		return nil, err
	}
	return entries, replace(f.Path(t), join(entries)+"\n")
}

// replace writes a file so that a reader sees the old one or the new one.
func replace(path, text string) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".memory-*")
	if err != nil {
		return fmt.Errorf("keep the memory: %w", err)
	}
	defer os.Remove(tmp.Name()) // gone already when all went well
	_, err = tmp.WriteString(text)
	if err == nil {
		err = tmp.Sync()
	}
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("keep the memory: %w", err)
	}
	return nil
}
