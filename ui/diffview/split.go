package diffview

import (
	"strconv"

	"talaria/themes"
	"talaria/ui/style"
)

// SplitWidth is the width from which a diff can stand side by side (UX 4.0).
const SplitWidth = 104

// Split draws unified side by side, what was on the left and what is now on the right; as Lines does where it is narrow.
func Split(s style.Sheet, unified string, width int) []string {
	if width < SplitWidth {
		return Lines(s, unified, width)
	}
	rows := parse(unified)
	mark(rows)
	digits := 1
	for _, r := range rows {
		digits = max(digits, len(strconv.Itoa(max(r.old, r.now))))
	}
	left := (width - 3) / 2
	bar := " " + s.Ink(themes.Border, s.Glyphs.VLine) + " "
	var out []string
	join := func(old, now *row) {
		a, b := side(s, old, digits, left), side(s, now, digits, width-3-left)
		out = append(out, style.PadRight(a, left)+bar+b)
	}
	for i := 0; i < len(rows); {
		r := rows[i]
		switch r.kind {
		case hunk, note:
			out = append(out, draw(s, r, digits, width))
			i++
		case context:
			join(&rows[i], &rows[i])
			i++
		case deleted, added:
			dels, adds := run(rows, i)
			for k := range max(dels, adds) {
				var old, now *row
				if k < dels {
					old = &rows[i+k]
				}
				if k < adds {
					now = &rows[i+dels+k]
				}
				join(old, now)
			}
			i += dels + adds
		}
	}
	return out
}

// side is one half of a row; a nil one is empty. Below narrow there is one column of numbers, so a half has its own.
func side(s style.Sheet, r *row, digits, width int) string {
	if r == nil {
		return ""
	}
	n := r.now
	sign := " "
	switch r.kind {
	case deleted:
		n, sign = r.old, s.Glyphs.Minus
	case added:
		sign = "+"
	case context, hunk, note:
	}
	number := strconv.Itoa(n)
	return line(s, *r, style.Blank(digits-len(number))+number+" ", sign, width)
}
