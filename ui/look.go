package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/style"
)

// background takes what the terminal told of its background, unless the user chose a theme.
func (m *Model) background(msg tea.BackgroundColorMsg) tea.Cmd {
	if m.chosen {
		return nil
	}
	return m.wear(m.d.Theme(msg.IsDark(), true))
}

// theme is /theme NAME; without a name it lists them.
func (m *Model) theme(arg string) tea.Cmd {
	t, err := themes.Load(arg)
	if err != nil || arg == "" {
		m.say(engine.NoteInfo, "/theme NAME changes the colours: "+strings.Join(slices.Sorted(slices.Values(themes.Names())), ", ")+".")
		return nil
	}
	m.chosen = true
	return m.wear(t)
}

// wear changes the theme of every pane.
func (m *Model) wear(t themes.Theme) tea.Cmd {
	if t.Name == m.sheet.Theme.Name {
		return nil
	}
	m.sheet = style.New(t, m.d.Options.ASCII)
	m.log.SetSheet(m.sheet)
	m.prompt.SetSheet(m.sheet)
	m.rewelcome()
	m.menu = nil
	m.refreshMenu()
	m.redress()
	return nil
}

// redress gives open overlays the new colours. The terminal tells its background right after the start, when the connect
// screen may be open already.
func (m *Model) redress() {
	for _, o := range m.overlays {
		if s, ok := o.box.(interface{ SetSheet(style.Sheet) }); ok {
			s.SetSheet(m.sheet)
		}
	}
}
