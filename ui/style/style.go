// Package style turns a theme into lipgloss styles and holds the glyphs. Everything that draws asks it by role; nothing
// else names a colour or a state sign.
package style

import (
	"image/color"

	"charm.land/lipgloss/v2"

	"talaria/themes"
)

// Sheet is a theme ready to draw with. It is immutable, and safe to share.
type Sheet struct {
	Theme  themes.Theme
	Glyphs Glyphs
}

// New returns the sheet of t with unicode or ASCII glyphs.
func New(t themes.Theme, ascii bool) Sheet {
	if ascii {
		return Sheet{t, asciiGlyphs}
	}
	return Sheet{t, unicodeGlyphs}
}

// Colour returns the colour of a role, or nil for the terminal's default.
func (s Sheet) Colour(r themes.Role) color.Color {
	if hex, ok := s.Theme.Roles[r]; ok {
		return lipgloss.Color(hex)
	}
	return nil
}

// Fg returns a style with the role's colour as foreground.
func (s Sheet) Fg(r themes.Role) lipgloss.Style {
	st := lipgloss.NewStyle()
	if c := s.Colour(r); c != nil {
		st = st.Foreground(c)
	}
	return st
}

// On returns a style with fg on bg. Without colours it is plain.
func (s Sheet) On(fg, bg themes.Role) lipgloss.Style {
	st := s.Fg(fg)
	if c := s.Colour(bg); c != nil {
		st = st.Background(c)
	}
	return st
}

// Glyphs are the signs of states and speakers (MOCKUPS, head).
type Glyphs struct {
	Running, Done, Failed, Todo, Waiting, Stopped, Warning, Thinking, You, Denied, Steer, Queue, Focus, Cut, More, Down, Current string
	Rule, VLine, Meter, MeterEmpty, Ellipsis, Dash, Minus                                                                        string
}

var unicodeGlyphs = Glyphs{
	Running: "◐", Done: "✓", Failed: "✗", Todo: "○", Waiting: "⏸", Stopped: "■", Warning: "▲", Thinking: "∴", You: "❯",
	Denied: "⊘", Steer: "↳", Queue: "⋯", Focus: "▸", Cut: "›", More: "▾", Down: "↓", Current: "★",
	Rule: "─", VLine: "│", Meter: "▓", MeterEmpty: "░", Ellipsis: "…", Dash: "–", Minus: "−",
}

var asciiGlyphs = Glyphs{
	Running: "*", Done: "+", Failed: "x", Todo: ".", Waiting: "=", Stopped: "#", Warning: "!", Thinking: "~", You: ">",
	Denied: "o", Steer: ">", Queue: ":", Focus: ">", Cut: ">", More: "v", Down: "v", Current: "*",
	Rule: "-", VLine: "|", Meter: "#", MeterEmpty: "-", Ellipsis: "~", Dash: "-", Minus: "-",
}
