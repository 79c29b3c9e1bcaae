package chrome

import (
	"strings"
	"time"

	"talaria/themes"
	"talaria/ui/style"
	"talaria/ui/turn"
)

// cell is one fact of the status bar. Goes says when it makes room: 1 first, 0 never (UX 4.5).
type cell struct {
	text  string
	role  themes.Role
	goes  int
	name  string // of a cell of the left that ui.status may hide
	extra string // goes at goesMeter, before the rest of the cell does
}

func newCell(text string, role themes.Role, goes int) cell {
	return cell{text: text, role: role, goes: goes}
}

// A cell is as wide as what it usually holds, so that nothing beside it moves when a number changes (UX 4.5): minutes and
// seconds, an arrow and tokens below a million, and dollars below a hundred. A bigger number makes it wider once.
const (
	clockWidth  = len("59:59")
	tokensWidth = 7
	countWidth  = len("999.9k")
	costWidth   = len("$99.99")
)

// clock is a time that does not move what stands behind it.
func clock(d time.Duration) string { return style.PadRight(turn.Clock(d), clockWidth) }

// The order in which cells make room.
const (
	goesDetail = iota + 1 // what is also said above
	goesRate
	goesTokens
	goesMeter
	goesCost
	goesClock
)

func without(cells []cell, level int) []cell {
	var out []cell
	for _, c := range cells {
		if level == goesMeter {
			c.extra = ""
		}
		if c.goes != level {
			out = append(out, c)
		}
	}
	return out
}

func lineWidth(cells []cell, between string) int {
	n := 0
	for i, c := range cells {
		if i > 0 {
			n += style.Width(between)
		}
		n += style.Width(c.text + c.extra)
	}
	return n
}

func (b bar) paint(cells []cell, between string) string {
	var out []string
	for _, c := range cells {
		if c.role == themes.ModeDanger {
			out = append(out, b.s.Fg(c.role).Bold(true).Reverse(true).Render(c.text))
			continue
		}
		out = append(out, b.s.Ink(c.role, c.text+c.extra))
	}
	return strings.Join(out, between)
}
