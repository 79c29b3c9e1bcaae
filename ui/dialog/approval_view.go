package dialog

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/diffview"
	"talaria/ui/style"
)

// View draws the question. The choices are always in it, whatever the size; the diff or command gives way.
func (a *Approver) View(w, h int) (string, *tea.Cursor) {
	f := Frame{Sheet: a.sheet, Title: a.title(), Max: 100, Edge: a.edge(), Fill: a.scroll.full}
	if a.waiting > 1 {
		f.Note = fmt.Sprintf("1 of %d waiting", a.waiting)
	}
	if a.scroll.full {
		f.Max = Widest
	}
	inner, narrow := f.Inner(w), w < Narrow
	p := Page{Head: a.head(inner, narrow), Body: a.lines(inner), More: Plain(a.sheet, "… # · PgUp/PgDn scroll · d in full")}
	if narrow {
		p.More = Plain(a.sheet, "… # · PgDn · d in full")
	}
	if a.scroll.full {
		p.More = Plain(a.sheet, "… # · PgUp/PgDn scroll")
	}
	a.foot(&p, inner, narrow || a.scroll.full || h < 16, h)
	room, _ := f.room(w, h)
	if over := len(p.Head) + len(p.Body) + len(p.Foot) - room; narrow && over > 0 {
		if a.q.Danger == "" {
			p.Head = p.Head[:len(p.Head)-len(a.why(inner))]
		}
		if a.q.Diff != "" && a.q.Body != "" {
			p.Foot = p.Foot[:p.Keep]
		}
	}
	a.measure(&p, w, h)
	f.Hints = a.told(a.hints())
	return f.Draw(w, h, p)
}

// measure learns how far the body can scroll.
func (a *Approver) measure(p *Page, w, h int) {
	room, _ := Frame{}.room(w, h)
	head, _, foot := p.fit(room, a.sheet)
	shown := room - len(head) - len(foot)
	a.scroll.page = max(1, shown-2)
	a.scroll.last = max(0, len(p.Body)-shown+1)
	if len(p.Body) <= shown {
		a.scroll.last = 0
	}
	a.scroll.by(0)
	p.Top = a.scroll.top
}

func (a *Approver) title() string {
	switch {
	case a.q.Diff != "":
		return "Allow this edit?"
	case a.q.Body != "":
		return "Allow this command?"
	}
	return "Allow this?"
}

func (a *Approver) hints() []string {
	if a.reason != nil {
		return []string{"Enter deny with it", "Esc deny without"}
	}
	full := "d full diff"
	if a.q.Diff == "" {
		full = "d in full"
	}
	if a.scroll.full {
		full = "d less"
	}
	hints := []string{"Enter choose"}
	if a.scroll.last > 0 || a.scroll.full || a.q.Diff != "" {
		hints = append(hints, full)
	}
	if a.scroll.last > 0 {
		hints = append(hints, "PgUp/PgDn scroll")
	}
	return append(hints, "Esc deny")
}

// head names the action, then the danger, then why it is asked. It gives way from its end.
func (a *Approver) head(w int, narrow bool) []string {
	s, bold := a.sheet, style.Look{Fg: themes.Fg, Bold: true}
	name := oneLine(a.q.Title)
	stat := ""
	if a.q.Diff != "" {
		add, del := diffview.Stat(a.q.Diff)
		stat = "  " + s.Ink(themes.DiffAdd, fmt.Sprintf("+%d", add)) + " " + s.Ink(themes.DiffDel, fmt.Sprintf("%s%d", s.Glyphs.Minus, del))
	}
	lines := a.wrap(name, max(1, w-style.Width(stat)))
	for i, l := range lines {
		lines[i] = s.Paint(bold, l)
	}
	lines[0] += stat
	if a.q.Danger != "" {
		for _, l := range a.wrap(oneLine(a.q.Danger), w-2) {
			lines = append(lines, s.Paint(style.Look{Fg: themes.ModeDanger, Bold: true}, s.Glyphs.Warning+" "+l))
		}
	}
	if a.hides {
		lines = append(lines, s.Paint(style.Look{Fg: themes.Warning, Bold: true}, s.Glyphs.Warning+Plain(s, " characters that cannot be seen · d shows them")))
	}
	if !(narrow && a.q.Danger != "") {
		lines = append(lines, a.why(w)...)
	}
	if !narrow {
		lines = append(lines, RuleLine)
	}
	return lines
}

