package dialog

import (
	"talaria/themes"
	"talaria/ui/style"
)

// option is one row that can be chosen. Key is what chooses it at once; Mark stands at the right edge.
type option struct {
	key, label, mark string
	lines            []string // below the label, muted
}

// options lays rows out and returns, beside the lines, the line on which each begins.
func options(s style.Sheet, all []option, at, w int) (lines []string, starts []int) {
	for i, o := range all {
		starts = append(starts, len(lines))
		lines = append(lines, choiceRow(s, o, i == at, w))
		for _, l := range o.lines {
			lines = append(lines, "       "+s.Ink(themes.FgMuted, s.Truncate(l, w-7)))
		}
	}
	return lines, starts
}

// choiceRow is "▸ y  Allow once", the row in use on a bar of its own.
func choiceRow(s style.Sheet, o option, focus bool, w int) string {
	sign := " "
	if focus {
		sign = s.Glyphs.Focus
	}
	gap := "  "
	if w < Narrow-4 {
		gap = " "
	}
	room := w
	if o.mark != "" && w > style.Width(o.mark)+20 {
		room -= style.Width(o.mark) + 1
	} else {
		o.mark = ""
	}
	text := style.PadRight(s.Truncate(sign+" "+o.key+gap+o.label, room), w-style.Width(o.mark))
	if !focus {
		return text + s.Ink(themes.Success, o.mark)
	}
	return s.Paint(style.Look{Fg: themes.Fg, Bg: themes.RowSel, Bold: true}, text) +
		s.Paint(style.Look{Fg: themes.Success, Bg: themes.RowSel}, o.mark)
}

// shortRows puts choices side by side, as many to a row as fit, for windows without room for a row each. It returns
// where the one in use stands.
func shortRows(s style.Sheet, all []option, at, w int) (lines []string, row, col int) {
	line, used := "", 0
	for i, o := range all {
		text := "  " + o.key + " " + o.label
		if i == at {
			text = s.Glyphs.Focus + " " + o.key + " " + o.label
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

// move steps through n rows and stops at the ends.
func move(at, by, n int) int { return max(0, min(at+by, n-1)) }
