// Package work lists what goes on beside the conversation: delegated agents, commands in the background, and messages that
// wait. It stops, ends, changes and takes back. It refuses to stop all with one press.
package work

import (
	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/board"
	"talaria/ui/command"
	"talaria/ui/keys"
	"talaria/ui/overlay"
	"talaria/ui/screen"
)

// Feature is the keys and commands of the three lists. Put sends a text after this turn.
func Feature(s *screen.State, put func(text string) tea.Cmd) screen.Feature {
	noAgents := why(func() bool { return s.Views.Agents != nil }, "there are no agents here")
	noBackground := why(func() bool { return s.Processes != nil }, "nothing can run in the background here")
	show := func(id string, box func() *board.Board) func() tea.Cmd {
		return func() tea.Cmd {
			return s.Open(overlay.Overlay{ID: id, Key: "Esc close", Quiet: true, Box: box()})
		}
	}
	var open *agents // the newest list of them
	agentsBox := func() *agents { open = newAgents(s); return open }
	list := show("agents", func() *board.Board { return agentsBox().b })
	background := show("background", func() *board.Board { return newBackground(s).b })
	waiting := &queues{s: s}
	queue := show("queue", waiting.open)
	return screen.Feature{
		Keys: []keys.Binding{
			{ID: "agents", Keys: []string{"ctrl+x a"}, Name: "Agents", Can: noAgents, Do: list},
			{ID: "background", Keys: []string{"ctrl+x b"}, Name: "Background", Help: "commands that run beside", Can: noBackground, Do: background},
			{ID: "waiting", Keys: []string{"ctrl+x q"}, Name: "Queue", Help: "what waits to be sent", Do: queue},
			{ID: "stop-agents", Keys: []string{"ctrl+x ctrl+k"}, Name: "Stop all agents", Help: "asks first", Can: noAgents, Do: func() tea.Cmd {
				return show("agents", func() *board.Board { a := agentsBox(); a.all(); return a.b })()
			}},
		},
		Commands: []command.Command{
			{Name: "agents", Help: "agents that are at work; stop one", Group: command.Look, Busy: true, Can: noAgents, Do: arg(list)},
			{Name: "background", Help: "commands in the background: log, end", Group: command.Look, Busy: true, Can: noBackground, Do: arg(background)},
			{Name: "ps", Help: "the same as /background", Group: command.Look, Busy: true, Can: noBackground, Do: arg(background)},
			{Name: "queue", Args: "[text]", Help: "send after this turn; alone: what waits", Group: command.Turn, Busy: true, Do: func(text string) tea.Cmd {
				if text == "" {
					return queue()
				}
				return put(text)
			}},
		},
		On: func(e engine.Event) tea.Cmd {
			if _, told := e.(engine.Child); told && open != nil && s.Overlays.Has("agents") {
				return open.load("") // what they do, and who ended, changes by itself
			}
			_, queued := e.(engine.Queued)
			if _, steered := e.(engine.Steered); queued || steered {
				waiting.fill()
			}
			return nil
		},
	}
}

func why(ok func() bool, text string) func() string {
	return func() string {
		if ok() {
			return ""
		}
		return text
	}
}

func arg(do func() tea.Cmd) func(string) tea.Cmd { return func(string) tea.Cmd { return do() } }
