package picker

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/dialog"
	"talaria/ui/style"
)

// beside is the width from which the preview stands beside the list.
const beside = 110

// View fills w by h cells: it is a screen of its own.
func (p *Sessions) View(w, h int) (string, *tea.Cursor) {
	if w <= 0 || h <= 0 {
		return "", nil
	}
	if p.reading != nil {
		return p.readingView(w, h), nil
	}
	var out []string
	s, line := p.sheet, p.sheet.Ink(themes.Border, p.sheet.Rule(w))
	search, x := p.box(w)
	if h >= 6 {
		out = append(out, p.heading(w))
	}
	cursor := tea.NewCursor(max(0, min(x, w-1)), len(out))
	cursor.Shape = tea.CursorBar
	if out = append(out, search); h >= 5 {
		out = append(out, line)
	}
	foot := p.foot(w, h)
	rows, at := p.middle(w, h-len(out)-len(foot))
	if p.renaming != nil && at >= 0 {
		_, col := p.renaming.View(s, p.titleWidth(w))
		cursor = tea.NewCursor(min(3+col, w-1), min(len(out)+at, h-1))
	}
	out = append(append(out, rows...), foot...)
	for i, l := range out {
		out[i] = s.Truncate(l, w)
	}
	return strings.Join(out[:min(len(out), h)], "\n"), cursor
}

func (p *Sessions) heading(w int) string {
	s := p.sheet
	title := " " + s.Paint(style.Look{Fg: themes.Fg, Bold: true}, "Sessions")
	if w < dialog.Narrow {
		scope := map[Scope]string{ScopeDir: "this directory", ScopeRepo: "repository", ScopeAll: "all"}[p.scope]
		return title + s.Ink(themes.FgMuted, dialog.Plain(s, fmt.Sprintf(" · %s · %d", scope, len(p.list.shown))))
	}
	var tabs []string
	for i, name := range []string{"This directory", "Repository", "All"} {
		switch {
		case Scope(i) == p.scope:
			tabs = append(tabs, s.Paint(style.Look{Fg: themes.Accent, Bold: true}, "["+name+"]"))
		case Scope(i) != ScopeRepo || p.deps.Repo:
			tabs = append(tabs, s.Ink(themes.FgMuted, name))
		}
	}
	return s.Spread(title, strings.Join(tabs, "  ")+s.Ink(themes.FgMuted, dialog.Plain(s, "   ·   newest first "))+" ", w)
}

func (p *Sessions) box(w int) (string, int) {
	label := " Search titles and messages:  "
	if w < dialog.Narrow {
		label = " / "
	}
	text, x := p.list.filter.View(p.sheet, max(1, w-len(label)-12))
	left := p.sheet.Ink(themes.FgMuted, label) + text
	count := ""
	if w >= dialog.Narrow && !p.loading {
		count = p.sheet.Ink(themes.FgMuted, fmt.Sprintf("%d of %d ", len(p.list.shown), len(p.list.all)))
	}
	return p.sheet.Spread(left, count, w), len(label) + x
}

// foot is the rule, the keys, and above them what there is to say.
func (p *Sessions) foot(w, h int) []string {
	s := p.sheet
	look := "Space"
	if p.list.filter.Value() != "" {
		look = "Ctrl+O"
	}
	keys := []string{"Enter open", look + " view", "Ctrl+F fork", "Ctrl+R rename", "Ctrl+D delete", "Tab scope", "Esc back"}
	if p.renaming != nil {
		keys = []string{"Enter rename", "Esc back"}
	}
	if w < dialog.Narrow {
		keys = slices.DeleteFunc(keys, func(k string) bool { return k == "Ctrl+F fork" }) // the list needs the room more
	}
	var out []string
	if h >= 7 {
		out = append(out, s.Ink(themes.Border, s.Rule(w)))
	}
	if p.notice != "" {
		out = append(out, s.Ink(themes.Warning, " "+s.Glyphs.Warning+" "+oneLine(p.notice)))
	}
	if p.renaming == nil && w >= beside {
		keys[1], keys[4] = look+" full preview", "Ctrl+D delete (undo 10 s)"
	}
	for _, l := range p.keyLines(keys, w, h >= 12) {
		out = append(out, s.Ink(themes.FgMuted, l))
	}
	return out
}

