package ui

import (
	tea "charm.land/bubbletea/v2"

	"talaria/engine"
)

// on takes what the engine told into the panes. It is the one place where an event meets the screen.
func (m *Model) on(e engine.Event) tea.Cmd {
	m.turn.on(e, m.now())
	if o, ok := e.(engine.Opened); ok {
		return m.opened(o)
	}
	m.log.On(e, false)
	switch e := e.(type) {
	case engine.Asked:
		m.asked(e.Question)
		return m.attention()
	case engine.Withdrawn:
		m.withdrawn(e.ID)
	case engine.Steered:
		m.strip.steers, m.strip.paused = e.Waiting, e.Paused
	case engine.Queued:
		m.strip.queued, m.strip.paused = e.Waiting, e.Paused
	case engine.Appended:
		return m.appended(e.Message)
	case engine.Used:
		m.session.context, m.session.window, m.session.cost = e.Context, e.Window, e.Cost
	case engine.Planned:
		m.session.tasks = e.Tasks
	case engine.Noted:
		m.noted(e)
	case engine.Ended:
		return m.ended(e)
	case engine.Began:
		m.session.route = e.Route
		m.session.row.Turns = e.Turn
	case engine.Opened, engine.Stepped, engine.Streamed, engine.CallBegan, engine.CallWrote, engine.CallEnded, engine.Compacted, engine.Child, engine.Unknown:
	}
	return nil
}

// opened changes to another session: a new transcript, the draft that belongs to it, and its state.
func (m *Model) opened(o engine.Opened) tea.Cmd {
	m.log.On(o, false)
	m.session.row, m.session.route, m.session.stored = o.Session, o.Session.Route, o.Resumed
	m.session.context, m.session.cost, m.session.tasks, m.session.answer = o.Session.Context, o.Session.Cost, nil, ""
	m.strip = strip{unsent: m.strip.unsent}
	for _, r := range o.Past {
		if u, ok := r.Event.(engine.Used); ok {
			m.session.window = u.Window
		}
		if a, ok := r.Event.(engine.Appended); ok {
			m.remember(a.Message)
		}
	}
	m.log.SetWelcome(m.welcome())
	m.log.Bottom()
	if !m.connected() && !m.has(overlayConnect) {
		return tea.Batch(m.loadDraft(), m.loadRecent(), m.openConnect())
	}
	cmds := []tea.Cmd{m.loadDraft(), m.loadRecent()}
	if m.d.Options.Picker {
		m.d.Options.Picker = false
		cmds = append(cmds, m.openSessions())
	}
	if first := m.d.Options.First; first != "" {
		m.d.Options.First = ""
		cmds = append(cmds, m.send(first))
	}
	return tea.Batch(cmds...)
}

// appended notes that something of the session is on disk; a message of the user's is safe now, so its draft may go.
func (m *Model) appended(msg engine.Message) tea.Cmd {
	m.session.stored = true
	m.session.row.Messages++
	m.remember(msg)
	if msg.Role != engine.RoleUser {
		return nil
	}
	if m.session.row.Title == "" {
		m.session.row.Title = firstLine(msg.Text())
	}
	return m.saveDraft()
}

// remember keeps the newest answer, for copying and for the summary on exit.
func (m *Model) remember(msg engine.Message) {
	if text := msg.Text(); msg.Role == engine.RoleAssistant && !msg.Aside && text != "" {
		m.session.answer = text
	}
}

func (m *Model) noted(n engine.Noted) {
	switch n.Kind {
	case engine.NoteDegraded:
		m.session.save = n.Text
	case engine.NoteSaved:
		m.session.save = ""
	case engine.NoteMode:
		m.session.mode = n.Text
	case engine.NoteTitle:
		m.session.row.Title = n.Text
	case engine.NoteModel, engine.NoteInfo, engine.NoteWarning, engine.NoteError, engine.NoteStopping:
	}
	m.log.SetWelcome(m.welcome())
}

func (m *Model) ended(e engine.Ended) tea.Cmd {
	if e.Outcome.Err != nil && e.Outcome.Err.Code == engine.CodeNoKey {
		return m.openConnect()
	}
	if m.leaving.asked {
		return m.quit(0)
	}
	return nil
}

// say puts a note of the screen's own into the transcript.
func (m *Model) say(kind engine.NoteKind, text string) {
	m.log.On(engine.Noted{Kind: kind, Text: text}, false)
}

// attention rings the bell once: the turn waits for the user.
func (m *Model) attention() tea.Cmd { return tea.Raw("\a") }
