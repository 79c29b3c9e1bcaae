package dialog

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/themes"
	"talaria/ui/composer"
	"talaria/ui/style"
)

// Command is a slash command as Help lists it. Why says why it cannot be used now, "" if it can.
type Command struct{ Name, Help, Why string }

// HelpPage is a further page of Help: its name, and what it says in w columns. A page with a Key is told every key but
// those that leave it, and shows what they are.
type HelpPage struct {
	Name string
	Rows func(w int) []string
	Key  func(tea.KeyPressMsg)
}

// Helper lists keys and commands, and has the pages of its owner after them. Note stands under the keys: what is true in
// this terminal. Change opens what changes a key; nil where there is no such thing.
type Helper struct {
	Note   string
	More   []HelpPage
	Change func() tea.Cmd

	sheet    style.Sheet
	keys     []helpRow
	commands []helpRow
	page     int // 0 keys, 1 commands, then More
	filter   composer.Line
	typing   bool
	top      int
	step     int // lines of a page, as last drawn
	last     int
}

type helpRow struct{ name, text, why string }

// Help returns the overlay for these keys and commands, in their order.
func Help(sheet style.Sheet, bindings []Binding, commands []Command) *Helper {
	h := &Helper{sheet: sheet}
	for _, b := range bindings {
		var keys []string
		for _, k := range b.Keys {
			keys = append(keys, KeyName(k))
		}
		name := b.Name
		if name == "" {
			name = b.Help
		}
		h.keys = append(h.keys, helpRow{title(name), strings.Join(keys, "  "), b.Why()})
	}
	for _, c := range commands {
		h.commands = append(h.commands, helpRow{c.Name, c.Help, c.Why})
	}
	return h
}

// SetSheet changes the theme or the glyphs.
func (h *Helper) SetSheet(s style.Sheet) { h.sheet = s }

// Update scrolls, changes the page, and filters after "/".
func (h *Helper) Update(msg tea.Msg) (tea.Cmd, bool) {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		if h.typing {
			h.filter.Update(msg)
		}
		return nil, false
	}
	if p := h.more(); p != nil && p.Key != nil && !slices.Contains([]string{"esc", "tab", "shift+tab"}, k.Keystroke()) {
		p.Key(k)
		return nil, false
	}
	switch k.Keystroke() {
	case "esc":
		if h.filter.Value() == "" && !h.typing {
			return nil, true
		}
		h.filter.Set("")
		h.typing, h.top = false, 0
	case "tab":
		h.page, h.top = Step(h.page, 1, 2+len(h.More)), 0
	case "shift+tab":
		h.page, h.top = Step(h.page, -1, 2+len(h.More)), 0
	case "up", "ctrl+p", "shift+up":
		h.scroll(-1)
	case "down", "ctrl+n", "shift+down":
		h.scroll(1)
	case "pgup":
		h.scroll(-h.step)
	case "pgdown":
		h.scroll(h.step)
	default:
		if !h.typing && h.Change != nil && strings.EqualFold(k.Text, "k") {
			return h.Change(), true
		}
		return nil, h.letter(k)
	}
	return nil, false
}

// more is the page in use when it is one of the owner's.
func (h *Helper) more() *HelpPage {
	if h.page < 2 {
		return nil
	}
	return &h.More[h.page-2]
}

func (h *Helper) letter(k tea.KeyPressMsg) (closed bool) {
	if h.typing {
		h.top = 0
		h.filter.Update(k)
		return false
	}
	switch Letter(k) {
	case "/":
		h.typing = true
	case "q", "?":
		return true
	}
	return false
}

func (h *Helper) scroll(n int) { h.top = max(0, min(h.top+n, h.last)) }

