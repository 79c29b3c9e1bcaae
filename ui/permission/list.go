package permission

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/dialog"
	"talaria/ui/style"
)

// List is the dialog. It implements dialog.Dialog.
type List struct {
	ctx   context.Context
	sheet style.Sheet
	p     engine.Permissions
	page  page
	have  loadedMsg
	known bool
	at    int
	sure  string // the rule that a second x revokes
}

// New returns the dialog over p.
func New(ctx context.Context, sheet style.Sheet, p engine.Permissions, page page) *List {
	return &List{ctx: ctx, sheet: sheet, p: p, page: page}
}

// Init asks for what is to be listed.
func (l *List) Init() tea.Cmd { return l.load(nil) }

// SetSheet changes the theme or the glyphs.
func (l *List) SetSheet(s style.Sheet) { l.sheet = s }

// Update takes keys, and what the engine told.
func (l *List) Update(msg tea.Msg) (tea.Cmd, bool) {
	if m, ok := msg.(loadedMsg); ok {
		l.have, l.known, l.sure = m, true, ""
		l.at = max(0, min(l.at, l.rows()-1))
		return nil, false
	}
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil, false
	}
	key := k.Keystroke()
	if key != "x" && key != "delete" {
		l.sure = ""
	}
	switch key {
	case "esc", "q":
		return nil, true
	case "up", "ctrl+p", "k":
		l.at = dialog.Step(l.at, -1, l.rows())
	case "down", "ctrl+n", "j":
		l.at = dialog.Step(l.at, 1, l.rows())
	case "pgup":
		l.at = dialog.Step(l.at, -10, l.rows())
	case "pgdown":
		l.at = dialog.Step(l.at, 10, l.rows())
	case "tab", "shift+tab", "left", "right":
		l.page, l.at = 1-l.page, 0
	case "x", "delete":
		return l.revoke(), false
	}
	return nil, false
}

func (l *List) rows() int {
	if l.page == rules {
		return len(l.have.rules)
	}
	return len(l.have.rulings)
}

// revoke forgets the rule in use, on the second press.
func (l *List) revoke() tea.Cmd {
	if l.page != rules || l.at >= len(l.have.rules) {
		return nil
	}
	r := l.have.rules[l.at]
	if r.ID == "" || l.sure != r.ID {
		l.sure = r.ID
		l.have.note, l.have.err = "", nil
		if r.ID == "" {
			l.have.note = "This one is in the configuration: talaria config path shows the file."
		}
		return nil
	}
	return l.load(func(ctx context.Context) (string, error) {
		if err := l.p.Revoke(ctx, r.ID); err != nil {
			return "", err
		}
		return "Revoked: " + r.Rule + ". It is asked again from now on.", nil
	})
}

// Keys lists what can be pressed.
func (l *List) Keys() []dialog.Binding {
	return []dialog.Binding{{Keys: []string{"up", "down"}, Name: "move"}, {Keys: []string{"tab"}, Name: "rules / decisions"},
		{Keys: []string{"x"}, Name: "revoke"}, {Keys: []string{"esc"}, Name: "close"}}
}

// View draws the list over what is known of the row in use.
func (l *List) View(w, h int) (string, *tea.Cursor) {
	s := l.sheet
	f := dialog.Frame{Sheet: s, Title: "Permissions", Note: "rules in force", Max: 100, Hints: []string{"x revoke", "Tab decisions", "Esc close"}}
	if len(l.have.rules) == 0 {
		f.Hints = f.Hints[1:]
	}
	if l.page == rulings {
		f.Title, f.Note, f.Hints = "Why", "what decided on each call, newest first", []string{"Tab rules", "Esc close"}
	}
	inner := f.Inner(w)
	detail := l.detail(inner)
	if l.have.err != nil {
		detail = append(detail, s.Ink(themes.Error, s.Truncate(dialog.OneLine(l.have.err.Error()), inner)))
	} else if l.have.note != "" {
		detail = append(detail, s.Ink(themes.Warning, s.Truncate(dialog.OneLine(l.have.note), inner)))
	}
	room := max(1, h-len(detail)-3)
	all := l.lines(inner)
	from := max(0, min(l.at-room/2, len(all)-room))
	p := dialog.Page{Foot: all[from:min(len(all), from+room)], Row: l.at - from, Col: 0}
	if l.rows() == 0 {
		p.Row = -1
	}
	p.Foot = append(append([]string{}, p.Foot...), detail...)
	p.Keep = len(p.Foot)
	return f.Draw(w, h, p)
}

