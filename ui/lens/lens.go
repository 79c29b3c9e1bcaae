// Package lens is /context: what fills the model's window, item by item, the largest first or in the order in which it is
// sent. Space pins an item, so that a summary keeps it word for word, Delete leaves it out of what is sent. It refuses to
// hide an item: what was left out stays in the list and can be taken back.
package lens

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/board"
	"talaria/ui/chrome"
	"talaria/ui/command"
	"talaria/ui/overlay"
	"talaria/ui/picker"
	"talaria/ui/screen"
	"talaria/ui/style"
	"talaria/ui/turn"
)

// Feature is its command.
func Feature(s *screen.State) screen.Feature {
	can := func() string {
		if s.Views.Lens == nil {
			return "the window cannot be looked at here"
		}
		return ""
	}
	open := func(string) tea.Cmd {
		return s.Open(overlay.Overlay{ID: "context", Key: "Esc close", Quiet: true, Box: newView(s).b})
	}
	return screen.Feature{Commands: []command.Command{{Name: "context", Help: "what fills the window; pin it, drop it", Group: command.Look, Busy: true, Can: can, Do: open}}}
}

// view is one open lens.
type view struct {
	s      *screen.State
	b      *board.Board
	items  []engine.LensItem
	bySize bool
}

func newView(s *screen.State) *view {
	v := &view{s: s}
	v.b = board.New(s.Sheet, board.Words{Title: "Context", Empty: "Reading the session…", Max: 100, Hints: []string{"↑↓ move", "Space pin", "Del drop", "s by size", "Esc close"}})
	v.b.Start, v.b.Take, v.b.Press, v.b.Detail = func() tea.Cmd { return v.load(nil) }, v.take, v.press, v.detail
	return v
}

// load asks for the items, after do when that is set.
func (v *view) load(do func(context.Context, engine.Lens) error) tea.Cmd {
	lens := v.s.Views.Lens
	return board.Load(v.s.Context, v.b, func(ctx context.Context) ([]engine.LensItem, error) {
		var failed error
		if do != nil {
			failed = do(ctx, lens)
		}
		items, err := lens.Items(ctx)
		if err != nil {
			return nil, err
		}
		return items, failed
	})
}

func (v *view) take(msg tea.Msg) (tea.Cmd, bool) {
	m, ok := msg.(board.Loaded[[]engine.LensItem])
	if !ok || m.Board != v.b {
		return nil, false
	}
	if m.Err != nil {
		v.b.Say = m.Err.Error() + "."
	}
	if m.Value != nil {
		v.items = m.Value
		v.fill()
	}
	return nil, false
}

// fill makes the rows anew.
func (v *view) fill() {
	if v.bySize {
		slices.SortStableFunc(v.items, func(a, b engine.LensItem) int { return b.Tokens - a.Tokens })
	} else {
		slices.SortStableFunc(v.items, func(a, b engine.LensItem) int { return order(a) - order(b) })
	}
	var rows []board.Row
	sum := 0
	for i, it := range v.items {
		if !it.Dropped {
			sum += it.Tokens
		}
		rows = append(rows, board.Row{Key: key(it, i), Text: sign(it) + words[it.Kind] + it.Name, Mark: v.mark(it), Dim: it.Dropped})
	}
	v.b.Fill(rows)
	v.b.Note = v.note(sum)
}

// order keeps the fixed items first and messages by turn and time.
func order(it engine.LensItem) int {
	if it.ID == "" {
		return map[engine.LensKind]int{engine.LensSystem: -2}[it.Kind] - 1
	}
	return it.Turn
}

func key(it engine.LensItem, i int) string {
	if it.ID != "" {
		return it.ID
	}
	return fmt.Sprint(it.Kind, i)
}

var words = map[engine.LensKind]string{engine.LensUser: "You: ", engine.LensReply: "Reply: ", engine.LensResult: "Result: "}

func sign(it engine.LensItem) string {
	switch {
	case it.Dropped:
		return "- "
	case it.Pinned:
		return "* "
	}
	return "  "
}

// mark is the size, the age and what is done with an item.
func (v *view) mark(it engine.LensItem) string {
	age := picker.Ago(it.At, v.s.Now())
	switch {
	case it.Dropped:
		age = "dropped"
	case it.Pinned:
		age = "pinned"
	}
	return fmt.Sprintf("%7s %8s", turn.Count(it.Tokens), age)
}

// note is the sum, beside what the server counted.
func (v *view) note(sum int) string {
	text := "about " + turn.Count(sum) + " tokens"
	if w := v.s.Session.Window; w > 0 {
		text += " of " + turn.Count(w)
	}
	if c := v.s.Session.Context; c > 0 {
		text += ", counted " + turn.Count(c)
	}
	return text
}

func (v *view) press(key string, at int) (tea.Cmd, bool) {
	if key == "esc" || key == "q" {
		return nil, true
	}
	if key == "s" {
		v.bySize = !v.bySize
		v.fill()
		return nil, false
	}
	if at >= len(v.items) {
		return nil, false
	}
	it := v.items[at]
	switch key {
	case "space", " ":
		if it.ID == "" {
			v.b.Say = "It cannot be pinned: " + it.NoPin + "."
			return nil, false
		}
		return v.load(func(ctx context.Context, l engine.Lens) error { return l.Pin(ctx, it.ID, !it.Pinned) }), false
	case "delete", "d", "backspace":
		if it.NoDrop != "" && !it.Dropped {
			v.b.Say = "It cannot be dropped: " + it.NoDrop + "."
			return nil, false
		}
		return v.load(func(ctx context.Context, l engine.Lens) error { return l.Drop(ctx, it.ID, !it.Dropped) }), false
	}
	return nil, false
}

// detail is what is known of the item in use, and its beginning.
func (v *view) detail(at, w int) []string {
	if at >= len(v.items) {
		return nil
	}
	it, s := v.items[at], v.b.Sheet()
	size := turn.Count(it.Tokens) + " tokens, estimated"
	if it.Price != nil && *it.Price > 0 {
		size += fmt.Sprintf("; $%.4f in each request when nothing is cached", *it.Price)
	}
	state := map[bool]string{true: "pinned: a summary keeps it word for word"}[it.Pinned]
	if it.Dropped {
		state = "dropped: not sent from the next request on, still in the chat; Del takes it back"
	}
	age := ""
	if it.Turn > 0 {
		age = fmt.Sprintf("turn %d, %s", it.Turn, it.At.Local().Format("15:04"))
	}
	out := board.Pairs(s, [][2]string{{"Size", size}, {"Age", age}, {"State", state}}, w)
	for i, l := range style.Wrap(chrome.OneLine(it.Text), w) {
		if i == 6 {
			break
		}
		out = append(out, s.Ink(themes.FgMuted, l))
	}
	return out
}
