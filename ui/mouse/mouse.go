// Package mouse is what the mouse does with the conversation: a click expands or collapses a block, dragging marks text, a
// double click marks a word, and Ctrl+C copies what is marked. It refuses what ui.mouse leaves to the terminal, and
// everything while a dialog is open.
package mouse

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/ui/clip"
	"talaria/ui/screen"
)

// double is how soon the second click of a double one comes; wakes is how soon after the focus came back a click is the
// one that brought it (UX 4.10).
const (
	double = 400 * time.Millisecond
	wakes  = 150 * time.Millisecond
)

// Mouse is the feature over a screen. Top is the row of the screen where the conversation begins.
type Mouse struct {
	s        *screen.State
	top      func() int
	at, last click
	down     bool // the button is held
	moved    bool // and was moved
	focused  time.Time
}

type click struct {
	x, y int
	when time.Time
}

// New returns the feature.
func New(s *screen.State, top func() int) *Mouse { return &Mouse{s: s, top: top} }

// Focused notes that the window got the focus.
func (m *Mouse) Focused() { m.focused = m.s.Now() }

// clicks and drags report what ui.mouse allows.
func (m *Mouse) clicks() bool { return m.s.Options.Mouse != "off" && m.s.Options.Mouse != "wheel" }
func (m *Mouse) drags() bool  { return m.clicks() && m.s.Options.Mouse != "buttons" }

// Take is what a message of the mouse does; the wheel is not its business.
func (m *Mouse) Take(msg tea.MouseMsg) {
	if !m.clicks() || len(m.s.Overlays) > 0 {
		m.down = false
		return
	}
	e := msg.Mouse()
	x, y := e.X, e.Y-m.top()
	switch msg.(type) {
	case tea.MouseClickMsg:
		if e.Button == tea.MouseLeft && m.s.Now().Sub(m.focused) >= wakes {
			m.press(x, y)
		}
	case tea.MouseMotionMsg:
		if m.down && m.drags() {
			m.drag(x, y)
		}
	case tea.MouseReleaseMsg:
		if m.down && !m.moved {
			m.click()
		}
		m.down = false
	}
}

func (m *Mouse) press(x, y int) {
	m.at, m.down, m.moved = click{x, y, m.s.Now()}, true, false
	was := m.s.Log.Unmark()
	if twice := m.at.when.Sub(m.last.when) < double && m.last.x == x && m.last.y == y; twice && m.drags() {
		m.moved = m.s.Log.MarkWord(x, y)
		return
	}
	m.moved = was // a click that ends a mark does nothing else
	if y < 0 || !m.s.Log.Mark(x, y) {
		m.down = false
	}
}

// drag marks up to a cell; at the edge of the view it scrolls.
func (m *Mouse) drag(x, y int) {
	m.moved = true
	switch h := m.s.Log.Height(); {
	case y < 0:
		m.s.Log.ScrollBy(-1)
	case y >= h:
		m.s.Log.ScrollBy(1)
	}
	m.s.Log.MarkTo(x, y)
}

func (m *Mouse) click() {
	m.last = m.at
	m.s.Log.ToggleAt(m.at.y)
}

// Copy copies what is marked; ok is false when nothing is.
func (m *Mouse) Copy() (_ tea.Cmd, ok bool) {
	if !m.s.Log.Marked() {
		return nil, false
	}
	text := m.s.Log.MarkedText()
	m.s.Log.Unmark()
	return clip.Copy(m.s, text), true
}