func (a *Approver) why(w int) []string {
	if a.q.Why == "" {
		return nil
	}
	sign, lines := "Why   ", a.wrap(oneLine(a.q.Why), w-6)
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

func (a *Approver) lines(w int) []string {
	if l := a.laid; l.lines == nil || l.width != w || l.full != a.scroll.full {
		a.laid = laid{w, a.scroll.full, a.body(w)}
	}
	return a.laid.lines
}

// body is the diff, else the command with every character to be seen. A real line end shows as ⏎, so that a wrapped
// line cannot be taken for one. In full a diff is its text, character by character, with no line cut short.
func (a *Approver) body(w int) []string {
	if a.q.Diff != "" {
		var lines []string
		if a.q.Body != "" {
			lines = a.both(w)
		}
		if a.scroll.full {
			return append(lines, a.exact(w)...)
		}
		return append(lines, diffview.Lines(a.sheet, a.q.Diff, w)...)
	}
	if a.q.Body != "" {
		return a.command(a.q.Body, w)
	}
	if len(style.Wrap(oneLine(a.q.Title), max(1, w))) > titleRows {
		return a.command(a.q.Title, w) // the head has not all of it
	}
	return nil
}

// both is the command over a diff: the start of a long one, so that the diff is in view too.
func (a *Approver) both(w int) []string {
	lines, most := a.command(a.q.Body, w), 3
	if w < Narrow-4 {
		most = 1
	}
	if !a.scroll.full && len(lines) > most+1 {
		more := fmt.Sprintf("  … %d more lines of it · d in full", len(lines)-most)
		lines = append(lines[:most:most], a.sheet.Ink(themes.FgMuted, Plain(a.sheet, more)))
	}
	if w < Narrow-4 && !a.scroll.full {
		return lines
	}
	return append(lines, "")
}

// exact is the diff as text: signs in front, long lines wrapped, hidden characters visible, tabs as blanks.
func (a *Approver) exact(w int) []string {
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

func (a *Approver) command(text string, w int) []string {
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

// foot lays the choices out, a row each or side by side, then what is only good to know.
func (a *Approver) foot(p *Page, w int, short bool, h int) {
	s := a.sheet
	if a.reason != nil {
		text, x := a.reason.View(s, max(1, w-2))
		p.Foot = append(p.Foot, RuleLine, "Deny. Why? The agent is told.", s.Ink(themes.User, s.Glyphs.You)+" "+text)
		p.Row, p.Col, p.Keep = 2, x+2, 3
		return
	}
	var all []option
	for _, c := range a.choices {
		o := option{key: letters[c.Value][0], label: Plain(s, c.Label)}
		if short {
			o.label = map[string]string{engine.ChoiceOnce: "once", engine.ChoiceSession: "session", engine.ChoiceDeny: "deny + say why"}[c.Value]
		}
		all = append(all, o)
	}
	start := []string{RuleLine}
	if w >= Narrow-4 && h < 12 || w < Narrow-4 && h < 10 {
		start = nil
	} else if w < Narrow-4 {
		start = []string{""}
	}
	p.Foot = start
	if short {
		lines, row, col := shortRows(s, all, a.at, w)
		p.Foot, p.Row, p.Col = append(p.Foot, lines...), len(start)+row, col
	} else {
		lines, starts := options(s, all, a.at, w)
		p.Foot, p.Row = append(p.Foot, lines...), len(start)+starts[a.at]
	}
	if rules := a.remembered(w); len(rules) > 0 {
		if !short {
			p.Foot = append(p.Foot, "")
		}
		p.Foot = append(p.Foot, rules...)
	}
	p.Keep = len(p.Foot)
	if w < Narrow-4 && a.waiting > 1 {
		p.Foot = append(p.Foot, s.Ink(themes.FgMuted, fmt.Sprintf("1 of %d waiting", a.waiting)))
	}
}

// remembered is the rule that "this session" would make, and until when it holds. It is on screen before it can be chosen.
func (a *Approver) remembered(w int) []string {
	offersSession := len(a.choices) > 2
	if a.q.Rule == "" || !offersSession {
		return nil
	}
	sign := "s this session:  "
	if w >= Narrow-4 {
		sign = "Remembered for this session:  "
	}
	lines := style.Wrap(oneLine(a.q.Rule), max(1, w-len(sign)))
	for i, l := range lines {
		if i > 0 {
			sign = style.Blank(len(sign))
		}
		lines[i] = a.sheet.Ink(themes.FgMuted, sign) + l
	}
	return lines
}

// titleRows is how many lines a text in the head may take.
const titleRows = 4

// wrap breaks text at blanks. What is longer than titleRows lines ends in an ellipsis.
func (a *Approver) wrap(text string, w int) []string {
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
