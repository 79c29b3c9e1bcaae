package ui

import (
	"cmp"
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/command"
	"talaria/ui/screen"
)

// skillsMsg is the skills as they are now.
type skillsMsg []engine.SkillLine

// skillCommands are the user's skills as slash commands. They are looked up when a session opens and after each turn,
// which may have made one.
func (m *Model) skillCommands() screen.Feature {
	return screen.Feature{
		On: func(e engine.Event) tea.Cmd {
			_, opened := e.(engine.Opened)
			_, ended := e.(engine.Ended)
			_, answered := e.(engine.Withdrawn) // trust may have been given
			if m.Deps.Skills == nil || !opened && !ended && !answered {
				return nil
			}
			skills := m.Deps.Skills
			return func() tea.Msg { return skillsMsg(skills.Skills(context.Background())) }
		},
		Update: func(msg tea.Msg) tea.Cmd {
			if skills, ok := msg.(skillsMsg); ok {
				m.addCommands(m.ofSkills(skills))
			}
			return nil
		},
	}
}

// ofSkills makes commands of skills. The engine puts the skill in the place of its name.
func (m *Model) ofSkills(skills []engine.SkillLine) []command.Command {
	var all []command.Command
	for _, s := range skills {
		help := s.Description
		if s.Project {
			help = "(project) " + help
		}
		all = append(all, command.Command{Name: s.Name, Args: cmp.Or(s.Args, "[text]"), Help: help, Group: command.Yours, Busy: true,
			Do: func(arg string) tea.Cmd { return m.message(strings.TrimSpace("/" + s.Name + " " + arg)) }})
	}
	return all
}
