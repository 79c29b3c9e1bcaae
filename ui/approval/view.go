package approval

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"talaria/themes"
	"talaria/ui/dialog"
	"talaria/ui/diffview"
	"talaria/ui/style"
)

// View draws the question. The choices are always in it, whatever the size; the diff or command gives way.
func (a *Approval) View(w, h int) (string, *tea.Cursor) {
	f := dialog.Frame{Sheet: a.sheet, Title: a.title(), Max: 100, Edge: a.edge(), Fill: a.scroll.full}
	f.Note = a.noted()
	if a.scroll.full || a.scroll.other && splits(w) {
		f.Max = dialog.Widest
	}
	inner, narrow := f.Inner(w), w < dialog.Narrow
	p := dialog.Page{Head: a.head(inner, narrow), Body: a.lines(inner), More: dialog.Plain(a.sheet, "… # · PgUp/PgDn scroll · d in full")}
	if narrow {
		p.More = dialog.Plain(a.sheet, "… # · PgDn · d in full")
	}
	if a.scroll.full {
		p.More = dialog.Plain(a.sheet, "… # · PgUp/PgDn scroll")
	}
	a.foot(&p, inner, narrow || a.scroll.full || h < 16, h)
	if over := len(p.Body) - p.Shown(w, h, a.sheet); narrow && over > 0 {
		if a.q.Danger == "" {
			p.Head = p.Head[:len(p.Head)-len(a.why(inner))]
		}
		if a.q.Diff != "" && a.q.Body != "" {
			p.Foot = p.Foot[:p.Keep]
		}
	}
	a.measure(&p, w, h)
	f.Hints = a.Told(a.hints(w))
	return f.Draw(w, h, p)
}

// noted is how many wait, and when nobody's answer will be a denial.
func (a *Approval) noted() string {
	var all []string
	if a.waiting > 1 {
		all = append(all, fmt.Sprintf("1 of %d waiting", a.waiting))
	}
	if a.q.Timeout > 0 {
		left := max(0, a.q.Timeout-int(time.Since(a.opened).Seconds()))
		all = append(all, fmt.Sprintf("denied in %d:%02d", left/60, left%60))
	}
	return dialog.Plain(a.sheet, strings.Join(all, " · "))
}

// measure learns how far the body can scroll.
func (a *Approval) measure(p *dialog.Page, w, h int) {
	shown := p.Shown(w, h, a.sheet)
	a.scroll.page = max(1, shown-2)
	a.scroll.last = max(0, len(p.Body)-shown+1)
	if len(p.Body) <= shown {
		a.scroll.last = 0
	}
	a.scroll.by(0)
	p.Top = a.scroll.top
	a.fill(p.Top, p.Top+shown+1)
}

// fill draws the lines of a diff that are in view, once.
func (a *Approval) fill(from, to int) {
	l := a.laid
	from, to = max(from, l.from), min(to, len(l.lines))
	if l.patch == nil || from >= to || l.lines[from] != "" && l.lines[to-1] != "" {
		return
	}
	copy(l.lines[from:to], l.patch.Draw(a.sheet, l.width, l.shown.other, from-l.from, to-l.from))
}

func (a *Approval) title() string {
	switch {
	case a.q.Diff != "":
		return "Allow this edit?"
	case a.q.Tool != "":
		return "Allow this tool?"
	case a.q.Body != "":
		return "Allow this command?"
	}
	return "Allow this?"
}

func (a *Approval) hints(w int) []string {
	switch {
	case a.typed.reason != nil:
		return []string{"Enter deny with it", "Esc deny without"}
	case a.typed.command != nil:
		return []string{"Enter run it so", "Esc leave it as it was"}
	}
	full := "d full diff"
	if a.q.Diff == "" {
		full = "d in full"
	}
	if a.scroll.full {
		full = "d less"
	}
	hints := []string{"Enter choose", "? why am I asked"}
	if a.scroll.explain {
		hints[1] = "? less"
	}
	if a.scroll.last > 0 || a.scroll.full || a.q.Diff != "" {
		hints = append(hints, full)
	}
	if a.q.Diff != "" && !a.scroll.full && splits(w) {
		hints = append(hints, map[bool]string{true: "t one column", false: "t side by side"}[a.scroll.other])
	}
	if a.scroll.last > 0 {
		hints = append(hints, "PgUp/PgDn scroll")
	}
	return append(hints, "Esc deny")
}

// head names the action, then the danger, then why it is asked. It gives way from its end.
func (a *Approval) head(w int, narrow bool) []string {
	s, bold := a.sheet, style.Look{Fg: themes.Fg, Bold: true}
	name := dialog.OneLine(a.q.Title)
	stat := ""
	if a.q.Diff != "" {
		add, del := a.patch().Stat()
		stat = "  " + s.Ink(themes.DiffAdd, fmt.Sprintf("+%d", add)) + " " + s.Ink(themes.DiffDel, fmt.Sprintf("%s%d", s.Glyphs.Minus, del))
	}
	lines := a.wrap(name, max(1, w-style.Width(stat)))
	for i, l := range lines {
		lines[i] = s.Paint(bold, l)
	}
	lines[0] += stat
	if a.q.Danger != "" {
		for _, l := range a.wrap(dialog.OneLine(a.q.Danger), w-2) {
			lines = append(lines, s.Paint(style.Look{Fg: themes.ModeDanger, Bold: true}, s.Glyphs.Warning+" "+l))
		}
	}
	if a.hides {
		lines = append(lines, s.Paint(style.Look{Fg: themes.Warning, Bold: true}, s.Glyphs.Warning+dialog.Plain(s, " characters that cannot be seen · d shows them")))
	}
	if !(narrow && a.q.Danger != "") {
		lines = append(lines, a.why(w)...)
	}
	if !narrow {
		lines = append(lines, dialog.RuleLine)
	}
	return lines
}

