package chrome

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/layout"
	"talaria/ui/style"
	"talaria/ui/turn"
)

// Narrow is the width below which words are short and separators blanks (UX 4.0).
const Narrow = layout.Narrow

// Wide is the width from which the bar has room for a meter and the tokens of the turn.
const Wide = layout.Wide

// Money is what the session cost and what a turn may cost, in US dollars: nil for a price that is not known, 0 for no cap.
type Money struct {
	Cost   *float64
	Budget float64
}

// Facts is what the bar says. Show names the cells in their order (ui.status), none for the usual ones. Hint, when set, stands in place of the state; Key is the one key that matters now, "" for
// none. Context is the size of the last request and Window the
// model's limit, in tokens, 0 when unknown. Cost is in US dollars, nil when the price is not known.
type Facts struct {
	Turn      *turn.Turn
	Now       time.Time
	Hint, Key string
	Setup     bool // no model is connected, and the screen that connects one is open
	Clarify   bool // the question that is open is the model's own
	Mode      string
	Editing   string // INSERT or NORMAL of the prompt, "" without vim's modes
	Route     engine.Route
	Context   int
	Window    int
	Money
	Beside     Beside
	Show       []string
	Compacting *Compaction // nil when none runs
}

// Beside is what works beside the turn: agents, and commands in the background; 0 when the panel says so.
type Beside struct{ Agents, Commands int }

// bar draws Facts in w cells.
type bar struct {
	Facts
	s style.Sheet
	w int
}

// Status is the last line: on the left what happens, on the right mode, context, cost and the one key that matters now
// (UX 4.5). State, mode, context and key are never dropped; the state is cut when even they do not fit.
func Status(s style.Sheet, f Facts, w int) string { return bar{f, s, w}.row() }

func (b bar) row() string {
	left, right := append(b.editing(), b.shown(b.leftCells())...), b.rightCells()
	dot, bar := b.s.Words(" · "), " "+b.s.Glyphs.VLine+" "
	if b.w < Narrow {
		bar = " "
	}
	for level := goesDetail; level <= goesClock && lineWidth(left, dot)+lineWidth(right, bar)+4 > b.w; level++ {
		left, right = without(left, level), without(right, level)
	}
	r := b.paint(right, b.s.Ink(themes.FgFaint, bar)) + " "
	room := max(0, b.w-style.Width(r)-2)
	l := b.s.Truncate(b.paint(left, b.s.Ink(themes.FgMuted, dot)), room)
	return b.s.Truncate(" "+l+style.Blank(b.w-1-style.Width(l)-style.Width(r))+r, b.w)
}

// leftCells are the state and live facts, most important first.
func (b bar) leftCells() []cell {
	if b.Hint != "" {
		return []cell{newCell(b.s.Words(b.Hint), themes.Warning, 0)}
	}
	if b.Compacting != nil {
		return b.Compacting.cells(b)
	}
	t, g, role := b.Turn, b.s.Glyphs, b.stateRole()
	switch t.State {
	case turn.Ready:
		if b.Setup {
			return []cell{newCell("Setup", themes.Accent, 0)}
		}
		return []cell{newCell("Ready", role, 0)}
	case turn.Sending:
		return b.sendingCells()
	case turn.Thinking, turn.Writing:
		return b.flowCells()
	case turn.Tools:
		return []cell{newCell(b.toolsCell(), role, 0), b.clockCell()}
	case turn.NeedsYou:
		if b.w < Narrow {
			return []cell{newCell(b.needsCell(), role, 0)}
		}
		return []cell{newCell(b.needsCell(), role, 0), newCell("waiting "+clock(b.Now.Sub(t.Asked)), role, goesClock), newCell("clock stopped", themes.FgMuted, goesDetail)}
	case turn.Stopping:
		return []cell{newCell(b.s.Words(b.stoppingCell()), role, 0)}
	case turn.Retrying:
		if t.Retry.Offline {
			return []cell{newCell(g.Warning+" Offline", role, 0), newCell("will resume by itself", role, goesDetail)}
		}
		return b.retryCells()
	case turn.Stopped:
		if t.Limit != "" {
			return []cell{newCell(g.Stopped+" "+t.Limit+" reached", themes.Warning, 0), newCell("Enter goes on", role, goesDetail)}
		}
		cells := []cell{newCell(g.Stopped+" Stopped", role, 0)}
		if took := t.Elapsed(b.Now); b.w >= Narrow && took == 0 {
			cells = append(cells, newCell("the last turn was cut off", role, goesDetail))
		} else if b.w >= Narrow {
			cells = append(cells, newCell("after "+turn.Clock(took), role, goesClock))
			if t.Partial != "" {
				cells = append(cells, newCell("partial answer kept", role, goesDetail))
			}
		}
		return cells
	case turn.Failed:
		return []cell{newCell(g.Failed+" Failed", role, 0), newCell("the reason is above", themes.FgMuted, goesDetail)}
	}
	return nil
}

