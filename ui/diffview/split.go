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
	return Read(unified).all(s, width, true)
}

// pair is one row of two halves, as indexes of rows; -1 is an empty half. A hunk's head and a note have both the same.
type pair struct{ old, now int }

// sides puts what took the place of something beside it.
func sides(rows []row) (out []pair) {
	for i := 0; i < len(rows); {
		switch rows[i].kind {
		case hunk, note, context:
			out = append(out, pair{i, i})
			i++
		case deleted, added:
			dels, adds := run(rows, i)
			for k := range max(dels, adds) {
				p := pair{-1, -1}
				if k < dels {
					p.old = i + k
				}
				if k < adds {
					p.now = i + dels + k
				}
				out = append(out, p)
			}
			i += dels + adds
		}
	}
	return out
}

// drawPair draws both halves of one row.
func (d *Diff) drawPair(s style.Sheet, p pair, width int) string {
	if p.old >= 0 && (d.rows[p.old].kind == hunk || d.rows[p.old].kind == note) {
		return draw(s, d.rows[p.old], d.digits, width)
	}
	half := func(i, w int) string {
		if i < 0 {
			return ""
		}
		d.colour(i)
		return side(s, &d.rows[i], d.digits, w)
	}
	left := (width - 3) / 2
	return style.PadRight(half(p.old, left), left) + " " + s.Ink(themes.Border, s.Glyphs.VLine) + " " + half(p.now, width-3-left)
}

// side is one half of a row. Below narrow there is one column of numbers, so a half has its own.
func side(s style.Sheet, r *row, digits, width int) string {
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
