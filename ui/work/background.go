package work

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/board"
	"talaria/ui/screen"
	"talaria/ui/style"
	"talaria/ui/turn"
)

// tailLines is how much of a log is shown.
const tailLines = 200

// background is one open list of commands that run beside the conversation, or did. Logs are their last lines, by id.
type background struct {
	s    *screen.State
	b    *board.Board
	list []engine.Process
	logs map[string]string
	sure string
}

func newBackground(s *screen.State) *background {
	v := &background{s: s, logs: map[string]string{}}
	v.b = board.New(s.Sheet, board.Words{Title: "Background", Empty: "Nothing runs in the background.", Max: 112, Hints: []string{"Enter log", "x end", "r again", "Esc close"}, Bare: []string{"r again", "Esc close"}})
	v.b.Start, v.b.Take, v.b.Press, v.b.Detail = func() tea.Cmd { return v.load("") }, v.take, v.press, v.detail
	return v
}

// load asks for the list, after ending one.
func (v *background) load(end string) tea.Cmd {
	all := v.s.Processes
	return board.Load(v.s.Context, v.b, func(context.Context) ([]engine.Process, error) {
		var err error
		if end != "" {
			err = all.End(end)
		}
		return all.List(), err
	})
}

// tail is the end of one log.
type tail struct{ id, text string }

// read asks for the log of the row in use.
func (v *background) read() tea.Cmd {
	if v.b.At() >= len(v.list) {
		return nil
	}
	all, id := v.s.Processes, v.list[v.b.At()].ID
	return board.Load(v.s.Context, v.b, func(context.Context) (tail, error) {
		text, err := all.Tail(id, tailLines)
		return tail{id, text}, err
	})
}

func (v *background) take(msg tea.Msg) (tea.Cmd, bool) {
	if m, ok := msg.(board.Loaded[tail]); ok && m.Board == v.b {
		if v.logs[m.Value.id] = m.Value.text; m.Err != nil {
			v.b.Say = m.Err.Error() + "."
		}
	}
	m, ok := msg.(board.Loaded[[]engine.Process])
	if !ok || m.Board != v.b {
		return nil, false
	}
	if m.Err != nil {
		v.b.Say = m.Err.Error() + "."
	}
	v.list = m.Value
	var rows []board.Row
	for _, p := range v.list {
		rows = append(rows, board.Row{Key: p.ID, Text: p.ID + "  $ " + p.Command, Mark: v.state(p), Dim: !p.Running})
	}
	v.b.Fill(rows)
	return v.read(), false
}

func (v *background) state(p engine.Process) string {
	switch {
	case p.Running:
		return "runs " + turn.Clock(v.s.Now().Sub(p.Began))
	case p.Killed:
		return "ended by hand"
	}
	return fmt.Sprintf("exit %d", p.Exit)
}

func (v *background) press(key string, at int) (tea.Cmd, bool) {
	sure := v.sure
	v.sure = ""
	switch {
	case (key == "esc" || key == "q") && v.b.Wide:
		v.b.Wide = false
	case key == "esc" || key == "q":
		return nil, true
	case key == "move":
		return v.read(), false
	case key == "r":
		return v.load(""), false
	case key == "enter" && at < len(v.list):
		v.b.Wide = !v.b.Wide
		return v.read(), false
	case key == "x" && at < len(v.list) && v.list[at].Running && sure == v.list[at].ID:
		return v.load(v.list[at].ID), false
	case key == "x" && at < len(v.list) && v.list[at].Running:
		v.sure, v.b.Say = v.list[at].ID, "Press x again to end "+v.list[at].ID+" and what it started."
	case key == "x" && at < len(v.list):
		v.b.Say = "It has ended already."
	}
	return nil, false
}

// detail is what is known of the row in use, and the end of what it printed.
func (v *background) detail(at, w int) []string {
	if at >= len(v.list) {
		return nil
	}
	p, s := v.list[at], v.b.Sheet()
	out := board.Pairs(s, [][2]string{{"Command", p.Command}, {"In", v.s.HomePath(p.Dir)}, {"Log", v.s.HomePath(p.Log)}}, w)
	lines := strings.Split(strings.TrimRight(style.Safe(v.logs[p.ID]), "\n"), "\n")
	if !v.b.Wide {
		lines = lines[max(0, len(lines)-6):]
	}
	for _, l := range lines {
		out = append(out, s.Ink(themes.FgMuted, s.Truncate(style.Untab(l), w)))
	}
	return out
}