// editing is the mode of the prompt's editor, which is never dropped: it says what a letter does.
func (b bar) editing() []cell {
	switch {
	case b.Editing == "" || b.Hint != "":
		return nil
	case b.w < Narrow:
		return []cell{newCell(b.Editing[:3], themes.Accent, 0)}
	}
	return []cell{newCell(b.Editing, themes.Accent, 0)}
}

func (b bar) clockCell() cell {
	c := newCell(clock(b.Turn.Elapsed(b.Now)), themes.FgMuted, goesClock)
	c.name = "clock"
	return c
}

// slowStart is how many seconds without a first token are worth a word (UX 4.4).
const slowStart = 10

func (b bar) sendingCells() []cell {
	sign, time := b.s.Glyphs.Running, b.clockCell()
	if b.w < Narrow {
		return []cell{newCell(sign+" "+strings.TrimRight(time.text, " "), themes.Accent, 0)}
	}
	cells := []cell{newCell(sign+" Waiting for "+b.modelName(), themes.Accent, 0), time}
	if b.Turn.Elapsed(b.Now).Seconds() >= slowStart {
		cells = append(cells, newCell("slow first token", themes.FgMuted, goesDetail))
	}
	return cells
}

func (b bar) flowCells() []cell {
	verb, sign, time := "Writing", b.s.Glyphs.Running, b.clockCell()
	if b.Turn.State == turn.Thinking {
		verb = "Thinking"
	}
	if b.w < Narrow {
		return []cell{newCell(sign+" "+strings.TrimRight(time.text, " "), themes.Accent, 0)}
	}
	cells := []cell{newCell(sign+" "+verb, themes.Accent, 0), time}
	if u := b.Turn.Usage; u.Input+u.Output > 0 && b.w >= Wide {
		cells = append(cells, newCell(b.s.Words(style.PadRight("↑"+turn.Count(u.Input), tokensWidth)+" "+style.PadRight("↓"+turn.Count(u.Output), tokensWidth)), themes.FgMuted, goesTokens))
	}
	if b.Turn.Rate() > 0 {
		cells = append(cells, newCell(fmt.Sprintf("%3.0f tok/s", b.Turn.Rate()), themes.FgMuted, goesRate))
	}
	return cells
}

func (b bar) retryCells() []cell {
	g, r := b.s.Glyphs, b.Turn.Retry
	wait := r.Until.Sub(b.Now)
	wait += (time.Second - wait%time.Second) % time.Second // a countdown ends at 0:01, not a second early
	try := newCell(fmt.Sprintf("attempt %d of %d", r.Try, r.Of), themes.FgMuted, goesDetail)
	switch {
	case wait <= 0:
		return append(b.sendingCells(), try)
	case b.w < Narrow:
		return []cell{newCell(g.Warning+" Retry in "+turn.Clock(wait), themes.Warning, 0)}
	}
	return []cell{newCell(g.Warning+" Retrying in "+clock(wait), themes.Warning, 0), newCell(strings.ReplaceAll(r.Reason, "_", " "), themes.Warning, goesClock),
		try, newCell("Enter: now", themes.FgMuted, goesCost)}
}

