package ui

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
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
	deps.Running = func(id string) bool { return id == m.session.row.ID && m.turn.Active }
	box := picker.NewSessions(m.sheet, deps)
	m.push(overlay{kind: overlayPicker, key: "Esc back", box: box})
	return box.Init()
}

// openModels opens the model picker.
func (m *Model) openModels() tea.Cmd {
	if m.has(overlayModels) {
		return nil
	}
	deps := picker.ModelsWith(m.d.Context, m.d.Connect, nil, func(c picker.Model) tea.Cmd {
		return func() tea.Msg { return pickedMsg{model: c} }
	})
	deps.Current = m.session.route.Provider + "/" + m.session.route.Model
	deps.Context = m.session.context
	box := picker.NewModels(m.sheet, deps)
	m.push(overlay{kind: overlayModels, key: "Esc back", box: box})
	return box.Init()
}

// picked does what was chosen.
func (m *Model) picked(p pickedMsg) tea.Cmd {
	switch {
	case p.err != nil:
		m.say(engine.NoteWarning, p.err.Error())
	case p.session != "":
		return m.open(p.session)
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
	m.overlays = slices.DeleteFunc(m.overlays, func(o overlay) bool { return o.question.ID == "" && o.kind != overlayConnect })
}

// open changes to another session. The agent works in one at a time.
func (m *Model) open(id string) tea.Cmd {
	if m.turn.Active && id != m.session.row.ID {
		m.say(engine.NoteWarning, "The agent is still working here. Stop it first (Esc), then change the session.")
		m.closePickers()
		return nil
	}
	m.closePickers()
	save := m.saveDraft()
	return func() tea.Msg { // the draft first: a new session may share its place
		msg := save()
		m.d.Engine.Do(engine.Open{Session: id})
		return msg
	}
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
	return m.open(m.session.recent[n-1].ID)
}
