package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/chrome"
	"talaria/ui/composer"
	"talaria/ui/listen"
	"talaria/ui/turn"
)

// Signals and ends that come from outside the terminal's keys.
type (
	interruptMsg struct{}           // SIGINT: stops a turn, without a second meaning
	endMsg       struct{ code int } // SIGTERM, SIGHUP: leave at once
	quitMsg      struct{}
)

// wheelRows is what one notch of the wheel scrolls (UX 4.10).
const wheelRows = 3

// Update takes one message. It never does IO: what takes time is a command.
func (m *Model) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	defer m.rescue("update", func(engine.Crash) { next, cmd = m, tea.Quit })
	cmd = m.take(msg)
	m.placeholder()
	if m.ticking() && !m.armed && !m.leaving.done {
		m.armed = true
		cmd = tea.Batch(cmd, tea.Tick(time.Second, func(time.Time) tea.Msg { return tickMsg{} }))
	}
	return m, safe(cmd)
}

func (m *Model) take(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = max(0, msg.Width), max(0, msg.Height)
		m.rewelcome()
	case listen.Batch:
		return m.events(msg)
	case listen.Closed:
		return m.over()
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		return m.paste(msg)
	case tea.MouseWheelMsg:
		m.wheel(msg)
	case tea.BackgroundColorMsg:
		return m.background(msg)
	case tea.FocusMsg:
		return tea.RequestBackgroundColor
	case composer.SendMsg:
		return m.sent(msg)
	case tickMsg:
		m.armed = false
		m.log.Tick(m.now())
	case repaintMsg:
	case leaderMsg:
		m.press.leader.show(msg)
	default:
		return m.takeOwn(msg)
	}
	return nil
}

// takeOwn takes the messages of our own commands; what is none of them is for an overlay.
func (m *Model) takeOwn(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case draftDueMsg:
		return m.draftDue()
	case draftMsg:
		return m.drafted(msg)
	case draftSavedMsg:
		m.draftSaved(msg)
	case historyMsg:
		m.prompt.SetHistory(msg)
	case recentMsg:
		m.session.recent = msg
		m.rewelcome()
	case connectMsg:
		return m.use(msg.c)
	case pickedMsg:
		return m.picked(msg)
	case interruptMsg:
		if m.turn.Active {
			m.stopNow()
		}
	case endMsg:
		return m.quit(msg.code)
	case crashMsg:
		m.crashed(msg.Crash)
		return tea.Quit
	case quitMsg:
		m.leaving.done = true
		return tea.Quit
	default:
		m.press.stray.cut(msg, m.now())
		return m.toOverlays(msg)
	}
	return nil
}

// events takes a delivery and asks for the next.
func (m *Model) events(batch listen.Batch) tea.Cmd {
	cmds := make([]tea.Cmd, 0, 4)
	for _, e := range batch {
		if cmd := m.on(e); cmd != nil {
			cmds = append(cmds, cmd)
		}
	}
	return tea.Batch(append(cmds, m.listen.Next())...)
}

// placeholder says what Enter would do now.
func (m *Model) placeholder() {
	narrow, text := m.w < chrome.Narrow, "Ask anything · / commands"
	switch {
	case m.question() != nil:
		text = "(answer above first)"
	case m.formOpen(), m.has(overlayHelp), m.has(overlayModels):
		text = ""
	case !m.connected():
		text = "(type your first message now — it is kept)"
		if narrow {
			text = "(type now, it is kept)"
		}
	case m.turn.Active:
		text = "Enter steers · Tab queues · Esc stops"
		if narrow {
			text = "Enter steers · Tab queues"
		}
	case m.turn.State == turn.Stopped:
		text = "Enter continues · type to redirect"
		if narrow {
			text = "Enter continues"
		}
	case narrow:
		text = "Ask · / commands"
	}
	m.prompt.SetPlaceholder(m.sheet.Words(text))
}

// formOpen reports whether what is typed belongs to the connect screen.
func (m *Model) formOpen() bool {
	o := m.top()
	if o == nil {
		return false
	}
	w, ok := o.box.(interface{ WantsText() bool })
	return ok && w.WantsText()
}

// paste goes to the overlay that is open, else to the prompt.
func (m *Model) paste(msg tea.PasteMsg) tea.Cmd {
	m.press.leader.on = false
	if w, ok := m.topBox().(interface{ WantsPaste(string) bool }); ok && w.WantsPaste(msg.Content) {
		return m.toOverlay(msg) // a key: it must not stand in the prompt
	}
	if o := m.top(); o != nil && m.overlayTakes(o, tea.KeyPressMsg{Code: 'x', Text: "x"}) {
		return m.toOverlay(msg)
	}
	m.press.typed = m.now()
	_, cmd := m.prompt.Update(msg)
	m.menu = nil // pasted text never opens a menu
	return tea.Batch(cmd, m.draftChanged())
}

// topBox is the dialog that has the keys, nil without one.
func (m *Model) topBox() any {
	if o := m.top(); o != nil {
		return o.box
	}
	return nil
}

func (m *Model) wheel(msg tea.MouseWheelMsg) {
	if m.top() != nil {
		return
	}
	switch msg.Button {
	case tea.MouseWheelUp:
		m.log.ScrollBy(-wheelRows)
	case tea.MouseWheelDown:
		m.log.ScrollBy(wheelRows)
	case tea.MouseWheelLeft:
		m.log.ScrollSideways(-2 * wheelRows)
	case tea.MouseWheelRight:
		m.log.ScrollSideways(2 * wheelRows)
	}
}

// quit saves the draft, and leaves.
func (m *Model) quit(code int) tea.Cmd {
	m.leaving.code = code
	save := m.saveDraft()
	return func() tea.Msg { save(); return quitMsg{} }
}

// over is the end of the engine: nothing is left to draw.
func (m *Model) over() tea.Cmd {
	m.leaving.done = true
	return tea.Quit
}
