package themes

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"sync"
)

// Colours of a terminal, as many as it can show.
const (
	TrueColours = 1 << 24
	Indexed     = 256
	Few         = 16
	Two         = 2
)

// In is t as a terminal of that many colours can show it. In 256 each colour is the nearest of the palette, and text that
// could be read before and could not be after the change is moved on until it can; with 16 the palette means
// nothing, and the terminal's own colours are used; where there are none, none.
func (t Theme) In(colours int) Theme {
	switch {
	case colours == Two && t.Kind != None:
		none, _ := Load("mono")
		return none
	case t.Kind == None || t.Kind == Own || colours >= TrueColours || colours <= 0:
		return t
	case colours < Indexed:
		own, _ := Load("terminal")
		return own
	}
	was := t
	t.Roles = maps.Clone(t.Roles)
	for r, c := range t.Roles {
		if hexColour.MatchString(c) {
			t.Roles[r] = closest(c, palette())
		}
	}
	for _, bg := range []Role{DiffAddBg, DiffDelBg} { // the palette has few dark colours, and a grey says neither added nor deleted
		if c := was.Roles[bg]; hexColour.MatchString(c) {
			alike := slices.DeleteFunc(slices.Clone(palette()), func(p string) bool { return leads(p) != leads(c) })
			t.Roles[bg] = closest(c, alike)
		}
	}
	// A foreground moves first; where none can be read on it, the background that is its own does.
	for _, p := range append(t.Pairs(), t.Pairs()...) {
		if t.reads(p.Fg) || !was.reads(p.Fg) {
			continue
		}
		if c, ok := t.Passing(p.Fg, palette()); ok {
			t.Roles[p.Fg] = c
		} else if c, ok := t.Passing(p.Bg, palette()); ok {
			t.Roles[p.Bg] = c
		}
	}
	return t
}

// reads reports whether every pair that a role is part of reaches its floor.
func (t Theme) reads(r Role) bool {
	for _, p := range t.Pairs() {
		if (p.Fg == r || p.Bg == r) && !p.OK() {
			return false
		}
	}
	return true
}

// Passing is the colour nearest to that of a role with which it can be read wherever it stands, taken from among; nil
// among are the shades between it, black and white. It is false when there is none.
func (t Theme) Passing(r Role, among []string) (string, bool) {
	if among == nil {
		among = shades(t.Roles[r])
	}
	type floor struct{ light, ratio float64 }
	var floors []floor
	for _, p := range t.Pairs() {
		other := p.Bg
		if p.Bg == r {
			other = p.Fg
		}
		if p.Fg == r || p.Bg == r {
			light, _ := luminance(t.Roles[other])
			floors = append(floors, floor{light, p.Floor})
		}
	}
	best, least := "", math.MaxFloat64
	for _, c := range among {
		d := apart(c, t.Roles[r])
		light, _ := luminance(c)
		if d < least && !slices.ContainsFunc(floors, func(f floor) bool { return ratio(light, f.light) < f.ratio }) {
			best, least = c, d
		}
	}
	return best, best != ""
}

// shades are the steps from a colour to black and to white.
func shades(hex string) []string {
	r, g, b, ok := split(hex)
	if !ok {
		return nil
	}
	var out []string
	for _, end := range []float64{0, 255} {
		for step := 0.0; step <= 1; step += 0.02 {
			mix := func(c float64) int { return int(math.Round(c + (end-c)*step)) }
			out = append(out, fmt.Sprintf("#%02x%02x%02x", mix(r), mix(g), mix(b)))
		}
	}
	return out
}

// palette are the colours 16 to 255 of a terminal of 256: a cube of 6 steps and 24 greys. The 16 before are the user's.
var palette = sync.OnceValue(func() []string {
	steps := []int{0, 95, 135, 175, 215, 255}
	out := make([]string, 0, 240)
	for i := range 216 {
		out = append(out, fmt.Sprintf("#%02x%02x%02x", steps[i/36], steps[i/6%6], steps[i%6]))
	}
	for i := range 24 {
		out = append(out, fmt.Sprintf("#%02x%02x%02x", 8+10*i, 8+10*i, 8+10*i))
	}
	return out
})

// leads is the part of a colour that is stronger than the other two: 0, 1, 2 for red, green, blue; -1 when none is.
func leads(hex string) int {
	r, g, b, _ := split(hex)
	switch {
	case r > g && r > b:
		return 0
	case g > r && g > b:
		return 1
	case b > r && b > g:
		return 2
	}
	return -1
}

// closest is the colour of all that is nearest to hex.
func closest(hex string, all []string) string {
	return slices.MinFunc(all, func(a, b string) int { return cmp.Compare(apart(hex, a), apart(hex, b)) })
}

// apart is how far two colours are, with green and red weighed as the eye does.
func apart(a, b string) float64 {
	r1, g1, b1, _ := split(a)
	r2, g2, b2, _ := split(b)
	return 0.3*(r1-r2)*(r1-r2) + 0.59*(g1-g2)*(g1-g2) + 0.11*(b1-b2)*(b1-b2)
}

// split are the parts of "#rrggbb", 0 to 255.
func split(hex string) (r, g, b float64, ok bool) {
	if len(hex) != 7 || hex[0] != '#' {
		return 0, 0, 0, false
	}
	v, err := strconv.ParseUint(hex[1:], 16, 32)
	return float64(v >> 16), float64(v >> 8 & 0xff), float64(v & 0xff), err == nil
}
