package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/chrome"
	"talaria/ui/layout"
	"talaria/ui/overlay"
	"talaria/ui/picker"
	"talaria/ui/style"
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
	v.AltScreen = !m.inline.Now()
	v.ReportFocus = true
	if m.Options.Mouse != "off" && v.AltScreen {
		v.MouseMode = tea.MouseModeCellMotion
	}
	v.WindowTitle, v.ProgressBar = m.beacon.Title(), m.beacon.Progress()
	return v
}

// leastBody is how many rows of the transcript stay over a compaction.
const leastBody = 2

// rows lays the screen out from the bottom: status, prompt, rule, strip, menu; the transcript has the rest.
func (m *Model) rows() ([]string, *tea.Cursor) {
	if m.inline.Now() {
		return m.below()
	}
	plan := layout.Of(m.W, m.H)
	if plan.Small {
		return m.tooSmall(), nil
	}
	if o := m.Overlays.Top(); o != nil && o.Full {
		text, cursor := o.Box.View(m.W, m.H)
		return layout.Fit(strings.Split(text, "\n"), m.W, m.H), cursor
	}
	status := m.statusRow()
	prompt, cursor := m.Prompt.View(m.W, plan.Prompt)
	var menu []string
	if m.Popup != nil {
		menu = m.Popup.View(m.W, min(picker.MenuRows, max(1, m.H/3)))
	}
	strip := m.Strip.Rows(m.Sheet, &m.Turn, m.W, plan.Strip)
	var title []string
	if plan.Title && !m.Zen {
		title = []string{m.titleRow()}
	}
	around := chrome.Around{Now: m.Now(), Window: m.Session.Window, Tasks: len(m.Session.Tasks)}
	strip = append(m.Strip.Compacting.Rows(m.Sheet, around, m.W, m.H-len(prompt)-len(menu)-len(strip)-len(title)-leastBody-2), strip...)
	room := m.H - len(title) - len(strip) - len(menu) - 1 - len(prompt) - 1
	body, over := m.body(max(0, room))
	rows := append(append(append(title, body...), menu...), strip...)
	rows = append(rows, m.Sheet.Ink(themes.Border, m.Sheet.Rule(m.W)))
	at := len(rows)
	rows = append(append(rows, prompt...), status)
	if m.prompting() {
		if cursor != nil {
			cursor.Y += at
		}
		return layout.Fit(rows, m.W, m.H), cursor
	}
	if over != nil {
		over.Y += len(title)
	}
	return layout.Fit(rows, m.W, m.H), over
}

// prompting reports whether what is typed goes to the prompt: there is the cursor (UX 4.9).
func (m *Model) prompting() bool {
	o := m.Overlays.Top()
	return o == nil || !m.Prompt.Empty() && !o.TakesText(false)
}

// body is the transcript; an open dialog takes its lower part, so that what it is about stays in view above it.
func (m *Model) body(h int) ([]string, *tea.Cursor) {
	o := m.Overlays.Top()
	if o == nil {
		keys := m.leaderRows(m.W, h)
		return append(m.beside(h-len(keys)), keys...), nil
	}
	text, cursor := o.Box.View(m.W, h)
	box := strings.Split(text, "\n")
	box = box[:min(len(box), h)]
	x, y := m.place(o, box, h)
	lines := append(m.above(y), chrome.Indented(box, x)...)
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
func (m *Model) place(o *overlay.Overlay, box []string, h int) (x, y int) {
	if m.W < chrome.Narrow {
		return 0, 0
	}
	w := 0
	for _, l := range box {
		w = max(w, ansi.StringWidth(l))
	}
	spare := max(0, h-len(box))
	switch {
	case o.Asks():
		y = spare * 2 / 3
	case m.Setup():
		y = spare / 3
	default:
		y = spare / 2
	}
	return max(0, (m.W-w)/2), y
}

// above is the end of the transcript in the h rows above a box, with an empty row between; nothing where that is too
// little to read.
func (m *Model) above(h int) []string {
	if h < 4 || m.Setup() {
		return make([]string, h)
	}
	return append(m.page(m.W, h-1), "")
}

// beside is the transcript with the Work panel on its right, where that is open.
func (m *Model) beside(h int) []string {
	plan := layout.Of(m.W, m.H)
	if !m.panel.Open(plan) || m.Zen || h <= 0 {
		return m.page(m.W, h)
	}
	lines, side := m.page(m.W-plan.Panel-1, h), m.panel.Rows(plan.Panel, h)
	for i := range lines {
		lines[i] = style.PadRight(m.Sheet.Truncate(lines[i], m.W-plan.Panel), m.W-plan.Panel) + side[i]
	}
	return lines
}

// logTop is the row of the screen where the conversation begins.
func (m *Model) logTop() int {
	if layout.Of(m.W, m.H).Title {
		return 1
	}
	return 0
}

// page is h rows of w cells of the transcript, with the pill over its last row.
func (m *Model) page(w, h int) []string {
	m.Log.SetSize(w, h)
	lines := m.Log.Shade(m.Log.View())
	if pill := m.Log.Pill(); pill != "" && h > 0 {
		text := m.Sheet.On(themes.SelFg, themes.SelBg).Reverse(m.Sheet.Colour(themes.SelBg) == nil).Render(" " + pill + " ")
		room := max(0, w-style.Width(text)-1)
		lines[h-1] = style.PadRight(ansi.Truncate(lines[h-1], room, ""), room) + text
	}
	if m.Options.Terminal.Links {
		return style.Linked(lines, w, m.FileLinks())
	}
	return lines
}

func (m *Model) tooSmall() []string {
	rows := make([]string, max(1, m.H))
	if m.W > 0 {
		copy(rows, style.Wrap("Too small (needs 36x8). The agent keeps working.", m.W))
	}
	return rows[:m.H]
}
