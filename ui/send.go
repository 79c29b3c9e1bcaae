package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/composer"
	"talaria/ui/turn"
)

// sent takes the message that the composer gave: a slash command, or a message. What was pasted is never a command.
func (m *Model) sent(msg composer.SendMsg) tea.Cmd {
	pasted := m.prompt.Pasted()
	text, ok := m.prompt.Send(msg)
	if !ok {
		return m.draftChanged() // the Enter became a line break
	}
	if strings.HasPrefix(text, "/") && !strings.Contains(text, "\n") && !pasted {
		return m.slash(text)
	}
	return m.send(text)
}

// send takes what stands in the prompt as a message. Without a model it is kept until one is connected; nothing typed is
// ever lost.
func (m *Model) send(text string) tea.Cmd {
	m.menu = nil
	m.prompt.Reset()
	return m.deliver(text)
}

// deliver gives the engine a message, or keeps it until a model is connected; the prompt is left alone.
func (m *Model) deliver(text string) tea.Cmd {
	m.log.Bottom()
	m.prompt.Remember(text)
	if m.connected() {
		return m.submit(text)
	}
	m.keep(text)
	return tea.Batch(m.saveDraft(), m.openConnect())
}

// keep puts a message aside until a model is connected.
func (m *Model) keep(text string) {
	if m.strip.Unsent != "" {
		text = m.strip.Unsent + "\n\n" + text
	}
	m.strip.Unsent = text
}

// submit gives the engine a message: a steer while it works, else the next turn.
func (m *Model) submit(text string) tea.Cmd {
	m.drafts.sent = append(m.drafts.sent, text)
	if m.turn.Active {
		m.do(engine.Steer{Text: text})
	} else {
		m.turn.Submitted(m.now())
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
	return m.put(text)
}

// put gives the engine a message for after the turn.
func (m *Model) put(text string) tea.Cmd {
	m.drafts.sent = append(m.drafts.sent, text)
	m.do(engine.Queue{Text: text})
	return m.addHistory(text)
}

// stopAndSend stops the turn and sends the message as soon as it has ended.
func (m *Model) stopAndSend() tea.Cmd {
	text, ok := m.prompt.Submit()
	switch {
	case !ok:
		return nil
	case !m.turn.Active:
		return m.send(text)
	}
	m.prompt.Remember(text)
	m.prompt.Reset()
	if m.strip.Next != "" {
		text = m.strip.Next + "\n\n" + text
	}
	m.strip.Next = text
	m.stopNow()
	return m.saveDraft()
}

// stopNow ends the turn and its tools at once.
func (m *Model) stopNow() {
	m.turn.Stop(true, m.now())
	m.do(engine.Interrupt{})
}

// emptyEnter is Enter on an empty prompt: it cuts a wait short, opens what was left for later, or continues.
func (m *Model) emptyEnter() tea.Cmd {
	switch {
	case m.turn.State == turn.Retrying:
		m.do(engine.RetryNow{})
	case len(m.strip.Later) > 0:
		return m.openLater()
	case m.turn.Active:
	case !m.connected():
		return m.openConnect()
	case m.turn.State == turn.Stopped, m.turn.State == turn.Failed, m.strip.Waits():
		m.do(engine.Continue{})
	}
	return nil
}

// takeBack moves the newest waiting message into the prompt, to be changed.
func (m *Model) takeBack() bool {
	s := &m.strip
	switch {
	case s.Next != "":
		m.prompt.SetValue(s.Next)
		s.Next = ""
	case len(s.Queued) > 0:
		w := s.Queued[len(s.Queued)-1]
		m.do(engine.Queue{ID: w.ID})
		m.prompt.SetValue(w.Text)
	case len(s.Steers) > 0:
		w := s.Steers[len(s.Steers)-1]
		m.do(engine.Steer{ID: w.ID})
		m.prompt.SetValue(w.Text)
	case s.Unsent != "":
		m.prompt.SetValue(s.Unsent)
		s.Unsent = ""
	default:
		return false
	}
	return true
}
