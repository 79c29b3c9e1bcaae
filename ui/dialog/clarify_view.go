package dialog

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/themes"
	"talaria/ui/style"
)

// View draws the question. Its text gives way before the choices do; descriptions go before choices.
func (c *Clarifier) View(w, h int) (string, *tea.Cursor) {
	f := Frame{Sheet: c.sheet, Title: "Question", Max: 96, Hints: c.Told(c.hints())}
	inner, narrow := f.Inner(w), w < Narrow
	title, text := c.words()
	if title != "" {
		f.Title += Plain(c.sheet, " · ") + title
	}
	p := Page{Row: -1, Top: c.top, More: Plain(c.sheet, "… # · PgUp/PgDn")}
	if narrow {
		p.Head = []string{c.sheet.Ink(themes.FgMuted, f.Title)}
	}
	for _, l := range style.Wrap(text, inner) {
		p.Body = append(p.Body, c.sheet.Paint(style.Look{Fg: themes.Fg, Bold: true}, l))
	}
	room, boxed := f.room(w, h)
	c.foot(&p, inner, room)
	if boxed && room >= len(p.Head)+len(p.Body)+len(p.Foot)+2 {
		p.Head = append(p.Head, "")
		p.Foot = append(p.Foot, "")
	}
	return f.Draw(w, h, p)
}

// words splits the question into what stands in the border and what is asked.
func (c *Clarifier) words() (title, text string) {
	t, b := visibleText(c.q.Title), visibleText(c.q.Body)
	if b == "" {
		return "", t
	}
	if style.Width(t) > 40 || strings.Contains(t, "\n") {
		return "", t + "\n" + b
	}
	return t, b
}

// visibleText shows text of several lines from outside; its line ends are only line ends.
func visibleText(s string) string {
	return strings.ReplaceAll(style.Visible(strings.TrimSpace(s)), "⏎\n", "\n")
}

func (c *Clarifier) hints() []string {
	switch {
	case c.noting:
		return []string{"Enter keep the note", "Esc back"}
	case c.input != nil && len(c.q.Choices) == 0:
		return []string{"Enter answer", "Esc answer later"}
	case c.input != nil:
		return []string{"Enter answer", "Esc back to the choices"}
	case c.q.Multi:
		return []string{"Space tick", "Enter send", "N note", "s skip", c.leave()}
	}
	return []string{fmt.Sprintf("1–%d or ↑↓ Enter", min(c.rows(), 9)), "N note", "s skip", c.leave()}
}

// leave says what Esc does.
func (c *Clarifier) leave() string {
	if c.q.Esc != "" {
		return "Esc " + OneLine(c.q.Esc)
	}
	return "Esc answer later"
}

// foot lays out the choices and the lines being typed, in a box of room lines. Descriptions give way first.
func (c *Clarifier) foot(p *Page, w, room int) {
	if len(c.q.Choices) > 0 {
		typed, extra := 0, 3
		if c.input != nil {
			typed, extra = 2, 2
		}
		free := room - len(p.Head) - min(len(p.Body), 3) - extra
		lines, starts := Options(c.sheet, c.choiceRows(w, true), c.at, w)
		if len(lines) > free {
			lines, starts = Options(c.sheet, c.choiceRows(w, false), c.at, w)
		}
		p.Foot = append([]string{""}, lines...)
		p.Row, p.Keep = 1+starts[c.at], 1+len(lines)
		if len(lines) > free {
			c.tight(p, lines, w, room-typed)
		}
	}
	if c.input != nil {
		text, x := c.input.View(c.sheet, max(1, w-2))
		label := map[bool]string{true: "Note", false: "Your answer"}[c.noting]
		p.Foot = append(p.Foot, c.sheet.Ink(themes.FgMuted, label), c.sheet.Ink(themes.User, c.sheet.Glyphs.You)+" "+text)
		p.Row, p.Col, p.Keep = len(p.Foot)-1, x+2, len(p.Foot)
		return
	}
	if c.note != "" {
		p.Foot = append(p.Foot, "", c.sheet.Ink(themes.FgMuted, "Note  ")+OneLine(c.note))
	} else if w >= Narrow-4 {
		p.Foot = append(p.Foot, "", c.sheet.Ink(themes.FgMuted, "Note  (none)"), "",
			c.sheet.Ink(themes.FgMuted, "Nothing runs while you decide. Left for later, the question waits."))
	}
}

// tight sets the choices into room lines that are too few for all else: the question keeps one line, and what is above it
// goes; then choices stand side by side by the beginnings of their labels. More than fit even so are a window around the
// one in use, whose last line says how many there are beside.
func (c *Clarifier) tight(p *Page, lines []string, w, room int) {
	p.Head = nil
	p.Foot, p.Row, p.Col = lines, c.at, 0
	text := min(len(p.Body), 3)
	if n := room - min(text, 1); len(lines) > n {
		short := c.choiceRows(w, false)
		for i := range short {
			short[i].Label = c.sheet.Truncate(short[i].Label, max(4, w/2-6))
		}
		p.Foot, p.Row, p.Col = ShortRows(c.sheet, short, c.at, w)
		if len(p.Foot) > n {
			p.Foot, p.Row = c.around(lines, max(1, room-text))
			p.Col = 0
		}
	}
	p.Keep = len(p.Foot)
}

// around is n lines, with the one in use among them; where there are three or more the last says which of how many it is.
func (c *Clarifier) around(lines []string, n int) (shown []string, row int) {
	told := ""
	if n > 2 {
		n, told = n-1, c.sheet.Ink(themes.FgMuted, Plain(c.sheet, fmt.Sprintf("  … %d of %d", c.at+1, len(lines))))
	}
	from := max(0, min(c.at-n/2, len(lines)-n))
	if shown = append(shown, lines[from:from+n]...); told != "" {
		shown = append(shown, told)
	}
	return shown, c.at - from
}

func (c *Clarifier) choiceRows(w int, described bool) []Option {
	var out []Option
	for i, one := range c.q.Choices {
		o := Option{Key: fmt.Sprint(i + 1), Label: OneLine(one.Label)}
		if o.Label == "" {
			o.Label = OneLine(one.Value)
		}
		if i > 8 {
			o.Key = " "
		}
		if c.q.Multi {
			tick := " "
			if c.ticked[i] {
				tick = "x"
			}
			o.Label = "[" + tick + "] " + o.Label
		}
		if one.Recommended {
			o.Mark = "recommended"
		}
		if d := OneLine(one.Description); d != "" && described {
			o.Lines = style.Wrap(d, max(1, w-7))
		}
		out = append(out, o)
	}
	else_ := Option{Key: fmt.Sprint(len(out) + 1), Label: Plain(c.sheet, "Something else…")}
	if len(out) > 8 {
		else_.Key = " "
	}
	if described && w >= Narrow-4 {
		else_.Lines = []string{"type your own answer"}
	}
	return append(out, else_)
}
