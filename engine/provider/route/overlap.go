package route

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	longestOverlap = 200      // characters that are looked for at the end of the text
	longestRestart = 32 << 10 // bytes of a text that may be said again from its beginning
)

// overlaps returns the ends of kept that a continuation may say again, the longest first. The whole of kept is one: some
// models begin anew.
func overlaps(kept string) []string {
	var starts []int
	for at := len(kept); at > 0 && len(starts) < longestOverlap; {
		_, size := utf8.DecodeLastRuneInString(kept[:at])
		at -= size
		starts = append(starts, at)
	}
	if at := starts[len(starts)-1]; at > 0 && len(kept) <= longestRestart {
		starts = append(starts, 0)
	}
	slices.Reverse(starts)
	all := make([]string, len(starts))
	for i, at := range starts {
		all[i] = kept[at:]
	}
	return all
}

// telling reports whether the given end of kept is plainly a repeat when it comes again: it begins with a word, says
// something, and is not what kept repeats anyhow (the rows of a table, the lines of a list).
func telling(kept, end string) bool {
	at := len(kept) - len(end)
	if at == 0 {
		return signs(kept) >= 4
	}
	before, _ := utf8.DecodeLastRuneInString(kept[:at])
	first, _ := utf8.DecodeRuneInString(end)
	if word(before) && word(first) || unicode.IsSpace(first) {
		return false
	}
	if n := signs(end); n < 8 && !(n >= 5 && len(strings.Fields(end)) > 1) {
		return false
	}
	return strings.Index(kept, end) == at
}

// signs counts letters and digits; an ideograph says as much as two.
func signs(s string) int {
	n := 0
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
			if r >= firstIdeograph {
				n++
			}
		}
	}
	return n
}

// firstIdeograph is where the scripts that put no space between words begin.
const firstIdeograph = 0x2E80

// letter reports whether r is a letter of a script that parts its words by spaces.
func letter(r rune) bool { return r < firstIdeograph && unicode.IsLetter(r) }

func word(r rune) bool { return letter(r) || unicode.IsDigit(r) || r == '_' }

// lastWord is the run of letters at the end of s, "" when another sign is before or at its end.
func lastWord(s string) string {
	rest := strings.TrimRightFunc(s, letter)
	if r, _ := utf8.DecodeLastRuneInString(rest); rest != "" && word(r) {
		return ""
	}
	return s[len(rest):]
}

// firstWord is the run of letters at the beginning of s.
func firstWord(s string) string { return s[:len(s)-len(strings.TrimLeftFunc(s, letter))] }

// inCode reports whether text ends inside a code block or between backticks, where a space more or less matters.
func inCode(text string) bool {
	fenced, ticks := false, 0
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
			fenced, ticks = !fenced, 0
			continue
		}
		if trimmed == "" {
			ticks = 0
		}
		ticks += strings.Count(line, "`")
	}
	return fenced || ticks%2 == 1
}
