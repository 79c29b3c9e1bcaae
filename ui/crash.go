package ui

import (
	"runtime/debug"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
)

// crashMsg says that something of ours panicked. The screen is left the ordinary way, so that the terminal is restored
// and the draft kept (law 13).
type crashMsg struct{ engine.Crash }

// rescue is deferred around Update and View: a panic in them ends the program like any other end, with what happened
// told. Then makes the return values.
func (m *Model) rescue(where string, then func(engine.Crash)) {
	v := recover()
	if v == nil {
		return
	}
	c := engine.Crash{Where: where, Value: v, Stack: debug.Stack()}
	m.crashed(c)
	then(c)
}

// crashed notes the first panic; one that follows from it says less.
func (m *Model) crashed(c engine.Crash) {
	if m.leaving.crash == nil {
		m.leaving.crash = &c
	}
	m.leaving.done = true
}

// safe wraps a command, and those that it brings, so that a panic in it becomes a message.
func safe(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if v := recover(); v != nil {
				msg = crashMsg{engine.Crash{Where: "command", Value: v, Stack: debug.Stack()}}
			}
		}()
		msg = cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i, c := range batch {
				batch[i] = safe(c)
			}
		}
		return msg
	}
}
