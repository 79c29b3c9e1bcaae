package feed

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"talaria/themes"
	"talaria/ui/markdown"
	"talaria/ui/style"
)

// A message of the user that is longer than maxSaid rows shows its first headSaid; Ctrl+O shows the rest.
const (
	maxSaid  = 24
	headSaid = 16
)

// said is a message of the user; steer marks one that went into a running turn.
type said struct {
	face
	text  string
	steer bool
	long  bool // the last layout was longer than maxSaid
}

func (s *said) Render(width int) []string {
	mark := s.sheet.Glyphs.You
	if s.steer {
		mark = s.sheet.Glyphs.Steer
	}
	look := style.Look{Fg: themes.User}
	lines := s.indented(look, s.text, width)
	s.long = len(lines) > maxSaid
	left := 0
	if s.long && !s.expanded {
		left = len(lines) - headSaid
		lines = lines[:headSaid]
	}
	lines[0] = s.sheet.Paint(style.Look{Fg: themes.User, Bold: true}, mark) + " " + strings.TrimPrefix(lines[0], "  ")
	if left > 0 {
		lines = append(lines, s.more(left, width))
	}
	return lines
}

// Toggle shows a long message whole, or only its start.
func (s *said) Toggle() bool { return (s.long || s.expanded) && s.flip() }

// reply is visible text of the assistant: a stream while it arrives and as long as its layout is wanted, text for ever.
type reply struct {
	face
	stream *markdown.Stream
	text   string
	open   bool
	aside  bool // it was interrupted: shown, but not part of what the model sees
	held   bool // the view stopped once at its first row
	marked bool // the stop is told here, since nothing below tells it
}

func (r *reply) append(text string) {
	if r.stream == nil {
		r.stream = r.md.Stream()
	}
	r.stream.Append(text)
	r.changed()
}

// set makes text what was said. A stream that said the same goes on being used.
func (r *reply) set(text string, aside bool) {
	text = style.Safe(text)
	if r.stream != nil && r.stream.Source() != text {
		r.stream = nil
	}
	if r.stream != nil {
		r.stream.Finish()
	}
	r.text, r.open, r.aside, r.marked = text, false, aside, aside
	r.changed()
}

// close ends a stream that no message follows.
func (r *reply) close() {
	if r.open {
		r.set(r.stream.Source(), r.aside)
	}
}

func (r *reply) Render(width int) []string {
	var lines []string
	if r.stream != nil {
		lines = r.stream.Lines(width)
	} else {
		lines = r.md.Render(r.text, width)
	}
	if r.open && len(lines) > 0 {
		return r.withCaret(lines, width)
	}
	if !r.aside {
		return lines
	}
	for i, line := range lines {
		lines[i] = r.sheet.Ink(themes.FgMuted, ansi.Strip(line))
	}
	if r.marked {
		lines = append(lines, r.sheet.Ink(themes.Warning, r.sheet.Glyphs.Stopped+" Stopped"))
	}
	return lines
}

// withCaret marks where the text grows. lines is the stream's and is not changed.
func (r *reply) withCaret(lines []string, width int) []string {
	last := lines[len(lines)-1]
	if style.Width(last) >= width {
		return lines
	}
	lines = append([]string{}, lines...)
	lines[len(lines)-1] = last + r.sheet.Ink(themes.Accent, r.sheet.Glyphs.Caret)
	return lines
}

// Forget drops the layout of a finished reply.
func (r *reply) Forget() {
	if !r.open {
		r.stream = nil
	}
}

// restyle draws the reply with the kit's new renderer; an open one goes on from what it has.
func (r *reply) restyle() {
	if r.stream == nil {
		return
	}
	text := r.stream.Source()
	r.stream = nil
	if r.open {
		r.append(text)
	}
}
