package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"talaria/themes"
	"talaria/ui/style"
)

// The smallest window that is drawn (UX 4.0), and from where a title row has room.
const (
	minWidth, minHeight     = 36, 8
	titleWidth, titleHeight = 60, 20
)

// View draws the whole screen: exactly the window's rows, none wider than it.
func (m *Model) View() tea.View {
	v := tea.NewView("")
	v.AltScreen = true
	v.ReportFocus = true
	if m.d.Options.Mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	v.WindowTitle = m.windowTitle()
	if m.leaving.done {
		return v
	}
	rows, cursor := m.rows()
	v.Content, v.Cursor = strings.Join(rows, "\n"), cursor
	return v
}

// rows lays the screen out from the bottom: status, prompt, rule, strip; the transcript has the rest.
func (m *Model) rows() ([]string, *tea.Cursor) {
	if m.w < minWidth || m.h < minHeight {
		return m.tooSmall(), nil
	}
	if o := m.top(); o != nil && o.kind == overlayPicker {
		text, cursor := o.box.View(m.w, m.h)
		return fit(strings.Split(text, "\n"), m.w, m.h), cursor
	}
	status := m.statusRow()
	prompt, cursor := m.prompt.View(m.w, m.promptRows())
	var menu []string
	if m.menu != nil {
		menu = m.menuRows()
	}
	strip := m.stripRows(m.stripMost())
	var title []string
	if m.w >= titleWidth && m.h >= titleHeight {
		title = []string{m.titleRow()}
	}
	room := m.h - len(title) - len(strip) - len(menu) - 1 - len(prompt) - 1
	body, over := m.body(max(0, room))
	rows := append(append(append(title, body...), menu...), strip...)
	rows = append(rows, m.sheet.Rule(m.w))
	at := len(rows)
	rows = append(append(rows, prompt...), status)
	if over != nil {
		over.Y += len(title)
		return fit(rows, m.w, m.h), over
	}
	if cursor != nil {
		cursor.Y += at
	}
	return fit(rows, m.w, m.h), cursor
}

func (m *Model) promptRows() int {
	if m.h < 20 {
		return min(3, max(1, m.h/3))
	}
	return max(1, min(10, m.h/3))
}

func (m *Model) stripMost() int {
	if m.h < 30 {
		return 2
	}
	return 3
}

// body is the transcript, with the top overlay over it.
func (m *Model) body(h int) ([]string, *tea.Cursor) {
	m.log.SetSize(m.w, h)
	lines := m.log.View()
	if pill := m.log.Pill(); pill != "" && h > 0 {
		text := m.sheet.On(themes.SelFg, themes.SelBg).Render(" " + pill + " ")
		lines[h-1] = style.PadRight(ansi.Truncate(lines[h-1], max(0, m.w-style.Width(text)-1), ""), m.w-style.Width(text)-1) + text
	}
	o := m.top()
	if o == nil {
		return lines, nil
	}
	box, cursor := o.box.View(m.w, h)
	return over(lines, strings.Split(box, "\n"), m.w, cursor)
}

// over puts the lines of a box on the middle of the base and moves its cursor along.
func over(base, box []string, w int, cursor *tea.Cursor) ([]string, *tea.Cursor) {
	bw := 0
	for _, l := range box {
		bw = max(bw, ansi.StringWidth(l))
	}
	x, y := max(0, (w-bw)/2), max(0, (len(base)-len(box))/2)
	for i, l := range box {
		if y+i >= len(base) {
			break
		}
		under := style.PadRight(base[y+i], w)
		base[y+i] = ansi.Cut(under, 0, x) + "\x1b[m" + style.PadRight(l, bw) + "\x1b[m" + ansi.Cut(under, x+bw, w)
	}
	if cursor != nil {
		cursor.X, cursor.Y = cursor.X+x, cursor.Y+y
	}
	return base, cursor
}

// fit makes exactly h rows, none wider than w: a frame that is too tall loses its top (LIBRARIES 2).
func fit(rows []string, w, h int) []string {
	if len(rows) > h {
		rows = rows[len(rows)-h:]
	}
	for len(rows) < h {
		rows = append(rows, "")
	}
	for i, r := range rows {
		if ansi.StringWidth(r) > w {
			rows[i] = ansi.Truncate(r, w, "")
		}
	}
	return rows
}

func (m *Model) tooSmall() []string {
	rows := []string{ansi.Truncate("Too small (needs 36x8). The agent keeps working.", max(0, m.w), "")}
	for len(rows) < m.h {
		rows = append(rows, "")
	}
	return rows[:max(0, m.h)]
}

// titleRow names the session, and on the right the model and the directory.
func (m *Model) titleRow() string {
	title := "New session"
	if m.session.row.Title != "" {
		title = oneLine(m.session.row.Title)
	}
	if m.setup() {
		title = "Welcome"
	}
	right := m.modelName()
	if e := m.session.route.Effort; e != "" && m.connected() {
		right += " · " + e
	}
	if m.w >= 110 {
		right += " · " + m.home(m.d.Options.Dir)
	}
	room := max(8, m.w-style.Width(right)-4)
	return m.sheet.Spread(" "+m.sheet.Fg(themes.Fg).Bold(true).Render(m.sheet.Truncate(title, room)), m.sheet.Ink(themes.FgMuted, right)+" ", m.w)
}

// home writes a path below the home directory with ~.
func (m *Model) home(path string) string {
	if rest, ok := strings.CutPrefix(path, m.d.Options.Home); ok && m.d.Options.Home != "" && (rest == "" || rest[0] == '/') {
		path = "~" + rest
	}
	return style.Safe(path)
}

// windowTitle changes only with the state and the session: a title that moves makes tabs jump.
func (m *Model) windowTitle() string {
	g := m.sheet.Glyphs
	sign := map[state]string{stateNeedsYou: g.Waiting + " ", stateFailed: g.Failed + " "}[m.turn.state]
	if sign == "" && m.turn.running {
		sign = g.Running + " "
	}
	title := oneLine(m.session.row.Title)
	if title == "" {
		title = "new session"
	}
	return sign + title + " · talaria"
}
