package engine

import "context"

// SkillLine is a skill, or a prompt kept as a command, as the menu of slash commands shows it. Args says what it takes, ""
// for any text. Project says that it is not the user's own.
type SkillLine struct {
	Name, Description, Args string
	Project                 bool
}

// Skills lists what "/name" can stand for beside the screen's own commands. It is called in a tea.Cmd.
type Skills interface {
	Skills(ctx context.Context) []SkillLine
}
