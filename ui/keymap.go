package ui

import (
	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/chrome"
	"talaria/ui/keys"
)

// The root's own rows of the table of keys. What has no Do is named here and decided in key.go; the prompt's editing
// keys are the composer's.

func does(f func()) func() tea.Cmd { return func() tea.Cmd { f(); return nil } }

func (m *Model) promptKeys() []keys.Binding {
	return []keys.Binding{
		{ID: "send", Keys: []string{"enter"}, Name: "Send", Help: "while the agent runs: steer it", Scope: keys.Prompt},
		{ID: "newline", Keys: []string{"shift+enter", "ctrl+j", "alt+enter", "\\ enter"}, Name: "New line", Scope: keys.Prompt},
		{Keys: []string{"esc", "ctrl+c"}, Name: "Stop", Help: "Esc lets a running tool finish; again: stop now", Can: m.WhyIdle},
		{ID: "queue", Keys: []string{"tab", "ctrl+x enter"}, Name: "Queue for later", Help: "while the agent runs: send after this turn", Scope: keys.Running, Can: m.WhyIdle, Do: m.out.Queue},
		{ID: "stop-and-send", Keys: []string{"ctrl+enter"}, Name: "Stop and send", Scope: keys.Running, Can: m.WhyIdle, Do: m.out.StopAndSend},
		{ID: "mode", Keys: []string{"shift+tab"}, Name: "Approval mode", Help: "ask, edit, plan in turn", Do: m.cycleMode},
		{Keys: []string{"/"}, Name: "Commands"},
		{Keys: []string{"esc esc"}, Name: "Clear the prompt", Help: "Up brings it back; on an empty one: the timeline", Scope: keys.Prompt},
	}
}

func (m *Model) viewKeys() []keys.Binding {
	return []keys.Binding{
		{ID: "expand", Keys: []string{"ctrl+o", "ctrl+x o"}, Name: "Expand / collapse", Do: m.expand},
		{ID: "page-up", Keys: []string{"pgup"}, Name: "Scroll up", Do: does(m.Log.PageUp)},
		{ID: "page-down", Keys: []string{"pgdown"}, Name: "Scroll down", Do: does(m.Log.PageDown)},
		{ID: "line-up", Keys: []string{"shift+up"}, Name: "Line up", Do: does(func() { m.Log.ScrollBy(-1) })},
		{ID: "line-down", Keys: []string{"shift+down"}, Name: "Line down", Do: does(func() { m.Log.ScrollBy(1) })},
		{ID: "code-left", Keys: []string{"shift+left"}, Name: "Code left", Help: "what is too wide", Do: does(func() { m.Log.ScrollSideways(-8) })},
		{ID: "code-right", Keys: []string{"shift+right"}, Name: "Code right", Do: does(func() { m.Log.ScrollSideways(8) })},
		{ID: "top", Keys: []string{"ctrl+home", "ctrl+x <"}, Name: "Top", Do: does(m.Log.Top)},
		{ID: "bottom", Keys: []string{"ctrl+end", "ctrl+x >"}, Name: "Bottom, follow", Do: does(m.Log.Bottom)},
	}
}

func (m *Model) lastKeys() []keys.Binding {
	idle := func() tea.Cmd { return nil }
	return []keys.Binding{
		{ID: "undo", Keys: []string{"ctrl+x u"}, Name: "Undo turn", Help: "chat and files", Can: m.WhyRunning, Do: does(func() { m.Do(engine.Undo{}) })},
		{ID: "redo", Keys: []string{"ctrl+x r"}, Name: "Redo", Help: "until the next message", Can: m.WhyRunning, Do: does(func() { m.Do(engine.Undo{Redo: true}) })},
		{ID: "help", Keys: []string{"f1", "?", "ctrl+x h", "ctrl+x ?"}, Name: "Help", Do: does(m.openHelp)},
		{ID: "leader", Keys: []string{keys.Lead}, Name: "Leader", Help: "wait a moment to see its keys", Do: m.Leader.Begin},
		{Keys: []string{"ctrl+l"}, Name: "Repaint", Do: idle},
		{Keys: []string{"ctrl+z"}, Name: "Suspend", Do: idle},
		{Keys: []string{"ctrl+d"}, Name: "Quit", Help: "on an empty prompt"},
	}
}

// bound runs the binding of a key that counts everywhere. One that cannot be done now says why.
func (m *Model) bound(name string) (tea.Cmd, bool) {
	b, ok := m.keys.Find(name)
	if !ok {
		return nil, false
	}
	return m.run(b), true
}

func (m *Model) run(b keys.Binding) tea.Cmd {
	if why := b.Why(); why != "" {
		m.Say(engine.NoteInfo, b.Name+": "+why+".")
		return nil
	}
	return b.Do()
}

// follow runs the second key of a pair.
func (m *Model) follow(name string) tea.Cmd {
	b, ok := m.keys.Pair(name)
	if !ok {
		return nil
	}
	return m.run(b)
}

// leaderRows is the box of second keys, at the bottom of a space of w by h cells.
func (m *Model) leaderRows(w, h int) []string {
	if !m.Leader.On || !m.Leader.Shown {
		return nil
	}
	var pairs []chrome.Pair
	for _, b := range m.keys.Second() {
		pairs = append(pairs, chrome.Pair{Key: keys.Name(b.Keys[0]), Name: b.Name, Off: b.Why() != ""})
	}
	return chrome.Leader(m.Sheet, keys.Name(m.keys.Lead()), pairs, w, h)
}

// cycleMode goes from ask to edit to plan; auto is never in the cycle (UX 4.2).
func (m *Model) cycleMode() tea.Cmd {
	next := map[string]string{"ask": "edit", "edit": "plan"}[m.Session.Mode]
	if next == "" {
		next = "ask"
	}
	m.Do(engine.Set{Mode: next})
	return nil
}

// expand opens or closes the paste under the cursor, else the last block of the transcript.
func (m *Model) expand() tea.Cmd {
	if m.Prompt.Expand() {
		return nil
	}
	if cmd, ok := m.expandPrinted(); ok {
		return cmd
	}
	m.Log.ToggleLast()
	return nil
}
