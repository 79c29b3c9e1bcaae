package chrome

import (
	"fmt"
	"strings"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/style"
	"talaria/ui/turn"
)

// Strip is the lines above the prompt: what waits to be delivered, questions left for later, and that saving fails.
type Strip struct {
	Steers     []engine.Waiting
	Queued     []engine.Waiting
	Paused     bool
	Later      []engine.Question
	Unsent     string      // waits for a connection
	Next       string      // goes out as soon as the turn that is being stopped has ended
	Compacting *Compaction // nil when none runs
	Unsaved    string      // why saving fails, "" when it works
}

// Waits reports whether the engine holds messages that no request took yet.
func (p *Strip) Waits() bool { return len(p.Steers)+len(p.Queued) > 0 }

// board draws a Strip in w cells.
type board struct {
	*Strip
	t *turn.Turn
	s style.Sheet
	w int
}

// Rows draws the strip in at most most rows of w cells; what matters most comes first.
func (p *Strip) Rows(s style.Sheet, t *turn.Turn, w, most int) []string {
	b, g := board{p, t, s, w}, s.Glyphs
	var rows []string
	add := func(role themes.Role, left, right string) {
		if w < Narrow {
			right = ""
		}
		rows = append(rows, b.row(role, left, s.Words(right)))
	}
	if p.Unsaved != "" {
		add(themes.Error, g.Warning+" "+OneLine(p.Unsaved), "")
	}
	if n := len(p.Later); n > 0 {
		add(themes.Warning, fmt.Sprintf("%s %s: %s", g.Waiting, Plural(n, "question waits", "questions wait"), OneLine(p.Later[0].Title)), "Enter opens it")
	}
	if p.Unsent != "" {
		add(themes.Accent, g.Queue+" Kept       "+quoted(p.Unsent), "goes out when a model is connected · ↑ edit")
	}
	if p.Next != "" {
		add(themes.Accent, g.Steer+" Next       "+quoted(p.Next), "goes out when the turn has stopped · ↑ edit")
	}
	rows = append(rows, b.steers(most-len(rows))...)
	if n := len(p.Queued); n > 0 {
		left := fmt.Sprintf("%s Queued %-4d%s", g.Queue, n, quoted(p.Queued[n-1].Text))
		if w < Narrow {
			left = fmt.Sprintf("%s queued %d: %s", g.Queue, n, quoted(p.Queued[n-1].Text))
		}
		add(themes.FgMuted, left, b.when("after this turn"))
	}
	return rows[:min(len(rows), max(0, most))]
}

// row has the words on the left and the moment of delivery on the right, which gives way.
func (b board) row(role themes.Role, left, right string) string {
	if right != "" && b.w-style.Width(right) < 32 {
		right = ""
	}
	room := b.w
	if right != "" {
		room -= style.Width(right) + 3
	}
	return b.s.Spread(b.s.Ink(role, b.s.Truncate(left, max(0, room))), b.s.Ink(themes.FgMuted, right)+" ", b.w)
}

// steers are the newest steer and when it goes in: one row, or two where there is no room beside it.
func (b board) steers(most int) []string {
	g, n := b.s.Glyphs, len(b.Steers)
	if n == 0 {
		return nil
	}
	text := quoted(b.Steers[n-1].Text)
	if b.w >= Narrow {
		return []string{b.row(themes.Accent, fmt.Sprintf("%s Steering %-2s%s", g.Steer, several(n), text), b.s.Words(b.when(b.steerMoment())))}
	}
	head := g.Steer + " steers in: " + b.steerMoment()
	if b.Paused {
		head = g.Steer + " steer paused"
	}
	if most < 2 || most < 3 && len(b.Queued) > 0 {
		return []string{b.row(themes.Accent, g.Steer+" steers: "+text, "")}
	}
	return []string{b.row(themes.Accent, head, ""), b.row(themes.FgMuted, "  "+text, "")}
}

// several is a count, left out when it is one.
func several(n int) string {
	if n == 1 {
		return ""
	}
	return fmt.Sprint(n)
}

func (b board) steerMoment() string {
	r, ok := b.t.Slowest()
	short := b.w < 100
	switch {
	case !ok && short:
		return "with the next step"
	case !ok:
		return "goes in with the next step"
	case short:
		return "after " + b.s.Truncate(action(r.Line), 20)
	}
	return "goes in when " + b.s.Truncate(action(r.Line), 24) + " ends"
}

func (b board) when(moment string) string {
	if b.Paused {
		moment = "paused, Enter continues"
	}
	return moment + " · ↑ edit"
}

func quoted(s string) string { return `"` + OneLine(s) + `"` }

// OneLine is text from outside on one line, harmless to print.
func OneLine(s string) string { return style.Safe(strings.Join(strings.Fields(s), " ")) }

// Plural writes a count with its noun.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
