package match

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Bounds of the search for lines that look like what was meant.
const (
	nearPlaces   = 3     // how many places are shown
	nearLikeness = 0.3   // below this a place is no help
	nearLines    = 8     // of a place, at most
	nearScan     = 5_000 // lines of the file where any likeness counts; further down the first line must be the same
	nearWidth    = 200   // characters of a line that are compared and shown
)

type place struct {
	line  int // from 0
	score float64
}

// Nearest shows the lines of a file that are most like old, with their numbers, "" when none are.
func Nearest(text, old string) string {
	lines, want := strings.Split(text, "\n"), strings.Split(strings.Trim(old, "\n"), "\n")
	var places []place
	first := strings.TrimSpace(want[0])
	for i := range lines {
		if i >= nearScan && strings.TrimSpace(lines[i]) != first {
			continue
		}
		if p := (place{i, alike(lines[i:], want)}); p.score > nearLikeness {
			places = append(places, p)
		}
	}
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(b.score, a.score) })
	var out []string
	var shown []place
	for _, p := range places {
		height := min(len(want), nearLines)
		if slices.ContainsFunc(shown, func(q place) bool { return max(p.line-q.line, q.line-p.line) < height }) {
			continue
		}
		shown = append(shown, p)
		out = append(out, excerpt(lines, p.line, height))
		if len(out) == nearPlaces {
			break
		}
	}
	return strings.Join(out, "\n--\n")
}

// alike scores the first lines of have against want: equal lines count whole, others by their likeness.
func alike(have, want []string) float64 {
	total, n := 0.0, min(len(want), nearLines)
	for i := range n {
		if i >= len(have) {
			break
		}
		a, b := strings.TrimSpace(have[i]), strings.TrimSpace(want[i])
		if a == b {
			total++
		} else if l := roughly(a, b); l > 0 {
			total += l
		}
		if i == 0 && total < nearLikeness { // where the first line has nothing in common the rest is another place
			return 0
		}
	}
	return total / float64(n)
}

// roughly is Likeness for long lines: it looks at their beginning, and only when their lengths allow a good score.
func roughly(a, b string) float64 {
	a, b = head(a, nearWidth), head(b, nearWidth)
	if float64(min(len(a), len(b))) < nearLikeness*float64(max(len(a), len(b))) {
		return 0
	}
	return Likeness(a, b)
}

// excerpt is height lines from line on, as read_file shows them, and one line before and after.
func excerpt(lines []string, line, height int) string {
	var b strings.Builder
	for i := max(line-1, 0); i < min(line+height+1, len(lines)); i++ {
		if i == len(lines)-1 && lines[i] == "" {
			break
		}
		fmt.Fprintf(&b, "%d|%s\n", i+1, head(lines[i], nearWidth))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// head returns at most n characters of s.
func head(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