// lines are one for each rule or decision.
func (l *List) lines(w int) (out []string) {
	s := l.sheet
	switch {
	case !l.known:
		return []string{s.Ink(themes.FgMuted, "Reading the rules"+s.Glyphs.Ellipsis)}
	case l.rows() == 0 && l.page == rules:
		return style.Wrap("No rules yet. An approval offers one: this session, or always in this project.", w)
	case l.rows() == 0:
		return style.Wrap("Nothing was decided yet in this run.", w)
	}
	for i := range l.rows() {
		text, mark := "", ""
		if l.page == rules {
			r := l.have.rules[i]
			text, mark = r.Rule, scopes[r.Scope]
			if r.Deny {
				mark = "never · " + mark
			}
		} else {
			r := l.have.rulings[i]
			text, mark = r.Action, r.Verdict
			if r.Asked {
				mark = "asked · " + mark
			}
		}
		out = append(out, l.row(dialog.OneLine(text), dialog.Plain(s, mark), i == l.at, w))
	}
	return out
}

var scopes = map[string]string{engine.ScopeSession: "this session", engine.ScopeProject: "this project", engine.ScopeConfig: "your settings"}

func (l *List) row(text, mark string, focus bool, w int) string {
	s, sign := l.sheet, "  "
	if focus {
		sign = l.sheet.Glyphs.Focus + " "
	}
	line := style.PadRight(s.Truncate(sign+text, max(1, w-style.Width(mark)-2)), max(1, w-style.Width(mark)))
	if !focus {
		return line + s.Ink(themes.FgMuted, mark)
	}
	return s.Paint(style.Look{Fg: themes.Fg, Bg: themes.RowSel, Bold: true}, line) + s.Paint(style.Look{Fg: themes.FgMuted, Bg: themes.RowSel}, mark)
}

// detail is all that is known of the row in use.
func (l *List) detail(w int) []string {
	if l.rows() == 0 {
		return nil
	}
	var say [][2]string
	if l.page == rules {
		r := l.have.rules[l.at]
		say = [][2]string{{"Rule", r.Rule}, {"Runs in", r.Dir}, {"Made for", r.Made}}
		if !r.At.IsZero() {
			say = append(say, [2]string{"Since", r.At.Local().Format("2006-01-02 15:04")})
		}
		if l.sure != "" && l.sure == r.ID {
			say = append(say, [2]string{"Revoke", "press x again: what it allowed asks from then on"})
		}
	} else {
		r := l.have.rulings[l.at]
		verdict := r.Verdict
		if r.Asked {
			verdict = fmt.Sprintf("you were asked and answered %q: %s", r.Choice, r.Verdict)
		}
		say = [][2]string{{"Call", r.Action}, {"Verdict", verdict}, {"Because", r.By}, {"Mode", r.Mode}, {"When", r.At.Local().Format("15:04:05")}}
	}
	out := []string{dialog.RuleLine}
	for _, one := range say {
		if one[1] == "" {
			continue
		}
		lines := style.Wrap(dialog.OneLine(one[1]), max(1, w-10))
		for i, text := range lines[:min(len(lines), 3)] {
			label := style.PadRight(one[0], 10)
			if i > 0 {
				label = strings.Repeat(" ", 10)
			}
			out = append(out, l.sheet.Ink(themes.FgMuted, label)+text)
		}
	}
	return out
}
