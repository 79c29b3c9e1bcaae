// Package notes is /memory: what the agent remembers, entry by entry, to be read, changed, added and removed. It refuses
// to remove with one press, and never says that a running session knows what was changed: the prompt stays as it began.
package notes

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/board"
	"talaria/ui/command"
	"talaria/ui/dialog"
	"talaria/ui/overlay"
	"talaria/ui/screen"
	"talaria/ui/style"
)

// Feature is its command.
func Feature(s *screen.State) screen.Feature {
	can := func() string {
		if s.Views.Memory == nil {
			return "nothing is remembered (memory.enabled)"
		}
		return ""
	}
	open := func(string) tea.Cmd {
		return s.Open(overlay.Overlay{ID: "memory", Key: "Esc close", Quiet: true, Box: newView(s).b})
	}
	return screen.Feature{Commands: []command.Command{{Name: "memory", Help: "what is remembered; change it", Group: command.Set, Busy: true, Can: can, Do: open}}}
}

// entry is one row; text is "" in the row that stands for an empty page.
type entry struct {
	page engine.NotePage
	text string
}

type view struct {
	s    *screen.State
	b    *board.Board
	rows []entry
	sure string // the entry that a second press removes
}

func newView(s *screen.State) *view {
	v := &view{s: s}
	v.b = board.New(s.Sheet, board.Words{Title: "Memory", Empty: "Reading the memory…", Max: 100, Hints: []string{"e change", "a add", "x remove", "Esc close"}})
	v.b.Start, v.b.Take, v.b.Press, v.b.Detail = func() tea.Cmd { return v.load(nil) }, v.take, v.press, v.detail
	return v
}

func (v *view) load(do func(context.Context, engine.Remembered) error) tea.Cmd {
	book := v.s.Views.Memory
	return board.Load(v.s.Context, v.b, func(ctx context.Context) ([]engine.NotePage, error) {
		var failed error
		if do != nil {
			failed = do(ctx, book)
		}
		pages, err := book.Pages(ctx)
		if err != nil {
			return nil, err
		}
		return pages, failed
	})
}

func (v *view) take(msg tea.Msg) (tea.Cmd, bool) {
	m, ok := msg.(board.Loaded[[]engine.NotePage])
	if !ok || m.Board != v.b {
		return nil, false
	}
	if m.Err != nil {
		v.b.Say = m.Err.Error() + "."
	}
	if m.Value == nil {
		v.b.Empty = "The memory could not be read."
		return nil, false
	}
	v.rows = nil
	var rows []board.Row
	for _, p := range m.Value {
		for i, e := range p.Entries {
			v.rows = append(v.rows, entry{p, e})
			rows = append(rows, board.Row{Key: fmt.Sprint(p.Name, i), Text: e, Mark: p.Name})
		}
		if len(p.Entries) == 0 {
			v.rows = append(v.rows, entry{page: p})
			rows = append(rows, board.Row{Key: p.Name, Text: "nothing yet", Mark: p.Name, Dim: true})
		}
	}
	v.b.Fill(rows)
	return nil, false
}

func (v *view) press(key string, at int) (tea.Cmd, bool) {
	if key == "esc" || key == "q" {
		return nil, true
	}
	if at >= len(v.rows) {
		return nil, false
	}
	e := v.rows[at]
	sure := v.sure
	v.sure = ""
	switch {
	case key == "a":
		v.b.Edit("New entry for "+e.page.Name+", at most what fits", "", func(text string) tea.Cmd { return v.change(e.page.Name, "", text) })
	case (key == "e" || key == "enter") && e.text != "":
		v.b.Edit("Entry of "+e.page.Name, e.text, func(text string) tea.Cmd {
			if text == e.text || text == "" {
				v.b.Say = "Nothing was changed."
				return nil
			}
			return v.change(e.page.Name, e.text, text)
		})
	case (key == "x" || key == "delete") && e.text != "" && sure == e.text:
		return v.change(e.page.Name, e.text, ""), false
	case (key == "x" || key == "delete") && e.text != "":
		v.sure, v.b.Say = e.text, "Press "+key+" again to remove this entry."
	}
	return nil, false
}

func (v *view) change(page, old, text string) tea.Cmd {
	return v.load(func(ctx context.Context, book engine.Remembered) error { return book.Change(ctx, page, old, text) })
}

func (v *view) detail(at, w int) []string {
	if at >= len(v.rows) {
		return nil
	}
	e, s := v.rows[at], v.b.Sheet()
	var out []string
	for _, l := range style.Wrap(style.Visible(e.text), w) {
		out = append(out, s.Truncate(l, w))
	}
	full := fmt.Sprintf("%d characters", e.page.Used)
	if e.page.Limit > 0 {
		full = fmt.Sprintf("%d of %d characters", e.page.Used, e.page.Limit)
	}
	out = append(out, board.Pairs(s, [][2]string{{"File", v.s.HomePath(e.page.Path)}, {"Full", full}}, w)...)
	return append(out, s.Ink(themes.FgMuted, s.Truncate(dialog.Plain(s, "What is changed here counts from the next session on."), w)))
}
