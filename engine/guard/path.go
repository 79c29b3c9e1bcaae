package guard

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

// place is what the guard knows of a path: where it leads, and what kind of place that is.
type place struct {
	given string // absolute, as named
	real  string // with links followed
	err   error  // why it could not be followed

	inside   bool // in the workspace or an added directory
	secret   bool // holds keys
	own      bool // Talaria's own
	shielded bool // .git, .talaria, shell start files
	results  bool // in the folder of spilled results
}

// linked reports whether the path leads elsewhere than it says.
func (p place) linked() bool { return p.err == nil && p.real != p.given }

// land is the map that paths are looked up in.
type land struct {
	home, dir string
	roots     []string // real
	own       []string // as given and real
	results   []string // real
	secrets   []string // folders of keys, in small letters
}

func (g *Guard) land(dir string) land {
	l := land{home: g.o.Home, dir: dir, roots: reals(g.o.Roots), results: reals(g.o.Results), secrets: lower(secretSystem, "")}
	if l.home != "" {
		l.secrets = append(l.secrets, lower(secretDirs, l.home)...)
	}
	l.own = append(reals(g.o.Own), g.o.Own...)
	return l
}

// reals are where paths lead; one that cannot be followed is left out.
func reals(paths []string) []string {
	var all []string
	for _, p := range paths {
		if real, err := follow(p); err == nil {
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

// look says what kind of place path is. A path that can be read in two ways (a leading ~, .. behind a link) is the
// worse of both.
func (l land) look(path string) place {
	worst := l.examine(l.abs(path))
	for _, other := range l.readings(path) {
		if p := l.examine(other); p.badness() > worst.badness() {
			worst = p
		}
	}
	return worst
}

func (l land) abs(path string) string {
	if path == "~" || strings.HasPrefix(path, "~/") {
		path = filepath.Join(l.home, strings.TrimPrefix(path, "~"))
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(l.dir, path)
	}
	return filepath.Clean(path)
}

// readings are the other ways to understand path.
func (l land) readings(path string) []string {
	var all []string
	if strings.HasPrefix(path, "~") {
		all = append(all, filepath.Join(l.dir, path))
	}
	if strings.Contains(path, "..") { // the kernel goes up from where a link leads, Clean from where it lies
		raw := path
		if !filepath.IsAbs(raw) {
			raw = l.dir + "/" + raw
		}
		all = append(all, raw)
	}
	return all
}

func (l land) examine(abs string) place {
	p := place{given: abs}
	p.real, p.err = follow(abs)
	given := filepath.Clean(abs)
	if p.err != nil { // what cannot be followed is nowhere we know
		p.real = given
	} else {
		p.inside = underAny(p.real, l.roots)
		p.results = underAny(p.real, l.results)
	}
	for _, x := range []string{given, p.real} {
		p.secret = p.secret || l.isSecret(x)
		p.own = p.own || underAny(x, l.own)
		p.shielded = p.shielded || isShielded(x)
	}
	return p
}

// badness orders places by how much they need a question.
func (p place) badness() int {
	switch {
	case p.own:
		return 5
	case p.secret:
		return 4
	case p.err != nil:
		return 3
	case !p.inside:
		return 2
	case p.shielded:
		return 1
	}
	return 0
}

// Credential reports whether a file of that name holds keys wherever it lies: a search over a directory passes it over,
// since reading it asks (RULINGS 8).
func Credential(path string) bool { return path != "" && (land{}).isSecret(path) }

// isSecret reports whether path holds keys. Letters' case is ignored: some file systems ignore it as well.
func (l land) isSecret(path string) bool {
	low := strings.ToLower(path)
	for _, pattern := range secretNames {
		if ok, _ := filepath.Match(pattern, filepath.Base(low)); ok {
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

func under(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}

func underAny(path string, dirs []string) bool {
	return slices.ContainsFunc(dirs, func(d string) bool { return under(path, d) })
}

// follow returns where an absolute path leads: links are followed one by one, a dangling one as well, and what does
// not exist stays as it is named. So the answer for a new file is where it would be made.
func follow(path string) (string, error) {
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