// View draws the page in one column, or two where it is wide.
func (h *Helper) View(w, height int) (string, *tea.Cursor) {
	s := h.sheet
	f := Frame{Sheet: s, Title: "Help", Max: Widest, Hints: []string{"/ filter", "Tab next page", "Esc close"}}
	if h.Change != nil && h.page == 0 {
		f.Hints = []string{"/ filter", "Tab next page", "K change a key", "Esc close"}
	} else if h.more() != nil {
		f.Hints = f.Hints[1:]
	}
	inner := f.Inner(w)
	p := Page{Head: []string{h.tabs(inner)}, Body: h.body(inner), Top: h.top, More: Plain(s, "↓ #"), Row: -1}
	if w < Narrow {
		p.Head = append(p.Head, RuleLine)
	} else {
		p.Head = append(p.Head, "")
	}
	if h.typing {
		_, x := h.filter.View(s, 20)
		p.Row, p.Col, p.OnHead = 0, style.Width(h.names())+3+len("filter: ")+x, true
	}
	room, _ := f.room(w, height)
	h.step = max(1, room-len(p.Head)-1)
	h.last = max(0, len(p.Body)-h.step)
	if len(p.Body) <= room-len(p.Head) {
		h.last = 0
	}
	h.scroll(0)
	p.Top = h.top
	return f.Draw(w, height, p)
}

// body is the page in use, laid out.
func (h *Helper) body(w int) []string {
	s := h.sheet
	if p := h.more(); p != nil {
		return p.Rows(w)
	}
	rows := h.rows()
	if len(rows) == 0 {
		return []string{s.Ink(themes.FgMuted, "Nothing matches '"+OneLine(h.filter.Value())+"'. Esc clears.")}
	}
	body := h.columns(rows, w)
	if h.page == 0 && h.Note != "" && h.filter.Value() == "" {
		body = append(body, "")
		for _, l := range style.Wrap(Plain(s, h.Note), w) {
			body = append(body, s.Ink(themes.FgMuted, l))
		}
	}
	return body
}

// names are those of the pages, the one in use in brackets.
func (h *Helper) names() string {
	all := []string{"Keys", "Commands"}
	for _, p := range h.More {
		all = append(all, p.Name)
	}
	for i := range all {
		if i == h.page {
			all[i] = "[" + all[i] + "]"
		} else {
			all[i] = " " + all[i] + " "
		}
	}
	return strings.TrimRight(strings.Join(all, ""), " ")
}

func (h *Helper) tabs(w int) string {
	line := h.sheet.Paint(style.Look{Fg: themes.Accent, Bold: true}, h.names())
	if !h.typing && h.filter.Value() == "" {
		return line
	}
	text, _ := h.filter.View(h.sheet, 20)
	return line + "   " + h.sheet.Ink(themes.FgMuted, "filter: ") + text
}

func (h *Helper) rows() []helpRow {
	all := h.keys
	if h.page == 1 {
		all = h.commands
	}
	want := strings.ToLower(strings.TrimSpace(h.filter.Value()))
	var out []helpRow
	for _, r := range all {
		if strings.Contains(strings.ToLower(r.name+" "+r.text), want) {
			out = append(out, r)
		}
	}
	return out
}

// columns lays rows out, in two columns read downwards when every row has room in one.
func (h *Helper) columns(rows []helpRow, w int) []string {
	name, text := 8, 0
	for _, r := range rows {
		name, text = min(max(name, style.Width(r.name)), 20), max(text, style.Width(r.text))
	}
	var out []string
	if name+2+text > (w-2)/2 || len(rows) < 6 {
		for _, r := range rows {
			out = append(out, h.row(r, name, w))
		}
		return out
	}
	half, each := (len(rows)+1)/2, (w-2)/2
	for i := range half {
		line := style.PadRight(h.row(rows[i], name, each), each)
		if i+half < len(rows) {
			line += "  " + h.row(rows[i+half], name, each)
		}
		out = append(out, line)
	}
	return out
}

func (h *Helper) row(r helpRow, name, w int) string {
	s := h.sheet
	label := style.PadRight(s.Truncate(r.name, name), name) + "  "
	if r.why != "" {
		return s.Ink(themes.FgMuted, s.Truncate(label+r.text+"  ("+r.why+")", w))
	}
	return s.Truncate(s.Ink(themes.Fg, label)+s.Ink(themes.Accent, Plain(s, r.text)), w)
}

// Keys lists what can be pressed.
func (h *Helper) Keys() []Binding {
	return []Binding{{Keys: []string{"/"}, Name: "filter"}, {Keys: []string{"tab"}, Name: "next page"}, {Keys: []string{"esc"}, Name: "close"}}
}
