package chrome

import (
	"strings"

	"talaria/themes"
	"talaria/ui/dialog"
	"talaria/ui/style"
)

// Pair is the second key of a pair and what it does. Off says that it cannot be done now.
type Pair struct {
	Key, Name string
	Off       bool
}

// pairCell is how wide a second key and its name are.
const pairCell = 24

// Leader is the box of the second keys after lead (frame 17), in the middle of w cells and at most h rows high; nothing when there is no
// room.
func Leader(s style.Sheet, lead string, keys []Pair, w, h int) []string {
	if h < 3 || w <= 0 {
		return nil
	}
	f := dialog.Frame{Sheet: s, Title: lead, Max: dialog.Widest, Hints: []string{"Esc cancel"}}
	inner, cell := f.Inner(w), pairCell
	if w < Narrow {
		cell = max(3, inner/2)
	}
	columns := max(1, inner/cell)
	lines := make([]string, (len(keys)+columns-1)/columns)
	for i, k := range keys {
		role := themes.Fg
		if k.Off {
			role = themes.FgMuted
		}
		text := s.Ink(themes.Accent, k.Key) + " " + s.Ink(role, k.Name)
		lines[i%len(lines)] += style.PadRight(s.Truncate(text, cell-2), cell)
	}
	text, _ := f.Draw(w, h, dialog.Page{Body: lines, More: s.Words("… #"), Row: -1})
	box := strings.Split(text, "\n")
	return Indented(box, (w-style.Width(box[0]))/2)
}

// Indented puts x blanks before each line.
func Indented(box []string, x int) []string {
	out := make([]string, len(box))
	for i, l := range box {
		out[i] = style.Blank(x) + l
	}
	return out
}
