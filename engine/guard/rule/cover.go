package rule

import (
	"errors"
	"io/fs"
	"os"
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
		at := l.At(dir)
		if !at.Look(".").Inside || !ordinary(words, at) || recursive(name, words[1:]) && !keyless(words[1:], at) {
			return false
		}
	}
	return true
}

// recursive reports whether a command reads all files below the folders it is given.
func recursive(name string, args []string) bool {
	switch name {
	case "grep", "egrep", "fgrep":
		return shell.Short(args, "r") || shell.Long(args, "recursive")
	case "rg", "ag", "ack":
		return true
	}
	return false
}

// maxTree is how many files below a folder are looked at for keys; a folder with more is asked.
const maxTree = 50_000

// keyless reports whether no file below the folders among args holds keys. Links are not followed, as the programs do.
func keyless(args []string, l place.Land) bool {
	left := maxTree
	for _, arg := range append([]string{"."}, args...) {
		root := l.Abs(arg)
		if info, err := os.Stat(root); err != nil || !info.IsDir() {
			continue
		}
		if arg == "." && slices.ContainsFunc(args, func(a string) bool { info, err := os.Stat(l.Abs(a)); return err == nil && info.IsDir() }) {
			continue // folders are named: only those are read
		}
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch left--; {
			case err != nil:
				return nil // what cannot be listed cannot be read
			case left < 0:
				return errKeys
			case d.IsDir() && path != root && slices.Contains(skipped, d.Name()):
				return fs.SkipDir
			case !d.IsDir() && place.Credential(path):
				return errKeys
			}
			return nil
		})
		if err != nil {
			return false
		}
	}
	return true
}

var errKeys = errors.New("it holds keys")

// skipped are folders of other people's files, in which names such as credentials.json are examples.
var skipped = []string{"node_modules", ".git", "vendor", "target", ".venv", "__pycache__"}

// risks reports whether one of args is an option that runs a program, writes a file, or moves the command elsewhere.
func risks(name string, args []string) bool {
	o, ok := risky[name]
	if !ok {
		o = risky[""]
	}
	if name == "git" && shell.GitGlobal(args) {
		return true
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
