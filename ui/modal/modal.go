// Package modal turns vim's modes of the prompt on and off: ui.key_preset vim, or /vim. What the keys do is the
// composer's; it refuses to know any of them.
package modal

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/command"
	"talaria/ui/screen"
)

// preset is the name of the setting, and of the value that means vim's modes.
const (
	setting = "ui.key_preset"
	preset  = "vim"
)

type unsaved struct{ err error }

// New returns the feature.
func New(s *screen.State) screen.Feature {
	s.Prompt.SetModal(s.Options.Keys.Preset == preset)
	return screen.Feature{
		Commands: []command.Command{{Name: "vim", Help: "INSERT and NORMAL in the prompt, on or off", Group: command.Set, Busy: true,
			Do: func(string) tea.Cmd { return toggle(s) }}},
		Update: func(msg tea.Msg) tea.Cmd {
			if u, ok := msg.(unsaved); ok {
				s.Say(engine.NoteWarning, "The setting was not kept for the next time: "+u.err.Error()+". It counts until you leave.")
			}
			return nil
		},
	}
}

func toggle(s *screen.State) tea.Cmd {
	on := s.Prompt.Mode() == ""
	s.Prompt.SetModal(on)
	value, says := "default", "The prompt has no modes any more. /vim brings them back."
	if on {
		value, says = preset, "The prompt has vim's modes. Esc leaves INSERT; i, a and o come back to it. /vim turns them off."
	}
	if old := s.Options.Keys.Preset; !on && old != preset && old != "" {
		value = old
	}
	s.Say(engine.NoteInfo, says)
	if s.Save == nil {
		return nil
	}
	save, ctx := s.Save, s.Context
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, screen.LibraryTime)
		defer cancel()
		if err := save.Save(ctx, setting, value); err != nil {
			return unsaved{err}
		}
		return nil
	}
}
