// Package browse is the mode in which the keys walk through the conversation: block by block, with expanding, copying,
// pinning and searching (Ctrl+X [ and Ctrl+X /). The prompt keeps its text meanwhile. It refuses to change what was
// said; a pin only says what a summary must keep.
package browse

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/clip"
	"talaria/ui/command"
	"talaria/ui/composer"
	"talaria/ui/dialog"
	"talaria/ui/diffview"
	"talaria/ui/keys"
	"talaria/ui/overlay"
	"talaria/ui/screen"
	"talaria/ui/style"
	"talaria/ui/transcript/feed"
)

// ID is the name of the overlay.
const ID = "browse"

// pinned says how a pin ended, with all pins there are now.
type pinned struct {
	pins map[string]bool
	said string
	err  error
}

// Feature is its keys, and /search. Lens may be nil: then nothing can be pinned.
func Feature(s *screen.State, lens engine.Lens) screen.Feature {
	var last *box
	open := func(search bool, text string) tea.Cmd {
		if s.Log.Empty() {
			s.Say(engine.NoteInfo, "There is nothing to browse yet.")
			return nil
		}
		if s.Overlays.Has(ID) {
			return nil
		}
		s.Log.Browse()
		b := &box{s: s, lens: lens, typing: search && text == ""}
		if last = b; text != "" {
			b.line.Set(text)
			b.search()
		}
		return tea.Batch(s.Open(overlay.Overlay{ID: ID, Key: "q leave", Quiet: true, Box: b}), b.load(func(context.Context) (string, error) { return "", nil }))
	}
	return screen.Feature{
		Keys: []keys.Binding{
			{ID: "browse", Keys: []string{"ctrl+x ["}, Name: "Browse", Help: "walk through what was said", Do: func() tea.Cmd { return open(false, "") }},
			{ID: "search", Keys: []string{"ctrl+x /"}, Name: "Search", Help: "in what was said and done", Do: func() tea.Cmd { return open(true, "") }},
		},
		Commands: []command.Command{{Name: "search", Args: "[text]", Help: "find it in this conversation", Group: command.Look, Busy: true,
			Do: func(text string) tea.Cmd { return open(true, text) }}},
		Update: func(msg tea.Msg) tea.Cmd {
			if m, ok := msg.(pinned); ok && last != nil {
				last.told(m)
			}
			return nil
		},
	}
}

// box draws the transcript with the block in use marked.
type box struct {
	s      *screen.State
	lens   engine.Lens
	pins   map[string]bool // by message
	line   composer.Line
	typing bool
	said   string
}

// Update takes a key.
func (b *box) Update(msg tea.Msg) (tea.Cmd, bool) {
	if p, ok := msg.(tea.PasteMsg); ok && b.typing {
		b.line.Update(p)
		return nil, false
	}
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil, false
	}
	b.said = ""
	if b.typing {
		b.typed(k)
		return nil, false
	}
	return b.key(k)
}

// typed edits what is searched; Enter goes to the first place from here on.
func (b *box) typed(k tea.KeyPressMsg) {
	switch k.Keystroke() {
	case "esc":
		b.typing = false
		b.line.Set("")
		b.s.Log.Find("")
	case "enter":
		b.typing = false
		b.search()
	default:
		b.line.Update(k)
		b.s.Log.Find(b.line.Value())
	}
}

func (b *box) search() {
	b.s.Log.Find(b.line.Value())
	b.s.Log.NextHit(-1, true)
}

func (b *box) key(k tea.KeyPressMsg) (cmd tea.Cmd, leaves bool) {
	log, key := b.s.Log, dialog.Letter(k)
	if key == "" {
		key = k.Keystroke()
	}
	switch key {
	case "q", "esc":
		log.Find("")
		return nil, true
	case "j", "down", "ctrl+n":
		log.Step(1)
	case "k", "up", "ctrl+p":
		log.Step(-1)
	case "}":
		log.StepTo(feed.KindYou, 1)
	case "{":
		log.StepTo(feed.KindYou, -1)
	case "g", "home", "ctrl+home":
		log.StepEnd(false)
	case "G", "end", "ctrl+end":
		log.StepEnd(true)
	case "pgup":
		log.PageUp()
		log.FocusSeen()
	case "pgdown", "space", " ":
		log.PageDown()
		log.FocusSeen()
	case "shift+left":
		log.ScrollSideways(-8)
	case "shift+right":
		log.ScrollSideways(8)
	default:
		return b.act(key), false
	}
	return nil, false
}

// act is a key that does something with the block in use.
func (b *box) act(key string) tea.Cmd {
	item, ok := b.s.Log.Focused()
	switch key {
	case "/":
		b.typing = true
		b.line.Set("")
	case "n", "N":
		n := 1
		if key == "N" {
			n = -1
		}
		b.s.Log.NextHit(n, false)
	case "o", "enter":
		if !b.s.Log.ToggleFocus() {
			b.said = "all of it is shown"
		}
	case "y":
		if ok {
			b.said = b.way(string(item.Kind))
			return clip.Copy(b.s, item.Text)
		}
	case "Y":
		if ok {
			b.said = b.way("the source of " + string(item.Kind))
			return clip.Copy(b.s, item.Source)
		}
	case "t":
		r := b.s.Log.Reading()
		r.Split = !r.Split
		b.s.Log.SetReading(r)
		b.said = "diffs in one column"
		if r.Split {
			b.said = fmt.Sprintf("diffs side by side, from %d columns on", diffview.SplitWidth+gutter+2)
		}
	case "*":
		return b.pin(item)
	}
	return nil
}

