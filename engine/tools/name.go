package tools

import (
	"slices"
	"strings"
	"unicode"

	"talaria/engine/tools/match"
)

// nameLikeness is how alike a misspelt name must be to the tool it is taken for (BEHAVIOUR 8.3).
const nameLikeness = 0.7

// repairName returns the one of names that name means, or "". The steps are those of BEHAVIOUR 8.3; the first that
// gives a known name wins.
func repairName(name string, names []string) string {
	if slices.Contains(names, name) {
		return name
	}
	if i := strings.IndexAny(name, "\"'`<>|"); i >= 0 {
		name = name[:i] // markup that leaked out of the model's own format
	}
	name = strings.TrimSpace(name)
	for _, try := range spellings(name) {
		if slices.Contains(names, try) {
			return try
		}
	}
	best, count := 0.0, 0
	var found string
	guess := lastOf(spellings(stripNamespace(name)))
	for _, n := range names {
		switch l := match.Likeness(guess, n); {
		case l < nameLikeness || l < best:
		case l == best:
			count++
		default:
			best, count, found = l, 1, n
		}
	}
	if count != 1 {
		return ""
	}
	return found
}

// spellings lists what name may have meant, the least change first.
func spellings(name string) []string {
	plain := joiner.Replace(strings.ToLower(name))
	snake := joiner.Replace(strings.ToLower(toSnake(name)))
	out := []string{name, plain, snake}
	for _, s := range []string{plain, snake, stripNamespace(plain), stripNamespace(snake)} {
		out = append(out, s)
		for range 2 {
			s = strings.TrimRight(strings.TrimSuffix(s, "tool"), "_")
			out = append(out, s)
		}
	}
	return out
}

var joiner = strings.NewReplacer("-", "_", " ", "_")

// stripNamespace drops "functions.", "default_api:" and the like.
func stripNamespace(name string) string { return name[strings.LastIndexAny(name, ".:/")+1:] }

// toSnake puts an underscore before each capital that begins a word.
func toSnake(name string) string {
	var b strings.Builder
	var before rune
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) && (unicode.IsLower(before) || unicode.IsDigit(before)) {
			b.WriteByte('_')
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

func lastOf(list []string) string { return list[len(list)-1] }
