package board

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"talaria/ui/composer"
	"talaria/ui/dialog"
	"talaria/ui/style"
)

// Row is one line of the list: its text on the left, which is cut first, and a mark on the right. Key says which row it
// is when the list is read again.
type Row struct {
	Key, Text, Mark string
	Dim             bool
}

// Choice is something that can be done with the row in use, picked by its number. Short is its label where there is
// little room. Why says why it cannot be done now, "" if it can.
type Choice struct{ Label, Short, Why string }

// Words are what a board says. Hints are "key verb" pairs; the last is how to leave. Empty stands where there are no
// rows; Bare are the hints then, nil for the same. Max is the widest box; with Side the list takes so many columns and the detail stands beside it. Page draws it without a box, over the whole screen. Shares leaves the prompt what is typed.
type Words struct {
	Title, Note, Empty string
	Hints, Bare        []string
	Max, Side          int
	Page, Shares       bool
}

// Board is the dialog. It implements dialog.Dialog. Detail draws what is known of row at, laid out for w columns. Press is
// told every key that does not move; Take every other message. Start runs when it opens. Wide gives the detail the room of
// the list. Say is one line of what was just done, or of what went wrong.
type Board struct {
	Words
	Rows    []Row
	Choices []Choice
	Detail  func(at, w int) []string
	Press   func(key string, at int) (cmd tea.Cmd, closed bool)
	Take    func(msg tea.Msg) (cmd tea.Cmd, closed bool)
	Start   func() tea.Cmd
	Wide    bool
	Say     string

	sheet  style.Sheet
	at     int
	pick   int
	scroll int
	edit   *edit
}

// edit is a text that is being changed in place.
type edit struct {
	label string
	text  *composer.Composer
	done  func(text string) tea.Cmd
}

// New returns a board that says these words.
func New(sheet style.Sheet, words Words) *Board { return &Board{Words: words, sheet: sheet} }

// Sheet is what it is drawn with.
func (b *Board) Sheet() style.Sheet { return b.sheet }

// SetSheet changes the theme or the glyphs.
func (b *Board) SetSheet(s style.Sheet) {
	b.sheet = s
	if b.edit != nil {
		b.edit.text.SetSheet(s)
	}
}

// Init runs Start.
func (b *Board) Init() tea.Cmd {
	if b.Start == nil {
		return nil
	}
	return b.Start()
}

// At is the row in use, 0 when there is none.
func (b *Board) At() int { return b.at }

// Pick is the choice in use.
func (b *Board) Pick() int { return b.pick }

// Fill replaces the rows; the one in use stays in use where its key is still there.
func (b *Board) Fill(rows []Row) {
	key := ""
	if b.at < len(b.Rows) {
		key = b.Rows[b.at].Key
	}
	b.Rows = rows
	if i := slices.IndexFunc(rows, func(r Row) bool { return r.Key == key }); i >= 0 && key != "" {
		b.at = i
	}
	b.at = max(0, min(b.at, len(rows)-1))
}

// Go moves to a row.
func (b *Board) Go(at int) { b.at, b.scroll = max(0, min(at, len(b.Rows)-1)), 0 }

// Edit opens a text to be changed in place; Enter gives it to done, Esc leaves it as it was.
func (b *Board) Edit(label, text string, done func(string) tea.Cmd) {
	c := composer.New(b.sheet)
	c.SetValue(text)
	b.edit = &edit{label, c, done}
}

// WantsText reports whether what is typed belongs to the board.
func (b *Board) WantsText() bool { return !b.Shares || b.edit != nil }

// Wants reports whether the board takes a key while it shares the keyboard with the prompt.
func (b *Board) Wants(k tea.KeyPressMsg) bool {
	return slices.Contains([]string{"esc", "up", "down", "pgup", "pgdown"}, k.Keystroke())
}

// Update moves, and tells the owner everything else.
func (b *Board) Update(msg tea.Msg) (tea.Cmd, bool) {
	if p, ok := msg.(tea.PasteMsg); ok && b.edit != nil {
		_, cmd := b.edit.text.Update(p)
		return cmd, false
	}
	k, ok := msg.(tea.KeyPressMsg)
	switch {
	case !ok && b.Take != nil:
		return b.Take(msg)
	case !ok:
		return nil, false
	case b.edit != nil:
		return b.typing(k), false
	}
	return b.key(k)
}

// typing is a key while a text is being changed.
func (b *Board) typing(k tea.KeyPressMsg) tea.Cmd {
	switch k.Keystroke() {
	case "esc":
		b.edit = nil
		return nil
	case "enter":
		e := b.edit
		b.edit = nil
		return e.done(e.text.Value())
	}
	_, cmd := b.edit.text.Update(k)
	return cmd
}

func (b *Board) key(k tea.KeyPressMsg) (tea.Cmd, bool) {
	stroke := k.Keystroke()
	switch {
	case b.Wide && slices.Contains([]string{"up", "down", "pgup", "pgdown"}, stroke):
		b.scroll = max(0, b.scroll+map[string]int{"up": -1, "down": 1, "pgup": -10, "pgdown": 10}[stroke])
		return nil, false
	case stroke == "up" || stroke == "ctrl+p" || stroke == "k" && !b.Shares:
		b.Go(b.at - 1)
	case stroke == "down" || stroke == "ctrl+n" || stroke == "j" && !b.Shares:
		b.Go(b.at + 1)
	case stroke == "pgup":
		b.Go(b.at - 10)
	case stroke == "pgdown":
		b.Go(b.at + 10)
	case stroke == "home":
		b.Go(0)
	case stroke == "end":
		b.Go(len(b.Rows) - 1)
	case len(b.Choices) > 0 && (stroke == "left" || stroke == "right" || stroke == "tab"):
		b.pick = dialog.Step(b.pick, map[string]int{"left": -1}[stroke]*2+1, len(b.Choices))
		return nil, false
	case stroke == "esc" && b.Press == nil:
		return nil, true
	default:
		return b.own(k, stroke)
	}
	if b.Press != nil {
		return b.Press("move", b.at)
	}
	return nil, false
}

// own is a key of the owner's. A letter counts on any layout.
func (b *Board) own(k tea.KeyPressMsg, stroke string) (tea.Cmd, bool) {
	if b.Press == nil {
		return nil, false
	}
	if l := dialog.Letter(k); l != "" && l != " " {
		stroke = l
	}
	b.Say = ""
	return b.Press(stroke, b.at)
}

// Keys lists what can be pressed.
func (b *Board) Keys() []dialog.Binding {
	return []dialog.Binding{{Keys: []string{"up", "down"}, Name: "move"}, {Keys: []string{"esc"}, Name: "close"}}
}
