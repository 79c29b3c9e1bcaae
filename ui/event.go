package ui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/chrome"
)

// on takes what the engine told into the panes. It is the one place where an event meets the screen.
func (m *Model) on(e engine.Event) tea.Cmd {
	m.Turn.On(e, m.Now())
	if o, ok := e.(engine.Opened); ok {
		return m.opened(o)
	}
	m.Log.On(e, false)
	return batch([]tea.Cmd{m.known(e), m.tellFeatures(e)})
}

// known brings what the screen knows of the session up to an event.
func (m *Model) known(e engine.Event) tea.Cmd {
	switch e := e.(type) {
	case engine.Steered:
		m.Strip.Steers, m.Strip.Paused = e.Waiting, e.Paused
		return m.out.Waits(e.Waiting)
	case engine.Queued:
		m.Strip.Queued, m.Strip.Paused = e.Waiting, e.Paused
		return m.out.Waits(e.Waiting)
	case engine.Appended:
		return m.appended(e.Message)
	case engine.Used:
		m.Session.Context, m.Session.Window, m.Session.Cost = e.Context, e.Window, e.Cost
		m.Session.Row.Usage = e.Total
	case engine.CallEnded:
		for _, path := range e.Result.Changed {
			if !slices.Contains(m.Session.Row.Changed, path) {
				m.Session.Row.Changed = append(m.Session.Row.Changed, path)
			}
		}
	case engine.Planned:
		m.Session.Tasks = e.Tasks
	case engine.Rewound:
		if m.Prompt.Empty() && !e.Back { // what was said there can be said better
			m.Prompt.SetValue(e.Text)
		}
	case engine.Noted:
		m.noted(e)
	case engine.Ended:
		m.Strip.Compacting = nil
		return m.ended(e)
	case engine.Began:
		m.Session.Route = e.Route
		m.Session.Row.Turns = e.Turn
	case engine.Opened, engine.Asked, engine.Withdrawn, engine.Stepped, engine.Streamed, engine.CallBegan, engine.CallWrote, engine.Child, engine.Unknown:
	case engine.Compacted:
		m.compacting(e)
		if e.Child != "" {
			m.Session.Row.ParentID, m.Session.Row.ParentWhy = m.Session.Row.ID, engine.WhyCompression
			m.Session.Row.ID, m.Session.Context = e.Child, e.After
		}
	}
	return nil
}

// compacting keeps how far summarising is while it runs.
func (m *Model) compacting(e engine.Compacted) {
	c := m.Strip.Compacting
	switch {
	case !e.Running:
		c = nil
	case c == nil:
		c = &chrome.Compaction{Told: e, Began: m.Now()}
	default:
		c.Told = e
	}
	m.Strip.Compacting = c
}

// opened changes to another session: a new transcript, the draft that belongs to it, and its state.
func (m *Model) opened(o engine.Opened) tea.Cmd {
	m.Log.On(o, false)
	if before := m.Session.Row.ID; before != "" && before != o.Session.ID {
		m.Prompt.Reset() // its draft was saved when the change was asked for
		m.Popup = nil
	}
	s := &m.Session
	s.Row, s.Route, s.Stored = o.Session, o.Session.Route, o.Resumed
	s.Context, s.Window, s.Cost, s.Tasks, s.Answer = o.Session.Context, 0, o.Session.Cost, nil, ""
	m.Strip = chrome.Strip{Unsent: m.Strip.Unsent}
	m.asks.Drop()
	for _, r := range o.Past {
		if u, ok := r.Event.(engine.Used); ok {
			s.Window = u.Window
		}
		if a, ok := r.Event.(engine.Appended); ok {
			m.remember(a.Message)
		}
	}
	m.Rewelcome()
	m.Log.Bottom()
	for _, text := range m.told {
		m.Say(engine.NoteWarning, text)
	}
	m.told = nil
	first := m.Options.First
	m.Options.First = ""
	return batch([]tea.Cmd{m.out.Opened(first), m.sessions.LoadRecent(), m.begin(first), m.tellFeatures(o)})
}

// begin is what the program was started for: a first prompt, the picker, or a connection where there is none.
func (m *Model) begin(first string) tea.Cmd {
	pick, connect := m.Options.Picker, m.Options.Connect
	m.Options.Picker, m.Options.Connect = false, false
	switch {
	case first != "":
	case pick:
		return m.sessions.Open()
	case connect, !m.Connected():
		return m.models.Connect()
	}
	return nil
}

// appended notes that something of the session is on disk; a message of the user's is safe now, so its draft may go.
func (m *Model) appended(msg engine.Message) tea.Cmd {
	first := !m.Session.Stored
	m.Session.Stored = true
	m.Session.Row.Messages++
	m.remember(msg)
	if msg.Role != engine.RoleUser {
		return nil
	}
	if m.Session.Row.Title == "" {
		m.Session.Row.Title, _, _ = strings.Cut(strings.TrimSpace(msg.Text()), "\n")
	}
	return m.out.Stored(msg.Text(), first)
}

// remember keeps the newest answer, for copying and for the summary on exit.
func (m *Model) remember(msg engine.Message) {
	if text := msg.Text(); msg.Role == engine.RoleAssistant && !msg.Aside && text != "" {
		m.Session.Answer = text
	}
}

func (m *Model) noted(n engine.Noted) {
	switch n.Kind {
	case engine.NoteDegraded:
		m.Strip.Unsaved = n.Text
	case engine.NoteSaved:
		m.Strip.Unsaved = ""
	case engine.NoteMode:
		m.Session.Mode = n.Text
	case engine.NoteTitle:
		m.Session.Row.Title = n.Text
	case engine.NoteModel:
		if provider, model, ok := strings.Cut(n.Text, "/"); ok {
			m.Session.Route.Provider, m.Session.Route.Model = provider, model
		}
	case engine.NoteInfo, engine.NoteWarning, engine.NoteError, engine.NoteStopping:
	}
	m.Rewelcome()
}

// ended closes what belonged to the turn, and sends what was to follow a stop.
func (m *Model) ended(e engine.Ended) tea.Cmd {
	m.leaving.asked = m.leaving.asked && len(m.Session.Background) > 0 // nothing is left to stop
	m.asks.Drop()
	if cmd, ok := m.out.Ended(); ok {
		return cmd
	}
	if err := e.Outcome.Err; err != nil && (err.Code == engine.CodeNoKey || err.Reason == engine.ReasonAuth || err.Reason == engine.ReasonAuthPermanent) {
		return m.models.ConnectWhy(refusedKey(err))
	}
	return nil
}

// refusedKey says why a connection is wanted: a key that the server refused is not a key that is missing (UX 4.8).
func refusedKey(err *engine.Error) string {
	if err.Status == 0 {
		return err.Message
	}
	return fmt.Sprintf("The key was not accepted (%d): %s", err.Status, err.Message)
}
