package themes

import (
	"math"
	"slices"
)

// lineFloor is the lowest contrast of lines and decoration (UX 4.6).
const lineFloor = 3.0

// Roles returns every role a theme may give a colour, in the order of UX 4.6.
func Roles() []Role { return slices.Clone(roles) }

// Pair is a foreground on a background and what a theme makes of it. Ratio and Floor are contrasts to 1.
type Pair struct {
	Fg, Bg       Role
	Ratio, Floor float64
}

// OK reports whether the pair can be read.
func (p Pair) OK() bool { return p.Ratio >= p.Floor }

// Pairs measures every pair of roles that UX 4.6 demands of t. A theme without colours has none, nor has that of the
// terminal's own colours; where a palette leaves a role to the terminal, that cannot be measured either.
func (t Theme) Pairs() []Pair {
	var all []Pair
	add := func(fg, bg Role, floor float64) {
		if ratio := Contrast(t.Roles[fg], t.Roles[bg]); ratio > 0 {
			all = append(all, Pair{fg, bg, ratio, floor})
		}
	}
	for _, bg := range surfaces {
		for _, fg := range textRoles {
			add(fg, bg, t.MinContrast)
		}
	}
	for _, p := range ownPairs {
		add(p[0], p[1], t.MinContrast)
	}
	for _, r := range lineRoles {
		add(r, Bg, lineFloor)
	}
	return all
}

// Contrast is the WCAG 2 contrast ratio of two "#rrggbb" colours, from 1 (the same) to 21 (black on white).
// It is 0 when one of them is not such a colour.
func Contrast(a, b string) float64 {
	x, ok1 := luminance(a)
	y, ok2 := luminance(b)
	if !ok1 || !ok2 {
		return 0
	}
	return ratio(x, y)
}

// ratio is the contrast of two luminances.
func ratio(x, y float64) float64 { return (max(x, y) + 0.05) / (min(x, y) + 0.05) }

// luminance is the relative luminance of WCAG 2, 0 to 1.
func luminance(hex string) (float64, bool) {
	r, g, b, ok := split(hex)
	linear := func(c float64) float64 {
		c /= 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b), ok
}
