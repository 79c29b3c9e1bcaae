// Bare is the smallest full-screen program of the same toolkit: what a start is compared with.
package main

import tea "charm.land/bubbletea/v2"

type bare struct{}

func (bare) Init() tea.Cmd { return nil }

func (b bare) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(tea.KeyPressMsg); ok {
		return b, tea.Quit
	}
	return b, nil
}

func (bare) View() tea.View {
	v := tea.NewView("Ask anything")
	v.AltScreen = true
	return v
}

func main() {
	if _, err := tea.NewProgram(bare{}).Run(); err != nil {
		panic(err)
	}
}
