package diffview

import (
	"regexp"
	"strconv"
	"strings"

	"talaria/ui/style"
)

// kind says what a row of a diff is; the values are the marks of the unified format where it has one.
type kind byte

const (
	context kind = ' '
	added   kind = '+'
	deleted kind = '-'
	hunk    kind = '@'
	note    kind = '\\'
)

// row is one line of a diff. old and now are its line numbers in the two files, 0 where it is in none.
type row struct {
	kind     kind
	old, now int
	text     string
	mark     span // what is different from the line that stood there, of the text without tabs
	syntax   []style.Span
}

var hunkHead = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$`)

// parse reads a unified diff. The counts of a hunk's head decide what belongs to it, so that a deleted line that begins
// with "--" is not taken for a file name. What is outside a hunk is skipped but for the names of files.
func parse(unified string) []row {
	var rows []row
	var oldLeft, newLeft, old, now int
	file := ""
	for line := range strings.Lines(style.Safe(unified)) {
		line = strings.TrimSuffix(line, "\n")
		if oldLeft > 0 || newLeft > 0 {
			r := inHunk(line, old, now)
			if r.kind != added && r.kind != note {
				old, oldLeft = old+1, oldLeft-1
			}
			if r.kind != deleted && r.kind != note {
				now, newLeft = now+1, newLeft-1
			}
			rows = append(rows, r)
			continue
		}
		if m := hunkHead.FindStringSubmatch(line); m != nil {
			old, oldLeft, now, newLeft = number(m[1], 0), number(m[2], 1), number(m[3], 0), number(m[4], 1)
			rows = append(rows, row{kind: hunk, old: now, now: now + max(newLeft, 1) - 1, text: file})
			continue
		}
		switch {
		case strings.HasPrefix(line, "\\"):
			rows = append(rows, row{kind: note, text: strings.TrimSpace(line[1:])})
		case strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, "--- "):
			if name := fileName(line[4:]); name != "" {
				file = name
			}
		}
	}
	return rows
}

func inHunk(line string, old, now int) row {
	if line == "" {
		return row{kind: context, old: old, now: now, text: ""} // some writers drop the blank of an empty line
	}
	switch kind(line[0]) {
	case added:
		return row{kind: added, old: 0, now: now, text: line[1:]}
	case deleted:
		return row{kind: deleted, old: old, now: 0, text: line[1:]}
	case note:
		return row{kind: note, text: strings.TrimSpace(line[1:])}
	case context:
		line = line[1:]
	}
	return row{kind: context, old: old, now: now, text: line}
}

// fileName takes the path out of a "---" or "+++" line; "" for /dev/null.
func fileName(s string) string {
	s, _, _ = strings.Cut(s, "\t")
	if s == "/dev/null" {
		return ""
	}
	if len(s) > 2 && s[1] == '/' && (s[0] == 'a' || s[0] == 'b') {
		s = s[2:]
	}
	return s
}

func number(s string, absent int) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return absent
	}
	return n
}

// Stat counts the lines that a unified diff adds and deletes.
func Stat(unified string) (add, del int) { return count(parse(unified)) }

// Stat counts the lines that it adds and deletes.
func (d *Diff) Stat() (add, del int) { return count(d.rows) }

func count(rows []row) (add, del int) {
	for _, r := range rows {
		switch r.kind {
		case added:
			add++
		case deleted:
			del++
		case context, hunk, note:
		}
	}
	return add, del
}
