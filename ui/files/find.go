package files

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// index is the paths, and the same in lower case.
type index struct{ paths, lower []string }

func newIndex(paths []string) index {
	x := index{paths, make([]string, len(paths))}
	for i, p := range paths {
		x.lower[i] = strings.ToLower(p)
	}
	return x
}

// base parts a path into its name and its folder; a folder keeps its slash.
func base(path string) (name, dir string) {
	at := strings.LastIndexByte(strings.TrimSuffix(path, "/"), '/') + 1
	return path[at:], strings.TrimSuffix(path[:at], "/")
}

type fit struct{ at, score, length int }

// find returns at most n paths for what is typed, best first: the name itself, a name that begins with it, that holds it,
// a path that does, then those that have its letters in order. Shorter paths come first.
func (x index) find(typed string, n int) []string {
	typed = strings.ToLower(typed)
	var fits []fit
	for i, p := range x.lower {
		if s := score(typed, p); s > 0 {
			fits = append(fits, fit{i, s, len(p)})
		}
		if typed == "" && len(fits) == n {
			break // the order of the list
		}
	}
	if typed != "" {
		slices.SortStableFunc(fits, func(a, b fit) int {
			return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.length, b.length))
		})
	}
	var out []string
	for _, f := range fits[:min(n, len(fits))] {
		out = append(out, x.paths[f.at])
	}
	return out
}

func score(typed, path string) int {
	name, _ := base(path)
	switch {
	case typed == "":
		return 1
	case path == typed:
		return 9
	case name == typed, strings.TrimSuffix(name, "/") == typed:
		return 8
	case strings.HasPrefix(name, typed):
		return 7
	case strings.HasPrefix(path, typed):
		return 6
	case strings.Contains(name, typed):
		return 5
	case strings.Contains(path, typed):
		return 4
	case inOrder(typed, name):
		return 3
	case inOrder(typed, path):
		return 2
	}
	return 0
}

// inOrder reports whether the letters of typed stand in text in their order.
func inOrder(typed, text string) bool {
	for typed != "" {
		r, n := utf8.DecodeRuneInString(typed)
		i := strings.IndexRune(text, r)
		if i < 0 {
			return false
		}
		text, typed = text[i+n:], typed[n:]
	}
	return true
}
