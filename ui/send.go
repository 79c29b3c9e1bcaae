package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/composer"
)

// sent takes the message that the composer gave: a slash command, a steer while the agent runs, else a new message.
func (m *Model) sent(msg composer.SendMsg) tea.Cmd {
	text, ok := m.prompt.Send(msg)
	if !ok {
		return nil
	}
	if strings.HasPrefix(text, "/") && !strings.Contains(text, "\n") && !m.pastedCommand() {
		return m.slash(text)
	}
	return m.send(text)
}

// send gives the engine a message. Without a model it is kept until one is connected; nothing typed is ever lost.
func (m *Model) send(text string) tea.Cmd {
	if !m.connected() {
		m.strip.unsent = text
		m.prompt.Reset()
		m.say(engine.NoteInfo, "No model is connected. Choose one above. Your message is kept.")
		return m.openConnect()
	}
	m.prompt.Remember(text)
	m.prompt.Reset()
	m.menu = nil
	m.log.Bottom()
	if m.turn.running {
		m.do(engine.Steer{Text: text})
	} else {
		m.turn.state = stateSending
		m.do(engine.Submit{Text: text})
	}
	return m.addHistory(text)
}

// queue keeps the message for the end of the turn.
func (m *Model) queue() tea.Cmd {
	text, ok := m.prompt.Submit()
	if !ok {
		return nil
	}
	m.prompt.Remember(text)
	m.prompt.Reset()
	m.do(engine.Queue{Text: text})
	return m.addHistory(text)
}

// stopAndSend stops the turn and sends the message at once.
func (m *Model) stopAndSend() tea.Cmd {
	text, ok := m.prompt.Submit()
	if !ok {
		return nil
	}
	if !m.turn.running {
		return m.send(text)
	}
	m.prompt.Remember(text)
	m.prompt.Reset()
	m.do(engine.Interrupt{})
	m.do(engine.Submit{Text: text})
	return m.addHistory(text)
}

// emptyEnter is Enter on an empty prompt: it cuts a wait short, answers what was left for later, or continues.
func (m *Model) emptyEnter() tea.Cmd {
	switch {
	case m.turn.state == stateRetrying:
		m.do(engine.RetryNow{})
	case len(m.strip.later) > 0:
		m.openLater()
	case !m.turn.running && (m.turn.state == stateStopped || m.turn.state == stateFailed || m.strip.paused || m.session.stored):
		if m.turn.state == stateStopped || m.turn.state == stateFailed || m.strip.waits() {
			m.do(engine.Continue{})
		}
	}
	return nil
}

// takeBack moves the newest waiting message into the prompt, to be changed.
func (m *Model) takeBack() bool {
	if n := len(m.strip.queued); n > 0 {
		w := m.strip.queued[n-1]
		m.do(engine.Queue{ID: w.ID})
		m.prompt.SetValue(w.Text)
		return true
	}
	if n := len(m.strip.steers); n > 0 {
		w := m.strip.steers[n-1]
		m.do(engine.Steer{ID: w.ID})
		m.prompt.SetValue(w.Text)
		return true
	}
	return false
}
