// Package again is /retry and /clear. Retry asks the last message once more: what was answered leaves the chat, files stay
// as they are. Clear empties the view alone. Both refuse while the agent works.
package again

import (
	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/command"
	"talaria/ui/screen"
	"talaria/ui/turn"
)

// Feature is the two commands. Deliver sends a message.
func Feature(s *screen.State, deliver func(text string) tea.Cmd) screen.Feature {
	waits := false // the undo that makes room for the message
	can := func() string {
		if s.Session.Row.Turns == 0 {
			return "nothing was sent yet"
		}
		return ""
	}
	return screen.Feature{
		Commands: []command.Command{
			{Name: "retry", Help: "ask the last message once more; files stay as they are", Group: command.Turn, Can: can, Do: func(string) tea.Cmd {
				if s.Turn.State == turn.Stopped || s.Turn.State == turn.Failed {
					s.Do(engine.Continue{}) // it was not answered: the same request again
					return nil
				}
				waits = true
				s.Do(engine.Undo{What: engine.UndoChat})
				return nil
			}},
			{Name: "clear", Help: "empty the view; the chat stays as it is", Group: command.Session, Do: func(string) tea.Cmd {
				s.Log.On(engine.Opened{Session: s.Session.Row}, false)
				s.Say(engine.NoteInfo, "The view is empty; the chat is not. /new begins another one.")
				return nil
			}},
		},
		On: func(e engine.Event) tea.Cmd {
			if _, ok := e.(engine.Began); ok {
				waits = false
			}
			r, ok := e.(engine.Rewound)
			if !ok || !waits || r.Back {
				return nil
			}
			waits = false
			if s.Prompt.Value() == r.Text {
				s.Prompt.Reset() // the undo put it there to be said better
			}
			return deliver(r.Text)
		},
	}
}
