package dialog

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/style"
)

// View draws the stage.
func (c *Connector) View(w, h int) (string, *tea.Cursor) {
	f := Frame{Sheet: c.sheet, Title: "Choose how to connect", Max: 78}
	inner := f.Inner(w)
	p := Page{Row: -1, More: Plain(c.sheet, "… #")}
	room, _ := f.room(w, h)
	switch c.stage {
	case stageList:
		f.Hints = c.Told([]string{"Enter test and use", fmt.Sprintf("1–%d or ↑↓", min(c.rows(), 9)), "Ctrl+V paste a key", "Esc look around"})
		c.list(&p, inner, room)
	case stageForm:
		f.Hints = c.drawForm(&p, inner)
	case stageModels:
		f.Title = "Choose a model"
		f.Hints = []string{"Enter use", "↑↓ move", "type to filter", "Esc back"}
		c.drawModels(&p, inner, room)
	case stageWaiting:
		f.Hints = []string{"Esc give up"}
		p.Head = []string{"", c.sheet.Ink(themes.Info, c.sheet.Glyphs.Running) + " " + Plain(c.sheet, c.try.doing), ""}
	case stageFailed:
		f.Hints = []string{"Enter try again", "Esc back"}
		p.Head = append(append([]string{""}, c.failure(c.try.problem, inner)...), "")
	}
	return f.Draw(w, h, p)
}

func (c *Connector) failure(text string, w int) []string {
	lines := style.Wrap(text, max(1, w-2))
	for i, l := range lines {
		sign := "  "
		if i == 0 {
			sign = c.sheet.Ink(themes.Error, c.sheet.Glyphs.Failed) + " "
		}
		lines[i] = sign + l
	}
	return lines
}

// list is what was found, numbered, then the other ways. Numbers go on through both.
func (c *Connector) list(p *Page, w, room int) {
	s, narrow := c.sheet, w < Narrow-4
	muted := func(t string) string { return s.Ink(themes.FgMuted, t) }
	head := "Found on this machine (nothing was sent anywhere):"
	switch {
	case len(c.found) == 0 && narrow:
		head = "No model is connected yet."
	case len(c.found) == 0:
		head = "No model is connected yet, and no key was found on this machine."
	case narrow:
		head = "Found on this machine:"
	}
	if why := OneLine(c.deps.Why); why != "" {
		head = s.Truncate(why, w)
	}
	p.Head = []string{head, ""}
	if !narrow && room > 12 {
		p.Head = []string{"", head, ""}
	}
	var rows []string
	for i, one := range c.found {
		rows = append(rows, choiceRow(s, Option{Key: number(i), Label: c.foundLabel(one, w)}, i == c.at, w))
	}
	n := len(c.found)
	ways := []Option{{Key: number(n), Label: "Paste an API key…"}, {Key: number(n + 1), Label: "Other provider / custom URL…"},
		{Key: number(n + 2), Label: "Offline demo: scripted, no network, see how it works"}}
	if narrow {
		ways[1].Label, ways[2].Label = "Other provider…", "Offline demo (no network)"
	}
	row := c.at
	if !narrow && room >= n+9 && n > 0 {
		rows = append(rows, "", muted("Or"))
		if c.at >= n {
			row += 2
		}
	}
	for i, o := range ways {
		o.Label = Plain(s, o.Label)
		rows = append(rows, choiceRow(s, o, n+i == c.at, w))
	}
	if most := max(1, room-1); len(rows) > most { // more found than rows: those around the one in use
		from := max(0, min(row-most/2, len(rows)-most))
		rows, row = rows[from:from+most], row-from
	}
	p.Foot, p.Row, p.Keep = rows, row, len(rows)
	if !narrow {
		p.Foot = append(p.Foot, "", muted("The key is tested with one tiny request before it is saved."),
			muted("Saved to the OS keyring when there is one, else a keys file (0600)."),
			"", muted("You can change this any time with /model or /connect."), "")
	}
}

func number(i int) string {
	if i > 8 {
		return " "
	}
	return fmt.Sprint(i + 1)
}

