package dialog

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/ui/composer"
)

// modelList is the models of one server, narrowed by what is typed.
type modelList struct {
	all    []string
	filter composer.Line
	at     int
}

func newModelList(all []string) modelList { return modelList{all: all} }

func (m *modelList) shown() []string {
	var out []string
	want := strings.ToLower(strings.TrimSpace(m.filter.Value()))
	for _, one := range m.all {
		if strings.Contains(strings.ToLower(one), want) {
			out = append(out, one)
		}
	}
	return out
}

func (m *modelList) update(msg tea.Msg) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.Keystroke() {
		case "up", "ctrl+p":
			m.at = Step(m.at, -1, len(m.shown()))
			return
		case "down", "ctrl+n", "tab":
			m.at = Step(m.at, 1, len(m.shown()))
			return
		case "pgup":
			m.at = Step(m.at, -10, len(m.shown()))
			return
		case "pgdown":
			m.at = Step(m.at, 10, len(m.shown()))
			return
		}
	}
	if m.filter.Update(msg) {
		m.at = 0
	}
}

func (m *modelList) chosen() string {
	if all := m.shown(); m.at < len(all) {
		return all[max(0, m.at)]
	}
	return strings.TrimSpace(m.filter.Value()) // a name that the server does not list
}
