package ui

import (
	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/dialog"
)

// bindings are the keys that do something wherever they are pressed; Help lists them, and key looks them up.
// The prompt's own editing keys are the composer's.
func (m *Model) bindings() []dialog.Binding {
	never := func() tea.Cmd { return nil }
	running := func() string {
		if m.turn.running {
			return ""
		}
		return "nothing runs"
	}
	return []dialog.Binding{
		{Keys: []string{"enter"}, Name: "Send", Help: "while the agent runs: steer it"},
		{Keys: []string{"shift+enter", "ctrl+j", "\\ enter"}, Name: "New line"},
		{Keys: []string{"esc", "ctrl+c"}, Name: "Stop", Help: "Esc lets a running tool finish; again: stop now", Can: running},
		{Keys: []string{"tab"}, Name: "Queue for later", Help: "while the agent runs: send after this turn", Can: running},
		{Keys: []string{"ctrl+enter"}, Name: "Stop and send", Can: running},
		{Keys: []string{"shift+tab"}, Name: "Approval mode", Help: "ask, edit, plan in turn", Do: m.cycleMode},
		{Keys: []string{"/"}, Name: "Commands"},
		{Keys: []string{"up", "down"}, Name: "History and drafts"},
		{Keys: []string{"ctrl+o", "ctrl+x o"}, Name: "Expand / collapse", Do: func() tea.Cmd { m.expand(); return nil }},
		{Keys: []string{"pgup"}, Name: "Scroll up", Do: func() tea.Cmd { m.log.PageUp(); return nil }},
		{Keys: []string{"pgdown"}, Name: "Scroll down", Do: func() tea.Cmd { m.log.PageDown(); return nil }},
		{Keys: []string{"shift+up"}, Name: "Line up", Do: func() tea.Cmd { m.log.ScrollBy(-1); return nil }},
		{Keys: []string{"shift+down"}, Name: "Line down", Do: func() tea.Cmd { m.log.ScrollBy(1); return nil }},
		{Keys: []string{"ctrl+home", "ctrl+x <"}, Name: "Top", Do: func() tea.Cmd { m.log.Top(); return nil }},
		{Keys: []string{"ctrl+end", "ctrl+x >"}, Name: "Bottom, follow", Do: func() tea.Cmd { m.log.Bottom(); return nil }},
		{Keys: []string{"ctrl+x s"}, Name: "Sessions", Do: m.openSessions},
		{Keys: []string{"ctrl+x n"}, Name: "New session", Do: m.newSession},
		{Keys: []string{"ctrl+x m"}, Name: "Model", Do: m.openModels},
		{Keys: []string{"ctrl+x y"}, Name: "Copy last answer", Do: m.copyAnswer},
		{Keys: []string{"ctrl+x 1"}, Name: "Open recent 1", Do: func() tea.Cmd { return m.openRecent(1) }},
		{Keys: []string{"ctrl+x 2"}, Name: "Open recent 2", Do: func() tea.Cmd { return m.openRecent(2) }},
		{Keys: []string{"ctrl+x 3"}, Name: "Open recent 3", Do: func() tea.Cmd { return m.openRecent(3) }},
		{Keys: []string{"ctrl+x q"}, Name: "Open question", Help: "one that was left for later", Do: func() tea.Cmd { m.openLater(); return nil }},
		{Keys: []string{"f1", "?", "ctrl+x h"}, Name: "Help", Do: func() tea.Cmd { m.openHelp(); return nil }},
		{Keys: []string{"ctrl+x"}, Name: "Leader", Do: func() tea.Cmd { m.press.leader = true; return nil }},
		{Keys: []string{"ctrl+l"}, Name: "Repaint", Do: never},
		{Keys: []string{"ctrl+z"}, Name: "Suspend", Do: never},
		{Keys: []string{"ctrl+d"}, Name: "Quit", Help: "on an empty prompt"},
	}
}

// promptOwn are keys of the table that mean something else while the prompt has text.
var promptOwn = map[string]bool{"?": true, "up": true, "down": true, "/": true, "enter": true, "esc": true, "tab": true}

// bound runs the binding of a key, if one is there that does something.
func (m *Model) bound(name string) (tea.Cmd, bool) {
	if promptOwn[name] {
		return nil, false
	}
	for _, b := range m.bindings() {
		for _, k := range b.Keys {
			if k == name && b.Do != nil {
				return b.Do(), true
			}
		}
	}
	return nil, false
}

// leader runs the second key of a Ctrl+X pair.
func (m *Model) leader(name string) tea.Cmd {
	if name == "enter" && m.turn.running {
		return m.queue()
	}
	cmd, _ := m.bound("ctrl+x " + name)
	return cmd
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
	m.do(engine.Open{})
	return m.saveDraft()
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
