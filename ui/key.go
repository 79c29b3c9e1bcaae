package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/composer"
	"talaria/ui/keys"
	"talaria/ui/overlay"
	"talaria/ui/screen"
	"talaria/ui/turn"
	"talaria/ui/wardrobe"
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
	ctrlC   []time.Time // within panicSpan
	stopped time.Time   // a Ctrl+C that stopped a turn
	quit    time.Time   // a Ctrl+C on an empty prompt
	esc     time.Time   // an Esc that did nothing yet
	stray   stray
}

// key handles a key press, in the order of UX 4.2.
func (m *Model) key(k tea.KeyPressMsg) tea.Cmd {
	name := k.String()
	if m.press.stray.takes(k, m.Now()) {
		return nil
	}
	if name != "ctrl+c" {
		m.press.quit = time.Time{}
	}
	switch name {
	case "ctrl+c":
		return m.ctrlC()
	case "ctrl+z":
		return tea.Sequence(wardrobe.Unfollow(), tea.Suspend)
	case "ctrl+l":
		return tea.ClearScreen
	case "f1":
		m.openHelp()
		return nil
	}
	if m.leaving.asked {
		return m.leaveKey(name)
	}
	if m.Leader.On {
		m.Leader.On = false
		return m.follow(name)
	}
	if m.Popup != nil {
		if cmd, done := m.popupKey(k); done {
			return cmd
		}
	}
	if o := m.Overlays.Top(); o != nil && o.Takes(k, m.Prompt.Empty()) {
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
func (m *Model) overlayKey(o *overlay.Overlay, k tea.KeyPressMsg) tea.Cmd {
	if k.String() == "enter" && o.ID == screen.Connect && o.Shares() && !m.Connected() {
		if cmd, ok := m.out.Keep(); ok {
			return tea.Batch(cmd, m.TellTop(k))
		}
	}
	return m.TellTop(k)
}

// esc follows the decision order of UX 4.2, overlays having had it already.
func (m *Model) esc() tea.Cmd {
	now := m.Now()
	if m.Log.Unmark() {
		return nil
	}
	if m.Prompt.Escape() {
		m.press.esc = time.Time{}
		return nil
	}
	switch {
	case m.Strip.Compacting != nil: // the history stays as it is, and so does the turn
		m.press.esc, m.Strip.Compacting = time.Time{}, nil
		m.Do(engine.Interrupt{Graceful: true})
	case m.stopOwn():
		m.press.esc = time.Time{}
	case m.Turn.Active:
		m.press.esc = time.Time{} // a press that stopped something is never the first of a double press
		if m.Turn.State == turn.Stopping || m.Options.EscNow {
			m.StopNow()
			return nil
		}
		m.Turn.Stop(false, now)
		m.Do(engine.Interrupt{Graceful: true})
	case now.Sub(m.press.esc) < escTwice && !m.Prompt.Empty():
		m.press.esc = time.Time{}
		return m.clear()
	case now.Sub(m.press.esc) < escTwice:
		m.press.esc = time.Time{}
		return m.timeline.Open()
	default:
		m.press.esc = now
		if !m.Prompt.Empty() {
			return repaintAfter(escTwice)
		}
	}
	return nil
}

// clear empties the prompt; the draft goes to the ring that Up reaches first.
func (m *Model) clear() tea.Cmd {
	m.Prompt.Clear()
	m.Popup = nil
	return m.out.Save()
}

// ctrlC: stop now, then clear the draft, then quit (UX 4.2). Four presses end the program whatever is open.
func (m *Model) ctrlC() tea.Cmd {
	now := m.Now()
	recent := m.press.ctrlC[:0]
	for _, t := range m.press.ctrlC {
		if now.Sub(t) < panicSpan {
			recent = append(recent, t)
		}
	}
	m.press.ctrlC = append(recent, now)
	m.Leader.On, m.leaving.asked = false, false
	switch {
	case len(m.press.ctrlC) >= panicTimes:
		m.leaving.code, m.leaving.done = m.stopCode(), true
		return tea.Quit // Run saves the draft when the terminal is restored
	case now.Sub(m.press.stopped) < quitSpan:
		return m.quit(m.stopCode())
	case m.Log.Marked():
		cmd, _ := m.mouse.Copy()
		return cmd
	case m.Turn.Active:
		m.press.stopped = now
		m.StopNow()
		return nil
	case len(m.Overlays) > 0:
		return m.TellTop(tea.KeyPressMsg{Code: tea.KeyEscape})
	case !m.Prompt.Empty():
		return m.clear()
	case now.Sub(m.press.quit) < twice:
		return m.leave()
	}
	m.press.quit = now
	return repaintAfter(twice)
}

// stopCode is the exit code of a quit that cut a turn (CONTRACT 2).
func (m *Model) stopCode() int {
	if m.Turn.Active || m.Now().Sub(m.press.stopped) < panicSpan {
		return 130
	}
	return 0
}

func (m *Model) leaveKey(name string) tea.Cmd {
	switch name {
	case "s":
		if !m.Turn.Active {
			return m.quit(0)
		}
		m.StopNow()
		return m.quit(130)
	case "esc":
		m.leaving.asked = false
	}
	return nil
}

// promptKey is a key for the prompt: an action of the table, or an edit.
func (m *Model) promptKey(k tea.KeyPressMsg) tea.Cmd {
	name, empty := k.String(), m.Prompt.Empty()
	b := m.keys.Prompting(name, m.Turn.Active)
	switch {
	case b.ID == "send" && empty:
		return m.out.Enter()
	case b.ID == "send":
		m.Typed = m.Now()
		return m.Prompt.Enter(m.Now())
	case m.Prompt.Commands(k):
		return m.edit(k, name)
	case b.ID == "queue" && (empty || m.Prompt.Bursting(m.Now())): // a Tab that was pasted
	case b.Do != nil:
		return m.run(b)
	case name == "ctrl+d" && empty:
		return m.leave()
	case name == "m" && empty && m.Turn.Waiting(m.Now()):
		return m.models.Open()
	case name == "d" && empty && m.Turn.Waiting(m.Now()) && m.Log.Details():
		return nil
	case name == "?" && empty:
		m.openHelp()
		return nil
	case b.ID == "history-up" && empty && m.out.TakeBack():
		return m.out.Changed()
	}
	return m.edit(k, name)
}

// edit gives the composer the key that it knows for what was pressed.
func (m *Model) edit(k tea.KeyPressMsg, name string) tea.Cmd {
	stroke, ok := m.keys.Edits(name)
	if !ok {
		return nil
	}
	if stroke != name {
		k = keys.Press(stroke)
	}
	m.Typed = m.Now()
	before := m.Prompt.Version()
	_, cmd := m.Prompt.Update(k)
	if m.Prompt.Version() == before {
		return cmd
	}
	if m.Prompt.Mode() == composer.Normal || m.Prompt.Recalls() { // a command, or a step through the history, is no typing
		m.Popup = nil
		return tea.Batch(cmd, m.out.Changed())
	}
	return tea.Batch(cmd, m.refreshPopup(), m.out.Changed())
}

// leave ends the program, asking first when the agent is at work, or commands run in the background: none outlives the
// window.
func (m *Model) leave() tea.Cmd {
	if m.Turn.Active || len(m.Session.Background) > 0 {
		m.leaving.asked = true
		return nil
	}
	return m.quit(0)
}
