package dialog

import (
	"talaria/themes"
	"talaria/ui/style"
)

// Option is one row that can be chosen. Key is what chooses it at once; Mark stands at the right edge.
type Option struct {
	Key, Label, Mark string
	Lines            []string // below the label, muted
}

// Options lays rows out and returns, beside the lines, the line on which each begins.
func Options(s style.Sheet, all []Option, at, w int) (lines []string, starts []int) {
	for i, o := range all {
		starts = append(starts, len(lines))
		lines = append(lines, choiceRow(s, o, i == at, w))
		for _, l := range o.Lines {
			lines = append(lines, "       "+s.Ink(themes.FgMuted, s.Truncate(l, w-7)))
		}
	}
	return lines, starts
}

// choiceRow is "▸ y  Allow once", the row in use on a bar of its own.
func choiceRow(s style.Sheet, o Option, focus bool, w int) string {
	sign := " "
	if focus {
		sign = s.Glyphs.Focus
	}
	gap := "  "
	if w < Narrow-4 {
		gap = " "
	}
	room := w
	if o.Mark != "" && w > style.Width(o.Mark)+20 {
		room -= style.Width(o.Mark) + 1
	} else {
		o.Mark = ""
	}
	text := style.PadRight(s.Truncate(sign+" "+o.Key+gap+o.Label, room), w-style.Width(o.Mark))
	if !focus {
		return text + s.Ink(themes.Success, o.Mark)
	}
	return s.Paint(style.Look{Fg: themes.Fg, Bg: themes.RowSel, Bold: true}, text) +
		s.Paint(style.Look{Fg: themes.Success, Bg: themes.RowSel}, o.Mark)
}

// ShortRows puts choices side by side, as many to a row as fit, for windows without room for a row each. It returns
// where the one in use stands.
func ShortRows(s style.Sheet, all []Option, at, w int) (lines []string, row, col int) {
	line, used := "", 0
	for i, o := range all {
		text := "  " + o.Key + " " + o.Label
		if i == at {
			text = s.Glyphs.Focus + " " + o.Key + " " + o.Label
		}
		text = s.Truncate(text, w)
		if n := style.Width(text); used > 0 && used+2+n > w {
			lines, line, used = append(lines, line), "", 0
		} else if used > 0 {
			line, used = line+"  ", used+2
		}
		if i == at {
			row, col = len(lines), used
			line += s.Paint(style.Look{Fg: themes.Fg, Bg: themes.RowSel, Bold: true}, text)
		} else {
			line += text
		}
		used += style.Width(text)
	}
	return append(lines, line), row, col
}

// Step steps through n rows and stops at the ends.
func Step(at, by, n int) int { return max(0, min(at+by, n-1)) }
