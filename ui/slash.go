package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/dialog"
)

// command is a slash command. Busy says that it works while the agent runs.
type command struct {
	name, help string
	busy       bool
	run        func(m *Model, arg string) tea.Cmd
}

// commands is the table of slash commands, in the order of the menu.
func commands() []command {
	return []command{
		{"new", "start a new session", false, func(m *Model, _ string) tea.Cmd { return m.newSession() }},
		{"resume", "open a session; with text: the one that fits", false, (*Model).resume},
		{"sessions", "list the sessions", true, func(m *Model, _ string) tea.Cmd { return m.openSessions() }},
		{"model", "choose the model; with a name: use it", false, (*Model).model},
		{"connect", "connect a provider", true, func(m *Model, _ string) tea.Cmd { return m.openConnect() }},
		{"mode", "ask, edit, plan or auto", true, (*Model).mode},
		{"continue", "repeat the request, without a new message", false, func(m *Model, _ string) tea.Cmd { m.do(engine.Continue{}); return nil }},
		{"stop", "stop the turn now", true, func(m *Model, _ string) tea.Cmd { m.stopNow(); return nil }},
		{"steer", "give the running turn a word", true, (*Model).steer},
		{"queue", "send after this turn", true, (*Model).enqueue},
		{"rename", "give this session a title", true, (*Model).rename},
		{"theme", "change the colours", true, (*Model).theme},
		{"copy", "copy the last answer", true, func(m *Model, _ string) tea.Cmd { return m.copyAnswer() }},
		{"help", "keys and commands", true, func(m *Model, _ string) tea.Cmd { m.openHelp(); return nil }},
		{"quit", "leave; the session is kept", true, func(m *Model, _ string) tea.Cmd { return m.leave() }},
	}
}

// why says why c cannot be used now, "" if it can.
func (m *Model) why(c command) string {
	if m.turn.Active && !c.busy {
		return "not while the agent works"
	}
	return ""
}

func (m *Model) helpCommands() []dialog.Command {
	var out []dialog.Command
	for _, c := range commands() {
		out = append(out, dialog.Command{Name: "/" + c.name, Help: c.help, Why: m.why(c)})
	}
	return out
}

// slash runs a command line. A typo runs nothing and names the nearest command.
func (m *Model) slash(line string) tea.Cmd {
	name, arg, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "/"), " ")
	for _, c := range commands() {
		if c.name != strings.ToLower(name) {
			continue
		}
		if why := m.why(c); why != "" {
			m.say(engine.NoteWarning, fmt.Sprintf("/%s: %s. Stop it first (Esc).", c.name, why))
			return nil
		}
		m.prompt.Reset()
		m.menu = nil
		return tea.Batch(c.run(m, strings.TrimSpace(arg)), m.saveDraft())
	}
	if strings.ContainsRune(name, '/') || name == "" {
		return m.send(line) // a path, not a command
	}
	text := fmt.Sprintf("No command /%s.", name)
	if near := nearest(name); near != "" {
		text += fmt.Sprintf(" Did you mean /%s?", near)
	}
	m.say(engine.NoteWarning, text+" Nothing was run; the line is still in the prompt.")
	return nil
}

// nearest is the command with the fewest edits from name, "" when none is near.
func nearest(name string) string {
	best, at := "", 3
	for _, c := range commands() {
		if d := distance(name, c.name); d < at {
			best, at = c.name, d
		}
	}
	return best
}

// distance counts the edits that turn a into b; two letters in the wrong order are one.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(a)][len(b)]
}

func (m *Model) mode(arg string) tea.Cmd {
	if arg == "" {
		m.say(engine.NoteInfo, "The mode is "+m.session.mode+". /mode ask, edit, plan or auto changes it.")
		return nil
	}
	m.do(engine.Set{Mode: arg})
	return nil
}

func (m *Model) model(arg string) tea.Cmd {
	if arg == "" {
		return m.openModels()
	}
	m.do(engine.Switch{Model: arg})
	return nil
}

// steer is /steer TEXT; without a running turn it is a message.
func (m *Model) steer(arg string) tea.Cmd {
	if arg == "" {
		m.say(engine.NoteInfo, "/steer TEXT goes in with the next step of the running turn. So does Enter.")
		return nil
	}
	return m.send(arg)
}

// enqueue is /queue TEXT; without a running turn it is a message.
func (m *Model) enqueue(arg string) tea.Cmd {
	switch {
	case arg == "":
		m.say(engine.NoteInfo, "/queue TEXT is sent after this turn. So is what stands in the prompt when you press Tab.")
		return nil
	case !m.turn.Active:
		return m.send(arg)
	}
	return m.put(arg)
}
