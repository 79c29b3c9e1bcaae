package chrome

import (
	"slices"
	"strings"

	"talaria/themes"
	"talaria/ui/style"
)

// Cells are the names that ui.status takes, in the order the bar has without it. State, mode, context and key are always
// there; what the list leaves out of the others is not shown.
var Cells = []string{"state", "clock", "tokens", "rate", "mode", "agents", "background", "context", "cost", "key"}

// always are the cells of the right that no setting hides (UX 4.5).
var always = []string{"mode", "context", "key"}

// shown are the cells of the left that ui.status leaves.
func (b bar) shown(cells []cell) []cell {
	if len(b.Show) == 0 {
		return cells
	}
	return slices.DeleteFunc(cells, func(c cell) bool {
		name := c.name
		switch c.goes {
		case goesRate:
			name = "rate"
		case goesTokens:
			name = "tokens"
		}
		return name != "" && !slices.Contains(b.Show, name)
	})
}

// rightCells are the cells of the right in their order, as they fit the width.
func (b bar) rightCells() []cell {
	order := b.Show
	if len(order) == 0 {
		order = Cells
	}
	for _, name := range always {
		if !slices.Contains(order, name) {
			order = append(slices.Clone(order), name)
		}
	}
	var out []cell
	for _, name := range order {
		if c, ok := b.rightCell(name); ok {
			out = append(out, c)
		}
	}
	return out
}

// rightCell is the cell of a name; ok is false for one that stands on the left, or has nothing to say.
func (b bar) rightCell(name string) (_ cell, ok bool) {
	wide := b.w >= Narrow
	switch name {
	case "mode":
		return b.modeCell(), true
	case "agents":
		return newCell(style.PadRight(Plural(b.Beside.Agents, "agent", "agents"), len("2 agents")), themes.Accent, goesTokens), wide && b.Beside.Agents > 0
	case "background":
		return newCell(Plural(b.Beside.Commands, "bg", "bg"), themes.Accent, goesTokens), wide && b.Beside.Commands > 0
	case "context":
		return b.contextCell(), true
	case "cost":
		return newCell(b.costCell(), themes.FgMuted, goesCost), wide && b.Key != ""
	case "key":
		key := newCell(b.Key, themes.FgMuted, 0)
		if !wide {
			key.text, _, _ = strings.Cut(key.text, " ")
		}
		return key, b.Key != ""
	}
	return cell{}, false
}

func (b bar) modeCell() cell {
	switch b.Mode {
	case "auto":
		return newCell("AUTO", themes.ModeDanger, 0)
	case "plan":
		return newCell(b.Mode, themes.ModePlan, 0)
	}
	return newCell(b.Mode, themes.FgMuted, 0)
}

func (b bar) contextCell() cell {
	sign, number := b.contextNumber()
	c := newCell(number, themes.FgMuted, 0)
	if b.crowded() {
		c.role = themes.Warning
	}
	switch {
	case b.w >= Narrow:
		c.text = "ctx" + sign + number
	case b.crowded(): // the sign has the place of the percent's
		c.text = sign + strings.TrimSuffix(number, "%")
	}
	if b.w >= Wide && b.Window > 0 && b.Key != "" {
		c.extra = " " + b.s.Meter(float64(b.Context)/float64(b.Window), 10)
	}
	return c
}
