package ui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/browse"
	"talaria/ui/chrome"
	"talaria/ui/composer"
	"talaria/ui/keys"
	"talaria/ui/listen"
	"talaria/ui/overlay"
	"talaria/ui/turn"
)

// Signals and ends that come from outside the terminal's keys.
type (
	interruptMsg struct{}           // SIGINT: stops a turn, without a second meaning
	endMsg       struct{ code int } // SIGTERM, SIGHUP: leave at once
	quitMsg      struct{}
	doneMsg      struct{} // all is printed
)

// wheelRows is what one notch of the wheel scrolls (UX 4.10).
const wheelRows = 3

// Update takes one message. It never does IO: what takes time is a command.
func (m *Model) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	defer m.rescue("update", func(engine.Crash) { next, cmd = m, tea.Quit })
	cmd = batch([]tea.Cmd{m.take(msg), m.older.Next()})
	m.placeholder()
	if pump := m.inline.Pump(); pump != nil {
		cmd = tea.Batch(cmd, pump)
	}
	if m.ticking() && !m.armed && !m.leaving.done {
		m.armed = true
		cmd = tea.Batch(cmd, tea.Tick(m.beat(), func(time.Time) tea.Msg { return tickMsg{} }))
	}
	return m, safe(cmd)
}

func (m *Model) take(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.W, m.H = max(0, msg.Width), max(0, msg.Height)
		m.Rewelcome()
	case listen.Batch:
		return m.events(msg)
	case listen.Closed:
		return m.over()
	case tea.KeyPressMsg:
		m.beacon.Pressed()
		return m.key(msg)
	case tea.PasteMsg:
		return m.paste(msg)
	case tea.MouseWheelMsg:
		m.wheel(msg)
	case tea.MouseClickMsg, tea.MouseMotionMsg, tea.MouseReleaseMsg:
		m.mouse.Take(msg.(tea.MouseMsg))
	case tea.KeyboardEnhancementsMsg:
		m.keys.Tell(msg.SupportsKeyDisambiguation())
	case tea.FocusMsg:
		m.beacon.Focused()
		m.mouse.Focused()
		return tea.RequestBackgroundColor
	case tea.BlurMsg:
		m.beacon.Blurred()
	case composer.SendMsg:
		return m.sent(msg)
	case tickMsg:
		m.armed = false
		m.Log.Tick(m.Now())
	case repaintMsg:
	case keys.LeaderMsg:
		m.Leader.Show(msg)
	default:
		return m.takeOwn(msg)
	}
	return nil
}

// takeOwn takes the messages of our own commands; what is none of them is for an overlay.
func (m *Model) takeOwn(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case interruptMsg:
		if m.Turn.Active {
			m.StopNow()
		}
	case endMsg:
		return m.quit(msg.code)
	case crashMsg:
		m.crashed(msg.Crash)
		return tea.Quit
	case quitMsg:
		return m.inline.Rest(func() tea.Msg { return doneMsg{} })
	case doneMsg:
		m.leaving.done = true
		return tea.Quit
	default:
		m.press.stray.cut(msg, m.Now())
		return m.toFeatures(msg)
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
	narrow, text := m.W < chrome.Narrow, "Ask anything · / commands · @ files · ! shell"
	switch {
	case m.Overlays.Question() != nil:
		text = "(answer above first)"
	case m.quiet():
		text = ""
	case !m.Connected():
		text = "(type your first message now — it is kept)"
		if narrow {
			text = "(type now, it is kept)"
		}
	case m.Turn.Active:
		text = map[string]string{"queue": "Enter queues", "interrupt": "Enter stops and sends"}[m.Options.BusyEnter]
		if text == "" {
			text = "Enter steers · Tab queues"
		}
		if !narrow {
			text += " · Esc stops"
		}
	case m.Turn.State == turn.Stopped:
		text = "Enter continues · type to redirect"
		if narrow {
			text = "Enter continues"
		}
	case narrow:
		text = "Ask · / @ !"
	}
	m.Prompt.SetPlaceholder(m.Sheet.Words(text))
}

// quiet reports whether the prompt says nothing: an overlay that is open wants what is typed, or says enough itself.
func (m *Model) quiet() bool {
	o := m.Overlays.Top()
	return o != nil && o.WantsText() || slices.ContainsFunc(m.Overlays, func(o overlay.Overlay) bool { return o.Quiet })
}

// paste goes to the overlay that is open, else to the prompt.
func (m *Model) paste(msg tea.PasteMsg) tea.Cmd {
	m.Leader.On = false
	if w, ok := m.topBox().(interface{ WantsPaste(string) bool }); ok && w.WantsPaste(msg.Content) {
		return m.TellTop(msg) // a key: it must not stand in the prompt
	}
	if o := m.Overlays.Top(); o != nil && o.TakesText(m.Prompt.Empty()) {
		return m.TellTop(msg)
	}
	m.Typed = m.Now()
	m.Popup = nil // pasted text never opens a menu
	for _, f := range m.features {
		if f.Pastes == nil {
			continue
		}
		if cmd, taken := f.Pastes(msg.Content); taken {
			return cmd
		}
	}
	_, cmd := m.Prompt.Update(msg)
	return tea.Batch(cmd, m.out.Changed())
}

// topBox is the dialog that has the keys, nil without one.
func (m *Model) topBox() any {
	if o := m.Overlays.Top(); o != nil {
		return o.Box
	}
	return nil
}

func (m *Model) wheel(msg tea.MouseWheelMsg) {
	if o := m.Overlays.Top(); o != nil && o.ID != browse.ID {
		return
	}
	switch msg.Button {
	case tea.MouseWheelUp:
		m.Log.ScrollBy(-wheelRows)
	case tea.MouseWheelDown:
		m.Log.ScrollBy(wheelRows)
	case tea.MouseWheelLeft:
		m.Log.ScrollSideways(-2 * wheelRows)
	case tea.MouseWheelRight:
		m.Log.ScrollSideways(2 * wheelRows)
	}
}

// quit saves the draft, and leaves.
func (m *Model) quit(code int) tea.Cmd {
	m.leaving.code = code
	save := m.out.Save()
	return func() tea.Msg { save(); return quitMsg{} }
}

// over is the end of the engine: nothing is left to draw.
func (m *Model) over() tea.Cmd {
	m.leaving.done = true
	return tea.Quit
}
