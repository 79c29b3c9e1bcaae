// Package place says where a path leads and what kind of place that is: inside the workspace or not, holding keys,
// Talaria's own, or one whose change runs code later. It follows links as the kernel does. It opens no file but links
// and directories.
package place

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxLinks is how many links a path may have, as in the kernel.
const maxLinks = 40

// Place is what is known of a path. Where it could not be followed Real is Given, and Err says why.
type Place struct {
	Given string // absolute, as named
	Real  string // with links followed
	Err   error

	Inside   bool // in the workspace or an added directory
	Secret   bool // holds keys
	Own      bool // Talaria's own
	Shielded bool // .git, .talaria, shell start files
	Results  bool // in the folder of spilled results
}

// Linked reports whether the path leads elsewhere than it says.
func (p Place) Linked() bool { return p.Err == nil && p.Real != p.Given }

// Options are the absolute paths that a Land is made of.
type Options struct {
	Roots   []string // the workspace and added directories
	Home    string   // the user's home directory
	Own     []string // Talaria's own files and folders
	Results []string // folders of spilled outputs, free to read though they are Talaria's own
}

// Land is the map that paths are looked up in. Relative paths start at Dir. Roots are real paths.
type Land struct {
	Home, Dir string
	Roots     []string
	own       []string // as given and real
	results   []string // real
	secrets   []string // folders of keys, in small letters
}

// New returns the land of o, seen from dir.
func New(o Options, dir string) Land {
	l := Land{Home: o.Home, Dir: dir, Roots: reals(o.Roots), results: reals(o.Results), secrets: lower(secretSystem, "")}
	if l.Home != "" {
		l.secrets = append(l.secrets, lower(secretDirs, l.Home)...)
	}
	l.own = append(reals(o.Own), o.Own...)
	return l
}

// At returns the same land seen from dir.
func (l Land) At(dir string) Land {
	l.Dir = dir
	return l
}

// reals are where paths lead; one that cannot be followed is left out.
func reals(paths []string) []string {
	var all []string
	for _, p := range paths {
		if real, err := Follow(p); err == nil {
			all = append(all, real)
		}
	}
	return all
}

// lower are paths below dir in small letters.
func lower(paths []string, dir string) []string {
	var all []string
	for _, p := range paths {
		all = append(all, strings.ToLower(filepath.Join(dir, p)))
	}
	return all
}

// Look says what kind of place path is. A path that can be read in two ways (a leading ~, .. behind a link) is the
// worse of both.
func (l Land) Look(path string) Place {
	worst := l.examine(l.Abs(path))
	for _, other := range l.readings(path) {
		if p := l.examine(other); p.Badness() > worst.Badness() {
			worst = p
		}
	}
	return worst
}

// Abs makes a path absolute; ~ is the home directory.
func (l Land) Abs(path string) string {
	if path == "~" || strings.HasPrefix(path, "~/") {
		path = filepath.Join(l.Home, strings.TrimPrefix(path, "~"))
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(l.Dir, path)
	}
	return filepath.Clean(path)
}

// readings are the other ways to understand path.
func (l Land) readings(path string) []string {
	var all []string
	if strings.HasPrefix(path, "~") {
		all = append(all, filepath.Join(l.Dir, path))
	}
	if strings.Contains(path, "..") { // the kernel goes up from where a link leads, Clean from where it lies
		raw := path
		if !filepath.IsAbs(raw) {
			raw = l.Dir + "/" + raw
		}
		all = append(all, raw)
	}
	return all
}

func (l Land) examine(abs string) Place {
	p := Place{Given: abs}
	p.Real, p.Err = Follow(abs)
	given := filepath.Clean(abs)
	if p.Err != nil { // what cannot be followed is nowhere we know
		p.Real = given
	} else {
		p.Inside = underAny(p.Real, l.Roots)
		p.Results = underAny(p.Real, l.results)
	}
	for _, x := range []string{given, p.Real} {
		p.Secret = p.Secret || l.isSecret(x)
		p.Own = p.Own || underAny(x, l.own)
		p.Shielded = p.Shielded || isShielded(x)
	}
	return p
}

// Badness orders places by how much they need a question.
func (p Place) Badness() int {
	switch {
	case p.Own:
		return 5
	case p.Secret:
		return 4
	case p.Err != nil:
		return 3
	case !p.Inside:
		return 2
	case p.Shielded:
		return 1
	}
	return 0
}

// Credential reports whether a file of that name holds keys wherever it lies: a search over a directory passes it over,
// since reading it asks (RULINGS 8).
func Credential(path string) bool { return path != "" && (Land{}).isSecret(path) }

// isSecret reports whether path holds keys. Letters' case is ignored: some file systems ignore it as well.
func (l Land) isSecret(path string) bool {
	low := strings.ToLower(path)
	name := filepath.Base(low)
	if exactSecrets[name] {
		return true
	}
	for _, pattern := range secretPatterns {
		if ok, _ := filepath.Match(pattern, name); ok {
			return true
		}
	}
	if underAny(low, l.secrets) {
		return true
	}
	if strings.Contains(low+"/", "/.ssh/") { // of any home
		return true
	}
	return strings.HasPrefix(low, "/proc/") && strings.Contains(low, "environ")
}

// exactSecrets and secretPatterns are secretNames taken apart: most names are plain, and trees are searched for them.
var exactSecrets, secretPatterns = func() (map[string]bool, []string) {
	exact, patterns := map[string]bool{}, []string(nil)
	for _, n := range secretNames {
		if strings.ContainsAny(n, "*?[") {
			patterns = append(patterns, n)
		} else {
			exact[n] = true
		}
	}
	return exact, patterns
}()

// isShielded reports whether path names a file that edit mode does not change unasked.
func isShielded(path string) bool {
	names := strings.Split(strings.ToLower(path), "/")
	for _, n := range names {
		if slices.Contains(shieldedDirs, n) {
			return true
		}
	}
	return slices.Contains(startFiles, names[len(names)-1])
}

// Under reports whether a clean path is dir or lies below it.
func Under(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}

func underAny(path string, dirs []string) bool {
	return slices.ContainsFunc(dirs, func(d string) bool { return Under(path, d) })
}

// Follow returns where an absolute path leads: links are followed one by one, a dangling one as well, and what does
// not exist stays as it is named. So the answer for a new file is where it would be made.
func Follow(path string) (string, error) {
	if !filepath.IsAbs(path) {
		return "", fmt.Errorf("follow %s: it is not absolute", path)
	}
	done, rest := "/", strings.Split(path, "/")
	for links := 0; len(rest) > 0; {
		name := rest[0]
		rest = rest[1:]
		switch name {
		case "", ".":
			continue
		case "..":
			done = filepath.Dir(done)
			continue
		}
		next := filepath.Join(done, name)
		info, err := os.Lstat(next)
		switch {
		case errors.Is(err, os.ErrNotExist):
			done = next
			continue
		case err != nil:
			return "", fmt.Errorf("follow %s: %w", path, err)
		case info.Mode()&os.ModeSymlink == 0:
			done = next
			continue
		}
		target, err := os.Readlink(next)
		if err != nil {
			return "", fmt.Errorf("follow %s: %w", path, err)
		}
		if links++; links > maxLinks {
			return "", fmt.Errorf("follow %s: it leads in a circle", path)
		}
		if filepath.IsAbs(target) {
			done = "/"
		}
		rest = append(strings.Split(target, "/"), rest...)
	}
	return done, nil
}
