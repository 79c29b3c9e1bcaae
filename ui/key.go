package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/turn"
)

// How long the first of a double press counts (UX 4.2), and how many Ctrl+C within panicSpan always end the program.
const (
	twice      = 2 * time.Second
	escTwice   = 600 * time.Millisecond
	quitSpan   = time.Second
	panicSpan  = 1500 * time.Millisecond
	panicTimes = 4
)

// presses remembers keys whose second press means more.
type presses struct {
	leader  leader
	ctrlC   []time.Time // within panicSpan
	stopped time.Time   // a Ctrl+C that stopped a turn
	quit    time.Time   // a Ctrl+C on an empty prompt
	esc     time.Time   // an Esc that did nothing yet
	typed   time.Time   // the last key that went to the prompt
	stray   stray
}

// key handles a key press, in the order of UX 4.2.
func (m *Model) key(k tea.KeyPressMsg) tea.Cmd {
	name := k.String()
	if m.press.stray.takes(k, m.now()) {
		return nil
	}
	if name != "ctrl+c" {
		m.press.quit = time.Time{}
	}
	switch name {
	case "ctrl+c":
		return m.ctrlC()
	case "ctrl+z":
		return tea.Suspend
	case "ctrl+l":
		return tea.ClearScreen
	case "f1":
		m.openHelp()
		return nil
	}
	if m.leaving.asked {
		return m.leaveKey(name)
	}
	if m.press.leader.on {
		m.press.leader.on = false
		return m.follow(name)
	}
	if m.menu != nil {
		if cmd, done := m.menuKey(k); done {
			return cmd
		}
	}
	if o := m.top(); o != nil && m.overlayTakes(o, k) {
		return m.overlayKey(o, k)
	}
	if cmd, ok := m.bound(name); ok {
		return cmd
	}
	if name == "esc" {
		return m.esc()
	}
	return m.promptKey(k)
}

// overlayKey gives a key to the overlay. Enter on the connect screen while a message stands in the prompt means both:
// the message is kept and goes out when the connection works.
func (m *Model) overlayKey(o *overlay, k tea.KeyPressMsg) tea.Cmd {
	w, ok := o.box.(interface{ WantsText() bool })
	if k.String() != "enter" || !ok || w.WantsText() || m.connected() {
		return m.toOverlay(k)
	}
	text, ok := m.prompt.Submit()
	if !ok {
		return m.toOverlay(k)
	}
	m.prompt.Remember(text)
	m.prompt.Reset()
	m.keep(text)
	return tea.Batch(m.saveDraft(), m.toOverlay(k))
}

// esc follows the decision order of UX 4.2, overlays having had it already.
func (m *Model) esc() tea.Cmd {
	now := m.now()
	switch {
	case m.turn.Active:
		m.press.esc = time.Time{} // a press that stopped something is never the first of a double press
		if m.turn.State == turn.Stopping || m.d.Options.EscNow {
			m.stopNow()
			return nil
		}
		m.turn.Stop(false, now)
		m.do(engine.Interrupt{Graceful: true})
	case now.Sub(m.press.esc) < escTwice && !m.prompt.Empty():
		m.press.esc = time.Time{}
		return m.clear()
	default:
		m.press.esc = now
		if !m.prompt.Empty() {
			return repaintAfter(escTwice)
		}
	}
	return nil
}

// clear empties the prompt; the draft goes to the ring that Up reaches first.
func (m *Model) clear() tea.Cmd {
	m.prompt.Clear()
	m.menu = nil
	return m.saveDraft()
}

// ctrlC: stop now, then clear the draft, then quit (UX 4.2). Four presses end the program whatever is open.
func (m *Model) ctrlC() tea.Cmd {
	now := m.now()
	recent := m.press.ctrlC[:0]
	for _, t := range m.press.ctrlC {
		if now.Sub(t) < panicSpan {
			recent = append(recent, t)
		}
	}
	m.press.ctrlC = append(recent, now)
	m.press.leader.on, m.leaving.asked = false, false
	switch {
	case len(m.press.ctrlC) >= panicTimes:
		m.leaving.code, m.leaving.done = m.stopCode(), true
		return tea.Quit // Run saves the draft when the terminal is restored
	case now.Sub(m.press.stopped) < quitSpan:
		return m.quit(m.stopCode())
	case m.turn.Active:
		m.press.stopped = now
		m.stopNow()
		return nil
	case len(m.overlays) > 0:
		return m.toOverlay(tea.KeyPressMsg{Code: tea.KeyEscape})
	case !m.prompt.Empty():
		return m.clear()
	case now.Sub(m.press.quit) < twice:
		return m.quit(0)
	}
	m.press.quit = now
	return repaintAfter(twice)
}

// stopCode is the exit code of a quit that cut a turn (CONTRACT 2).
func (m *Model) stopCode() int {
	if m.turn.Active || m.now().Sub(m.press.stopped) < panicSpan {
		return 130
	}
	return 0
}

func (m *Model) leaveKey(name string) tea.Cmd {
	switch name {
	case "s":
		m.stopNow()
		return m.quit(130)
	case "esc":
		m.leaving.asked = false
	}
	return nil
}

// promptKey is a key for the prompt.
func (m *Model) promptKey(k tea.KeyPressMsg) tea.Cmd {
	now := m.now()
	switch k.String() {
	case "enter":
		if m.prompt.Empty() {
			return m.emptyEnter()
		}
		m.press.typed = now
		return m.prompt.Enter(now)
	case "ctrl+enter":
		return m.stopAndSend()
	case "tab":
		if m.turn.Active && !m.prompt.Empty() && !m.prompt.Bursting(now) {
			return m.queue()
		}
	case "ctrl+d":
		if m.prompt.Empty() {
			return m.leave()
		}
	case "?":
		if m.prompt.Empty() {
			m.openHelp()
			return nil
		}
	case "up":
		if m.prompt.Empty() && m.takeBack() {
			return m.draftChanged()
		}
	}
	m.press.typed = now
	before := m.prompt.Version()
	_, cmd := m.prompt.Update(k)
	if m.prompt.Version() == before {
		return cmd
	}
	m.refreshMenu()
	return tea.Batch(cmd, m.draftChanged())
}

// leave ends the program, asking first when the agent is at work.
func (m *Model) leave() tea.Cmd {
	if m.turn.Active {
		m.leaving.asked = true
		return nil
	}
	return m.quit(0)
}
