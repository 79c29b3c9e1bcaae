// Package command is the table of slash commands and the menu that opens while one is typed. It refuses to run a typo,
// and to guess what one was meant to do.
package command

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// Command is a slash command. Args is what follows the name, as Help writes it ("[text]"). Busy says that it works while
// the agent runs. Can returns why it cannot be used now, "" if it can; nil means always. Values are what may follow the
// name, for the menu; nil means the words that Args names ("[ask|edit]"), and that there are no others. Ask brings them
// as Loaded where they must be looked for.
type Command struct {
	Name, Args, Help string
	Group            Group
	Busy             bool
	Can              func() string
	Values           func() []string
	Ask              func() tea.Cmd
	Do               func(arg string) tea.Cmd
}

// Group is the part of the menu a command stands in (UX 4.3).
type Group uint8

// The groups, in the order of the menu.
const (
	Session Group = iota
	Turn
	Look
	Set
	Help
	Yours
)

var groups = []string{"Session", "Turn", "Look", "Set", "Help", "Yours"}

// String is what the menu calls a group.
func (g Group) String() string { return groups[g] }

// Table is all commands, in the order of the menu. Running tells whether the agent works.
type Table struct {
	all     []Command
	running func() bool
}

// NewTable returns a table; of two commands with the same name the first counts.
func NewTable(all []Command, running func() bool) *Table {
	seen := map[string]bool{}
	all = slices.DeleteFunc(slices.Clone(all), func(c Command) bool {
		twice := seen[c.Name]
		seen[c.Name] = true
		return twice
	})
	return &Table{all, running}
}

// All are the commands in their order.
func (t *Table) All() []Command { return t.all }

// Why says why c cannot be used now, "" if it can.
func (t *Table) Why(c Command) string {
	if t.running() && !c.Busy {
		return "not while the agent works"
	}
	if c.Can == nil {
		return ""
	}
	return c.Can()
}

// Find returns the command of a name, whatever its case.
func (t *Table) Find(name string) (Command, bool) {
	name = strings.ToLower(name)
	for _, c := range t.all {
		if c.Name == name {
			return c, true
		}
	}
	return Command{}, false
}

// Split parts a line into the name of a command and what follows it. It is not ok for what is no command: a path.
func Split(line string) (name, arg string, ok bool) {
	name, arg, _ = strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "/"), " ")
	return name, strings.TrimSpace(arg), name != "" && !strings.ContainsRune(name, '/')
}

// Unknown is what is said about a name that no command has, with the nearest one.
func (t *Table) Unknown(name string) string {
	text := fmt.Sprintf("No command /%s.", name)
	if near := t.nearest(name); near != "" {
		text += fmt.Sprintf(" Did you mean /%s?", near)
	}
	return text + " Nothing was run; the line is still in the prompt."
}
