// Package compacting is the command that summarises older turns. How far it is stands above the prompt (chrome); it
// refuses to begin while a turn runs.
package compacting

import (
	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/command"
	"talaria/ui/screen"
)

// New returns the feature.
func New(s *screen.State) screen.Feature {
	return screen.Feature{Commands: []command.Command{{Name: "compact", Args: "[focus]", Help: "summarise older turns to make room",
		Group: command.Turn, Can: s.WhyRunning, Do: func(focus string) tea.Cmd { s.Do(engine.Compact{Focus: focus}); return nil }}}}
}
