package ui

import (
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/command"
	"talaria/ui/composer"
	"talaria/ui/dialog"
	"talaria/ui/help"
	"talaria/ui/overlay"
)

// turnCommands are what can be done with a turn.
func (m *Model) turnCommands() []command.Command {
	return []command.Command{
		{Name: "mode", Args: "[ask|edit|plan|auto]", Help: "ask, edit, plan or auto", Group: command.Set, Busy: true, Do: m.mode},
		{Name: "plan", Args: "[goal]", Help: "plan without changing anything; with a goal: begin", Group: command.Turn, Do: m.plan},
		{Name: "continue", Help: "repeat the request, without a new message", Do: func(string) tea.Cmd { m.Do(engine.Continue{}); return nil }},
		{Name: "stop", Help: "stop the turn now", Group: command.Turn, Busy: true, Do: func(string) tea.Cmd { m.StopNow(); return nil }},
		{Name: "steer", Args: "text", Help: "give the running turn a word", Group: command.Turn, Busy: true, Do: m.steer},
		{Name: "undo", Args: "[turns]", Help: "take back the last turn and its files; /undo 3: the last three", Group: command.Session, Do: m.undo},
		{Name: "redo", Help: "bring back what was undone", Group: command.Session, Do: func(string) tea.Cmd { m.Do(engine.Undo{Redo: true}); return nil }},
	}
}

func (m *Model) lastCommands() []command.Command {
	return []command.Command{
		{Name: "help", Help: "keys and commands", Group: command.Help, Busy: true, Do: func(string) tea.Cmd { m.openHelp(); return nil }},
		{Name: "quit", Help: "leave; the session is kept", Busy: true, Do: func(string) tea.Cmd { return m.leave() }},
	}
}

// sent takes the message that the composer gave: a slash command, or a message. What was pasted is never a command.
func (m *Model) sent(msg composer.SendMsg) tea.Cmd {
	pasted := m.Prompt.Pasted()
	text, ok := m.Prompt.Send(msg)
	if !ok {
		return m.out.Changed() // the Enter became a line break
	}
	if !pasted {
		if cmd, taken := m.typedFor(text); taken {
			return cmd
		}
	}
	if strings.HasPrefix(text, "/") && !strings.Contains(text, "\n") && !pasted {
		return m.slash(text)
	}
	return m.message(text)
}

// message sends a text, or does with it what ui.busy_enter says while the agent works.
func (m *Model) message(text string) tea.Cmd {
	if m.Turn.Active && m.Connected() {
		switch m.Options.BusyEnter {
		case "queue":
			m.Popup = nil
			m.Prompt.Remember(text)
			m.Prompt.Reset()
			return m.out.Put(text)
		case "interrupt":
			m.Popup = nil
			return m.out.Next(text)
		}
	}
	return m.out.Send(text)
}

// slash runs a command line. A typo runs nothing and names the nearest command.
func (m *Model) slash(line string) tea.Cmd {
	name, arg, ok := command.Split(line)
	c, found := m.commands.Find(name)
	if !found {
		if !ok {
			return m.out.Send(line) // a path, not a command
		}
		m.Say(engine.NoteWarning, m.commands.Unknown(name))
		return nil
	}
	if why := m.commands.Why(c); why != "" {
		text := fmt.Sprintf("/%s: %s.", c.Name, why)
		if m.Turn.Active && !c.Busy {
			text += " Stop it first (Esc)."
		}
		m.Say(engine.NoteWarning, text)
		return nil
	}
	var keep tea.Cmd
	if c.Name != "quit" { // first in the menu, it would be hit by accident
		m.Prompt.Remember(line)
		keep = m.out.AddHistory(line)
	}
	m.Prompt.Reset()
	m.Popup = nil
	return tea.Batch(keep, c.Do(arg), m.out.Save())
}

func (m *Model) openHelp() {
	var list []dialog.Command
	for _, c := range m.commands.All() {
		list = append(list, dialog.Command{Name: "/" + c.Name, Help: c.Help, Why: m.commands.Why(c)})
	}
	m.Open(overlay.Overlay{ID: "help", Key: "Esc close", Quiet: true, Box: help.Box(m.State, m.keys, list)})
}

func (m *Model) mode(arg string) tea.Cmd {
	if arg == "" {
		m.Say(engine.NoteInfo, "The mode is "+m.Session.Mode+". /mode ask, edit, plan or auto changes it.")
		return nil
	}
	m.Do(engine.Set{Mode: arg})
	return nil
}

// undo is /undo [N]: the last turn, or the last N.
func (m *Model) undo(arg string) tea.Cmd {
	n := 1
	if arg != "" {
		var err error
		if n, err = strconv.Atoi(arg); err != nil || n < 1 {
			m.Say(engine.NoteWarning, "/undo takes back the last turn, /undo 3 the last three. Nothing was changed.")
			return nil
		}
	}
	m.Do(engine.Undo{Turn: -n})
	return nil
}

// plan is /plan GOAL: the mode first, then the message.
func (m *Model) plan(goal string) tea.Cmd {
	m.Do(engine.Set{Mode: "plan"})
	if goal == "" {
		return nil
	}
	return m.out.Send(goal)
}

// steer is /steer TEXT; without a running turn it is a message.
func (m *Model) steer(arg string) tea.Cmd {
	if arg == "" {
		m.Say(engine.NoteInfo, "/steer TEXT goes in with the next step of the running turn. So does Enter.")
		return nil
	}
	return m.out.Send(arg)
}

// enqueue is /queue TEXT; without a running turn it is a message.
func (m *Model) enqueue(arg string) tea.Cmd {
	if !m.Turn.Active {
		return m.out.Send(arg)
	}
	return m.out.Put(arg)
}
