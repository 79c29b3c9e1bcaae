package picker

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/themes"
	"talaria/ui/dialog"
	"talaria/ui/style"
)

// View draws the list in its groups; while a filter is typed the best fit is first and there are no groups.
func (m *Models) View(w, h int) (string, *tea.Cursor) {
	s := m.sheet
	hints := []string{"Enter use", "Tab default for new sessions"}
	if w < dialog.Narrow {
		hints = hints[:1]
	}
	if len(m.deps.Efforts) > 0 {
		hints = append(hints, dialog.Plain(s, "←→ effort"))
	}
	if m.deps.Shelf != nil {
		hints = append(hints, "* favourite")
	}
	f := dialog.Frame{Sheet: s, Title: "Model", Max: 90, Fill: h < 24 || w < dialog.Narrow, Hints: append(hints, "Esc back")}
	inner := f.Inner(w)
	label := "Search  "
	if w < dialog.Narrow {
		label = " / "
	}
	text, x := m.list.filter.View(s, max(1, inner-len(label)))
	p := dialog.Page{Head: []string{s.Ink(themes.FgMuted, label) + text, dialog.RuleLine}, Row: 0, Col: len(label) + x, OnHead: true}
	tail := m.tail(inner)
	if tail = tail[:min(len(tail), max(0, h-8))]; len(tail) > 0 {
		tail = append([]string{dialog.RuleLine}, tail...)
	}
	room := max(1, min(h-4-len(tail), 22))
	if w < dialog.Narrow {
		room = max(1, h-3-len(tail))
	}
	p.Foot = m.rows(inner, room)
	for len(p.Foot) < min(room, m.lines()) { // the box keeps its height while a filter narrows the list
		p.Foot = append(p.Foot, "")
	}
	p.Keep = len(p.Foot)
	p.Foot = append(p.Foot, tail...)
	return f.Draw(w, h, p)
}

// tail is what is said below the list: the effort, what a switch costs, what the model can do, and what went wrong. It
// has the same height for every row, so that nothing jumps.
func (m *Models) tail(w int) []string {
	s := m.sheet
	var lines []string
	if e := m.efforts(w); e != "" {
		lines = append(lines, e)
	}
	one, ok := m.list.current()
	narrow := w < dialog.Narrow-4
	if m.deps.Context > 0 && !(narrow && len(m.failed) > 0) {
		words, price := "Switching re-sends %s tokens of context uncached%s.", ": about $%.2f once"
		if narrow {
			words, price = "Switching re-sends %s tokens%s.", ": $%.2f"
		}
		cost := ""
		if ok && one.In > 0 {
			cost = fmt.Sprintf(price, max(0.01, one.In*float64(m.deps.Context)/1e6))
		}
		lines = append(lines, s.Ink(themes.FgMuted, s.Truncate(fmt.Sprintf(words, tokens(m.deps.Context), cost), w)))
	}
	if !narrow {
		lines = append(lines, s.Ink(themes.FgMuted, s.Truncate(dialog.Plain(s, abilities(one)), w)))
	}
	if m.said != "" {
		lines = append(lines, s.Ink(themes.Info, s.Truncate(m.said, w)))
	}
	for _, problem := range m.failed[:min(2, len(m.failed))] {
		lines = append(lines, s.Ink(themes.Warning, s.Truncate(s.Glyphs.Warning+" "+problem, w)))
	}
	return lines
}

// abilities says what a model can do.
func abilities(m Model) string {
	if !m.Known {
		return "The catalogue does not know this one: what it can do is tried."
	}
	can := func(is bool) string {
		if is {
			return "yes"
		}
		return "no"
	}
	return "Images " + can(m.Images) + " · tools " + can(m.Tools) + " · thinking " + can(m.Thinking) + " · prices per million tokens in/out"
}

// shortEffort are the efforts as the row of them says them.
var shortEffort = map[string]string{"medium": "med", "minimal": "min"}

