package chrome

import (
	"fmt"
	"strings"
	"time"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/style"
	"talaria/ui/turn"
)

// Compaction is a history that is being summarised: the newest of its events, and when it began.
type Compaction struct {
	Told  engine.Compacted
	Began time.Time
}

// Around is what a compaction is told beside: the model's window in tokens, 0 when unknown, and the tasks that stay.
type Around struct {
	Now    time.Time
	Window int
	Tasks  int
}

// compactMeter is the width of the meter, where there is room.
const compactMeter = 20

// Rows draws what is kept and how far it is, in at most most rows of w cells: first its blank rows give way, then what
// is told last. A nil Compaction has no rows.
func (c *Compaction) Rows(s style.Sheet, a Around, w, most int) []string {
	if c == nil || most < 2 {
		return nil
	}
	rows := c.all(s, a, w)
	for i := len(rows) - 1; i > 0 && len(rows) > most; i-- {
		if rows[i] == "" {
			rows = append(rows[:i], rows[i+1:]...)
		}
	}
	if len(rows) > most { // how to end it stays
		rows = append(rows[:most-1], rows[len(rows)-1])
	}
	return rows
}

func (c *Compaction) all(s style.Sheet, a Around, w int) []string {
	head := "Older turns are being summarised"
	if a.Window > 0 {
		part := 100 * c.Told.Before / a.Window
		if head = fmt.Sprintf("Context is %d%% full, so older turns are being summarised", part); w < Narrow {
			head = fmt.Sprintf("Context %d%% full: compacting", part)
		}
	}
	head = s.Truncate(s.Rule(2)+" "+head+" ", w)
	line := func(r themes.Role, text string) string { return s.Ink(r, s.Truncate(s.Words(text), w)) }
	rows := []string{s.Ink(themes.Warning, head) + s.Ink(themes.Border, s.Rule(w-style.Width(head))), ""}
	progress := fmt.Sprintf("%s  %s", s.Meter(c.part(), min(compactMeter, max(6, w/3))), turn.Clock(a.Now.Sub(c.Began)))
	if c.Told.Parts > 1 {
		progress += fmt.Sprintf("   part %d of %d", min(c.Told.Part+1, c.Told.Parts), c.Told.Parts)
	}
	kept := fmt.Sprintf("last %s", Plural(c.Told.Kept, "message", "messages"))
	if a.Tasks > 0 {
		kept += " · " + Plural(a.Tasks, "task", "tasks")
	}
	if w < Narrow {
		return append(rows, line(themes.Fg, "  "+turn.Count(c.Told.Before)+" tokens"), line(themes.Accent, "  "+progress), "",
			line(themes.Fg, "  Keeping: "+kept), "", line(themes.FgMuted, "  Nothing is deleted: scroll up."), line(themes.FgMuted, "  Esc cancel"))
	}
	told := func(name, text string) string {
		return line(themes.Fg, "  "+name+strings.Repeat(" ", max(1, 21-len(name)))+text)
	}
	return append(rows, line(themes.Fg, fmt.Sprintf("  %s tokens", turn.Count(c.Told.Before)))+"   "+s.Ink(themes.Accent, s.Truncate(progress, max(0, w-20))), "",
		told("Kept word for word", kept+" · pinned messages"), told("Summarised", Plural(c.Told.Old, "message", "messages")),
		told("Still on disk", "everything; scrolling and searching reach it"), "", line(themes.FgMuted, "  Esc cancel and continue as is"))
}

// part is how much is done; a part that is under way counts half.
func (c *Compaction) part() float64 {
	if c.Told.Parts <= 0 {
		return 0
	}
	return min(1, (float64(c.Told.Part)+0.5)/float64(c.Told.Parts))
}

// cells is what the status bar says.
func (c *Compaction) cells(b bar) []cell {
	sign := b.s.Glyphs.Running
	if b.w < Narrow {
		return []cell{newCell(sign+" Compact", themes.Accent, 0)}
	}
	return []cell{newCell(sign+" Compacting", themes.Accent, 0), newCell(clock(b.Now.Sub(c.Began)), themes.FgMuted, goesClock), newCell("you can keep typing", themes.FgMuted, goesDetail)}
}
