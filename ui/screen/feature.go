package screen

import (
	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/command"
	"talaria/ui/keys"
)

// Feature is one thing that the screen can do: its rows of the tables, and its share of what happens. Every field may be
// nil. Features are told in the order in which package ui lists them, after the panes.
type Feature struct {
	Keys     []keys.Binding
	Commands []command.Command
	// Init is what the feature wants to know from the start.
	Init func() tea.Cmd
	// On is told every event of the engine, when the panes have it.
	On func(engine.Event) tea.Cmd
	// Update is told every message that is not the root's: what the feature's own commands brought.
	Update func(tea.Msg) tea.Cmd
	// Sends is given a text that was typed, before it is sent as a command or a message; taken says that it is neither.
	Sends func(text string) (cmd tea.Cmd, taken bool)
	// Pastes is given a text that was pasted into the prompt; taken says that the feature put it there itself.
	Pastes func(text string) (cmd tea.Cmd, taken bool)
	// Stop is asked by an Esc before it ends a turn; it reports whether it ended something of the feature's own.
	Stop func() bool
	// Popup returns the popup that the text of the prompt opens, nil for none. It is asked after each change while no
	// popup is open.
	Popup func() Popup
}