func (b bar) toolsCell() string {
	g := b.s.Glyphs.Running
	if n := len(b.Turn.Tools); n > 1 {
		if b.w < Narrow {
			return fmt.Sprintf("%s %d tools", g, n)
		}
		return fmt.Sprintf("%s Running %d tools", g, n)
	}
	r, _ := b.Turn.Slowest()
	name := b.s.Truncate(action(r.Line), max(16, b.w/3-2)) // a long command leaves room for its clock
	if b.w < Narrow {
		return g + " " + name
	}
	return g + " Running " + name
}

// action is the line of a tool as the status bar says it: a command without its prompt sign.
func action(line string) string { return OneLine(strings.TrimPrefix(line, "$ ")) }

// stoppingCell says what the stop waits for, and what the next press would do.
func (b bar) stoppingCell() string {
	r, ok := b.Turn.Slowest()
	name := b.s.Truncate(action(r.Line), max(8, b.w-72))
	if n := len(b.Turn.Tools); n > 1 {
		name = fmt.Sprintf("%d tools", n)
	}
	switch {
	case !ok || b.Turn.Hard && b.w < Narrow:
		return "Stopping"
	case b.Turn.Hard:
		return "Stopping " + name + " now"
	case b.w < Narrow:
		return "Stopping · Esc: now"
	}
	return "Stopping after " + name + ". Esc again: now"
}

func (b bar) needsCell() string {
	if b.Clarify {
		return b.s.Glyphs.Waiting + " Question"
	}
	return b.s.Glyphs.Waiting + " Needs you"
}

func (b bar) stateRole() themes.Role {
	switch b.Turn.State {
	case turn.NeedsYou, turn.Stopping, turn.Retrying:
		return themes.Warning
	case turn.Failed:
		return themes.Error
	case turn.Thinking, turn.Writing, turn.Sending, turn.Tools:
		return themes.Accent
	case turn.Ready, turn.Stopped:
	}
	return themes.FgMuted
}

// crowdedAt is the share of the window from which the context cell warns (UX 4.5).
const crowdedAt = 0.8

func (b bar) crowded() bool {
	return b.Window > 0 && float64(b.Context) >= crowdedAt*float64(b.Window)
}

// contextNumber is the share of the window in three cells. Sign stands before it, where there would be a blank: the number
// stays where it is when the warning comes.
func (b bar) contextNumber() (sign, number string) {
	sign = " "
	if b.crowded() {
		sign = b.s.Glyphs.Warning
	}
	if b.Window == 0 && b.Context > 0 {
		return sign, style.PadLeft(turn.Count(b.Context), countWidth)
	}
	part := 0
	if b.Window > 0 {
		part = 100 * b.Context / b.Window
	}
	if part > 99 {
		return sign, fmt.Sprint(part)
	}
	return sign, fmt.Sprintf("%2d%%", part)
}

func (b bar) costCell() string {
	if b.Context == 0 {
		return style.PadLeft(b.s.Glyphs.Dash, costWidth)
	}
	cost := style.PadLeft(Cost(b.Route, b.Cost), costWidth)
	if b.Budget > 0 {
		cost += "/" + strconv.FormatFloat(b.Budget, 'f', -1, 64)
	}
	return cost
}

// Cost writes a price. It never says $0.00 for one that is not known, nor for less than a cent (UX 4.5).
func Cost(r engine.Route, cost *float64) string {
	switch {
	case Local(r) && (cost == nil || *cost == 0):
		return "local"
	case cost == nil:
		return "?"
	case *cost > 0 && *cost < 0.005:
		return "<$0.01"
	}
	return fmt.Sprintf("$%.2f", *cost)
}

func (b bar) modelName() string { return ModelName(b.Route) }

// ModelName is what the model of a route is called.
func ModelName(r engine.Route) string {
	if r.Model == "" {
		return "no model yet"
	}
	return OneLine(r.Model)
}

// Local reports that a route leads to this machine, where nothing is charged.
func Local(r engine.Route) bool {
	b := r.BaseURL
	return r.Provider == "demo" || strings.Contains(b, "//127.") || strings.Contains(b, "//localhost") || strings.Contains(b, "//[::1]")
}
