package diffview

import (
	"regexp"
	"strings"
)

var reverseHead = regexp.MustCompile(`^@@ -(\d+(?:,\d+)?) \+(\d+(?:,\d+)?) @@(.*)$`)

// Reverse is the diff that leads back: what a unified diff adds it deletes. Within a change what is deleted stands first,
// as everywhere.
func Reverse(unified string) string {
	var b strings.Builder
	var del, add []string // of the change that is read
	flush := func() {
		for _, l := range append(del, add...) {
			b.WriteString(l)
		}
		del, add = nil, nil
	}
	left, right := 0, 0 // lines of the hunk that are still to come
	before := ""        // the "---" line of a file
	for line := range strings.Lines(unified) {
		switch {
		case (left > 0 || right > 0) && strings.HasPrefix(line, "-"):
			add, left = append(add, "+"+line[1:]), left-1
			continue
		case (left > 0 || right > 0) && strings.HasPrefix(line, "+"):
			del, right = append(del, "-"+line[1:]), right-1
			continue
		case strings.HasPrefix(line, "\\") && len(add)+len(del) > 0: // no newline at the end of the line before
			if last := &add; len(*last) > 0 && right > 0 || len(del) == 0 {
				(*last)[len(*last)-1] += line
			} else {
				del[len(del)-1] += line
			}
			continue
		}
		flush()
		switch m := reverseHead.FindStringSubmatch(strings.TrimSuffix(line, "\n")); {
		case left > 0 || right > 0:
			left, right = left-1, right-1
			b.WriteString(line)
		case m != nil:
			left, right = lines(m[1]), lines(m[2])
			b.WriteString("@@ -" + m[2] + " +" + m[1] + " @@" + m[3] + "\n")
		case strings.HasPrefix(line, "--- "):
			before = line[4:]
		case strings.HasPrefix(line, "+++ "):
			b.WriteString("--- " + line[4:] + "+++ " + before)
		default:
			b.WriteString(line)
		}
	}
	flush()
	return b.String()
}

// lines is how many lines the range of a hunk's head has.
func lines(span string) int {
	_, n, ok := strings.Cut(span, ",")
	if !ok {
		return 1
	}
	return number(n, 0)
}
