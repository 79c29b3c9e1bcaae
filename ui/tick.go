package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// tickMsg is the clock's second. It comes only while something on screen counts (law 14: idle means idle).
type tickMsg struct{}

// repaintMsg comes once, when a hint has had its time.
type repaintMsg struct{}

// ticking reports whether something on screen counts seconds.
func (m *Model) ticking() bool {
	return m.Turn.Active || m.Log.Busy() || m.panel.Running() > 0 || m.Strip.Compacting != nil
}

// beat is how often the clocks are drawn: where motion is reduced, or nobody looks, they need not run (UX 4.9).
func (m *Model) beat() time.Duration {
	if m.Options.Still || m.beacon.Blind() {
		return 10 * time.Second
	}
	return time.Second
}

// repaintAfter draws the screen once more when d has passed.
func repaintAfter(d time.Duration) tea.Cmd {
	return tea.Tick(d, func(time.Time) tea.Msg { return repaintMsg{} })
}
