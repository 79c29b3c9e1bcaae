// Package timeline is the list of what was asked in a session, and the way back to any point of it: /timeline, and Esc
// twice on an empty prompt. It shows what going back would do. It refuses to change anything before a choice.
package timeline

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/board"
	"talaria/ui/command"
	"talaria/ui/overlay"
	"talaria/ui/screen"
)

// Timeline is the feature over a screen. Change opens another session, the draft saved first.
type Timeline struct {
	s      *screen.State
	change func(id string) tea.Cmd
}

// New returns the feature.
func New(s *screen.State, change func(id string) tea.Cmd) *Timeline { return &Timeline{s, change} }

// forkedMsg is a copy that was made, or why not.
type forkedMsg struct {
	id  string
	err error
}

// Feature is its commands. The key is the root's: Esc twice means the timeline only on an empty prompt.
func (f *Timeline) Feature() screen.Feature {
	return screen.Feature{
		Commands: []command.Command{
			{Name: "timeline", Help: "go back to any point, or fork there", Group: command.Session, Can: f.why, Do: func(string) tea.Cmd { return f.Open() }},
		},
		Update: func(msg tea.Msg) tea.Cmd {
			m, ok := msg.(forkedMsg)
			switch {
			case !ok:
				return nil
			case m.err != nil && m.id == "":
				f.s.Say(engine.NoteWarning, m.err.Error()+".")
				return nil
			case m.err != nil:
				f.s.Say(engine.NoteWarning, m.err.Error()+".")
			}
			f.s.ClosePickers()
			return f.change(m.id)
		},
	}
}

func (f *Timeline) why() string {
	switch {
	case f.s.Views.Timeline == nil:
		return "there is no timeline here"
	case f.s.Session.Row.Turns == 0 && !f.s.Session.Stored:
		return "nothing was sent yet"
	}
	return f.s.WhyRunning()
}

// Open opens the timeline; where it cannot be, it says why.
func (f *Timeline) Open() tea.Cmd {
	if why := f.why(); why != "" {
		f.s.Say(engine.NoteInfo, "Timeline: "+why+".")
		return nil
	}
	return f.s.Open(overlay.Overlay{ID: "timeline", Key: "Esc back", Full: true, Box: f.box()})
}

// fork makes a copy of the session as it was before turn n, 0 for as it is, and opens it.
func (f *Timeline) fork(n int) tea.Cmd {
	line, ctx := f.s.Views.Timeline, f.s.Context
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, screen.LibraryTime)
		defer cancel()
		id, err := line.Fork(ctx, n)
		return forkedMsg{id, err}
	}
}

// box is the dialog.
func (f *Timeline) box() *board.Board {
	b := board.New(f.s.Sheet, board.Words{Title: "Timeline · go back to any point", Note: "nothing changes until you choose", Empty: "Reading the session…", Page: true,
		Hints: []string{"↑↓ point", "1–5", "Enter choose", "Space preview diff", "Esc back (nothing changed)"}})
	v := &view{f: f, b: b}
	b.Start, b.Take, b.Press, b.Detail = v.load, v.take, v.press, v.detail
	return b
}
