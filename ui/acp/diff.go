package acp

import (
	"fmt"
	"strings"

	proto "github.com/coder/acp-go-sdk"
)

// hunk is a piece of a diff while it is read: the lines before and after, and how many of each are still to come.
type hunk struct {
	before, after []string
	old, new      int
}

// diffContent makes of a unified diff what an editor shows as one: the lines before and after, a piece for each hunk.
// Path is the file's absolute one, where it is only one; else the names in the diff are told.
func diffContent(diff, path string) (all []proto.ToolCallContent) {
	name, made := path, false
	var h hunk
	flush := func() {
		if len(h.before)+len(h.after) > 0 {
			old := []string{strings.Join(h.before, "\n")}
			if made {
				old = nil // a file that was not there
			}
			all = append(all, proto.ToolDiffContent(name, strings.Join(h.after, "\n"), old...))
		}
		h = hunk{}
	}
	for line := range strings.SplitSeq(diff, "\n") {
		switch {
		case h.old > 0 || h.new > 0:
			h.take(line)
		case strings.HasPrefix(line, "@@"):
			flush()
			h.begin(line)
		case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "):
			flush()
			if line[0] == '-' {
				made = line == "--- /dev/null"
			}
			if path == "" && line[4:] != "/dev/null" {
				name = strings.TrimPrefix(strings.TrimPrefix(line[4:], "a/"), "b/")
			}
		}
	}
	flush()
	return all
}

// begin reads the counts of "@@ -1,3 +1,4 @@"; a count that is left out is 1.
func (h *hunk) begin(line string) {
	for _, word := range strings.Fields(line) {
		var at, n int
		if got, _ := fmt.Sscanf(word[1:], "%d,%d", &at, &n); got == 1 {
			n = 1
		}
		switch word[0] {
		case '-':
			h.old = n
		case '+':
			h.new = n
		}
	}
}

func (h *hunk) take(line string) {
	sign, rest := byte(' '), ""
	if line != "" {
		sign, rest = line[0], line[1:]
	}
	switch sign {
	case '-':
		h.before, h.old = append(h.before, rest), h.old-1
	case '+':
		h.after, h.new = append(h.after, rest), h.new-1
	case ' ':
		h.before, h.after = append(h.before, rest), append(h.after, rest)
		h.old, h.new = h.old-1, h.new-1
	}
}
