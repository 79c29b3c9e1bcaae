package plain

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"talaria/ui/style"
)

// paper is what lines are written on. Only whole lines are, and nothing that a terminal would act on.
type paper struct {
	w    io.Writer
	gone error // the reader went
}

// lines writes these, in one piece so that nothing of another process comes between.
func (p *paper) lines(all []string) {
	if len(all) == 0 || p.gone != nil {
		return
	}
	var b strings.Builder
	for _, l := range all {
		b.WriteString(strings.TrimRight(strings.ReplaceAll(style.Safe(l), "\n", " "), " "))
		b.WriteByte('\n')
	}
	_, p.gone = io.WriteString(p.w, b.String())
}

// say writes one line of the program's own.
func (p *paper) say(format string, args ...any) {
	p.lines([]string{oneLine(fmt.Sprintf(format, args...))})
}

func oneLine(s string) string { return strings.Join(strings.Fields(style.Safe(s)), " ") }

// block is a text of several lines under a word: the first stands behind it, the others as they are. A line of the text
// that begins like one of the program's own is set in, so that nothing said can pass for it.
func block(word, text string) []string {
	var out []string
	for i, l := range strings.Split(strings.Trim(style.Safe(text), "\n"), "\n") {
		switch {
		case i == 0:
			l = word + " " + l
		case passes(l):
			l = "  " + l
		}
		out = append(out, l)
	}
	return out
}

// set is a text whose every line is set in.
func set(text string) []string {
	var out []string
	for _, l := range strings.Split(strings.Trim(style.Safe(text), "\n"), "\n") {
		out = append(out, "  "+l)
	}
	return out
}

// passes reports whether a line begins like one of the program's own.
func passes(l string) bool {
	word, _, ok := strings.Cut(l, ":")
	word = strings.ToLower(strings.TrimSpace(word))
	return ok && slices.ContainsFunc(words, func(own string) bool { return word == own || strings.HasPrefix(word, own+" ") })
}
