package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/ui/picker"
)

// refreshMenu opens, narrows or closes the menu of slash commands as the prompt changes.
func (m *Model) refreshMenu() {
	text := m.prompt.Value()
	if !strings.HasPrefix(text, "/") || strings.ContainsAny(text, " \n") || m.prompt.Pasted() {
		m.menu = nil
		return
	}
	if m.menu == nil {
		var items []picker.Item
		for _, c := range commands() {
			items = append(items, picker.Item{Name: "/" + c.name, Help: c.help, Why: m.why(c)})
		}
		m.menu = picker.NewMenu(m.sheet, items)
	}
	m.menu.Filter(text)
	if m.menu.Len() == 0 {
		m.menu = nil
	}
}

// menuKey is a key while the menu is open; done is false when the key is for the prompt.
func (m *Model) menuKey(k tea.KeyPressMsg) (cmd tea.Cmd, done bool) {
	switch k.String() {
	case "up", "ctrl+p":
		m.menu.Move(-1)
	case "down", "ctrl+n":
		m.menu.Move(1)
	case "esc":
		m.menu = nil
	case "tab":
		if item, ok := m.menu.Selected(); ok {
			m.prompt.SetValue(item.Name + " ")
			m.menu = nil
			return m.draftChanged(), true
		}
	case "enter": // held like any Enter: what follows at once makes it a pasted line, which is no command
		item, ok := m.menu.Selected()
		if !ok {
			return nil, false
		}
		m.prompt.SetValue(item.Name)
		return m.prompt.Enter(m.now()), true
	default:
		return nil, false
	}
	return nil, true
}

func (m *Model) menuRows() []string {
	return m.menu.View(m.w, min(picker.MenuRows, max(1, m.h/3)))
}
