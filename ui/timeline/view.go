package timeline

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/board"
	"talaria/ui/chrome"
	"talaria/ui/dialog"
	"talaria/ui/diffview"
	"talaria/ui/screen"
	"talaria/ui/style"
	"talaria/ui/turn"
)

// view is the state of one open timeline. Plans and diffs are read when their row is come to.
type view struct {
	f     *Timeline
	b     *board.Board
	turns []engine.Turn
	plans map[int]plan
	diffs map[int]string
	diff  bool // the diff is shown
}

type plan struct {
	engine.Rewind
	err error
}

// What the commands of the timeline bring. View says which open timeline asked.
type (
	turnsMsg struct {
		view  *view
		turns []engine.Turn
		err   error
	}
	planMsg struct {
		view *view
		turn int
		plan plan
	}
	diffMsg struct {
		view *view
		turn int
		text string
		err  error
	}
)

// ask calls the engine in a command.
func ask(s *screen.State, f func(ctx context.Context, line engine.Timeline) tea.Msg) tea.Cmd {
	line, ctx := s.Views.Timeline, s.Context
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, screen.LibraryTime)
		defer cancel()
		return f(ctx, line)
	}
}

func (v *view) load() tea.Cmd {
	return ask(v.f.s, func(ctx context.Context, line engine.Timeline) tea.Msg {
		turns, err := line.Turns(ctx)
		return turnsMsg{v, turns, err}
	})
}

func (v *view) take(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case turnsMsg:
		if msg.view == v {
			return v.loaded(msg), false
		}
	case planMsg:
		if msg.view == v {
			v.plans[msg.turn] = msg.plan
			v.choose()
		}
	case diffMsg:
		if msg.view == v {
			if v.diffs[msg.turn] = msg.text; msg.err != nil {
				v.b.Say = msg.err.Error()
			}
		}
	}
	return nil, false
}

func (v *view) loaded(msg turnsMsg) tea.Cmd {
	if msg.err != nil {
		v.b.Empty = "The session could not be read: " + msg.err.Error()
		return nil
	}
	v.turns, v.plans, v.diffs = msg.turns, map[int]plan{}, map[int]string{}
	var rows []board.Row
	for _, t := range v.turns {
		rows = append(rows, board.Row{Key: t.ID, Text: t.At.Local().Format("15:04") + "  " + t.Text, Mark: mark(t), Dim: !t.Here})
	}
	rows = append(rows, board.Row{Key: "now", Text: v.f.s.Now().Local().Format("15:04") + "  now"})
	v.b.Fill(rows)
	last := len(v.turns) - 1
	for last > 0 && !v.turns[last].Here {
		last--
	}
	v.b.Go(last)
	return v.moved()
}

// mark says what a turn did, in short.
func mark(t engine.Turn) string {
	var parts []string
	if !t.Here {
		parts = append(parts, "undone")
	}
	if t.Reads > 0 {
		parts = append(parts, count(t.Reads, "read"))
	}
	if t.Runs > 0 {
		parts = append(parts, count(t.Runs, "run"))
	}
	for i, f := range t.Files {
		if i == 1 {
			parts = append(parts, fmt.Sprintf("+%d files", len(t.Files)-1))
			break
		}
		parts = append(parts, fileWords(f, f.Name[strings.LastIndexByte(f.Name, '/')+1:]))
	}
	return strings.Join(parts, "  ")
}

