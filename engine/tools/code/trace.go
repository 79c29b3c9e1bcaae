//go:build unix

package code

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Before and after are what a program stands in: the body of an async function.
const before, after = "(async () => {", "\n})()"

var (
	place  = regexp.MustCompile(`^(\s*at (?:.* \()?program:)(\d+):(\d+)\(\d+\)(\)?)$`)
	host   = regexp.MustCompile(`^\s*at \S*[/*]\S*(?: \(.*\))?$`) // functions of ours have their package in front
	syntax = regexp.MustCompile(`^(?:SyntaxError: )+program: Line (\d+):(\d+) `)
)

// told writes an error as the author of source knows it: with the frames of the program and of JavaScript, at the places
// where they stand in source. Text of the error's own stays as it is, whatever it looks like.
func told(text, source string) string {
	if at := syntax.FindStringSubmatch(text); at != nil {
		line, column := where(at[1], at[2])
		return fmt.Sprintf("SyntaxError: line %d:%d %s", line, column, text[len(at[0]):])
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	frames := len(lines) // where the stack begins, from the end
	for frames > 0 && strings.HasPrefix(strings.TrimLeft(lines[frames-1], " \t"), "at ") && (frames > 1 || len(lines) > 1) {
		frames--
	}
	last := strings.Count(source, "\n") + 1
	out := lines[:frames:frames]
	for _, l := range lines[frames:] {
		if host.MatchString(l) {
			continue
		}
		if at := place.FindStringSubmatch(l); at != nil {
			line, column := where(at[2], at[3])
			if line > last {
				continue // the call of the body is ours
			}
			l = fmt.Sprintf("%s%d:%d%s", at[1], line, column, at[4])
		}
		out = append(out, l)
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}

// where is a place in the program of one in the script.
func where(line, column string) (int, int) {
	l, _ := strconv.Atoi(line)
	c, _ := strconv.Atoi(column)
	if l == 1 {
		c = max(1, c-len(before))
	}
	return l, c
}