// foundLabel is "Anthropic    $ANTHROPIC_API_KEY is set            → sonnet-4.5".
func (c *Connector) foundLabel(one engine.Connection, w int) string {
	s := c.sheet
	room := w - 6
	leads := OneLine(one.Route.Model)
	if leads == "" && len(one.Models) == 1 {
		leads = OneLine(one.Models[0])
	} else if leads == "" && len(one.Models) > 1 {
		leads = fmt.Sprintf("%d models", len(one.Models))
	}
	if room < 50 {
		label := style.PadRight(s.Truncate(name(one), 11), 11) + " "
		if one.Local && leads != "" {
			return label + s.Truncate(OneLine(one.Found), room-15-style.Width(leads)) + Plain(s, " · ") + leads
		}
		return label + OneLine(one.Found)
	}
	label := style.PadRight(s.Truncate(name(one), 11), 13)
	foundWidth := room - 13 - 21
	label += style.PadRight(s.Truncate(OneLine(one.Found), foundWidth), foundWidth+1)
	if leads != "" {
		label += Plain(s, "→ ") + leads
	}
	return label
}

func (c *Connector) drawForm(p *Page, w int) []string {
	s, f := c.sheet, &c.form
	hints := []string{"Enter test and save", "Tab next field", "Esc back"}
	if !f.custom() {
		hints[1] = "Tab another provider"
		provider := "none is known"
		if len(f.providers) > 0 {
			provider = name(f.providers[f.provider])
		}
		line := s.Ink(themes.FgMuted, "Provider  ") + s.Paint(style.Look{Fg: themes.Fg, Bold: true}, provider)
		if f.guessed {
			line += s.Ink(themes.FgMuted, "  told by the key")
		}
		p.Foot = append(p.Foot, line)
	}
	for i, one := range f.fields {
		label := style.PadRight(one.label, 10)
		text, x := one.line.View(s, max(1, w-10))
		if one.line.Value() == "" && one.label != "Base URL" && f.custom() {
			text = s.Ink(themes.FgMuted, map[string]string{"Key": "none needed for most local servers", "Model": "empty: choose from what it offers"}[one.label])
		}
		if i == f.at {
			p.Row, p.Col = len(p.Foot), 10+x
			label = s.Paint(style.Look{Fg: themes.Accent, Bold: true}, label)
		} else {
			label = s.Ink(themes.FgMuted, label)
		}
		p.Foot = append(p.Foot, label+s.Truncate(text, w-10))
	}
	p.Keep = len(p.Foot)
	if f.problem != "" {
		problem := c.failure(f.problem, w)
		p.Foot = append(append(p.Foot, ""), problem...)
		p.Keep = len(p.Foot)
	}
	p.Foot = append(p.Foot, "", s.Ink(themes.FgMuted, "The key is never shown. It is tested before it is saved."))
	p.Head = []string{""}
	return hints
}

func (c *Connector) drawModels(p *Page, w, room int) {
	s, m := c.sheet, &c.models
	text, x := m.filter.View(s, max(1, w-10))
	p.Head = []string{s.Ink(themes.FgMuted, "Search  ") + text, RuleLine}
	p.OnHead, p.Row, p.Col = true, 0, 8+x
	all := m.shown()
	if len(all) == 0 {
		p.Foot = []string{s.Ink(themes.FgMuted, "Nothing matches. Enter uses the name as it is typed.")}
		p.Keep = 1
		return
	}
	n := max(1, min(len(all), min(room-3, 16)))
	from := max(0, min(m.at-n/2, len(all)-n))
	for i := from; i < from+n; i++ {
		p.Foot = append(p.Foot, choiceRow(s, Option{Label: OneLine(all[i])}, i == m.at, w))
	}
	p.Keep = len(p.Foot)
	if len(all) > n {
		p.Foot = append(p.Foot, s.Ink(themes.FgMuted, fmt.Sprintf("%d of %d", m.at+1, len(all))))
	}
}

// Keys lists what can be pressed.
func (c *Connector) Keys() []Binding {
	return []Binding{{Keys: []string{"enter"}, Name: "test and use"}, {Keys: []string{"ctrl+v"}, Name: "paste a key"},
		{Keys: []string{"esc"}, Name: "look around"}}
}
