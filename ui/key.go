package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
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
	leader  bool
	ctrlC   []time.Time // within panicSpan
	stopped time.Time   // a Ctrl+C that stopped a turn
	quit    time.Time   // a Ctrl+C on an empty prompt
	esc     time.Time   // an Esc that did nothing yet
	typed   time.Time   // the last key that went to the prompt
	pasted  bool        // the prompt began with a paste: it is never a command
}

// hint names what the second press would do, while it counts.
func (p *presses) hint(now time.Time) string {
	switch {
	case p.leader:
		return "Ctrl+X …  s sessions · m model · n new · o expand · y copy · q answer · < top · > bottom · h help"
	case now.Sub(p.quit) < twice:
		return "Ctrl+C again to quit"
	}
	return ""
}

// key handles a key press, in the order of UX 4.2.
func (m *Model) key(k tea.KeyPressMsg) tea.Cmd {
	name := k.String()
	switch name {
	case "ctrl+c":
		return m.ctrlC()
	case "ctrl+z":
		return tea.Suspend
	case "ctrl+l":
		return tea.ClearScreen
	}
	if m.leaving.asked {
		return m.leaveKey(name)
	}
	if m.press.leader {
		m.press.leader = false
		return m.leader(name)
	}
	if m.menu != nil {
		if cmd, done := m.menuKey(k); done {
			return cmd
		}
	}
	if o := m.top(); o != nil && m.overlayTakes(o, k) {
		return m.toOverlay(k)
	}
	if b, ok := m.bound(name); ok {
		return b
	}
	if name == "esc" {
		return m.esc()
	}
	return m.promptKey(k)
}

// overlayTakes reports whether the overlay has this key. The connect screen leaves the prompt usable.
func (m *Model) overlayTakes(o *overlay, k tea.KeyPressMsg) bool {
	if w, ok := o.box.(interface{ Wants(tea.KeyPressMsg) bool }); ok {
		return w.Wants(k)
	}
	return true
}

// esc follows the decision order of UX 4.2, overlays having had it already.
func (m *Model) esc() tea.Cmd {
	now := m.now()
	switch {
	case m.turn.running:
		m.press.esc = time.Time{} // a press that stopped something is never the first of a double press
		m.do(engine.Interrupt{Graceful: m.turn.state != stateStopping && !m.d.Options.EscNow})
	case now.Sub(m.press.esc) < escTwice && !m.prompt.Empty():
		m.press.esc = time.Time{}
		m.prompt.Clear()
		return m.saveDraft()
	default:
		m.press.esc = now
	}
	return nil
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
	switch {
	case len(m.press.ctrlC) >= panicTimes, now.Sub(m.press.stopped) < quitSpan:
		return m.quit(m.stopCode())
	case m.turn.running:
		m.press.stopped = now
		m.do(engine.Interrupt{})
		return nil
	case len(m.overlays) > 0:
		return m.toOverlay(tea.KeyPressMsg{Code: tea.KeyEscape})
	case !m.prompt.Empty():
		m.prompt.Clear()
		return m.saveDraft()
	case now.Sub(m.press.quit) < twice:
		return m.quit(0)
	}
	m.press.quit = now
	return m.tickAfter(twice)
}

// stopCode is the exit code of a quit that cut a turn (CONTRACT 2).
func (m *Model) stopCode() int {
	if m.turn.running || m.now().Sub(m.press.stopped) < panicSpan {
		return 130
	}
	return 0
}

func (m *Model) leaveKey(name string) tea.Cmd {
	switch name {
	case "s":
		m.do(engine.Interrupt{})
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
		if m.turn.running && !m.prompt.Empty() && !m.prompt.Bursting(now) {
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
			return nil
		}
	}
	m.press.typed = now
	m.pastedCommand() // an empty prompt forgets it
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
	if m.turn.running {
		m.leaving.asked = true
		return nil
	}
	return m.quit(0)
}