// keyLines sets the keys in one line, or in several where they do not fit and there is room.
func (p *Sessions) keyLines(keys []string, w int, several bool) []string {
	if !several {
		return []string{" " + dialog.Hints(p.sheet, keys, w-1)}
	}
	lines := []string{" " + keys[0]}
	for _, k := range keys[1:] {
		last, more := &lines[len(lines)-1], dialog.Plain(p.sheet, " · ")+k
		if style.Width(*last+more) > w {
			lines = append(lines, " "+k)
		} else {
			*last += more
		}
	}
	return lines
}

// middle is the list with the preview beside or below it, n lines, and the line of the row in use, -1 for none.
func (p *Sessions) middle(w, n int) ([]string, int) {
	switch {
	case n <= 0:
		return nil, -1
	case w >= beside:
		left := w * 55 / 100
		rows, at := p.rows(left, n)
		side := p.about(w-left-3, n)
		bar := p.sheet.Ink(themes.Border, p.sheet.Glyphs.VLine)
		for i := range rows {
			rows[i] = style.PadRight(p.sheet.Truncate(rows[i], left), left) + bar
			if i < len(side) {
				rows[i] += " " + side[i]
			}
		}
		return rows, at
	case n < 9:
		return p.rows(w, n)
	}
	below := max(2, min(8, n/2-1))
	if w < dialog.Narrow {
		below = 1
	}
	rows, at := p.rows(w, n-below-1)
	rows = append(rows, p.sheet.Ink(themes.Border, p.sheet.Rule(w)))
	about := p.about(w-2, below)
	for i := range below {
		line := ""
		if i < len(about) {
			line = " " + about[i]
		}
		rows = append(rows, line)
	}
	return rows, at
}

// rows draws the columns' names and n-1 sessions, or why there are none.
func (p *Sessions) rows(w, n int) ([]string, int) {
	s := p.sheet
	var out []string
	if w >= dialog.Narrow && n > 2 {
		out = append(out, s.Ink(themes.FgMuted, style.PadRight("   Title", p.titleWidth(w)+3)+"  Updated  Turns     Cost"))
	}
	p.page = max(1, n-len(out)-1)
	if len(p.list.shown) == 0 {
		out = append(out, "", " "+s.Ink(themes.FgMuted, p.empty()))
	}
	from, to := p.list.window(n - len(out))
	at := -1
	for i := from; i < to; i++ {
		if i == p.list.at {
			at = len(out)
		}
		out = append(out, p.row(p.list.all[p.list.shown[i]], i == p.list.at, w))
	}
	for len(out) < n {
		out = append(out, "")
	}
	return out[:n], at
}

func (p *Sessions) empty() string {
	filter := oneLine(p.list.filter.Value())
	switch {
	case p.loading:
		return dialog.Plain(p.sheet, "Reading the sessions…")
	case filter != "" && len(p.list.all) > 0:
		words := "Nothing matches '" + filter + "'. "
		if better := nearest(filter, p.list.texts()); better != "" {
			words += "Did you mean '" + oneLine(better) + "'? "
		}
		return words + "Esc clears."
	case p.scope == ScopeAll:
		return "No sessions yet. Esc goes back to a new one."
	case p.scope == ScopeDir && p.deps.Repo:
		return "No sessions here yet. Tab looks in the whole repository."
	}
	return "No sessions here yet. Tab looks in all directories."
}

// titleWidth is what the other columns leave.
func (p *Sessions) titleWidth(w int) int {
	if w < dialog.Narrow {
		return max(1, w-16)
	}
	return max(8, w-32)
}

func (p *Sessions) row(one engine.Session, focus bool, w int) string {
	s, width := p.sheet, p.titleWidth(w)
	sign := " "
	if focus {
		sign = s.Glyphs.Focus
	}
	look, title, state := style.Look{Fg: themes.Fg}, oneLine(one.Title), " "
	if title == "" {
		title, look.Fg = "(no title)", themes.FgMuted
	}
	switch {
	case p.deleting[one.ID] != 0:
		title, look = dialog.Plain(s, "deleted · Ctrl+D undoes it · ")+title, style.Look{Fg: themes.FgMuted, Strike: !focus}
	case p.running(one.ID):
		state = s.Glyphs.Running
	case one.ID == p.deps.Current:
		state = s.Glyphs.Current
	}
	if focus {
		look.Bg, look.Bold = themes.RowSel, true
	}
	query := p.list.filter.Value()
	if focus && p.renaming != nil {
		title, _ = p.renaming.View(s, width)
		query = ""
	} else {
		title = s.Truncate(title, width)
	}
	title = style.PadRight(title, width)
	before, after := sign+" ", fmt.Sprintf("  %6s %3d%s", Ago(one.Updated, p.now()), one.Turns, state)
	if w >= dialog.Narrow {
		before, after = " "+before, fmt.Sprintf("  %7s  %5d  %7s  %s ", Ago(one.Updated, p.now()), one.Turns, Cost(one), state)
	}
	after = style.PadRight(after, w-style.Width(before+title))
	return s.Paint(look, before) + marked(s, look, title, query) + s.Paint(look, after)
}

