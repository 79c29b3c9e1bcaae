package ui

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/style"
)

type recentMsg []engine.Session

// loadRecent asks for the newest sessions of this directory, for the welcome of an empty one.
func (m *Model) loadRecent() tea.Cmd {
	dir, lib := m.d.Options.Dir, m.d.Library
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), libraryTime)
		defer cancel()
		list, err := lib.List(ctx, engine.Query{Dir: dir, Limit: 3})
		if err != nil {
			return nil
		}
		return recentMsg(list)
	}
}

// welcome is what an empty session shows (frame 2): where it is, what it talks to, what was done here before.
func (m *Model) welcome() []string {
	row := func(name, value, hint string) string {
		left := "  " + m.sheet.Ink(themes.FgMuted, fmt.Sprintf("%-12s", name)) + value
		return m.sheet.Spread(left, m.sheet.Ink(themes.FgMuted, hint), min(m.w, 76))
	}
	if m.w < 60 {
		return []string{m.sheet.Fg(themes.Accent).Bold(true).Render("talaria " + m.d.Options.Version), m.modelName(), m.home(m.d.Options.Dir)}
	}
	model := m.modelName()
	if e := m.session.route.Effort; e != "" && m.connected() {
		model += " · effort " + e
	}
	mode := map[string]string{"ask": "ask before edits and commands", "edit": "edits allowed, commands ask", "plan": "read only", "auto": "everything allowed but the hard-line list"}[m.session.mode]
	lines := []string{
		m.sheet.Fg(themes.Accent).Bold(true).Render("talaria " + m.d.Options.Version), "",
		row("Directory", m.home(m.d.Options.Dir), ""),
		row("Model", model, "/model"),
		row("Approval", mode, "Shift+Tab"),
	}
	if len(m.session.recent) == 0 {
		return lines
	}
	lines = append(lines, "", "Pick up where you left off")
	for i, s := range m.session.recent {
		title := s.Title
		if title == "" {
			title = s.ID
		}
		lines = append(lines, fmt.Sprintf("  %s  %s %s %s", m.sheet.Ink(themes.Accent, fmt.Sprint(i+1)), style.PadRight(m.sheet.Truncate(oneLine(title), 32), 32),
			m.sheet.Ink(themes.FgMuted, fmt.Sprintf("%-10s", ago(m.now(), s.Updated))), m.sheet.Ink(themes.FgMuted, turns(s.Turns))))
	}
	return append(lines, m.sheet.Ink(themes.FgMuted, "     Ctrl+X 1–3 opens one · Ctrl+X s shows all"))
}

func turns(n int) string {
	if n == 1 {
		return "1 turn"
	}
	return fmt.Sprintf("%d turns", n)
}

// ago writes when something was: 5m ago, 2h ago, yesterday, Mon, 12 Nov.
func ago(now, at time.Time) string {
	d := now.Sub(at)
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%dm ago", int(d.Minutes()))
	case d < 24*time.Hour:
		return fmt.Sprintf("%dh ago", int(d.Hours()))
	case d < 48*time.Hour:
		return "yesterday"
	case d < 7*24*time.Hour:
		return at.Format("Mon")
	}
	return at.Format("2 Jan")
}
