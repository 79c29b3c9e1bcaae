package chrome

import (
	"talaria/engine"
	"talaria/themes"
	"talaria/ui/style"
)

// Title is the first row: what the session is called, and on the right the model and, where there is room, the directory
// as it is shown.
func Title(s style.Sheet, title string, r engine.Route, dir string, w int) string {
	right := ModelName(r)
	if r.Effort != "" && r.Model != "" {
		right += s.Words(" · ") + OneLine(r.Effort)
	}
	if w >= Wide {
		right += s.Words(" · ") + dir
	}
	right = s.Truncate(right, w*2/3)
	room := max(8, w-style.Width(right)-4)
	return s.Spread(" "+s.Fg(themes.Fg).Bold(true).Render(s.Truncate(OneLine(title), room)), s.Ink(themes.FgMuted, right)+" ", w)
}
