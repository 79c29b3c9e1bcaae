package ui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
)

// tickMsg is the clock's second. It comes only while something on screen counts (law 14: idle means idle).
type tickMsg struct{}

// repaintMsg comes once, when a hint has had its time.
type repaintMsg struct{}

// ticking reports whether something on screen counts seconds.
func (m *Model) ticking() bool { return m.turn.running || m.log.Busy() }

// repaintAfter draws the screen once more when d has passed.
func repaintAfter(d time.Duration) tea.Cmd {
	return tea.Tick(d, func(time.Time) tea.Msg { return repaintMsg{} })
}

// clock writes a duration as people read it: 0:42, 1:07, 1:02:03.
func clock(d time.Duration) string {
	s := int(d.Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// count writes a number of tokens: 950, 12.4k, 1.2M.
func count(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprint(n)
	case n < 1_000_000:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/1000), ".0") + "k"
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/1e6), ".0") + "M"
}
