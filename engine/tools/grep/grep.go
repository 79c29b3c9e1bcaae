// Package grep searches files: with the program ripgrep where it is installed, else by itself, with the same answer. It
// passes over hidden, binary and very large files, and those that an ignore file names; it changes nothing.
package grep

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
)

const (
	maxFile   = 50 << 20 // bytes; a larger file is passed over
	lineChars = 300      // kept of a line
)

// Query says what to search for and where.
type Query struct {
	Re      *regexp.Regexp // nil for Names
	Root    string         // absolute: a directory, or one file
	Glob    string         // only files that match; valid, "" for all
	Limit   int            // matches kept
	Context int            // lines kept around a match
	// Skip leaves out a file that was not named itself, by its path; nil leaves out none.
	Skip func(path string) bool
	// Read returns a file as UTF-8 with its line ends, and fails for what is no regular file.
	Read func(path string) ([]byte, error)
}

// leftOut reports whether the file at path, met on the way, is not to be looked at.
func (q Query) leftOut(path string) bool { return q.Skip != nil && path != q.Root && q.Skip(path) }

// Hit is one line of a file, clipped: a match, or context around one.
type Hit struct {
	Line  int // from 1
	Text  string
	Match bool
}

// File holds the hits of one file, in order. Matches counts all, also those that are not kept.
type File struct {
	Path    string
	Hits    []Hit
	Matches int
}

// Findings are what a search came to: Files, in order of their paths, with the matches that the limit let in.
type Findings struct {
	Files      []File
	Matches    int  // lines that match, in all
	Of         int  // files that have some
	Kept       int  // matches in Files
	Unfinished bool // the context ended first
}

// Search looks for lines that match q.Re.
func Search(ctx context.Context, q Query) Findings {
	if rg, err := exec.LookPath("rg"); err == nil {
		if f, err := ripgrep(ctx, rg, q); err == nil {
			return f
		}
	}
	return walk(ctx, q) // also where rg is broken, or does not take the pattern
}

// Found is a file that a search looks at.
type Found struct {
	Path  string
	Size  int64 // bytes
	Mtime time.Time
}

// Names returns the files below q.Root whose name matches pattern, in order of their paths: a glob, or else a part of the
// path, upper and lower case alike. done is false when ctx ended first, ErrGlob the error of a glob that is none.
func Names(ctx context.Context, q Query, pattern string) (files []Found, done bool, err error) {
	pattern = strings.TrimPrefix(pattern, "./")
	isGlob := strings.ContainsAny(pattern, "*?[{")
	if isGlob && !doublestar.ValidatePattern(pattern) {
		return nil, true, ErrGlob
	}
	all, done := list(ctx, q)
	for _, f := range all {
		if isGlob && globMatches(pattern, q.Root, f.Path) || !isGlob && nameHas(q.Root, f.Path, pattern) {
			files = append(files, f)
		}
	}
	return files, done, nil
}

// ErrGlob means that a glob is not valid.
var ErrGlob = errors.New("not a valid glob")

// nameHas reports whether the path below root has part in it.
func nameHas(root, path, part string) bool {
	rel, err := filepath.Rel(root, path)
	if err != nil || rel == "." {
		rel = filepath.Base(path)
	}
	return strings.Contains(strings.ToLower(filepath.ToSlash(rel)), strings.ToLower(part))
}

// add takes the hits of the next file and keeps as many matches as the limit leaves.
func (f *Findings) add(h File, q Query) {
	if h.Matches == 0 {
		return
	}
	f.Matches += h.Matches
	f.Of++
	room, end, last := q.Limit-f.Kept, 0, 0
	for i, x := range h.Hits {
		if x.Match && room == 0 {
			break
		}
		if x.Match {
			room--
			f.Kept++
			last = x.Line
		}
		if x.Match || last > 0 && x.Line <= last+q.Context { // context before a match counts with the match
			end = i + 1
		}
	}
	if end > 0 {
		h.Hits = h.Hits[:end]
		f.Files = append(f.Files, h)
	}
}

// clip shortens a line to what is around the byte col, so that a long line can be searched piece by piece.
func clip[S string | []byte](whole S, col int) string {
	const most = lineChars * utf8.UTFMax // bytes that can be shown on either side
	start, end := max(0, min(col, len(whole))-most), min(len(whole), col+most)
	before, after := start > 0, end < len(whole)
	line := strings.ToValidUTF8(strings.TrimRight(string(whole[start:end]), "\r\n"), "\uFFFD")
	if n := utf8.RuneCountInString(line); n <= lineChars && !before && !after {
		return line
	}
	lead := []rune(strings.ToValidUTF8(string(whole[start:min(col, len(whole))]), "\uFFFD"))
	runes := []rune(line)
	if skip := min(len(lead), len(runes)) - lineChars/3; skip > 0 {
		runes, before = runes[skip:], true
	}
	if len(runes) > lineChars {
		runes, after = runes[:lineChars], true
	}
	text := string(runes)
	if before {
		text = "…" + text
	}
	if after {
		text += "…"
	}
	return text
}

// globMatches reports whether the file at path, below root, is one that glob means. A glob without a slash is about
// the name alone.
func globMatches(glob, root, path string) bool {
	if glob == "" {
		return true
	}
	negated := strings.HasPrefix(glob, "!")
	glob = strings.TrimPrefix(strings.TrimPrefix(glob, "!"), "./")
	target := filepath.Base(path)
	if strings.Contains(glob, "/") {
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return false
		}
		target, glob = filepath.ToSlash(rel), strings.TrimPrefix(glob, "/")
	}
	ok, _ := doublestar.Match(glob, target) // checked before
	return ok != negated
}
