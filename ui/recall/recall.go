// Package recall is Ctrl+R: the drafts that were put aside and the messages that were sent, found by typing a part of
// them. What is chosen comes into the prompt, and what stood there goes to the drafts. It refuses to send anything.
package recall

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/themes"
	"talaria/ui/command"
	"talaria/ui/composer"
	"talaria/ui/dialog"
	"talaria/ui/keys"
	"talaria/ui/overlay"
	"talaria/ui/picker"
	"talaria/ui/screen"
	"talaria/ui/style"
)

// most is how many lines are looked through.
const most = 2000

// loaded are the lines of a scope, newest first.
type loaded struct {
	all   bool
	lines []string
	err   error
}

// New returns the feature. Changed saves the draft when the prompt has another text.
func New(s *screen.State, changed func() tea.Cmd) screen.Feature {
	open := func() tea.Cmd {
		return s.Open(overlay.Overlay{ID: "history", Key: "Esc back", Quiet: true, Box: newBox(s, changed)})
	}
	return screen.Feature{
		Keys: []keys.Binding{{ID: "history", Keys: []string{"ctrl+r"}, Name: "Search the history", Help: "what you sent, and drafts", Scope: keys.Prompt, Do: open}},
		Commands: []command.Command{{Name: "history", Help: "search what you sent, and drafts", Group: command.Look, Busy: true,
			Do: func(string) tea.Cmd { return open() }}},
	}
}

type box struct {
	s       *screen.State
	changed func() tea.Cmd
	filter  composer.Line
	all     bool // every directory
	ready   bool
	fault   string
	texts   []string // by the place in the menu's items
	menu    *picker.Menu
	step    int
}

func newBox(s *screen.State, changed func() tea.Cmd) *box {
	b := &box{s: s, changed: changed, step: 1}
	b.fill(nil)
	return b
}

// Init asks for the lines of this directory.
func (b *box) Init() tea.Cmd { return b.load() }

func (b *box) load() tea.Cmd {
	dir, lib, all := b.s.Options.Dir, b.s.Library, b.all
	if all {
		dir = ""
	}
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), screen.LibraryTime)
		defer cancel()
		lines, err := lib.History(ctx, dir, most)
		return loaded{all, lines, err}
	}
}

// fill makes the rows: drafts first, then each line once. A row is named by its whole text on one line, so that any word
// of it finds it.
func (b *box) fill(lines []string) {
	b.texts = nil
	var items []picker.Item
	seen := map[string]bool{}
	add := func(text, help string) {
		if seen[text] || strings.TrimSpace(text) == "" {
			return
		}
		seen[text] = true
		b.texts = append(b.texts, text)
		name := style.Safe(strings.Join(strings.Fields(text), " "))
		if n := strings.Count(strings.TrimRight(text, "\n"), "\n"); n > 0 {
			name += fmt.Sprintf("  (%d lines)", n+1)
		}
		items = append(items, picker.Item{Name: name, Help: help})
	}
	for _, d := range b.s.Prompt.Drafts() {
		add(d, "draft")
	}
	for _, l := range lines {
		add(l, "")
	}
	b.menu = picker.NewMenu(b.s.Sheet, items)
	b.menu.Filter(b.filter.Value())
}

// SetSheet changes the theme or the glyphs.
func (b *box) SetSheet(sheet style.Sheet) { b.menu.SetSheet(sheet) }

// Update narrows, moves, changes the scope and takes a line.
func (b *box) Update(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case loaded:
		if msg.all == b.all {
			b.ready, b.fault = true, ""
			if msg.err != nil {
				b.fault = msg.err.Error()
			}
			b.fill(msg.lines)
		}
	case tea.PasteMsg:
		b.filter.Update(msg)
		b.menu.Filter(b.filter.Value())
	case tea.KeyPressMsg:
		return b.key(msg)
	}
	return nil, false
}

func (b *box) key(k tea.KeyPressMsg) (tea.Cmd, bool) {
	switch k.Keystroke() {
	case "esc":
		if b.filter.Value() == "" {
			return nil, true
		}
		b.filter.Set("")
	case "ctrl+g": // readline's abort
		return nil, true
	case "up", "ctrl+p":
		b.menu.Move(-1)
	case "down", "ctrl+n", "ctrl+r":
		b.menu.Move(1)
	case "pgup":
		b.menu.Move(-min(b.step, b.menu.At()))
	case "pgdown":
		b.menu.Move(min(b.step, b.menu.Len()-1-b.menu.At()))
	case "tab":
		b.all, b.ready = !b.all, false
		return b.load(), false
	case "enter":
		i, ok := b.menu.Index()
		if !ok {
			return nil, false
		}
		b.s.Prompt.Overwrite(b.texts[i])
		return b.changed(), true
	default:
		b.filter.Update(k)
	}
	b.menu.Filter(b.filter.Value())
	return nil, false
}

// View draws the search line and the rows.
func (b *box) View(w, h int) (string, *tea.Cursor) {
	s := b.s.Sheet
	scope := "this directory"
	if b.all {
		scope = "everywhere"
	}
	f := dialog.Frame{Sheet: s, Title: "History", Note: scope, Max: 100, Hints: []string{dialog.Plain(s, "↑↓ move"), "Tab " + map[bool]string{true: "this directory", false: "everywhere"}[b.all], "Enter into the prompt", "Esc back"}}
	inner := f.Inner(w)
	text, x := b.filter.View(s, max(4, inner-9))
	p := dialog.Page{Head: []string{s.Ink(themes.FgMuted, "Search  ") + text, dialog.RuleLine}, Row: 0, Col: 8 + x, OnHead: true}
	b.step = dialog.ListRows(w, h, 18)
	if p.Body = b.menu.Wide(inner, b.step); len(p.Body) > 0 {
		return f.Draw(w, h, p)
	}
	why := "Nothing was sent from here yet. Tab looks everywhere."
	switch {
	case b.fault != "":
		why = "The history could not be read: " + style.Safe(b.fault)
	case !b.ready:
		why = "Looking…"
	case b.filter.Value() != "":
		why = "Nothing matches '" + s.Truncate(style.Safe(b.filter.Value()), 30) + "'. Esc clears."
	}
	p.Body = []string{s.Ink(themes.FgMuted, s.Words(why))}
	return f.Draw(w, h, p)
}

// Keys lists what can be pressed.
func (b *box) Keys() []dialog.Binding {
	return []dialog.Binding{{Keys: []string{"enter"}, Name: "into the prompt"}, {Keys: []string{"tab"}, Name: "this directory or everywhere"}, {Keys: []string{"esc"}, Name: "back"}}
}
