package work

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/board"
	"talaria/ui/chrome"
	"talaria/ui/screen"
	"talaria/ui/turn"
)

// agents is one open list of delegated agents. Sure is what a second press stops: an id, or every.
type agents struct {
	s    *screen.State
	b    *board.Board
	list []engine.AgentInfo
	sure string
}

// every stands for all agents.
const every = "\x00all"

func newAgents(s *screen.State) *agents {
	a := &agents{s: s}
	a.b = board.New(s.Sheet, board.Words{Title: "Agents", Empty: "No agents are running.", Max: 100, Hints: []string{"x stop", "X stop all", "r again", "Esc close"}, Bare: []string{"r again", "Esc close"}})
	a.b.Start, a.b.Take, a.b.Press, a.b.Detail = func() tea.Cmd { return a.load("") }, a.take, a.press, a.detail
	return a
}

// load asks for the list, after stopping one agent, or with every all.
func (a *agents) load(stop string) tea.Cmd {
	all := a.s.Views.Agents
	return board.Load(a.s.Context, a.b, func(context.Context) ([]engine.AgentInfo, error) {
		switch stop {
		case "":
		case every:
			all.StopAgent("")
		default:
			all.StopAgent(stop)
		}
		return all.Agents(), nil
	})
}

func (a *agents) take(msg tea.Msg) (tea.Cmd, bool) {
	if m, ok := msg.(board.Loaded[[]engine.AgentInfo]); ok && m.Board == a.b {
		a.list = m.Value
		var rows []board.Row
		for _, one := range a.list {
			rows = append(rows, board.Row{Key: one.ID, Text: one.Goal, Mark: fmt.Sprintf("step %d  %6s", max(1, one.Step), turn.Clock(a.s.Now().Sub(one.Began)))})
		}
		a.b.Fill(rows)
	}
	return nil, false
}

// all asks whether all are to be stopped.
func (a *agents) all() {
	a.sure, a.b.Say = every, "Press X again to stop all agents."
}

func (a *agents) press(key string, at int) (tea.Cmd, bool) {
	sure := a.sure
	a.sure = ""
	switch {
	case key == "esc" || key == "q":
		return nil, true
	case key == "r":
		return a.load(""), false
	case key == "X" && sure == every:
		return a.load(every), false
	case key == "X" && len(a.list) > 0:
		a.all()
	case key == "x" && at < len(a.list) && sure == a.list[at].ID:
		return a.load(a.list[at].ID), false
	case key == "x" && at < len(a.list):
		a.sure, a.b.Say = a.list[at].ID, "Press x again to stop this agent."
	}
	return nil, false
}

func (a *agents) detail(at, w int) []string {
	if at >= len(a.list) {
		return nil
	}
	one := a.list[at]
	return board.Pairs(a.b.Sheet(), [][2]string{{"Goal", one.Goal}, {"Doing", one.Doing}, {"State", string(one.State)}, {"Since", one.Began.Local().Format("15:04:05")},
		{"Used", fmt.Sprintf("↑ %s ↓ %s · %s", turn.Count(one.Usage.Input+one.Usage.CacheRead+one.Usage.CacheWrite), turn.Count(one.Usage.Output), chrome.Cost(a.s.Session.Route, one.Cost))}, {"ID", one.ID}}, w)
}
