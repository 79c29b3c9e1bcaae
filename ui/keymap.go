package ui

import (
	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/dialog"
)

// bindings are the keys that do something wherever they are pressed; Help lists them, and key looks them up.
// The prompt's own editing keys are the composer's.
func (m *Model) bindings() []dialog.Binding {
	does := func(f func()) func() tea.Cmd { return func() tea.Cmd { f(); return nil } }
	idle := func() tea.Cmd { return nil }
	return []dialog.Binding{
		{Keys: []string{"enter"}, Name: "Send", Help: "while the agent runs: steer it"},
		{Keys: []string{"shift+enter", "ctrl+j", "\\ enter"}, Name: "New line"},
		{Keys: []string{"esc", "ctrl+c"}, Name: "Stop", Help: "Esc lets a running tool finish; again: stop now", Can: m.whyNotRunning},
		{Keys: []string{"tab"}, Name: "Queue for later", Help: "while the agent runs: send after this turn", Can: m.whyNotRunning},
		{Keys: []string{"ctrl+enter"}, Name: "Stop and send", Can: m.whyNotRunning},
		{Keys: []string{"shift+tab"}, Name: "Approval mode", Help: "ask, edit, plan in turn", Do: m.cycleMode},
		{Keys: []string{"/"}, Name: "Commands"},
		{Keys: []string{"up", "down"}, Name: "History and drafts"},
		{Keys: []string{"esc esc"}, Name: "Clear the prompt", Help: "Up brings it back"},
		{Keys: []string{"ctrl+o", "ctrl+x o"}, Name: "Expand / collapse", Do: does(m.expand)},
		{Keys: []string{"pgup"}, Name: "Scroll up", Do: does(m.log.PageUp)},
		{Keys: []string{"pgdown"}, Name: "Scroll down", Do: does(m.log.PageDown)},
		{Keys: []string{"shift+up"}, Name: "Line up", Do: does(func() { m.log.ScrollBy(-1) })},
		{Keys: []string{"shift+down"}, Name: "Line down", Do: does(func() { m.log.ScrollBy(1) })},
		{Keys: []string{"shift+left"}, Name: "Code left", Help: "what is too wide", Do: does(func() { m.log.ScrollSideways(-8) })},
		{Keys: []string{"shift+right"}, Name: "Code right", Do: does(func() { m.log.ScrollSideways(8) })},
		{Keys: []string{"ctrl+home", "ctrl+x <"}, Name: "Top", Do: does(m.log.Top)},
		{Keys: []string{"ctrl+end", "ctrl+x >"}, Name: "Bottom, follow", Do: does(m.log.Bottom)},
		{Keys: []string{"ctrl+x s"}, Name: "Sessions", Do: m.openSessions},
		{Keys: []string{"ctrl+x n"}, Name: "New session", Can: m.whyRunning, Do: m.newSession},
		{Keys: []string{"ctrl+x m"}, Name: "Model", Can: m.whyRunning, Do: m.openModels},
		{Keys: []string{"ctrl+x y"}, Name: "Copy last answer", Do: m.copyAnswer},
		{Keys: []string{"ctrl+x 1"}, Name: "Open recent 1-3", Help: "on an empty session", Can: m.whyNotEmpty, Do: func() tea.Cmd { return m.openRecent(1) }},
		{Keys: []string{"ctrl+x 2"}, Name: "Open recent 2", Can: m.whyNotEmpty, Do: func() tea.Cmd { return m.openRecent(2) }},
		{Keys: []string{"ctrl+x 3"}, Name: "Open recent 3", Can: m.whyNotEmpty, Do: func() tea.Cmd { return m.openRecent(3) }},
		{Keys: []string{"ctrl+x q"}, Name: "Open question", Help: "one that was left for later", Can: m.whyNoQuestion, Do: m.openLater},
		{Keys: []string{"f1", "?", "ctrl+x h", "ctrl+x ?"}, Name: "Help", Do: does(m.openHelp)},
		{Keys: []string{"ctrl+x"}, Name: "Leader", Help: "wait a moment to see its keys", Do: m.lead},
		{Keys: []string{"ctrl+l"}, Name: "Repaint", Do: idle},
		{Keys: []string{"ctrl+z"}, Name: "Suspend", Do: idle},
		{Keys: []string{"ctrl+d"}, Name: "Quit", Help: "on an empty prompt"},
	}
}

// The reasons why a key does nothing now; "" is none.

func (m *Model) whyNotRunning() string {
	if m.turn.Active {
		return ""
	}
	return "nothing runs"
}

func (m *Model) whyRunning() string {
	if m.turn.Active {
		return "not while the agent works"
	}
	return ""
}

func (m *Model) whyNotEmpty() string {
	if m.log.Empty() && len(m.session.recent) > 0 {
		return ""
	}
	return "only where they are listed"
}

func (m *Model) whyNoQuestion() string {
	if len(m.strip.Later) > 0 {
		return ""
	}
	return "none waits"
}

// promptOwn are keys of the table that the prompt or the order of Esc decides on.
var promptOwn = map[string]bool{"?": true, "up": true, "down": true, "/": true, "enter": true, "esc": true, "tab": true}

// bound runs the binding of a key, if one is there that does something. One that cannot be done now says why.
func (m *Model) bound(name string) (tea.Cmd, bool) {
	if promptOwn[name] {
		return nil, false
	}
	for _, b := range m.bindings() {
		for _, k := range b.Keys {
			if k != name || b.Do == nil {
				continue
			}
			if why := b.Why(); why != "" {
				m.say(engine.NoteInfo, b.Name+": "+why+".")
				return nil, true
			}
			return b.Do(), true
		}
	}
	return nil, false
}

// cycleMode goes from ask to edit to plan; auto is never in the cycle (UX 4.2).
func (m *Model) cycleMode() tea.Cmd {
	next := map[string]string{"ask": "edit", "edit": "plan"}[m.session.mode]
	if next == "" {
		next = "ask"
	}
	m.do(engine.Set{Mode: next})
	return nil
}

// expand opens or closes the paste under the cursor, else the last block of the transcript.
func (m *Model) expand() {
	if !m.prompt.Expand() {
		m.log.ToggleLast()
	}
}

func (m *Model) newSession() tea.Cmd {
	save := m.saveDraft()
	return func() tea.Msg { // the draft first: the new session may share its place
		msg := save()
		m.d.Engine.Do(engine.Open{})
		return msg
	}
}

func (m *Model) copyAnswer() tea.Cmd {
	text := m.session.answer
	if text == "" {
		m.say(engine.NoteInfo, "There is no answer to copy yet.")
		return nil
	}
	m.say(engine.NoteInfo, "Sent the last answer to the terminal's clipboard (OSC 52).")
	return tea.SetClipboard(text)
}
