// Package changes shows what the session, or its last turn, did to files: a row a file, and its diff. It is the way back
// of the timeline read forwards, so that what it shows is exactly what an undo would take back. It refuses to show what
// commands changed: nothing was kept of that.
package changes

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/board"
	"talaria/ui/command"
	"talaria/ui/dialog"
	"talaria/ui/diffview"
	"talaria/ui/keys"
	"talaria/ui/overlay"
	"talaria/ui/screen"
)

// sideBySide is from how many columns the two sides have room.
const sideBySide = 100

// Feature is its key and its command.
func Feature(s *screen.State) screen.Feature {
	can := func() string {
		if s.Views.Timeline == nil {
			return "no changes are kept here"
		}
		return ""
	}
	open := func(last bool) tea.Cmd {
		return s.Open(overlay.Overlay{ID: "diff", Key: "Esc close", Quiet: true, Box: newView(s, last).b})
	}
	return screen.Feature{
		Keys: []keys.Binding{{ID: "diff", Keys: []string{"ctrl+x d"}, Name: "Session diff", Can: can, Do: func() tea.Cmd { return open(false) }}},
		Commands: []command.Command{{Name: "diff", Args: "[turn|session]", Help: "what this session did to files", Group: command.Look, Busy: true, Can: can, Do: func(arg string) tea.Cmd {
			switch strings.TrimSpace(arg) {
			case "", "session":
				return open(false)
			case "turn":
				return open(true)
			}
			s.Say(engine.NoteInfo, "/diff shows what the session did to files, /diff turn what its last turn did.")
			return nil
		}}},
	}
}

// Done is what there is to show: the files, and of each its diff. Note counts those that commands changed.
type Done struct {
	Files []engine.FileChange
	Diffs []string
	Note  string
}

type view struct {
	s     *screen.State
	b     *board.Board
	have  Done
	split bool
}

func newView(s *screen.State, last bool) *view {
	v := &view{s: s}
	title := map[bool]string{false: "Changes of this session", true: "Changes of the last turn"}[last]
	v.b = board.New(s.Sheet, board.Words{Title: title, Empty: "Comparing…", Max: 200, Hints: []string{"↑↓ file", "Enter whole diff", "t side by side", "Esc close"}, Bare: []string{"Esc close"}})
	v.b.Start = func() tea.Cmd {
		return board.Load(s.Context, v.b, func(ctx context.Context) (Done, error) { return Read(ctx, s.Views.Timeline, last) })
	}
	v.b.Take, v.b.Press, v.b.Detail = v.take, v.press, v.detail
	return v
}

// Read compares the files with what they were before the session, or before its last turn.
func Read(ctx context.Context, t engine.Timeline, last bool) (l Done, err error) {
	turns, err := t.Turns(ctx)
	if err != nil {
		return l, err
	}
	first := 0
	for _, turn := range turns {
		if turn.Here && (first == 0 || last) {
			first = turn.Number
		}
	}
	if first == 0 {
		return l, nil
	}
	back, err := t.Rewind(ctx, first)
	if err != nil {
		return l, err
	}
	for _, f := range back.Files {
		diff, err := t.Diff(ctx, first, f.Path)
		if err != nil {
			return l, err
		}
		f.Add, f.Del = f.Del, f.Add
		f.Kind = map[engine.FileKind]engine.FileKind{engine.FileAdded: engine.FileDeleted, engine.FileDeleted: engine.FileAdded, engine.FileModified: engine.FileModified}[f.Kind]
		l.Files, l.Diffs = append(l.Files, f), append(l.Diffs, diffview.Reverse(diff))
	}
	if n := len(back.Commands); n > 0 {
		l.Note = fmt.Sprintf("commands changed %d more", n)
	}
	return l, nil
}

func (v *view) take(msg tea.Msg) (tea.Cmd, bool) {
	m, ok := msg.(board.Loaded[Done])
	if !ok || m.Board != v.b {
		return nil, false
	}
	v.have, v.b.Note, v.b.Empty = m.Value, m.Value.Note, "No file was changed."
	if m.Err != nil {
		v.b.Empty = "It could not be compared: " + m.Err.Error()
	}
	var rows []board.Row
	for _, f := range v.have.Files {
		mark := fmt.Sprintf("+%d −%d", f.Add, f.Del)
		if f.Edited {
			mark += "  with yours"
		}
		rows = append(rows, board.Row{Key: f.Path, Text: string(f.Kind) + " " + dialog.OneLine(f.Name), Mark: mark})
	}
	v.b.Fill(rows)
	return nil, false
}

func (v *view) press(key string, _ int) (tea.Cmd, bool) {
	switch key {
	case "esc", "q":
		if v.b.Wide {
			v.b.Wide = false
			return nil, false
		}
		return nil, true
	case "enter", "d":
		v.b.Wide = !v.b.Wide && len(v.b.Rows) > 0
	case "t":
		v.split = !v.split
	}
	return nil, false
}

func (v *view) detail(at, w int) []string {
	if at >= len(v.have.Diffs) {
		return nil
	}
	s := v.b.Sheet()
	if v.have.Diffs[at] == "" {
		return []string{s.Ink(themes.FgMuted, s.Truncate(dialog.Plain(s, "There is nothing to compare as text."), w))}
	}
	if v.split && w >= sideBySide {
		return diffview.Split(s, v.have.Diffs[at], w)
	}
	return diffview.Lines(s, v.have.Diffs[at], w)
}
