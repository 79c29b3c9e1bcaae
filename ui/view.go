package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/chrome"
	"talaria/ui/style"
)

// The smallest window that is drawn (UX 4.0), and from where a title row has room.
const (
	minWidth, minHeight     = 36, 8
	titleWidth, titleHeight = 60, 20
)

// View draws the whole screen: exactly the window's rows, none wider than it.
func (m *Model) View() (v tea.View) {
	defer m.rescue("view", func(c engine.Crash) {
		v = m.frame()
		if m.leaving.fail != nil {
			m.leaving.fail(c)
		}
	})
	v = m.frame()
	if m.leaving.done {
		return v
	}
	rows, cursor := m.rows()
	v.Content, v.Cursor = strings.Join(rows, "\n"), cursor
	return v
}

// frame is the view without content: the modes of the terminal.
func (m *Model) frame() tea.View {
	v := tea.NewView("")
	v.AltScreen = true
	v.ReportFocus = true
	if m.d.Options.Mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	v.WindowTitle = m.windowTitle()
	return v
}

// rows lays the screen out from the bottom: status, prompt, rule, strip, menu; the transcript has the rest.
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
	strip := m.strip.Rows(m.sheet, &m.turn, m.w, m.stripMost())
	var title []string
	if m.w >= titleWidth && m.h >= titleHeight {
		title = []string{m.titleRow()}
	}
	room := m.h - len(title) - len(strip) - len(menu) - 1 - len(prompt) - 1
	body, over := m.body(max(0, room))
	rows := append(append(append(title, body...), menu...), strip...)
	rows = append(rows, m.sheet.Ink(themes.Border, m.sheet.Rule(m.w)))
	at := len(rows)
	rows = append(append(rows, prompt...), status)
	if m.prompting() {
		if cursor != nil {
			cursor.Y += at
		}
		return fit(rows, m.w, m.h), cursor
	}
	if over != nil {
		over.Y += len(title)
	}
	return fit(rows, m.w, m.h), over
}

// prompting reports whether what is typed goes to the prompt: there is the cursor (UX 4.9).
func (m *Model) prompting() bool {
	o := m.top()
	return o == nil || !m.prompt.Empty() && !m.overlayTakes(o, tea.KeyPressMsg{Code: 'x', Text: "x"})
}

func (m *Model) promptRows() int {
	if m.h < titleHeight {
		return min(3, max(1, m.h/3))
	}
	return max(1, min(10, m.h/3))
}

// stripMost is how many rows the strip may take. Where words are chrome.Narrow a steer needs two.
func (m *Model) stripMost() int {
	switch {
	case m.h < 12:
		return 1
	case m.h >= 30, m.w < chrome.Narrow:
		return 3
	}
	return 2
}

// body is the transcript; an open dialog takes its lower part, so that what it is about stays in view above it.
func (m *Model) body(h int) ([]string, *tea.Cursor) {
	o := m.top()
	if o == nil {
		keys := m.leaderRows(m.w, h)
		return append(m.page(h-len(keys)), keys...), nil
	}
	text, cursor := o.box.View(m.w, h)
	box := strings.Split(text, "\n")
	box = box[:min(len(box), h)]
	x, y := m.place(o, box, h)
	lines := append(m.context(y), chrome.Indented(box, x)...)
	for len(lines) < h {
		lines = append(lines, "")
	}
	if cursor != nil {
		cursor.X, cursor.Y = cursor.X+x, cursor.Y+y
	}
	return lines, cursor
}

// place says where a box of these lines stands: in the middle of the width; at the top where it has no frame, lower than
// the middle when what stands above matters for the answer.
func (m *Model) place(o *overlay, box []string, h int) (x, y int) {
	if m.w < chrome.Narrow {
		return 0, 0
	}
	w := 0
	for _, l := range box {
		w = max(w, ansi.StringWidth(l))
	}
	spare := max(0, h-len(box))
	switch {
	case o.question.ID != "":
		y = spare * 2 / 3
	case m.setup():
		y = spare / 3
	default:
		y = spare / 2
	}
	return max(0, (m.w-w)/2), y
}

// context is the end of the transcript in the h rows above a box, with an empty row between; nothing where that is too
// little to read.
func (m *Model) context(h int) []string {
	if h < 4 || m.setup() {
		return make([]string, h)
	}
	return append(m.page(h-1), "")
}

// page is h rows of the transcript, with the pill over its last row.
func (m *Model) page(h int) []string {
	m.log.SetSize(m.w, h)
	lines := m.log.View()
	if pill := m.log.Pill(); pill != "" && h > 0 {
		text := m.sheet.On(themes.SelFg, themes.SelBg).Reverse(m.sheet.Colour(themes.SelBg) == nil).Render(" " + pill + " ")
		room := max(0, m.w-style.Width(text)-1)
		lines[h-1] = style.PadRight(ansi.Truncate(lines[h-1], room, ""), room) + text
	}
	return lines
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
	rows := make([]string, max(1, m.h))
	if m.w > 0 {
		copy(rows, style.Wrap("Too small (needs 36x8). The agent keeps working.", m.w))
	}
	return rows[:m.h]
}
