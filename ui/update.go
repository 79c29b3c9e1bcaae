package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/composer"
	"talaria/ui/style"
)

// tickMsg is the clock's second. It comes only while something on screen counts (law 14: idle means idle).
type tickMsg struct{}

// Signals and ends that come from outside the terminal's keys.
type (
	interruptMsg struct{}               // SIGINT: as Ctrl+C, without a second meaning
	endMsg       struct{ code int }     // SIGTERM, SIGHUP: leave at once
	crashMsg     struct{ engine.Crash } // a goroutine of ours panicked
	quitMsg      struct{}
)

// wheelRows is what one notch of the wheel scrolls (UX 4.10).
const wheelRows = 3

// Update takes one message. It never does IO: what takes time is a command.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	before := m.ticking()
	cmd := m.take(msg)
	if !before && m.ticking() {
		cmd = tea.Batch(cmd, m.tickAfter(time.Second))
	}
	return m, cmd
}

func (m *Model) take(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
		m.log.SetWelcome(m.welcome())
	case eventsMsg:
		return m.events(msg)
	case closedMsg:
		return m.over()
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		return m.paste(msg)
	case tea.MouseWheelMsg:
		m.wheel(msg)
	case tea.BackgroundColorMsg:
		m.look(m.d.Theme(msg.IsDark(), true))
	case tea.FocusMsg:
		return tea.RequestBackgroundColor
	case composer.SendMsg:
		return m.sent(msg)
	case tickMsg:
		m.log.Tick(m.now())
		if m.ticking() {
			return m.tickAfter(time.Second)
		}
	default:
		return m.takeOwn(msg)
	}
	return nil
}

// takeOwn takes the messages of our own commands; what is none of them is for an overlay.
func (m *Model) takeOwn(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case draftDueMsg:
		if m.prompt.Version() != m.drafts.version {
			return m.saveDraft()
		}
		m.drafts.due = false
	case draftMsg:
		if msg.text != "" && m.prompt.Empty() {
			m.prompt.SetValue(msg.text)
			m.drafts.version = m.prompt.Version()
		}
	case draftSavedMsg:
		if msg.err != nil && !m.drafts.lost {
			m.say(engine.NoteWarning, "The draft could not be saved: "+msg.err.Error())
		}
		m.drafts.lost = msg.err != nil
	case historyMsg:
		m.prompt.SetHistory(msg)
	case recentMsg:
		m.session.recent = msg
		m.log.SetWelcome(m.welcome())
	case connectMsg:
		return m.use(msg.c)
	case pickedMsg:
		return m.picked(msg)
	case interruptMsg:
		if m.turn.running {
			m.do(engine.Interrupt{})
		}
	case endMsg:
		return m.quit(msg.code)
	case crashMsg:
		m.leaving.crash, m.leaving.done = &msg.Crash, true
		return tea.Quit
	case quitMsg:
		m.leaving.done = true
		return tea.Quit
	default:
		return m.toOverlay(msg)
	}
	return nil
}

// events takes a delivery and asks for the next.
func (m *Model) events(batch eventsMsg) tea.Cmd {
	cmds := make([]tea.Cmd, 0, 4)
	for _, e := range batch {
		if cmd := m.on(e); cmd != nil {
			cmds = append(cmds, cmd)
		}
	}
	m.placeholder()
	return tea.Batch(append(cmds, m.listen.next())...)
}

// placeholder says what Enter would do now.
func (m *Model) placeholder() {
	text := "Ask anything · / commands"
	switch {
	case !m.connected():
		text = "(type your first message now — it is kept)"
	case m.turn.running && m.w < 60:
		text = "Enter steers · Tab queues"
	case m.turn.running:
		text = "Enter steers · Tab queues · Esc stops"
	case m.turn.state == stateStopped:
		text = "Enter continues · type to redirect"
	}
	m.prompt.SetPlaceholder(text)
}

// paste goes to the overlay that is open, else to the prompt.
func (m *Model) paste(msg tea.PasteMsg) tea.Cmd {
	if o := m.top(); o != nil && !m.pasteToPrompt(o) {
		return m.toOverlay(msg)
	}
	m.press.typed = m.now()
	m.press.pasted = m.press.pasted || m.prompt.Empty()
	_, cmd := m.prompt.Update(msg)
	m.menu = nil // pasted text never opens a menu
	return tea.Batch(cmd, m.draftChanged())
}

// pastedCommand reports whether the prompt began with a paste: pasted text never runs a command.
func (m *Model) pastedCommand() bool {
	m.press.pasted = m.press.pasted && !m.prompt.Empty()
	return m.press.pasted
}

func (m *Model) pasteToPrompt(o *overlay) bool {
	w, ok := o.box.(interface{ Wants(tea.KeyPressMsg) bool })
	return ok && !w.Wants(tea.KeyPressMsg{Code: 'x', Text: "x"})
}

func (m *Model) wheel(msg tea.MouseWheelMsg) {
	if m.top() != nil {
		return
	}
	rows := wheelRows
	if msg.Button == tea.MouseWheelUp {
		rows = -rows
	}
	m.log.ScrollBy(rows)
}

// ticking reports whether something on screen counts seconds.
func (m *Model) ticking() bool {
	return m.turn.running || m.log.Busy()
}

func (m *Model) tickAfter(d time.Duration) tea.Cmd {
	return tea.Tick(d, func(time.Time) tea.Msg { return tickMsg{} })
}

// look changes the theme of every pane.
func (m *Model) look(t themes.Theme) {
	if t.Name == m.sheet.Theme.Name {
		return
	}
	m.sheet = style.New(t, m.d.Options.ASCII)
	m.log.SetSheet(m.sheet)
	m.prompt.SetSheet(m.sheet)
	m.log.SetWelcome(m.welcome())
}

// quit saves the draft, ends the engine's turn, and leaves.
func (m *Model) quit(code int) tea.Cmd {
	m.leaving.code = code
	return tea.Sequence(m.saveDraft(), func() tea.Msg { return quitMsg{} })
}

// over is the end of the engine: nothing is left to draw.
func (m *Model) over() tea.Cmd {
	m.leaving.done = true
	return tea.Quit
}
