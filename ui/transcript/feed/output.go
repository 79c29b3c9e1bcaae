package feed

import (
	"strings"

	"talaria/ui/style"
)

// maxOutput is how many bytes of a running tool's output are kept for the screen; the whole is on disk.
const maxOutput = 64 << 10

// output keeps the end of what a tool prints.
type output struct {
	text string
	cut  bool
}

func (o *output) write(s string) {
	o.text += s
	if len(o.text) > 2*maxOutput {
		o.text, o.cut = o.text[len(o.text)-maxOutput:], true
	}
}

func (o *output) empty() bool { return strings.TrimSpace(o.text) == "" }

// last returns the last n lines that hold something, blank ones between them included.
func (o *output) last(n int) []string {
	text := o.text
	if n < 100 && len(text) > 8<<10 {
		text = text[len(text)-8<<10:]
		_, text, _ = strings.Cut(text, "\n")
		if text == "" {
			text = o.text[len(o.text)-8<<10:]
		}
	}
	lines := printed(text)
	return lines[max(0, len(lines)-n):]
}

// printed splits what a program wrote into the lines a terminal would show: what a carriage return overwrote is gone,
// and so are control sequences and blank lines at both ends.
func printed(text string) []string {
	var lines []string
	for line := range strings.Lines(strings.Trim(text, "\r\n")) {
		line = strings.TrimRight(line, "\r\n")
		line = line[strings.LastIndexByte(line, '\r')+1:]
		line = strings.TrimRight(style.Safe(line), " \t")
		if line != "" || len(lines) > 0 {
			lines = append(lines, line)
		}
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}
