package picker

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// matches are the places, from and to in bytes, where the words of query stand in text, in order and apart.
func matches(query, text string) [][2]int {
	lower := strings.ToLower(text)
	if len(lower) != len(text) {
		return nil // some letter is longer in lower case: places would be off
	}
	var all [][2]int
	for _, w := range strings.Fields(strings.ToLower(query)) {
		for at := 0; ; {
			i := strings.Index(lower[at:], w)
			if i < 0 {
				break
			}
			all = append(all, [2]int{at + i, at + i + len(w)})
			at += i + len(w)
		}
	}
	slices.SortFunc(all, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
	var out [][2]int
	for _, m := range all {
		if n := len(out); n > 0 && m[0] <= out[n-1][1] {
			out[n-1][1] = max(out[n-1][1], m[1])
			continue
		}
		out = append(out, m)
	}
	return out
}

// nearest is query with each word that occurs in none of the texts replaced by the word of theirs that is nearest to
// it; "" when that finds nothing either.
func nearest(query string, texts []string) string {
	var words []string
	for _, t := range texts {
		words = append(words, strings.FieldsFunc(strings.ToLower(t), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })...)
	}
	asked := strings.Fields(strings.ToLower(query))
	for i, q := range asked {
		if slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, q) }) {
			continue
		}
		best := len([]rune(q))/3 + 1 // more slips than one in three letters are another word
		for _, w := range words {
			if d := distance([]rune(q), []rune(w)); d < best {
				best, asked[i] = d, w
			}
		}
	}
	better := strings.Join(asked, " ")
	if better == strings.ToLower(strings.Join(strings.Fields(query), " ")) || len(rank(better, texts)) == 0 {
		return ""
	}
	return better
}

// distance counts the slips between two words: a letter more, less, other, or two that changed places.
func distance(a, b []rune) int {
	var before, last []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row = last, row, make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			other := 1
			if a[i-1] == b[j-1] {
				other = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+other)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
