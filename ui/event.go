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
	m.turn.On(e, m.now())
	if o, ok := e.(engine.Opened); ok {
		return m.opened(o)
	}
	m.log.On(e, false)
	switch e := e.(type) {
	case engine.Asked:
		return m.asked(e.Question)
	case engine.Withdrawn:
		m.withdrawn(e.ID)
	case engine.Steered:
		m.strip.Steers, m.strip.Paused = e.Waiting, e.Paused
		return m.waits(e.Waiting)
	case engine.Queued:
		m.strip.Queued, m.strip.Paused = e.Waiting, e.Paused
		return m.waits(e.Waiting)
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
	if before := m.session.row.ID; before != "" && before != o.Session.ID {
		m.prompt.Reset() // its draft was saved when the change was asked for
		m.menu = nil
	}
	s := &m.session
	s.row, s.route, s.stored = o.Session, o.Session.Route, o.Resumed
	s.context, s.window, s.cost, s.tasks, s.answer = o.Session.Context, 0, o.Session.Cost, nil, ""
	m.strip, m.drafts.sent = chrome.Strip{Unsent: m.strip.Unsent}, nil
	m.dropQuestions()
	for _, r := range o.Past {
		if u, ok := r.Event.(engine.Used); ok {
			s.window = u.Window
		}
		if a, ok := r.Event.(engine.Appended); ok {
			m.remember(a.Message)
		}
	}
	m.rewelcome()
	m.log.Bottom()
	return tea.Batch(m.loadDraft(), m.loadRecent(), m.begin())
}

// begin is what the program was started for: a connection where there is none, the picker, or a first prompt.
func (m *Model) begin() tea.Cmd {
	first, pick, connect := m.d.Options.First, m.d.Options.Picker, m.d.Options.Connect
	m.d.Options.First, m.d.Options.Picker, m.d.Options.Connect = "", false, false
	switch {
	case first != "":
		m.drafts.first = first
	case pick:
		return m.openSessions()
	case connect, !m.connected():
		return m.openConnect()
	}
	return nil
}

// appended notes that something of the session is on disk; a message of the user's is safe now, so its draft may go.
func (m *Model) appended(msg engine.Message) tea.Cmd {
	first := !m.session.stored
	m.session.stored = true
	m.session.row.Messages++
	m.remember(msg)
	if msg.Role != engine.RoleUser {
		return nil
	}
	if m.session.row.Title == "" {
		m.session.row.Title, _, _ = strings.Cut(strings.TrimSpace(msg.Text()), "\n")
	}
	if !m.storedText(msg.Text()) && len(m.drafts.sent) > 0 {
		m.drafts.sent = m.drafts.sent[1:] // the engine cleaned its text: messages are stored in the order they were sent
	}
	if first {
		return tea.Batch(m.saveDraft(), m.storeDraft("", "")) // the draft was the directory's until now
	}
	return m.saveDraft()
}

// waits notes that messages wait in the engine, where they are stored.
func (m *Model) waits(list []engine.Waiting) tea.Cmd {
	var texts []string
	for _, w := range list {
		texts = append(texts, w.Text)
	}
	if !m.storedText(texts...) {
		return nil
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
		m.strip.Unsaved = n.Text
	case engine.NoteSaved:
		m.strip.Unsaved = ""
	case engine.NoteMode:
		m.session.mode = n.Text
	case engine.NoteTitle:
		m.session.row.Title = n.Text
	case engine.NoteModel:
		if provider, model, ok := strings.Cut(n.Text, "/"); ok {
			m.session.route.Provider, m.session.route.Model = provider, model
		}
	case engine.NoteInfo, engine.NoteWarning, engine.NoteError, engine.NoteStopping:
	}
	m.rewelcome()
}

// ended closes what belonged to the turn, and sends what was to follow a stop.
func (m *Model) ended(e engine.Ended) tea.Cmd {
	m.leaving.asked = false // nothing is left to stop
	m.dropQuestions()
	if next := m.strip.Next; next != "" {
		m.strip.Next = ""
		return m.submit(next)
	}
	if err := e.Outcome.Err; err != nil && (err.Code == engine.CodeNoKey || err.Reason == engine.ReasonAuth || err.Reason == engine.ReasonAuthPermanent) {
		return m.openConnectWhy(refusedKey(err))
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

// dropQuestions closes the questions of a turn that is over. The engine withdraws them too; whether they come in time
// is not the screen's business.
func (m *Model) dropQuestions() {
	m.overlays = slices.DeleteFunc(m.overlays, func(o overlay) bool { return o.kind == overlayApproval || o.kind == overlayQuestion })
	m.strip.Later = nil
}

// say puts a note of the screen's own into the transcript.
func (m *Model) say(kind engine.NoteKind, text string) {
	m.log.On(engine.Noted{Kind: kind, Text: m.sheet.Words(text)}, false)
}

// attention rings the bell once: the turn waits for the user.
func (m *Model) attention() tea.Cmd { return tea.Raw("\a") }
