package composer

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"talaria/ui/style"
)

// Line is an input of one line: a filter, a reason, a key. The zero value is ready. With Mask set its text is never
// drawn, only that there is some.
type Line struct {
	buffer
	Mask   bool
	killed string
}

// Value returns the text.
func (l *Line) Value() string { return l.text }

// Set replaces the text, cursor at its end.
func (l *Line) Set(s string) {
	s = oneLine(s)
	l.buffer = buffer{s, len(s)}
}

// Update takes a key press or a paste (line ends in it become blanks) and reports whether it was an edit.
func (l *Line) Update(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		l.insert(oneLine(strings.TrimSpace(msg.Content)))
		return true
	case tea.KeyPressMsg:
		if t := typed(msg); t != "" {
			l.insert(oneLine(t))
			return true
		}
		if msg.Keystroke() == "ctrl+y" {
			l.insert(l.killed)
			return true
		}
		killed, ok := l.key(msg.Keystroke())
		if killed != "" {
			l.killed = killed
		}
		return ok
	}
	return false
}

func oneLine(s string) string { return strings.ReplaceAll(clean(s), "\n", " ") }

// View draws the text in width cells, scrolled so that the cursor is in view, and returns the cursor's column.
func (l *Line) View(sheet style.Sheet, width int) (string, int) {
	if width <= 0 {
		return "", 0
	}
	before, after := l.draw(sheet, l.text[:l.pos]), l.draw(sheet, l.text[l.pos:])
	x := ansi.StringWidth(before)
	if x >= width { // the end of what is before the cursor matters
		before = ansi.TruncateLeft(before, x-width+1+ansi.StringWidth(sheet.Glyphs.Ellipsis), sheet.Glyphs.Ellipsis)
		x = ansi.StringWidth(before)
	}
	return ansi.Truncate(before+after, width, sheet.Glyphs.Cut), min(x, width-1)
}

func (l *Line) draw(sheet style.Sheet, s string) string {
	var b strings.Builder
	for len(s) > 0 {
		n := next(s)
		if l.Mask {
			b.WriteString(sheet.Glyphs.Todo)
		} else {
			b.WriteString(shown(s[:n]))
		}
		s = s[n:]
	}
	return b.String()
}
