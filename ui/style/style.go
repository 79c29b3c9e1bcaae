// Package style turns a theme into lipgloss styles and holds the glyphs. Everything that draws asks it by role; nothing
// else names a colour or a state sign.
package style

import (
	"image/color"
	"strings"

	"charm.land/lipgloss/v2"

	"talaria/themes"
)

// Sheet is a theme ready to draw with. It is immutable, and safe to share.
type Sheet struct {
	Theme  themes.Theme
	Glyphs Glyphs
	pens   *pens
}

// New returns the sheet of t with unicode or ASCII glyphs.
func New(t themes.Theme, ascii bool) Sheet {
	if ascii {
		return Sheet{t, asciiGlyphs, &pens{}}
	}
	return Sheet{t, unicodeGlyphs, &pens{}}
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

// Glyphs are the signs of the screen (MOCKUPS, head), each with an ASCII form.
type Glyphs struct {
	States
	Voices
	Marks
	Strokes
}

// States are the signs of what a thing is doing or came to.
type States struct{ Running, Done, Failed, Todo, Waiting, Stopped, Warning, Denied string }

// Voices say who speaks, and Caret where text grows.
type Voices struct{ Thinking, You, Steer, Queue, Caret string }

// Marks point at things and stand for what is left out.
type Marks struct{ Focus, Cut, More, Down, Current, Bullet, Ellipsis, Dash, Minus string }

// Strokes are what lines and bars are made of.
type Strokes struct{ Rule, VLine, Cross, Meter, MeterEmpty string }

var unicodeGlyphs = Glyphs{
	States{Running: "◐", Done: "✓", Failed: "✗", Todo: "○", Waiting: "⏸", Stopped: "■", Warning: "▲", Denied: "⊘"},
	Voices{Thinking: "∴", You: "❯", Steer: "↳", Queue: "⋯", Caret: "▍"},
	Marks{Focus: "▸", Cut: "›", More: "▾", Down: "↓", Current: "★", Bullet: "•", Ellipsis: "…", Dash: "–", Minus: "−"},
	Strokes{Rule: "─", VLine: "│", Cross: "┼", Meter: "▓", MeterEmpty: "░"},
}

var asciiGlyphs = Glyphs{
	States{Running: "*", Done: "+", Failed: "x", Todo: ".", Waiting: "=", Stopped: "#", Warning: "!", Denied: "o"},
	Voices{Thinking: "~", You: ">", Steer: ">", Queue: ":", Caret: "_"},
	Marks{Focus: ">", Cut: ">", More: "v", Down: "v", Current: "*", Bullet: "-", Ellipsis: "~", Dash: "-", Minus: "-"},
	Strokes{Rule: "-", VLine: "|", Cross: "+", Meter: "#", MeterEmpty: "-"},
}

var asciiWords = strings.NewReplacer("·", "|", "…", "~", "–", "-", "−", "-", "→", "->", "↑", "^", "↓", "v", "“", `"`, "”", `"`, "’", "'", "●", "*")

// Words are the program's own words as the sheet can show them: without typographic signs when its glyphs are ASCII.
// It is for fixed text; what others wrote stays as it is.
func (s Sheet) Words(text string) string {
	if s.Glyphs == asciiGlyphs {
		return asciiWords.Replace(text)
	}
	return text
}
