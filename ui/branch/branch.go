// Package branch keeps the name of the repository's branch for the title: it is read beside the first frame, and again
// when a turn ended, since the agent may have changed it. It refuses to run git: a status may run what the configuration
// of a repository says, and nobody asked for that.
package branch

import (
	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/screen"
)

// readMsg is what was read.
type readMsg struct{ name string }

// Feature reads the branch where Options.Branch says how.
func Feature(s *screen.State) screen.Feature {
	read := func() tea.Cmd {
		branch, dir := s.Options.Branch, s.Options.Dir
		if branch == nil {
			return nil
		}
		return func() tea.Msg { return readMsg{branch(dir)} }
	}
	return screen.Feature{
		Init: read,
		On: func(e engine.Event) tea.Cmd {
			if _, ended := e.(engine.Ended); ended {
				return read()
			}
			return nil
		},
		Update: func(msg tea.Msg) tea.Cmd {
			if m, ok := msg.(readMsg); ok && m.name != s.Session.Branch {
				s.Session.Branch = m.name
				s.Rewelcome()
			}
			return nil
		},
	}
}
