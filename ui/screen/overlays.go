package screen

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/overlay"
)

// Connect is the name of the connect screen, the one overlay that others ask for.
const Connect = "connect"

// Open opens an overlay on top of the others, unless one of its name is open.
func (s *State) Open(o overlay.Overlay) tea.Cmd {
	if s.Overlays.Has(o.ID) && !o.Asks() {
		return nil
	}
	s.Overlays.Push(o)
	s.Popup = nil
	if b, ok := o.Box.(interface{ Init() tea.Cmd }); ok {
		return b.Init()
	}
	return nil
}

// Tell gives a message to an overlay; one that closes goes, and what it left is taken over.
func (s *State) Tell(o overlay.Overlay, msg tea.Msg) tea.Cmd {
	cmd, closed := o.Box.Update(msg)
	if !closed {
		return cmd
	}
	s.Overlays.Drop(func(p overlay.Overlay) bool { return p.Box == o.Box })
	if later, ok := o.Box.(interface{ Later() bool }); ok && later.Later() {
		s.Strip.Later = append(s.Strip.Later, o.Question)
	}
	if noted, ok := o.Box.(interface{ Note() string }); ok && noted.Note() != "" {
		s.Say(engine.NoteInfo, noted.Note())
	}
	s.Overlays.Count()
	s.Overlays.Reveal(s.Now())
	return cmd
}

// TellTop gives a key or a paste to the top overlay.
func (s *State) TellTop(msg tea.Msg) tea.Cmd {
	if o := s.Overlays.Top(); o != nil {
		return s.Tell(*o, msg)
	}
	return nil
}

// TellAll gives every overlay what a command brought: the one that asked may not be on top any more.
func (s *State) TellAll(msg tea.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for _, o := range slices.Clone(s.Overlays) {
		cmds = append(cmds, s.Tell(o, msg))
	}
	return tea.Batch(cmds...)
}

// ClosePickers closes what only shows or lets choose: what asks stays, and the connect screen.
func (s *State) ClosePickers() {
	s.Overlays.Drop(func(o overlay.Overlay) bool { return !o.Asks() && o.ID != Connect })
}
