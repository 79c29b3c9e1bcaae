package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/themes"
	"talaria/ui/chrome"
	"talaria/ui/layout"
	"talaria/ui/picker"
)

// ruleCells is how wide the rule of the inline frame is: one over the whole width would be wrapped, and left behind, when
// the window gets narrower.
const ruleCells = 32

// below lays out the frame that stands below the scrollback: what is not finished, or an open dialog, then as on the
// screen.
func (m *Model) below() ([]string, *tea.Cursor) {
	plan := layout.Of(m.W, m.H)
	if plan.Small {
		rows, _ := m.inline.Fit(m.tooSmall()[:1])
		return rows, nil
	}
	prompt, cursor := m.Prompt.View(m.W, plan.Prompt)
	var menu []string
	if m.Popup != nil {
		menu = m.Popup.View(m.W, min(picker.MenuRows, max(1, m.H/3)))
	}
	around := chrome.Around{Now: m.Now(), Window: m.Session.Window, Tasks: len(m.Session.Tasks)}
	strip := m.Strip.Rows(m.Sheet, &m.Turn, m.W, plan.Strip)
	strip = append(m.Strip.Compacting.Rows(m.Sheet, around, m.W, m.H-len(prompt)-len(menu)-len(strip)-4), strip...)
	rows, over := m.unfinished(m.H - len(prompt) - len(menu) - len(strip) - 3)
	rows = append(append(rows, menu...), strip...)
	rows = append(rows, m.Sheet.Ink(themes.Border, m.Sheet.Rule(min(m.W, ruleCells))))
	at := len(rows)
	rows = append(append(rows, prompt...), m.statusRow())
	if m.prompting() {
		over = cursor
		if over != nil {
			over.Y += at
		}
	}
	rows, cut := m.inline.Fit(rows)
	if over != nil {
		if over.Y -= cut; over.Y < 0 {
			over = nil
		}
	}
	return rows, over
}

// unfinished is at most h rows: the dialog that is open, else what of the conversation is not printed yet.
func (m *Model) unfinished(h int) ([]string, *tea.Cursor) {
	m.Log.SetSize(m.W, m.H)
	if o := m.Overlays.Top(); o != nil {
		text, cursor := o.Box.View(m.W, max(1, h))
		box := strings.Split(text, "\n")
		return box[:min(len(box), max(0, h))], cursor
	}
	if keys := m.leaderRows(m.W, h); keys != nil {
		return keys, nil
	}
	if m.Log.Empty() {
		welcome := m.Log.Welcome()
		return welcome[:min(len(welcome), max(0, h))], nil
	}
	rows := m.Log.Live(min(h, m.inline.Room()))
	if len(rows) > 0 {
		rows = append([]string{""}, rows...)
	}
	return rows, nil
}

// expandPrinted shows what the terminal has already: that cannot be opened where it stands, so the whole screen is used.
func (m *Model) expandPrinted() (tea.Cmd, bool) {
	if !m.Options.Inline || !m.inline.Now() || !m.Log.Spooled() {
		return nil, false
	}
	return m.follow("["), true
}
