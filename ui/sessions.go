package ui

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/picker"
)

// pickedMsg says what was chosen in a picker: a session to open, or a model to use.
type pickedMsg struct {
	session string
	model   picker.Model
	err     error
}

// openSessions opens the session picker, a screen of its own.
func (m *Model) openSessions() tea.Cmd {
	if m.has(overlayPicker) {
		return nil
	}
	deps := picker.SessionsWith(m.d.Context, m.d.Library, m.d.Options.Dir, func(s engine.Session) tea.Cmd {
		return func() tea.Msg { return pickedMsg{session: s.ID} }
	})
	deps.Current = m.session.row.ID
	deps.Running = func(id string) bool { return id == m.session.row.ID && m.turn.running }
	box := picker.NewSessions(m.sheet, deps)
	m.push(overlay{kind: overlayPicker, key: "Esc back", box: box})
	return box.Init()
}

// openModels opens the model picker.
func (m *Model) openModels() tea.Cmd {
	deps := picker.ModelsWith(m.d.Context, m.d.Connect, nil, func(c picker.Model) tea.Cmd {
		return func() tea.Msg { return pickedMsg{model: c} }
	})
	deps.Current = m.session.route.Provider + "/" + m.session.route.Model
	deps.Context = m.session.context
	box := picker.NewModels(m.sheet, deps)
	m.push(overlay{kind: overlayHelp, key: "Esc back", box: box})
	return box.Init()
}

// picked does what was chosen.
func (m *Model) picked(p pickedMsg) tea.Cmd {
	switch {
	case p.err != nil:
		m.say(engine.NoteWarning, p.err.Error())
	case p.session != "":
		m.closePickers()
		m.do(engine.Open{Session: p.session})
		return m.saveDraft()
	case p.model.Ref != "" && !p.model.Ready && p.model.Connection != nil:
		m.closePickers()
		return m.openConnect()
	case p.model.Ref != "":
		m.closePickers()
		m.do(engine.Switch{Model: p.model.Ref, Route: routeOf(p.model)})
	}
	return nil
}

// routeOf is the exact route of a model that was found on a server; nil for one that was typed.
func routeOf(p picker.Model) *engine.Route {
	if p.Connection == nil {
		return nil
	}
	r := p.Connection.Route
	r.Model = p.Name
	return &r
}

func (m *Model) closePickers() {
	kept := m.overlays[:0:0]
	for _, o := range m.overlays {
		if o.id != "" || o.kind == overlayConnect {
			kept = append(kept, o)
		}
	}
	m.overlays = kept
}

// resume opens the session that a text fits; without one, the picker.
func (m *Model) resume(arg string) tea.Cmd {
	if arg == "" {
		return m.openSessions()
	}
	lib, dir := m.d.Library, m.d.Options.Dir
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), libraryTime)
		defer cancel()
		s, err := lib.Find(ctx, arg, dir)
		return pickedMsg{session: s.ID, err: err}
	}
}

// rename gives the session a title of the user's own.
func (m *Model) rename(arg string) tea.Cmd {
	if arg == "" {
		m.say(engine.NoteInfo, "/rename TITLE gives this session a title.")
		return nil
	}
	if !m.session.stored {
		m.say(engine.NoteInfo, "This session has no message yet; rename it after the first.")
		return nil
	}
	m.session.row.Title = arg
	lib, id := m.d.Library, m.session.row.ID
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), libraryTime)
		defer cancel()
		if err := lib.Rename(ctx, id, arg); err != nil {
			return pickedMsg{err: err}
		}
		return nil
	}
}

// openRecent opens one of the sessions that the welcome lists.
func (m *Model) openRecent(n int) tea.Cmd {
	if n < 1 || n > len(m.session.recent) {
		return nil
	}
	m.do(engine.Open{Session: m.session.recent[n-1].ID})
	return m.saveDraft()
}

// refreshMenu opens, narrows or closes the menu of slash commands as the prompt changes.
func (m *Model) refreshMenu() {
	text := m.prompt.Value()
	if !strings.HasPrefix(text, "/") || strings.ContainsAny(text, " \n") || m.pastedCommand() {
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
		}
	case "enter":
		item, ok := m.menu.Selected()
		if !ok {
			return nil, false
		}
		return m.slash(item.Name), true
	default:
		return nil, false
	}
	return nil, true
}

func (m *Model) menuRows() []string {
	return m.menu.View(m.w, min(picker.MenuRows, max(1, m.h/3)))
}

// themed loads a theme by name for /theme.
func (m *Model) themed(name string) (themes.Theme, error) { return themes.Load(name) }