func fileWords(f engine.FileChange, name string) string {
	text := string(f.Kind) + " " + name
	if f.Add > 0 {
		text += fmt.Sprintf(" +%d", f.Add)
	}
	if f.Del > 0 {
		text += fmt.Sprintf(" −%d", f.Del)
	}
	return text
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// turn is the one in use; ok is false on "now", and while nothing was read.
func (v *view) turn() (engine.Turn, bool) {
	if v.b.At() < len(v.turns) {
		return v.turns[v.b.At()], true
	}
	return engine.Turn{}, false
}

// moved asks what going back to the point in use would do.
func (v *view) moved() tea.Cmd {
	v.choose()
	t, ok := v.turn()
	if _, known := v.plans[t.Number]; !ok || known || !t.Here {
		return nil
	}
	return ask(v.f.s, func(ctx context.Context, line engine.Timeline) tea.Msg {
		r, err := line.Rewind(ctx, t.Number)
		return planMsg{v, t.Number, plan{r, err}}
	})
}

// choose says what can be done at the point in use.
func (v *view) choose() {
	back, files, fork, sum := "", "", "", ""
	t, ok := v.turn()
	p, known := v.plans[t.Number]
	switch {
	case !ok && len(v.turns) > 0:
		back, sum = "nothing came after this point", "nothing came after this point"
	case !t.Here:
		back, fork = "it was undone; "+v.hint("redo", "/redo")+" brings it back", "it is not in the chat"
		sum = fork
	case known && p.err != nil:
		back = p.err.Error()
	case known && len(p.Files) == 0:
		files = "no file was changed by edit tools since"
	}
	if back != "" {
		files = back
	}
	here := "Fork here (keep everything, continue in a copy)"
	if !ok {
		here = "Fork now (continue in a copy)"
	}
	v.b.Choices = []board.Choice{{Label: "Chat and files", Short: "Chat and files", Why: back}, {Label: "Chat only", Short: "Chat only", Why: back},
		{Label: "Files only", Short: "Files only", Why: files}, {Label: here, Short: "Fork here", Why: fork},
		{Label: "Summarise from here (keep the chat, free context)", Short: "Summarise", Why: sum}}
}

func (v *view) hint(id, otherwise string) string {
	if h := v.f.s.Hint(id); h != "" {
		return h
	}
	return otherwise
}

func (v *view) press(key string, _ int) (tea.Cmd, bool) {
	switch key {
	case "move":
		v.diff, v.b.Wide = false, false
		return v.moved(), false
	case "esc":
		if v.diff {
			v.diff, v.b.Wide = false, false
			return nil, false
		}
		return nil, true
	case "q":
		return nil, true
	case "space", " ":
		return v.preview(), false
	case "enter":
		return v.do(v.b.Pick())
	case "1", "2", "3", "4", "5":
		return v.do(int(key[0] - '1'))
	}
	return nil, false
}

// preview shows the diff of what going back would do.
func (v *view) preview() tea.Cmd {
	t, ok := v.turn()
	if !ok || !t.Here {
		v.b.Say = "Nothing would change here."
		return nil
	}
	v.diff = !v.diff
	v.b.Wide = v.diff
	if _, known := v.diffs[t.Number]; known {
		return nil
	}
	return ask(v.f.s, func(ctx context.Context, line engine.Timeline) tea.Msg {
		d, err := line.Diff(ctx, t.Number, "")
		return diffMsg{v, t.Number, d, err}
	})
}

// do does what was chosen.
func (v *view) do(i int) (tea.Cmd, bool) {
	if i >= len(v.b.Choices) || len(v.b.Rows) == 0 {
		return nil, false
	}
	if why := v.b.Choices[i].Why; why != "" {
		v.b.Say = v.b.Choices[i].Short + ": " + why + "."
		return nil, false
	}
	t, _ := v.turn()
	switch i {
	case 3:
		return v.f.fork(t.Number), false
	case 4:
		v.f.s.Do(engine.Compact{From: t.ID})
		return nil, true
	}
	v.f.s.Do(engine.Undo{Turn: t.Number, What: []string{"", engine.UndoChat, engine.UndoFiles}[i]})
	return nil, true
}

// detail says what going back to the point in use would do, or shows the diff of it.
func (v *view) detail(_, w int) []string {
	s := v.b.Sheet()
	t, ok := v.turn()
	if !ok {
		if len(v.turns) == 0 {
			return nil
		}
		return []string{s.Ink(themes.FgMuted, "Now. Nothing would be taken back.")}
	}
	if v.diff {
		text, known := v.diffs[t.Number]
		switch lines := diffview.Lines(s, text, w); {
		case !known:
			return []string{s.Ink(themes.FgMuted, dialog.Plain(s, "Comparing…"))}
		case len(lines) == 0:
			return []string{s.Ink(themes.FgMuted, "No file would change.")}
		default:
			return lines
		}
	}
	title := s.Paint(style.Look{Fg: themes.Fg, Bold: true}, s.Truncate(fmt.Sprintf("Before \"%s\"", s.Truncate(chrome.OneLine(t.Text), max(8, w-12))), w))
	p, known := v.plans[t.Number]
	switch {
	case !t.Here:
		return []string{title, s.Ink(themes.FgMuted, s.Truncate("  "+dialog.Plain(s, "This was undone. "+v.hint("redo", "/redo")+" brings it back until you send the next message."), w))}
	case !known:
		return []string{title}
	case p.err != nil:
		return append([]string{title}, wrapped(s, themes.Warning, p.err.Error(), w)...)
	}
	return append([]string{title}, v.planLines(t, p.Rewind, w)...)
}

// planLines say what leaves the chat, which files are restored, and what stays as it is.
func (v *view) planLines(t engine.Turn, p engine.Rewind, w int) []string {
	s := v.b.Sheet()
	out := wrapped(s, themes.Fg, fmt.Sprintf("would remove %s from the chat and restore %s:", count(p.Turns, "turn"), count(len(p.Files), "file")), w)
	if len(p.Files) == 0 {
		out = wrapped(s, themes.Fg, fmt.Sprintf("would remove %s from the chat; no file changes.", count(p.Turns, "turn")), w)
	}
	for _, f := range p.Files {
		note, role := "(not touched by you since)", themes.FgMuted
		switch {
		case f.Lost != "":
			note, role = "(cannot be restored: "+f.Lost+")", themes.Warning
		case f.Edited:
			note, role = s.Glyphs.Warning+" edited since: you are asked first", themes.Warning
		}
		name := s.Truncate("  "+dialog.Plain(s, fileWords(f, dialog.OneLine(f.Name))), max(1, w))
		out = append(out, s.Truncate(name+s.Ink(role, "   "+dialog.Plain(s, note)), w))
	}
	commands := "none in this range."
	if len(p.Commands) > 0 {
		commands = strings.Join(p.Commands, ", ") + ". They stay as they are."
	}
	if p.Blind != "" {
		commands += " Not all are known: " + p.Blind + "."
	}
	out = append(out, "")
	out = append(out, wrapped(s, themes.FgMuted, "Files changed by commands (not by edit tools): "+commands, w)...)
	about := fmt.Sprintf("This turn: %s", took(t))
	out = append(out, wrapped(s, themes.FgMuted, about, w)...)
	return append(out, wrapped(s, themes.FgMuted, "Redo with "+v.hint("redo", "/redo")+" until you send the next message.", w)...)
}

// took says how long a turn ran, what it cost and how it ended.
func took(t engine.Turn) string {
	parts := []string{turn.Clock(t.Took)}
	if t.Cost != nil && *t.Cost >= 0.005 {
		parts = append(parts, fmt.Sprintf("$%.2f", *t.Cost))
	}
	if t.Why != "" {
		parts = append(parts, string(t.Why))
	}
	return strings.Join(parts, " · ")
}

func wrapped(s style.Sheet, role themes.Role, text string, w int) (out []string) {
	for _, l := range style.Wrap(dialog.Plain(s, dialog.OneLine(text)), max(1, w-2)) {
		out = append(out, s.Truncate("  "+s.Ink(role, l), w))
	}
	return out
}
