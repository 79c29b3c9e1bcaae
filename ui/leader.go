package ui

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/ui/chrome"
	"talaria/ui/dialog"
)

// leaderDelay is how long after Ctrl+X the hints appear: who knows the second key never sees them (UX 4.2).
const leaderDelay = 400 * time.Millisecond

// leader is Ctrl+X, the first key of a pair.
type leader struct {
	on    bool
	shown bool // the hints are open
	seq   int
}

// leaderMsg says that the second key did not come at once.
type leaderMsg struct{ seq int }

// lead begins a pair.
func (m *Model) lead() tea.Cmd {
	l := &m.press.leader
	*l = leader{on: true, seq: l.seq + 1}
	seq := l.seq
	return tea.Tick(leaderDelay, func(time.Time) tea.Msg { return leaderMsg{seq} })
}

func (l *leader) show(msg leaderMsg) { l.shown = l.on && l.seq == msg.seq }

// follow runs the second key of a pair.
func (m *Model) follow(name string) tea.Cmd {
	if name == "enter" && m.turn.Active {
		return m.queue()
	}
	cmd, _ := m.bound("ctrl+x " + name)
	return cmd
}

// leaderRows is the box of second keys, at the bottom of a space of w by h cells.
func (m *Model) leaderRows(w, h int) []string {
	if !m.press.leader.on || !m.press.leader.shown || w < minWidth {
		return nil
	}
	var keys []chrome.Pair
	for _, b := range m.bindings() {
		if key, ok := leaderKey(b); ok {
			keys = append(keys, chrome.Pair{Key: key, Name: b.Name, Off: b.Why() != ""})
		}
	}
	return chrome.Leader(m.sheet, keys, w, h)
}

// leaderKey is the second key of a binding that has one. Of several that differ by a digit the first stands for all.
func leaderKey(b dialog.Binding) (string, bool) {
	i := slices.IndexFunc(b.Keys, func(k string) bool { return strings.HasPrefix(k, "ctrl+x ") })
	if i < 0 {
		return "", false
	}
	key := strings.TrimPrefix(b.Keys[i], "ctrl+x ")
	return key, key != "2" && key != "3"
}