// way says where a copy goes; how writing a file ended is told in the conversation.
func (b *box) way(what string) string {
	if way := clip.Way(b.s); way != "" {
		return "copied " + what + " (" + way + ")"
	}
	return what + " goes to a file"
}

// pin keeps the block in use word for word when the history is summarised, or lets go of it.
func (b *box) pin(item feed.Item) tea.Cmd {
	switch {
	case b.lens == nil:
		b.said = "nothing can be pinned here"
		return nil
	case item.ID == "":
		b.said = "only your messages and answers can be pinned"
		return nil
	}
	on, said := !b.pins[item.ID], "pinned: a summary keeps it word for word"
	if !on {
		said = "not pinned any more"
	}
	return b.load(func(ctx context.Context) (string, error) { return said, b.lens.Pin(ctx, item.ID, on) })
}

// load does something with the lens, and reads what is pinned after it.
func (b *box) load(do func(context.Context) (string, error)) tea.Cmd {
	if b.lens == nil {
		return nil
	}
	lens, parent := b.lens, b.s.Context
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, screen.LibraryTime)
		defer cancel()
		said, err := do(ctx)
		items, read := lens.Items(ctx)
		m := pinned{map[string]bool{}, said, err}
		if m.err == nil {
			m.err = read
		}
		for _, it := range items {
			if it.Pinned {
				m.pins[it.ID] = true
			}
		}
		return m
	}
}

// told takes what came of a pin.
func (b *box) told(m pinned) {
	if m.err != nil {
		b.said = fmt.Sprintf("not pinned: %v", m.err)
		return
	}
	b.pins, b.said = m.pins, m.said
}

// gutter is the cells to the left of the transcript that show the block in use.
const gutter = 2

// View draws h rows of w cells: the transcript, and a line that says what can be done.
func (b *box) View(w, h int) (string, *tea.Cursor) {
	if h < 1 || w < 1 {
		return "", nil
	}
	s, log := b.s.Sheet, b.s.Log
	log.SetSize(max(1, w-gutter), h-1)
	rows := log.Lit(log.View())
	y, n := log.FocusRows()
	item, _ := log.Focused()
	for i, row := range rows {
		sign := "  "
		switch {
		case n == 0 || i < y || i >= y+n:
		case i == y && b.pins[item.ID] && item.ID != "":
			sign = s.Ink(themes.Accent, "*") + " "
		case i == y:
			sign = s.Ink(themes.Accent, s.Glyphs.Focus) + " "
		default:
			sign = s.Ink(themes.Accent, s.Glyphs.VLine) + " "
		}
		rows[i] = style.PadRight(s.Truncate(sign+row, w), w)
	}
	foot, x := b.foot(w)
	cursor := tea.NewCursor(0, min(y, h-1))
	if b.typing {
		cursor = tea.NewCursor(min(x, w-1), h-1)
	}
	return strings.Join(append(rows, style.PadRight(foot, w)), "\n"), cursor
}

// foot is the last row, and where the cursor stands while something is typed in it.
func (b *box) foot(w int) (string, int) {
	s := b.s.Sheet
	if b.typing {
		count := b.count()
		text, x := b.line.View(s, max(4, w-12-style.Width(count)))
		return s.Truncate(s.Ink(themes.Accent, "Search  ")+text+"  "+s.Ink(themes.FgMuted, count), w), 8 + x
	}
	words := []string{"j/k move", "o expand", "y copy", "/ search", "* pin"}
	switch {
	case b.said != "":
		words = []string{b.said}
	case b.line.Value() != "":
		words = []string{"'" + style.Safe(b.line.Value()) + "'  " + b.count()}
		if _, n, _ := b.s.Log.Hits(); n > 0 {
			words = append(words, "n next", "N previous")
		}
	case w < 60:
		words = []string{"j/k", "o open", "y copy", "/ find"}
	}
	words[0] = s.Truncate(words[0], max(1, w-len(" · q leave")))
	return s.Ink(themes.FgMuted, dialog.Hints(s, append(words, "q leave"), w)), 0
}

func (b *box) count() string {
	at, n, more := b.s.Log.Hits()
	words := fmt.Sprintf("%d of %d", at, n)
	switch {
	case b.line.Value() == "":
		return ""
	case n == 0 && more:
		return "searching older messages…"
	case n == 0:
		return "nothing matches"
	case at == 0:
		words = fmt.Sprintf("in %d", n)
	}
	if more {
		words += " so far · searching older messages…"
	}
	return words
}

// Keys lists what can be pressed.
func (b *box) Keys() []dialog.Binding {
	return []dialog.Binding{{Keys: []string{"j", "k"}, Name: "next, previous block"}, {Keys: []string{"}", "{"}, Name: "next, previous message of yours"},
		{Keys: []string{"o"}, Name: "expand"}, {Keys: []string{"y"}, Name: "copy"}, {Keys: []string{"Y"}, Name: "copy the Markdown"}, {Keys: []string{"/"}, Name: "search"},
		{Keys: []string{"t"}, Name: "diffs side by side"}, {Keys: []string{"*"}, Name: "pin"}, {Keys: []string{"q"}, Name: "leave"}}
}