// marked draws text with what the query found in it underlined.
func marked(s style.Sheet, look style.Look, text, query string) string {
	hit := look
	hit.Fg, hit.Underline = themes.Accent, true
	var b strings.Builder
	at := 0
	for _, m := range matches(query, text) {
		b.WriteString(s.Paint(look, text[at:m[0]]) + s.Paint(hit, text[m[0]:m[1]]))
		at = m[1]
	}
	return b.String() + s.Paint(look, text[at:])
}

// about tells what the session in use is, n lines of at most w cells.
func (p *Sessions) about(w, n int) []string {
	one, ok := p.list.current()
	if !ok || w <= 0 {
		return nil
	}
	s := p.sheet
	muted := func(t string) string { return s.Ink(themes.FgMuted, s.Truncate(dialog.Plain(s, t), w)) }
	title := oneLine(one.Title)
	if title == "" {
		title = "(no title)"
	}
	dir := oneLine(one.Dir)
	if p.deps.Path != nil {
		dir = p.deps.Path(dir)
	}
	facts := s.Middle(dir, max(10, w-26))
	if one.Route.Model != "" {
		facts += " · " + oneLine(one.Route.Model)
	}
	if one.ParentWhy == engine.WhyFork {
		facts += " · fork"
	}
	out := []string{s.Paint(style.Look{Fg: themes.Fg, Bold: true}, s.Truncate(title, w)), muted(facts)}
	if n == 1 {
		if found := p.matches(one.ID, w, 1); len(found) > 0 {
			return found
		}
		return []string{muted(firstLine(one.Last))}
	}
	if n > 8 && !one.Created.IsZero() {
		out = append(out, muted("started "+one.Created.Format("2 Jan 15:04")+" · last "+one.Updated.Format("2 Jan 15:04")), "")
	}
	found := p.matches(one.ID, w-2, max(1, n/3))
	if len(found) > 0 && n > 8 {
		out = append(out, muted("Matches"))
	}
	for _, l := range found {
		out = append(out, "  "+l)
	}
	if len(found) > 0 && n > 8 {
		out = append(out, "")
	}
	lines := p.previews[one.ID]
	if lines == nil && one.Last != "" {
		if n > 8 {
			lines = append(lines, muted("Last exchange"))
		}
		lines = append(lines, style.Wrap(style.Safe(one.Last), w)...)
	}
	if len(one.Changed) > 0 {
		lines = append(lines, "", muted(fmt.Sprintf("Files changed %d", len(one.Changed))))
		for _, f := range one.Changed {
			lines = append(lines, s.Middle("M "+oneLine(strings.TrimPrefix(f, one.Dir+"/")), w))
		}
	}
	for _, l := range lines {
		out = append(out, s.Truncate(style.OnlySGR(l), w))
	}
	return out[:min(len(out), n)]
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return oneLine(line)
}

// oneLine shows text from outside on one line.
func oneLine(s string) string {
	return strings.ReplaceAll(style.Safe(strings.TrimSpace(s)), "\n", " ")
}

// Ago says when t was, seen from now: 5m, 2h, Mon, 12 Nov, 2024.
func Ago(t, now time.Time) string {
	d := now.Sub(t)
	switch {
	case t.IsZero():
		return ""
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 24*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	case d < 6*24*time.Hour:
		return t.Format("Mon")
	case t.Year() == now.Year():
		return t.Format("2 Jan")
	}
	return t.Format("2006")
}

// localProviders run on this machine even when the session does not say where.
var localProviders = map[string]bool{"demo": true, "ollama": true, "lmstudio": true, "llamacpp": true}

// Cost writes what a session cost: "local" for a model on this machine, "?" when the price is not known, never $0.00
// for either.
func Cost(s engine.Session) string {
	host := ""
	if u, err := url.Parse(s.Route.BaseURL); err == nil {
		host = u.Hostname()
	}
	switch {
	case host == "localhost" || strings.HasPrefix(host, "127.") || host == "::1" || localProviders[s.Route.Provider]:
		return "local"
	case s.Cost == nil:
		return "?"
	case *s.Cost > 0 && *s.Cost < 0.005:
		return "<$0.01"
	}
	return fmt.Sprintf("$%.2f", *s.Cost)
}