// efforts is the row of efforts, with the one in use in brackets; where it is narrow, those around it.
func (m *Models) efforts(w int) string {
	s, at := m.sheet, slices.Index(m.deps.Efforts, m.deps.Effort)
	if len(m.deps.Efforts) == 0 {
		return ""
	}
	label, gap := "Effort  ", "  "
	if w < dialog.Narrow-4 {
		label, gap = "Effort ", ""
	}
	row := s.Ink(themes.FgMuted, label)
	for i, e := range append([]string{"own"}, m.deps.Efforts...) {
		if short, ok := shortEffort[e]; ok {
			e = short
		}
		switch {
		case i-1 == at:
			row += s.Paint(style.Look{Fg: themes.Accent, Bold: true}, "["+e+"]") + gap
		case w >= dialog.Narrow-4 || i-at >= 0 && i-at <= 2:
			row += s.Ink(themes.FgMuted, " "+e+" ") + gap
		}
	}
	return s.Truncate(strings.TrimRight(row, " "), w)
}

// lines counts those of the whole list, groups' names included.
func (m *Models) lines() int {
	groups := map[string]bool{}
	for i, one := range m.list.all {
		if i < m.near {
			one.Group = recent
		}
		groups[one.Group] = true
	}
	return len(m.list.all) + len(groups)
}

// rows draws n lines: groups' names and models, the one in use among them.
func (m *Models) rows(w, n int) []string {
	s := m.sheet
	m.page = max(1, n-2)
	if len(m.list.shown) == 0 {
		typed := strings.TrimSpace(m.list.filter.Value())
		switch {
		case typed != "":
			return []string{s.Ink(themes.FgMuted, "Nothing matches. Enter uses '"+oneLine(typed)+"' as it is.")}
		case !m.asked:
			return []string{s.Ink(themes.FgMuted, dialog.Plain(s, "Asking what there is…"))}
		}
		return []string{s.Ink(themes.FgMuted, "No models were found. /connect adds a provider.")}
	}
	var lines []string
	focus, group := 0, ""
	for i, at := range m.list.shown {
		one := m.list.all[at]
		name := one.Group
		if i < m.near {
			name = recent
		}
		if m.list.filter.Value() == "" && name != group {
			group = name
			lines = append(lines, s.Ink(themes.FgMuted, dialog.Plain(s, oneLine(group))))
		}
		if i == m.list.at {
			focus = len(lines)
		}
		lines = append(lines, m.row(one, i == m.list.at, w))
	}
	from := max(focus-n+1, min(m.list.top, max(0, focus-1)))
	from = max(0, min(from, len(lines)-n))
	m.list.top = from
	return lines[from:min(from+n, len(lines))]
}

func (m *Models) row(one Model, focus bool, w int) string {
	s := m.sheet
	sign, look := "  ", style.Look{Fg: themes.Fg}
	if focus {
		sign, look = s.Glyphs.Focus+" ", style.Look{Fg: themes.Fg, Bg: themes.RowSel, Bold: true}
	} else if !one.Ready {
		look.Fg = themes.FgMuted
	}
	window := ""
	if one.Window > 0 {
		window = tokens(one.Window)
	}
	note := oneLine(one.Note)
	if slices.Contains(m.starred, one.Ref) {
		note = s.Glyphs.Current
	}
	if one.Ref == m.deps.Current {
		note = strings.TrimSpace(note + " current")
	}
	var row string
	if w < dialog.Narrow-4 {
		width := max(4, w-20)
		row = sign + style.PadRight(s.Truncate(oneLine(one.Name), width), width) + fmt.Sprintf(" %5s %11s", window, one.price())
	} else {
		width := max(20, min(36, w-52))
		row = sign + style.PadRight(s.Truncate(oneLine(one.Name), width), width) + " " +
			style.PadRight(s.Truncate(oneLine(one.Provider), 11), 11) + fmt.Sprintf(" %6s %11s   %s", window, one.price(), note)
	}
	return s.Paint(look, style.PadRight(s.Truncate(row, w), w))
}

// tokens writes a number of tokens: 900, 128k, 1M.
func tokens(n int) string {
	switch {
	case n >= 1_000_000:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/1e6), ".0") + "M"
	case n >= 1000:
		return fmt.Sprintf("%dk", n/1000)
	}
	return fmt.Sprint(n)
}

// Keys lists what can be pressed.
func (m *Models) Keys() []dialog.Binding {
	return []dialog.Binding{{Keys: []string{"enter"}, Name: "use"}, {Keys: []string{"esc"}, Name: "back"}}
}
