// Package diffview draws a unified diff as lines of styled text: line numbers, a sign that does not hang on colour, and
// the text, one row a line. It refuses control sequences, wraps nothing, and never computes a diff itself.
package diffview

import (
	"fmt"
	"path"
	"strings"

	"talaria/themes"
	"talaria/ui/style"
)

// narrow is the width below which one column of line numbers has to do (UX 4.0).
const narrow = 60

// Lines draws unified at most width cells wide. Long lines are cut with an ellipsis, tabs become blanks. An empty diff
// gives no lines.
func Lines(s style.Sheet, unified string, width int) []string {
	return Read(unified).all(s, width, false)
}

func draw(s style.Sheet, r row, digits, width int) string {
	switch r.kind {
	case hunk:
		head := fmt.Sprintf("@@ %s  %d%s%d @@", path.Base(r.text), r.old, s.Glyphs.Dash, r.now)
		if r.text == "" {
			head = fmt.Sprintf("@@ %d%s%d @@", r.old, s.Glyphs.Dash, r.now)
		}
		return s.Ink(themes.FgMuted, s.Truncate(head, width))
	case note:
		return s.Ink(themes.FgMuted, s.Truncate(r.text, width))
	case added:
		return line(s, r, gutter(r, digits, width), "+", width)
	case deleted:
		return line(s, r, gutter(r, digits, width), s.Glyphs.Minus, width)
	case context:
	}
	return line(s, r, gutter(r, digits, width), " ", width)
}

// gutter is the line numbers with a blank after them; nothing when the text would have no room left.
func gutter(r row, digits, width int) string {
	show := func(n int) string {
		if n == 0 {
			return style.Blank(digits)
		}
		return fmt.Sprintf("%*d", digits, n)
	}
	switch {
	case width < 4*digits:
		return ""
	case width < narrow:
		if r.kind == deleted {
			return show(r.old) + " "
		}
		return show(r.now) + " "
	}
	return show(r.old) + " " + show(r.now) + " "
}

// line draws numbers, sign and text. The background of a change reaches to the edge, so that it reads as a block.
func line(s style.Sheet, r row, numbers, sign string, width int) string {
	numbers = s.Truncate(numbers, width)
	room := width - style.Width(numbers)
	text := s.Truncate(sign+" "+style.Untab(r.text), room)
	look := style.Look{Fg: themes.FgMuted}
	switch r.kind {
	case added:
		look = style.Look{Fg: themes.DiffAdd, Bg: themes.DiffAddBg}
	case deleted:
		look = style.Look{Fg: themes.DiffDel, Bg: themes.DiffDelBg}
	case context, hunk, note:
	}
	bare := text // before it is padded: what the spans are laid over
	if look.Bg != "" && s.Colour(look.Bg) != nil {
		text = style.PadRight(text, room)
	} else {
		text = strings.TrimRight(text, " ")
	}
	if text == "" {
		numbers = strings.TrimRight(numbers, " ")
	}
	out := s.Ink(themes.FgFaint, numbers)
	if look.Bg != "" && s.Colour(look.Bg) == nil {
		return out + s.Paint(look, text) // the sign says enough where nothing can be coloured
	}
	for _, sp := range r.spans(s, text, len(sign)+1, common(bare, sign+" "+style.Untab(r.text)), look) {
		out += s.Paint(sp.Look, sp.Text)
	}
	return out
}
