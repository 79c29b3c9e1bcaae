package config

import (
	"errors"
	"fmt"
	"strings"
)

// Fault is one thing that is wrong with a setting. File is a path, "$VARIABLE" or "--flag"; Line is 0 where there are
// no lines; Nearest is the valid key, or the valid word, that looks most like what was written.
type Fault struct {
	File     string
	Line     int
	Key      string
	Problem  string
	Expected string
	Nearest  string
}

func (f *Fault) Error() string {
	var b strings.Builder
	b.WriteString(f.File)
	if f.Line > 0 {
		fmt.Fprintf(&b, ":%d", f.Line)
	}
	if f.Key != "" {
		b.WriteString(": " + f.Key)
	}
	b.WriteString(": " + f.Problem)
	if f.Expected != "" {
		b.WriteString("; expected " + f.Expected)
	}
	if f.Nearest != "" {
		fmt.Fprintf(&b, "; nearest: %s", f.Nearest)
	}
	return b.String()
}

// Faults returns the faults in err, or nil when it is about something else.
func Faults(err error) []*Fault {
	var all []*Fault
	var many interface{ Unwrap() []error }
	if errors.As(err, &many) {
		for _, e := range many.Unwrap() {
			all = append(all, Faults(e)...)
		}
		return all
	}
	var f *Fault
	if errors.As(err, &f) {
		all = append(all, f)
	}
	return all
}

// nearest returns the candidate that looks most like word, or "" when there is none. A key that was put in the wrong
// section is found by its last name.
func nearest(word string, candidates []string) string {
	best, least := "", -1
	for _, c := range candidates {
		d := min(distance(word, c), distance(lastName(word), lastName(c))+sections(word, c))
		if least < 0 || d < least || d == least && c < best {
			best, least = c, d
		}
	}
	return best
}

// sections is the price of another section: 0 for a sibling.
func sections(a, b string) int {
	if strings.TrimSuffix(a, lastName(a)) == strings.TrimSuffix(b, lastName(b)) {
		return 0
	}
	return 1
}

func lastName(key string) string { return key[strings.LastIndexByte(key, '.')+1:] }

// distance is the number of letters that must be put in, left out or changed to make a into b.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j, s := range y {
			change := diagonal
			if r != s {
				change++
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, change)
		}
	}
	return row[len(y)]
}
