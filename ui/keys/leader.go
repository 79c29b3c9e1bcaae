package keys

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Lead is the first key of a pair, as the table writes it.
const Lead = "ctrl+x"

// leaderDelay is how long after the first key the hints appear: who knows the second never sees them (UX 4.2).
const leaderDelay = 400 * time.Millisecond

// Leader is the state of a pair that was begun. The zero value is none.
type Leader struct {
	On    bool
	Shown bool // the hints are open
	seq   int
}

// LeaderMsg says that the second key did not come at once.
type LeaderMsg struct{ seq int }

// Begin begins a pair; the command opens the hints after a moment.
func (l *Leader) Begin() tea.Cmd {
	*l = Leader{On: true, seq: l.seq + 1}
	seq := l.seq
	return tea.Tick(leaderDelay, func(time.Time) tea.Msg { return LeaderMsg{seq} })
}

// Show takes the message of Begin.
func (l *Leader) Show(msg LeaderMsg) { l.Shown = l.On && l.seq == msg.seq }

// Second is the second key of a binding that has one. Of several that differ by a digit the first stands for all.
func (b Binding) Second() (string, bool) {
	i := slices.IndexFunc(b.Keys, func(k string) bool { return strings.HasPrefix(k, Lead+" ") })
	if i < 0 {
		return "", false
	}
	key := strings.TrimPrefix(b.Keys[i], Lead+" ")
	return key, key != "2" && key != "3"
}
