package rule

import (
	"path/filepath"
	"slices"
	"strings"

	"talaria/engine/guard/place"
	"talaria/engine/guard/shell"
)

// Allowable reports whether a command of plain words may be covered by a rule at all, wherever in dirs it runs: it is
// no wrapper, uses no option that runs or writes something else, and names no path outside the workspace or with keys in it.
func Allowable(words, dirs []string, l place.Land) bool {
	words = Bare(words)
	if len(words) == 0 {
		return false
	}
	name := filepath.Base(words[0])
	if slices.Contains(never, name) || risks(name, words[1:]) {
		return false
	}
	for _, dir := range dirs {
		if at := l.At(dir); !at.Look(".").Inside || !ordinary(words, at) {
			return false
		}
	}
	return true
}

// risks reports whether one of args is an option that runs a program, writes a file, or moves the command elsewhere.
func risks(name string, args []string) bool {
	o, ok := risky[name]
	if !ok {
		o = risky[""]
	}
	if shell.Short(args, o.letters) || shell.Long(args, o.long...) {
		return true
	}
	for _, arg := range args {
		single, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if strings.HasPrefix(arg, "-") && slices.Contains(o.single, single) {
			return true
		}
		if shell.IsAssignment(arg) { // make SHELL=..., mvn -D and the like
			return true
		}
	}
	return false
}

// ordinary reports whether every path among words is inside the workspace and free of keys. Any word may be a path, and
// so may what follows = or : in it or a one-letter option.
func ordinary(words []string, l place.Land) bool {
	for i, w := range words {
		pieces := strings.FieldsFunc(w, func(r rune) bool { return strings.ContainsRune("=:@,", r) })
		if strings.HasPrefix(w, "-") && len(w) > 2 {
			pieces = append(pieces, w[2:])
		}
		for _, p := range append(pieces, w) {
			if i == 0 && !strings.Contains(p, "/") { // found by PATH
				continue
			}
			if p := l.Look(p); p.Own || p.Secret || p.Err != nil || !p.Inside || p.Shielded {
				return false
			}
		}
	}
	return true
}
