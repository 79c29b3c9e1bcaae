package feed

import (
	"fmt"
	"strings"
	"time"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/diffview"
	"talaria/ui/style"
)

// How much of a tool's output is shown: in the window of a running one (fewer rows in a narrow window), of a command
// that went well, of a call that failed, and of a diff.
const (
	windowRows       = 4
	windowRowsNarrow = 2
	commandRows      = 3
	failedRows       = 10
	diffRows         = 12
	narrowWidth      = 60
	clockEdge        = 72              // durations stand at this column, near their line, when the window is wider
	quietAfter       = 2 * time.Second // a tool that has printed nothing for this long says so
)

// tool is one call: a line that names it, and as much of what came of it as is worth a look.
type tool struct {
	face
	line       string
	called     string        // the name of the tool
	danger     string        // why it was asked about as dangerous, "" for an ordinary call
	status     engine.Status // "" while it runs
	note       string
	result     string
	diff       string
	out        output
	began, now time.Time
	took       time.Duration
	high       int       // rows the window has reached; it never shrinks while the tool runs
	asked      time.Time // since when it waits for the user, zero when it does not
	unclocked  bool      // it waited for the user, so its time says nothing of the tool
}

// wait stops the clock: the call goes on when the user has answered.
func (t *tool) wait(now time.Time) {
	if t.asked.IsZero() {
		t.asked, t.unclocked = now, true
		t.changed()
	}
}

// proceed lets the clock run on from where it stopped.
func (t *tool) proceed(now time.Time) {
	if !t.asked.IsZero() {
		if !t.began.IsZero() {
			t.began, t.now = t.began.Add(now.Sub(t.asked)), now
		}
		t.asked = time.Time{}
		t.changed()
	}
}

func (t *tool) waiting() bool { return t.Running() && !t.asked.IsZero() }

// Running reports whether the call has no result yet.
func (t *tool) Running() bool { return t.status == "" && !t.hidden }

func (t *tool) write(text string) {
	t.out.write(text)
	t.changed()
}

// end gives the call its result.
func (t *tool) end(r engine.Result, took time.Duration) {
	t.status, t.took = r.Status, took
	t.note, t.result, t.diff = firstLine(r.Note), r.Text, r.Diff
	if t.status == "" {
		t.status = engine.StatusDone
	}
	if t.note == "" {
		t.note = t.remark()
	}
	t.changed()
}

// remark says in a few words how the call ended when the tool itself did not.
func (t *tool) remark() string {
	switch t.status {
	case engine.StatusDone:
		if t.diff != "" {
			add, del := diffview.Stat(t.diff)
			return fmt.Sprintf("+%d %s%d", add, t.sheet.Glyphs.Minus, del)
		}
	case engine.StatusStopped:
		if t.took >= time.Second {
			return "stopped at " + clock(t.took)
		}
		return "stopped"
	case engine.StatusTimeout:
		return "timed out"
	case engine.StatusDenied, engine.StatusRefused:
		return firstLine(t.result)
	case engine.StatusFailed:
	}
	return ""
}

// Tick moves the clock of a running call.
func (t *tool) Tick(now time.Time) {
	if t.Running() && !t.waiting() {
		if now.Sub(t.began)/time.Second != t.now.Sub(t.began)/time.Second {
			t.changed()
		}
		t.now = now
	}
}

// Toggle shows everything there is to the call, or the usual part.
func (t *tool) Toggle() bool {
	if !t.whole() && t.diff == "" && strings.TrimSpace(t.result) == "" && t.out.empty() && !strings.Contains(t.line, "\n") {
		return false
	}
	return t.flip()
}

func (t *tool) Render(width int) []string {
	lines := t.head(width)
	if t.danger != "" {
		words := t.sheet.Truncate(t.sheet.Glyphs.Warning+" "+t.danger, width-2)
		lines = append(lines, "  "+t.sheet.Paint(style.Look{Fg: themes.ModeDanger, Bold: true}, words))
	}
	muted := style.Look{Fg: themes.FgMuted}
	if t.whole() {
		if _, rest, ok := strings.Cut(t.line, "\n"); ok {
			lines = append(lines, t.indented(style.Look{Fg: themes.Fg}, rest, width)...)
		}
		if t.diff != "" {
			return append(lines, t.diffLines(width)...)
		}
		if tasks := t.tasks(); len(tasks) > 0 {
			return append(lines, t.taskLines(tasks, width)...)
		}
		for _, line := range t.outputLines() {
			lines = append(lines, t.indented(muted, line, width)...)
		}
		return lines
	}
	switch {
	case t.reading.Level == Quiet:
		return lines
	case t.Running():
		return append(lines, t.window(width)...)
	case t.diff != "":
		return append(lines, t.capped(t.diffLines(width), diffRows, width)...)
	}
	switch t.status {
	case engine.StatusFailed, engine.StatusTimeout, engine.StatusStopped:
		return append(lines, t.last(failedRows, width)...)
	case engine.StatusDone:
		if strings.HasPrefix(t.line, "$ ") {
			return append(lines, t.last(commandRows, width)...)
		}
	case engine.StatusDenied, engine.StatusRefused:
	}
	return lines
}

// window is the fixed place where a running tool prints.
func (t *tool) window(width int) []string {
	rows := windowRows
	if width < narrowWidth {
		rows = windowRowsNarrow
	}
	if t.called == delegate {
		return t.agents(width)
	}
	out := t.out.last(rows)
	if len(out) == 0 && !t.waiting() && t.now.Sub(t.began) >= quietAfter {
		out = []string{"no output yet"}
	}
	t.high = min(rows, max(t.high, len(out)))
	lines := make([]string, t.high)
	for i, line := range out {
		lines[i] = t.outputRow(line, width)
	}
	return lines
}

// last shows the end of what the tool printed, and how much more there is.
func (t *tool) last(rows, width int) []string {
	all := t.worthwhile(t.outputLines())
	hidden := max(0, len(all)-rows)
	var lines []string
	if hidden > 0 {
		lines = append(lines, t.more(hidden, width))
	}
	for _, line := range all[hidden:] {
		lines = append(lines, t.outputRow(line, width))
	}
	return lines
}

// worthwhile leaves out what a call that went well says to the model only: that it printed nothing, and its exit code.
func (t *tool) worthwhile(lines []string) []string {
	if t.status != engine.StatusDone {
		return lines
	}
	if n := len(lines); n > 0 && lines[n-1] == "[exit 0]" {
		lines = lines[:n-1]
	}
	if len(lines) == 1 && lines[0] == "(no output)" {
		return nil
	}
	return lines
}

func (t *tool) outputRow(line string, width int) string {
	return "  " + t.sheet.Ink(themes.FgMuted, t.sheet.Truncate(style.Untab(line), width-2))
}

// outputLines is what the tool printed or, when it printed nothing while it ran, what the model was told.
func (t *tool) outputLines() []string {
	if !t.out.empty() {
		return t.out.last(1 << 30)
	}
	return printed(t.result)
}

func (t *tool) diffLines(width int) []string {
	lines := diffview.Lines(t.sheet, t.diff, width-2)
	if t.reading.Split {
		lines = diffview.Split(t.sheet, t.diff, width-2)
	}
	for i := range lines {
		lines[i] = "  " + lines[i]
	}
	return lines
}

func (t *tool) capped(lines []string, rows, width int) []string {
	if len(lines) <= rows+1 { // one row more costs no more than saying so
		return lines
	}
	return append(lines[:rows:rows], t.more(len(lines)-rows, width))
}
