package style

import (
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"

	"talaria/themes"
)

// Look is how a run of text is drawn. An empty role is the terminal's default.
type Look struct {
	Fg, Bg                          themes.Role
	Bold, Italic, Strike, Underline bool
}

// pens keeps the SGR of each look, since the same few are asked for a million times.
type pens struct{ m sync.Map }

// Pen is the SGR that begins l, "" when nothing distinguishes it from plain text.
func (s Sheet) Pen(l Look) string {
	if s.pens != nil {
		if p, ok := s.pens.m.Load(l); ok {
			return p.(string)
		}
	}
	var st ansi.Style
	if c := s.Colour(l.Fg); c != nil {
		st = st.ForegroundColor(c)
	}
	if c := s.Colour(l.Bg); c != nil {
		st = st.BackgroundColor(c)
	}
	if l.Bold {
		st = st.Bold()
	}
	if l.Italic {
		st = st.Italic(true)
	}
	if l.Underline {
		st = st.Underline(true)
	}
	if l.Strike {
		st = st.Strikethrough(true)
	}
	pen := ""
	if len(st) > 0 {
		pen = st.String()
	}
	if s.pens != nil {
		s.pens.m.Store(l, pen)
	}
	return pen
}

// Paint draws one line of text in l and returns to the default after it.
func (s Sheet) Paint(l Look, text string) string {
	pen := s.Pen(l)
	if pen == "" || text == "" {
		return text
	}
	return pen + text + ansi.ResetStyle
}

// Ink draws text in the colour of a role.
func (s Sheet) Ink(r themes.Role, text string) string { return s.Paint(Look{Fg: r}, text) }

// Meter is a bar of w cells of which the share part (0 to 1) is full.
func (s Sheet) Meter(part float64, w int) string {
	w = max(0, w)
	full := min(w, max(0, int(part*float64(w)+0.5)))
	return strings.Repeat(s.Glyphs.Meter, full) + strings.Repeat(s.Glyphs.MeterEmpty, w-full)
}
