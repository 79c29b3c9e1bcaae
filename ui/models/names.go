package models

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/command"
	"talaria/ui/style"
)

// asks is how long a server may take to say what it offers while a name is typed.
const asks = 5 * time.Second

// names brings what may follow /model: the models of each connection that is ready, as they come in.
func (f *Models) names() tea.Cmd {
	connect, parent := f.s.Deps.Connect, f.s.Context
	if connect == nil {
		return nil
	}
	of := func(one engine.Connection) tea.Cmd {
		return func() tea.Msg {
			ctx, cancel := context.WithTimeout(parent, asks)
			defer cancel()
			offered := one.Models
			if len(offered) == 0 {
				offered, _ = connect.Models(ctx, one, "") // a server that does not answer has no names to choose from
			}
			found := command.Loaded{Command: "model"}
			for _, name := range append([]string{one.Route.Model}, offered...) {
				if name != "" && name == style.Safe(name) {
					found.Values = append(found.Values, command.Value{Text: one.Route.Provider + "/" + name, Help: style.Safe(one.Name)})
				}
			}
			return found
		}
	}
	return func() tea.Msg {
		var all tea.BatchMsg
		for _, one := range connect.Known() {
			if one.Ready {
				all = append(all, of(one))
			}
		}
		return append(all, func() tea.Msg {
			var local tea.BatchMsg
			for _, one := range connect.Local(parent) {
				local = append(local, of(one))
			}
			return local
		})
	}
}
