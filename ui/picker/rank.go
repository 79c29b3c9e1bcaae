package picker

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sahilm/fuzzy"
)

// rank returns the indexes of the texts that fit query, best first. Every word of it must occur, in any case and script;
// a text that begins with it comes before one with a word that does, before one that only holds it. When nothing fits,
// the letters need only occur in their order, so that a slip of the finger still finds something.
func rank(query string, texts []string) []int {
	words := strings.Fields(strings.ToLower(query))
	out := make([]int, 0, len(texts))
	if len(words) == 0 {
		for i := range texts {
			out = append(out, i)
		}
		return out
	}
	scores, lowers := make([]int, len(texts)), make([]string, len(texts))
	for i, t := range texts {
		lowers[i] = strings.ToLower(t)
		if scores[i] = score(lowers[i], words); scores[i] > 0 {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	if len(out) > 0 {
		return out
	}
	for _, m := range fuzzy.Find(strings.Join(words, ""), lowers) {
		out = append(out, m.Index)
	}
	return out
}

// score is 0 when a word is missing.
func score(text string, words []string) int {
	sum := 0
	for _, w := range words {
		best := 0
		if strings.TrimPrefix(text, "/") == w {
			best = 5 // a command of this very name
		}
		for at := 0; at <= len(text)-len(w); {
			i := strings.Index(text[at:], w)
			if i < 0 {
				break
			}
			i += at
			switch before, _ := utf8.DecodeLastRuneInString(text[:i]); {
			case i == 0:
				best = max(best, 4)
			case !unicode.IsLetter(before) && !unicode.IsDigit(before):
				best = max(best, 2)
			default:
				best = max(best, 1)
			}
			at = i + 1
		}
		if best == 0 {
			return 0
		}
		sum += best
	}
	return sum
}

// pieces are the parts of text that query names, from and to, in their order: its words, or else its letters one by one.
func pieces(query, text string) (out [][2]int) {
	lower, words := strings.ToLower(text), strings.Fields(strings.ToLower(query))
	if len(lower) != len(text) || len(words) == 0 {
		return nil // a letter whose small form has another length: nothing stands out
	}
	if score(lower, words) > 0 {
		for _, w := range words {
			i := strings.Index(lower, w)
			out = append(out, [2]int{i, i + len(w)})
		}
		slices.SortFunc(out, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
		for i := 1; i < len(out); i++ {
			if out[i][0] < out[i-1][1] { // two words found the same letters
				return out[:i]
			}
		}
		return out
	}
	at := 0
	for _, r := range strings.Join(words, "") {
		i := strings.IndexRune(lower[at:], r)
		if i < 0 {
			return nil
		}
		out = append(out, [2]int{at + i, at + i + utf8.RuneLen(r)})
		at += i + utf8.RuneLen(r)
	}
	return out
}
