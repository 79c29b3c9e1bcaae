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
		{"stop", "stop the turn now", true, func(m *Model, _ string) tea.Cmd { m.do(engine.Interrupt{}); return nil }},
		{"steer", "give the running turn a word", true, func(m *Model, arg string) tea.Cmd { m.do(engine.Steer{Text: arg}); return nil }},
		{"queue", "send after this turn", true, func(m *Model, arg string) tea.Cmd { m.do(engine.Queue{Text: arg}); return nil }},
		{"rename", "give this session a title", true, (*Model).rename},
		{"theme", "dusk, paper or mono", true, (*Model).theme},
		{"copy", "copy the last answer", true, func(m *Model, _ string) tea.Cmd { return m.copyAnswer() }},
		{"help", "keys and commands", true, func(m *Model, _ string) tea.Cmd { m.openHelp(); return nil }},
		{"quit", "leave; the session is kept", true, func(m *Model, _ string) tea.Cmd { return m.leave() }},
	}
}

// why says why c cannot be used now, "" if it can.
func (m *Model) why(c command) string {
	if m.turn.running && !c.busy {
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

// distance counts the edits that turn a into b (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		prev := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			prev, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, prev+cost)
		}
	}
	return row[len(b)]
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

func (m *Model) theme(arg string) tea.Cmd {
	t, err := m.themed(arg)
	if err != nil {
		m.say(engine.NoteWarning, "No theme "+arg+". "+err.Error())
		return nil
	}
	m.look(t)
	return nil
}
