package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/again"
	"talaria/ui/branch"
	"talaria/ui/browse"
	"talaria/ui/changes"
	"talaria/ui/clip"
	"talaria/ui/command"
	"talaria/ui/compacting"
	"talaria/ui/editor"
	"talaria/ui/export"
	"talaria/ui/files"
	"talaria/ui/keys"
	"talaria/ui/lens"
	"talaria/ui/limit"
	"talaria/ui/links"
	"talaria/ui/modal"
	"talaria/ui/notes"
	"talaria/ui/palette"
	"talaria/ui/permission"
	"talaria/ui/pictures"
	"talaria/ui/rebind"
	"talaria/ui/recall"
	"talaria/ui/remember"
	"talaria/ui/replay"
	"talaria/ui/report"
	"talaria/ui/screen"
	"talaria/ui/shell"
	"talaria/ui/tips"
	"talaria/ui/usage"
	"talaria/ui/verbosity"
	"talaria/ui/wardrobe"
	"talaria/ui/whole"
	"talaria/ui/work"
)

// assemble lists the features. Their order is that of the tables, and in which they are told what happens.
func (m *Model) assemble() []screen.Feature {
	return []screen.Feature{
		{Keys: m.promptKeys()},
		{Keys: m.viewKeys()},
		m.sessions.Feature(),
		m.models.Feature(),
		{Commands: m.turnCommands(), Update: m.out.Update},
		m.asks.Feature(),
		m.panel.Feature(),
		m.beacon.Feature(),
		m.inline.Feature(),
		branch.Feature(m.State),
		compacting.New(m.State),
		permission.Feature(m.State, m.Rules),
		m.timeline.Feature(),
		limit.Feature(m.State, func() tea.Cmd { return m.models.Open() }),
		lens.Feature(m.State),
		usage.Feature(m.State),
		notes.Feature(m.State),
		work.Feature(m.State, m.enqueue),
		wardrobe.Feature(m.State),
		again.Feature(m.State, m.out.Deliver),
		files.New(m.State),
		shell.New(m.State),
		remember.New(m.State),
		recall.New(m.State, m.out.Changed),
		editor.New(m.State, m.out.Changed),
		modal.New(m.State),
		pictures.New(m.State, m.out.Changed),
		export.Feature(m.State, m.Exporter),
		replay.Feature(m.State, m.Player),
		report.Feature(m.State),
		tips.Feature(m.State),
		changes.Feature(m.State),
		links.Feature(m.State),
		whole.Feature(m.State),
		palette.Feature(m.State, palette.Tables{Keys: m.keymap, Commands: func() *command.Table { return m.commands }, Slash: m.slash}),
		rebind.Feature(m.State, rebind.Keys{Map: m.keymap, Apply: m.rekey}),
		verbosity.Feature(m.State),
		clip.Feature(m.State),
		browse.Feature(m.State, m.Views.Lens),
		m.older.Feature(),
		m.skillCommands(),
		{Keys: m.lastKeys(), Commands: m.lastCommands(), Popup: m.commandMenu, Update: m.fillMenu},
		{Keys: keys.Editing()},
	}
}

// table is the rows of all features, as they are before the user's changes.
func (m *Model) table() (all []keys.Binding) {
	for _, f := range m.features {
		all = append(all, f.Keys...)
	}
	return all
}

func (m *Model) keymap() *keys.Map { return m.keys }

// rekey makes the table anew with other keys of the user's.
func (m *Model) rekey(own map[string][]string) (told []string) {
	o := m.keys.Options()
	o.Own = own
	m.keys, told = keys.New(m.table(), o)
	m.Hint = m.keys.Hint
	return told
}

// tables joins the rows of the features.
func (m *Model) tables() {
	m.keys, m.told = keys.New(m.table(), m.Options.Keys)
	m.Hint = m.keys.Hint
	m.addCommands(nil)
}

// addCommands makes the table of commands: those of the features, and own, the user's.
func (m *Model) addCommands(own []command.Command) {
	var commands []command.Command
	for _, f := range m.features {
		commands = append(commands, f.Commands...)
	}
	m.commands = command.NewTable(append(commands, own...), func() bool { return m.Turn.Active })
}

// tellFeatures gives every feature an event.
func (m *Model) tellFeatures(e engine.Event) tea.Cmd {
	var cmds []tea.Cmd
	for _, f := range m.features {
		if f.On != nil {
			cmds = append(cmds, f.On(e))
		}
	}
	return batch(cmds)
}

// toFeatures gives every feature, and then every overlay, what a command brought.
func (m *Model) toFeatures(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case tea.MouseMsg, tea.KeyReleaseMsg, tea.BlurMsg:
		return nil
	}
	var cmds []tea.Cmd
	for _, f := range m.features {
		if f.Update != nil {
			cmds = append(cmds, f.Update(msg))
		}
	}
	return batch(append(cmds, m.TellAll(msg)))
}

// batch joins commands; nil when there is none.
func batch(cmds []tea.Cmd) tea.Cmd {
	return tea.Batch(slices.DeleteFunc(cmds, func(c tea.Cmd) bool { return c == nil })...)
}

// refreshPopup opens, narrows or closes the popup as the prompt changes.
func (m *Model) refreshPopup() tea.Cmd {
	if m.Popup != nil {
		if m.Popup.Refresh() {
			return nil
		}
		m.Popup = nil
	}
	for _, f := range m.features {
		if f.Popup == nil {
			continue
		}
		if p := f.Popup(); p != nil {
			m.Popup = p
			if begins, ok := p.(interface{ Init() tea.Cmd }); ok {
				return begins.Init()
			}
			return nil
		}
	}
	return nil
}

// typedFor gives a text that was typed to the features; taken is false when it is a command or a message.
func (m *Model) typedFor(text string) (cmd tea.Cmd, taken bool) {
	for _, f := range m.features {
		if f.Sends == nil {
			continue
		}
		if cmd, taken = f.Sends(text); taken {
			return tea.Batch(cmd, m.out.Changed()), true
		}
	}
	return nil, false
}

// stopOwn ends what a feature runs; false when none does.
func (m *Model) stopOwn() bool {
	return slices.ContainsFunc(m.features, func(f screen.Feature) bool { return f.Stop != nil && f.Stop() })
}

// commandMenu is the popup of slash commands, and of what follows one.
func (m *Model) commandMenu() screen.Popup {
	if a := m.commands.OpenArguments(m.Sheet, m.Prompt, m.Clock); a != nil {
		return a
	}
	if menu := m.commands.Open(m.Sheet, m.Prompt, m.Clock); menu != nil {
		return menu
	}
	return nil
}

// fillMenu gives the list of what follows a command what was found for it.
func (m *Model) fillMenu(msg tea.Msg) tea.Cmd {
	a, open := m.Popup.(*command.Arguments)
	if l, ok := msg.(command.Loaded); ok && open && !a.Fill(l) {
		m.Popup = nil
	}
	return nil
}

// popupKey is a key while a popup is open; taken is false when it is for the prompt.
func (m *Model) popupKey(k tea.KeyPressMsg) (_ tea.Cmd, taken bool) {
	before := m.Prompt.Version()
	cmd, taken, stays := m.Popup.Key(k)
	if !stays {
		m.Popup = nil
	}
	if taken && m.Prompt.Version() != before && k.String() != "enter" { // an Enter saves when it has sent
		cmd = tea.Batch(cmd, m.out.Changed())
		if m.Popup == nil { // what was completed may go on: a command with what follows it
			cmd = tea.Batch(cmd, m.refreshPopup())
		}
	}
	return cmd, taken
}