func (a *Approval) why(w int) []string {
	if a.q.Why == "" {
		return nil
	}
	sign, lines := "Why   ", a.wrap(dialog.OneLine(a.q.Why), w-6)
	for i, l := range lines {
		lines[i] = a.sheet.Ink(themes.FgMuted, sign+l)
		sign = "      "
	}
	return lines
}

// hides reports whether a diff holds what its drawing does not show. Tabs and line ends are no secret.
func hides(diff string) bool {
	s := strings.NewReplacer("\n", "", "\t", "", "\r", "").Replace(diff)
	return style.Visible(s) != s
}

func (a *Approval) lines(w int) []string {
	if l := a.laid; l.lines == nil || l.width != w || l.shown != a.scroll.shown {
		a.laid = laid{width: w, shown: a.scroll.shown, patch: a.laid.patch, from: 1 << 30}
		a.laid.lines = a.body(w)
	}
	return a.laid.lines
}

// patch is the diff, read once.
func (a *Approval) patch() *diffview.Diff {
	if a.laid.patch == nil {
		a.laid.patch = diffview.Read(a.q.Diff)
	}
	return a.laid.patch
}

// body is the diff, else the command with every character to be seen. A real line end shows as ⏎, so that a wrapped
// line cannot be taken for one. In full a diff is its text, character by character, with no line cut short.
func (a *Approval) body(w int) []string {
	if a.scroll.explain {
		return a.explained(w)
	}
	if a.q.Diff != "" {
		var lines []string
		if a.q.Body != "" {
			lines = a.both(w)
		}
		if a.scroll.full {
			return append(lines, a.exact(w)...)
		}
		a.laid.from = len(lines)
		return append(lines, make([]string, a.patch().Len(w, a.scroll.other))...)
	}
	if a.q.Tool != "" {
		return a.arguments(w)
	}
	if a.q.Body != "" {
		return a.command(a.q.Body, w)
	}
	if len(style.Wrap(dialog.OneLine(a.q.Title), max(1, w))) > titleRows {
		return a.command(a.q.Title, w) // the head has not all of it
	}
	return nil
}

// splits reports whether a diff can stand side by side in a space of w columns.
func splits(w int) bool { return dialog.Frame{Max: dialog.Widest}.Inner(w) >= diffview.SplitWidth }

// both is the command over a diff: the start of a long one, so that the diff is in view too.
func (a *Approval) both(w int) []string {
	lines, most := a.command(a.q.Body, w), 3
	if w < dialog.Narrow-4 {
		most = 1
	}
	if !a.scroll.full && len(lines) > most+1 {
		more := fmt.Sprintf("  … %d more lines of it · d in full", len(lines)-most)
		lines = append(lines[:most:most], a.sheet.Ink(themes.FgMuted, dialog.Plain(a.sheet, more)))
	}
	if w < dialog.Narrow-4 && !a.scroll.full {
		return lines
	}
	return append(lines, "")
}

// exact is the diff as text: signs in front, long lines wrapped, hidden characters visible, tabs as blanks.
func (a *Approval) exact(w int) []string {
	var out []string
	for _, line := range strings.Split(strings.TrimSuffix(a.q.Diff, "\n"), "\n") {
		role := themes.Fg
		switch {
		case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"), strings.HasPrefix(line, "@@"):
			role = themes.FgMuted
		case strings.HasPrefix(line, "+"):
			role = themes.DiffAdd
		case strings.HasPrefix(line, "-"):
			role = themes.DiffDel
		}
		for i, part := range chop(style.Visible(style.Untab(line)), max(1, w-1)) {
			if i > 0 {
				part = " " + part
			}
			out = append(out, a.sheet.Ink(role, part))
		}
	}
	return out
}

func (a *Approval) command(text string, w int) []string {
	var out []string
	for i, line := range strings.Split(style.Visible(text), "\n") {
		for j, part := range chop(line, max(1, w-2)) {
			sign := "  "
			if i == 0 && j == 0 {
				sign = "$ "
			}
			out = append(out, a.sheet.Ink(themes.FgMuted, sign)+a.sheet.Ink(themes.Fg, part))
		}
	}
	return out
}

// titleRows is how many lines a text in the head may take.
const titleRows = 4

// wrap breaks text at blanks. What is longer than titleRows lines ends in an ellipsis.
func (a *Approval) wrap(text string, w int) []string {
	lines := style.Wrap(text, max(1, w))
	if len(lines) > titleRows {
		lines = append(lines[:titleRows-1:titleRows-1], a.sheet.Truncate(lines[titleRows-1], w-1)+a.sheet.Glyphs.Ellipsis)
	}
	return lines
}

// chop cuts a line into pieces of at most w cells, every blank kept: what is agreed to is shown as it is.
func chop(line string, w int) []string {
	if line == "" {
		return []string{""}
	}
	return strings.Split(ansi.Hardwrap(line, w, true), "\n")
}
