package panel

import (
	"fmt"
	"path/filepath"
	"strings"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/chrome"
	"talaria/ui/style"
	"talaria/ui/turn"
)

// Rows draws the panel in h rows of w cells, its line on the left included. What is at work stays in view: a list that is
// too long is cut around it.
func (p *Panel) Rows(w, h int) []string {
	s := p.s.Sheet
	inner := w - 3
	var lines []string
	section := func(head string, hint string, rows []string, at int) {
		if len(rows) == 0 {
			return
		}
		lines = append(lines, "", s.Spread(s.Ink(themes.FgMuted, head), s.Ink(themes.FgMuted, hint), inner))
		lines = append(lines, window(rows, at, max(3, h-len(lines)-p.rest(head)), s)...)
	}
	lines = append(lines, s.Spread(s.Fg(themes.Fg).Bold(true).Render("Work"), s.Ink(themes.FgMuted, p.s.Hint("work-panel")), inner))
	tasks, at, count := p.tasks(inner)
	section(count, "", tasks, at)
	section(fmt.Sprintf("Files changed %d", len(p.files)), p.s.Hint("diff"), p.fileRows(inner), len(p.files)-1)
	section(fmt.Sprintf("Agents %d", len(p.agents)), p.s.Hint("agents"), p.agentRows(inner), len(p.agents)-1)
	section(fmt.Sprintf("Background %d", len(p.s.Session.Background)), p.s.Hint("background"), p.backgroundRows(inner), 0)
	if len(lines) == 1 {
		lines = append(lines, "", s.Ink(themes.FgMuted, "Nothing yet."))
	}
	side := s.Ink(themes.Border, s.Glyphs.VLine) + " "
	out := make([]string, h)
	for i := range out {
		text := ""
		if i < len(lines) {
			text = s.Truncate(lines[i], inner)
		}
		out[i] = side + style.PadRight(text, inner) + " "
	}
	return out
}

// rest is how many rows the sections after the tasks want at least.
func (p *Panel) rest(head string) int {
	if !strings.HasPrefix(head, "Tasks") {
		return 0
	}
	n := 0
	for _, list := range []int{len(p.files), len(p.agents), len(p.s.Session.Background)} {
		if list > 0 {
			n += 2 + min(list, 3)
		}
	}
	return n
}

// window is n of the rows, with row at among them; what is hidden is counted.
func window(rows []string, at, n int, s style.Sheet) []string {
	if len(rows) <= n {
		return rows
	}
	n = max(1, n-1)
	top := max(0, min(at-n/2, len(rows)-n))
	return append(append([]string(nil), rows[top:top+n]...), s.Ink(themes.FgMuted, fmt.Sprintf("%s %d more", s.Glyphs.Ellipsis, len(rows)-n)))
}

// tasks are the rows of the task list, the place of the one at work, and how many are done of those that were not given up:
// the row of the tool counts so too.
func (p *Panel) tasks(w int) (rows []string, at int, count string) {
	s, done, dropped := p.s.Sheet, 0, 0
	for i, t := range p.s.Session.Tasks {
		sign, role, words := s.Glyphs.Todo, themes.FgMuted, themes.Fg
		switch t.Status {
		case "completed":
			sign, role, words = s.Glyphs.Done, themes.Success, themes.FgMuted
			done++
		case "in_progress":
			sign, role, at = s.Glyphs.Running, themes.Accent, i
		case "cancelled":
			sign, words = s.Glyphs.Denied, themes.FgMuted
			dropped++
		}
		rows = append(rows, s.Ink(role, sign)+" "+s.Ink(words, s.Truncate(chrome.OneLine(t.Content), w-2)))
	}
	return rows, at, fmt.Sprintf("Tasks %d/%d", done, len(rows)-dropped)
}

func (p *Panel) fileRows(w int) (rows []string) {
	s := p.s.Sheet
	for _, f := range p.files {
		name := f.path
		if rel, err := filepath.Rel(p.s.Options.Dir, f.path); err == nil && !strings.HasPrefix(rel, "..") {
			name = rel
		}
		counts := ""
		if f.known {
			counts = s.Ink(themes.DiffAdd, fmt.Sprintf("+%d", f.plus)) + " " + s.Ink(themes.DiffDel, fmt.Sprintf("%s%d", s.Glyphs.Minus, f.minus))
		}
		name = s.Middle(p.s.HomePath(name), max(4, w-3-style.Width(counts)))
		kind := "M "
		if f.added {
			kind = "A "
		}
		rows = append(rows, s.Spread(s.Ink(themes.FgMuted, kind)+name, counts, w))
	}
	return rows
}

func (p *Panel) agentRows(w int) (rows []string) {
	s := p.s.Sheet
	for _, a := range p.agents {
		sign, role, took := s.Glyphs.Running, themes.Accent, a.took
		switch a.state {
		case "":
			took = p.s.Now().Sub(a.began)
		case engine.ExitFinished:
			sign, role = s.Glyphs.Done, themes.Success
		default:
			sign, role = s.Glyphs.Failed, themes.Error
		}
		clock := turn.Clock(took)
		name := s.Truncate(chrome.OneLine(a.name), max(4, w-4-style.Width(clock)))
		rows = append(rows, s.Spread(s.Ink(role, sign)+" "+name, s.Ink(themes.FgMuted, clock), w))
		if a.state == "" && a.doing != "" {
			rows = append(rows, "  "+s.Ink(themes.FgMuted, s.Truncate(chrome.OneLine(a.doing), max(4, w-2))))
		}
	}
	return rows
}

// backgroundRows say since when each command runs, in minutes: a clock that ticks would never let the screen rest.
func (p *Panel) backgroundRows(w int) (rows []string) {
	s := p.s.Sheet
	for _, one := range p.s.Session.Background {
		up := fmt.Sprintf("up %dm", int(p.s.Now().Sub(one.Began).Minutes()))
		name := s.Truncate(chrome.OneLine(one.Command), max(4, w-4-style.Width(up)))
		rows = append(rows, s.Spread(s.Ink(themes.Accent, s.Glyphs.Running)+" "+name, s.Ink(themes.FgMuted, up), w))
	}
	return rows
}

// plain is the task list as text.
func (p *Panel) plain() string {
	rows, _, text := p.tasks(1 << 10)
	for i, t := range p.s.Session.Tasks {
		sign := p.s.Sheet.Glyphs.Todo
		switch t.Status {
		case "completed":
			sign = p.s.Sheet.Glyphs.Done
		case "in_progress":
			sign = p.s.Sheet.Glyphs.Running
		case "cancelled":
			sign = p.s.Sheet.Glyphs.Denied
		}
		if i < len(rows) {
			text += "\n" + sign + " " + chrome.OneLine(t.Content)
		}
	}
	return text
}

// count is how many lines a unified diff adds and removes.
func count(diff string) (plus, minus int) {
	for line := range strings.Lines(diff) {
		switch {
		case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"):
		case strings.HasPrefix(line, "+"):
			plus++
		case strings.HasPrefix(line, "-"):
			minus++
		}
	}
	return plus, minus
}
