package picker

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/dialog"
	"talaria/ui/markdown"
	"talaria/ui/style"
)

// reading is a session's conversation over the whole screen, to recognise it by. It opens at the end.
type reading struct {
	id      string
	said    []spoken
	problem string
	loading bool
	laid    []string // for width
	width   int
	back    int // rows scrolled back from the end
	page    int // rows on screen, as last drawn
}

// spoken is one thing in it: who, the words, and the message's id. Failed is of a call that did not go well.
type spoken struct {
	who    who
	role   themes.Role
	text   string
	id     string
	failed bool
}

type who uint8

const (
	model who = iota
	you
	called
)

func (o spoken) sign(g style.Glyphs) string {
	switch {
	case o.who == you:
		return g.You + " "
	case o.failed:
		return g.Failed + " "
	case o.who == called:
		return g.Done + " "
	}
	return ""
}

// read opens the full preview of the session in use.
func (p *Sessions) read() tea.Cmd {
	s, ok := p.list.current()
	if !ok || p.deps.Read == nil {
		return nil
	}
	p.reading = &reading{id: s.ID, loading: true}
	return p.deps.Read(s.ID)
}

func (r *reading) take(m SessionRead) {
	r.loading, r.laid = false, nil
	if m.Err != nil {
		r.problem = "The session could not be read: " + m.Err.Error()
		return
	}
	for _, one := range m.Records {
		if e, ok := one.Event.(engine.Appended); ok {
			r.message(e.Message)
		}
		if e, ok := one.Event.(engine.CallEnded); ok && e.Line != "" {
			r.said = append(r.said, spoken{called, themes.FgMuted, firstLine(e.Line), "", e.Result.Status != engine.StatusDone})
		}
	}
}

// message adds what was said. A reply is stored while it arrives and once more whole: the later of an id counts.
func (r *reading) message(m engine.Message) {
	text := strings.TrimSpace(m.Text())
	if n := len(r.said); n > 0 && m.ID != "" && r.said[n-1].id == m.ID {
		r.said = r.said[:n-1]
	}
	if text == "" {
		return
	}
	switch m.Role {
	case engine.RoleUser:
		r.said = append(r.said, spoken{who: you, role: themes.User, text: text, id: m.ID})
	case engine.RoleAssistant:
		r.said = append(r.said, spoken{role: themes.Fg, text: text, id: m.ID})
	case engine.RoleSystem, engine.RoleTool:
	}
}

// readingKey scrolls, goes back to the list, or opens.
func (p *Sessions) readingKey(k tea.KeyPressMsg) (tea.Cmd, bool) {
	r := p.reading
	switch k.Keystroke() {
	case "esc", "ctrl+o", "space":
		p.reading = nil
	case "enter":
		return p.open()
	case "up", "ctrl+p", "shift+up":
		r.back++
	case "down", "ctrl+n", "shift+down":
		r.back--
	case "pgup":
		r.back += max(1, r.page-2)
	case "pgdown":
		r.back -= max(1, r.page-2)
	case "home", "ctrl+home":
		r.back = len(r.laid)
	case "end", "ctrl+end":
		r.back = 0
	}
	r.back = max(0, min(r.back, len(r.laid)-r.page))
	return nil, false
}

// readingView fills w by h cells.
func (p *Sessions) readingView(w, h int) string {
	s, r := p.sheet, p.reading
	one, _ := p.list.current()
	title := oneLine(one.Title)
	if title == "" {
		title = "(no title)"
	}
	rule := s.Ink(themes.Border, s.Rule(w))
	keys := " " + strings.Join([]string{"Enter open", "PgUp/PgDn scroll", "Esc back to the list"}, dialog.Plain(s, " · "))
	if w < dialog.Narrow {
		keys = " " + strings.Join([]string{"Enter open", "PgUp/PgDn", "Esc back"}, dialog.Plain(s, " · "))
	}
	r.page = max(1, h-4)
	lines := r.lines(s, w)
	r.back = max(0, min(r.back, len(lines)-r.page))
	end := len(lines) - r.back
	body := lines[max(0, end-r.page):end]
	out := []string{" " + s.Paint(style.Look{Fg: themes.Fg, Bold: true}, s.Truncate(title, max(1, w-2))), rule}
	out = append(out, body...)
	for len(out) < h-2 {
		out = append(out, "")
	}
	out = append(out, rule, s.Ink(themes.FgMuted, keys))
	for i, l := range out {
		out[i] = s.Truncate(l, w)
	}
	return strings.Join(out[:min(len(out), h)], "\n")
}

// lines lays the conversation out, once for a width.
func (r *reading) lines(s style.Sheet, w int) []string {
	if r.laid != nil && r.width == w {
		return r.laid
	}
	r.width, r.laid = w, []string{}
	switch {
	case r.loading:
		return []string{"", " " + s.Ink(themes.FgMuted, s.Words("Reading the session…"))}
	case r.problem != "":
		return []string{"", " " + s.Ink(themes.Warning, s.Glyphs.Warning+" "+oneLine(r.problem))}
	case len(r.said) == 0:
		return []string{"", " " + s.Ink(themes.FgMuted, "Nothing was said in this session yet.")}
	}
	for i, one := range r.said {
		if i > 0 && (one.who != called || r.said[i-1].who != called) {
			r.laid = append(r.laid, "")
		}
		if one.who == model {
			for _, l := range markdown.New(s).Render(style.Safe(one.text), max(1, w-2)) {
				r.laid = append(r.laid, " "+l)
			}
			continue
		}
		sign, indent := one.sign(s.Glyphs), ""
		for _, l := range style.Wrap(style.Safe(one.text), max(1, min(w-2, 100)-style.Width(sign))) {
			r.laid = append(r.laid, " "+s.Ink(one.role, sign+indent+l))
			indent, sign = style.Blank(style.Width(sign+indent)), ""
		}
	}
	return r.laid
}
