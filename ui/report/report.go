// Package report shows what the program knows of itself, a page each: tools, servers, skills, settings, the doctor, what
// is new, and a report of a fault. It refuses to send anything anywhere, and to change a setting without showing the rule
// that refused it.
package report

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/board"
	"talaria/ui/command"
	"talaria/ui/overlay"
	"talaria/ui/screen"
	"talaria/ui/style"
)

// reportTime bounds a page: the doctor reads every session.
const reportTime = time.Minute

// page is one of them: what is asked for, and the words around it.
type page struct {
	name, title, help, empty string
	group                    command.Group
}

// pages are the commands (UX 4.3).
var pages = []page{
	{"tools", "Tools", "what the agent can do", "There are no tools.", command.Set},
	{"mcp", "MCP servers", "servers, their state and their tools", "No MCP servers. They stand under mcp_servers in config.yaml.", command.Set},
	{"skills", "Skills", "skills and kept prompts", "No skills. A skill is a folder with a SKILL.md.", command.Set},
	{"settings", "Settings", "every setting, its value and where it comes from", "", command.Set},
	{"doctor", "Doctor", "check configuration, keys, terminal, disk and sessions", "", command.Help},
	{"changelog", "What is new", "what changed in this version", "", command.Help},
	{"bug", "Report of a fault", "write a report with secrets masked; nothing is sent", "", command.Help},
}

// Feature is the commands.
func Feature(s *screen.State) screen.Feature {
	can := func() string {
		if s.Views.Reports == nil {
			return "not in this view"
		}
		return ""
	}
	var f screen.Feature
	for _, p := range pages {
		f.Commands = append(f.Commands, command.Command{Name: p.name, Help: p.help, Group: p.group, Busy: true, Can: can, Do: func(string) tea.Cmd {
			return s.Open(overlay.Overlay{ID: p.name, Key: "Esc close", Quiet: true, Box: newView(s, p).b})
		}})
	}
	return f
}

type view struct {
	s    *screen.State
	p    page
	b    *board.Board
	rows []engine.ReportRow
	text string
}

func newView(s *screen.State, p page) *view {
	v := &view{s: s, p: p}
	hints := []string{"↑↓ move", "Esc close"}
	if p.name == "settings" {
		hints = []string{"↑↓ move", "e change", "Esc close"}
	}
	v.b = board.New(s.Sheet, board.Words{Title: p.title, Empty: "Looking…", Max: 108, Hints: hints})
	v.b.Start, v.b.Take, v.b.Press, v.b.Detail = func() tea.Cmd { return v.load(nil) }, v.take, v.press, v.detail
	return v
}

// load asks for the page, after do.
func (v *view) load(do func(context.Context) error) tea.Cmd {
	reports, name := v.s.Views.Reports, v.p.name
	return board.LoadIn(v.s.Context, v.b, reportTime, func(ctx context.Context) (engine.Report, error) {
		var failed error
		if do != nil {
			failed = do(ctx)
		}
		r, err := reports.Report(ctx, name)
		if err == nil {
			err = failed
		}
		return r, err
	})
}

func (v *view) take(msg tea.Msg) (tea.Cmd, bool) {
	m, ok := msg.(board.Loaded[engine.Report])
	if !ok || m.Board != v.b {
		return nil, false
	}
	if m.Err != nil {
		v.b.Say = strings.TrimRight(m.Err.Error(), ".") + "."
	}
	v.b.Note, v.b.Empty = m.Value.Note, v.p.empty
	v.rows, v.text = m.Value.Rows, m.Value.Text
	v.b.Wide = len(v.rows) == 0 && v.text != ""
	if v.b.Wide {
		v.b.Empty = ""
	}
	var rows []board.Row
	for _, r := range v.rows {
		rows = append(rows, board.Row{Key: r.Name, Text: r.Name, Mark: r.Mark, Dim: r.Dim})
	}
	v.b.Fill(rows)
	return nil, false
}

func (v *view) press(key string, at int) (tea.Cmd, bool) {
	switch {
	case key == "esc" || key == "q":
		return nil, true
	case (key == "e" || key == "enter") && v.p.name == "settings" && at < len(v.rows):
		v.change(v.rows[at])
	}
	return nil, false
}

// change edits a setting in place.
func (v *view) change(r engine.ReportRow) {
	save := v.s.Save
	if save == nil {
		v.b.Say = "Settings cannot be kept here."
		return
	}
	v.b.Edit(r.Name, r.Value, func(text string) tea.Cmd {
		if text = strings.TrimSpace(text); text == r.Value {
			v.b.Say = "Nothing was changed."
			return nil
		}
		v.b.Say = fmt.Sprintf("%s is kept for the next start.", r.Name)
		return v.load(func(ctx context.Context) error { return save.Save(ctx, r.Name, text) })
	})
}

func (v *view) detail(at, w int) []string {
	text := v.text
	if at < len(v.rows) {
		text = v.rows[at].Text
	}
	s := v.b.Sheet()
	var out []string
	for line := range strings.Lines(style.Safe(text)) {
		for _, l := range style.Wrap(strings.TrimRight(line, "\n"), w) {
			if !v.b.Wide {
				l = s.Ink(themes.FgMuted, l)
			}
			out = append(out, l)
		}
	}
	return out
}
