package feed

import (
	"strings"

	"talaria/themes"
	"talaria/ui/style"
)

// delegate is the tool whose output is that of other agents, each line with the tag of its agent ("[1/3] Read a.go").
const delegate = "delegate_task"

// agents is the newest line of each agent that a running call has begun, as a tree. There are at most as many rows as
// agents, and none goes away while the call runs.
func (t *tool) agents(width int) []string {
	var tags []string
	newest := map[string]string{}
	for _, line := range t.out.last(1 << 30) {
		tag, does, ok := strings.Cut(line, "] ")
		if !ok || !strings.HasPrefix(tag, "[") {
			continue
		}
		if _, known := newest[tag]; !known {
			tags = append(tags, tag)
		}
		newest[tag] = does
	}
	var lines []string
	for i, tag := range tags {
		branch := "├ "
		if i == len(tags)-1 {
			branch = "└ "
		}
		left := "  " + t.sheet.Ink(themes.FgFaint, t.sheet.Words(branch)) + t.sheet.Ink(themes.Tool, tag+"]") + " "
		lines = append(lines, left+t.sheet.Ink(themes.FgMuted, t.sheet.Truncate(style.Untab(newest[tag]), max(1, width-style.Width(left)))))
	}
	return lines
}
