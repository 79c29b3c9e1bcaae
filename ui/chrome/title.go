package chrome

import (
	"talaria/engine"
	"talaria/themes"
	"talaria/ui/style"
)

// Where is a directory as it is shown, and the branch of its repository; "" is none, or not known yet.
type Where struct{ Dir, Branch string }

// Title is the first row: what the session is called, and on the right the model, the branch and, where there is room,
// the directory.
func Title(s style.Sheet, title string, r engine.Route, at Where, w int) string {
	right := ModelName(r)
	if r.Effort != "" && r.Model != "" {
		right += s.Words(" · ") + OneLine(r.Effort)
	}
	name := s.Truncate(OneLine(at.Branch), longestBranch)
	switch {
	case w >= Wide:
		right += s.Words(" · ") + at.Dir
		if name != "" {
			right += "  " + name
		}
	case name != "":
		right += s.Words(" · ") + name
	}
	right = s.Truncate(right, w*2/3)
	room := max(8, w-style.Width(right)-4)
	return s.Spread(" "+s.Fg(themes.Fg).Bold(true).Render(s.Truncate(OneLine(title), room)), s.Ink(themes.FgMuted, right)+" ", w)
}

// longestBranch is how much of a branch's name is shown, in cells.
const longestBranch = 24
