package sessions

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/command"
	"talaria/ui/picker"
	"talaria/ui/screen"
	"talaria/ui/style"
)

// titles brings what may follow /resume: the sessions of this directory, by their titles.
func (f *Sessions) titles() tea.Cmd {
	lib, parent, now := f.s.Library, f.s.Context, f.s.Now()
	q := engine.Query{Dir: f.s.Options.Dir, Limit: 50}
	here := f.s.Session.Row.ID
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, screen.LibraryTime)
		defer cancel()
		list, err := lib.List(ctx, q)
		if err != nil {
			return nil // Enter says what is wrong
		}
		found := command.Loaded{Command: "resume", Only: true}
		times := map[string]int{}
		for _, s := range list {
			times[strings.ToLower(s.Title)]++
		}
		for _, s := range list {
			if s.ID == here {
				continue
			}
			name := strings.Join(strings.Fields(style.Safe(s.Title)), " ")
			v := command.Value{Text: s.ID, Name: name, Help: picker.Ago(s.Updated, now)}
			if name != "" && name == s.Title && times[strings.ToLower(name)] == 1 {
				v.Text = name // it names this one alone
			}
			found.Values = append(found.Values, v)
		}
		return found
	}
}
