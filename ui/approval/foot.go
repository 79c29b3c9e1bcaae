package approval

import (
	"fmt"
	"strings"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/dialog"
	"talaria/ui/style"
)

// foot lays the choices out, a row each or side by side, then what is only good to know.
func (a *Approval) foot(p *dialog.Page, w int, short bool, h int) {
	s := a.sheet
	if line := a.typed.line(); line != nil {
		text, x := line.View(s, max(1, w-2))
		ask, sign := "Deny. Why? The agent is told.", s.Ink(themes.User, s.Glyphs.You)+" "
		if a.typed.command != nil {
			ask, sign = "Run it like this. The agent is told what ran.", s.Ink(themes.FgMuted, "$ ")
		}
		p.Foot = append(p.Foot, dialog.RuleLine, ask, sign+text)
		p.Row, p.Col, p.Keep = 2, x+2, 3
		return
	}
	all := a.options(short, w)
	start := []string{dialog.RuleLine}
	if w >= dialog.Narrow-4 && h < 12 || w < dialog.Narrow-4 && h < 10 {
		start = nil
	} else if w < dialog.Narrow-4 {
		start = []string{""}
	}
	p.Foot = start
	if short {
		lines, row, col := dialog.ShortRows(s, all, a.at, w)
		p.Foot, p.Row, p.Col = append(p.Foot, lines...), len(start)+row, col
	} else {
		lines, starts := dialog.Options(s, all, a.at, w)
		p.Foot, p.Row = append(p.Foot, lines...), len(start)+starts[a.at]
	}
	if rules := a.remembered(w); len(rules) > 0 {
		if !short {
			p.Foot = append(p.Foot, "")
		}
		p.Foot = append(p.Foot, rules...)
	}
	if a.note != "" {
		p.Foot = append(p.Foot, s.Ink(themes.Warning, s.Truncate(dialog.Plain(s, dialog.OneLine(a.note)), w)))
	}
	p.Keep = len(p.Foot)
	if w < dialog.Narrow-4 && a.waiting > 1 {
		p.Foot = append(p.Foot, s.Ink(themes.FgMuted, fmt.Sprintf("1 of %d waiting", a.waiting)))
	}
}

// scope tells what changes the rule.
const scope = "   Tab scope"

// options are the choices with the words of the rule as it stands now.
func (a *Approval) options(short bool, w int) (all []dialog.Option) {
	for _, c := range a.choices {
		row := rowOf(c.Value)
		o := dialog.Option{Key: row.key, Label: dialog.Plain(a.sheet, c.Label)}
		longer := c.Value == engine.ChoiceSession || c.Value == engine.ChoiceAlways
		switch {
		case short && c.Value == engine.ChoiceAlways && !strings.HasPrefix(c.Label, "Always"):
			o.Label = "till the end" // what a run that keeps nothing can offer
		case short:
			o.Label = row.short
		case longer && len(a.q.Rungs) > 0 && a.rung != a.q.At:
			label := dialog.OneLine(a.q.Rungs[a.rung].Label)
			o.Label = strings.Replace(o.Label, dialog.Plain(a.sheet, dialog.OneLine(a.q.Rungs[a.q.At].Label)), label, 1)
		case c.Value == engine.ChoiceEdit && a.outside():
			o.Label += " (opens $EDITOR)"
		}
		if !short && longer && len(a.q.Rungs) > 1 && c.Value == a.longest() {
			if room := w - 8 - style.Width(o.Label); room >= len(scope) {
				o.Label += scope
			}
		}
		all = append(all, o)
	}
	return all
}

func (a *Approval) has(value string) bool {
	for _, c := range a.choices {
		if c.Value == value {
			return true
		}
	}
	return false
}

// labelled are the words of a choice, "" when it is not there.
func (a *Approval) labelled(value string) string {
	for _, c := range a.choices {
		if c.Value == value {
			return c.Label
		}
	}
	return ""
}

// longest is the choice that allows for the longest time, "" when none allows for longer than once.
func (a *Approval) longest() string {
	for _, v := range []string{engine.ChoiceAlways, engine.ChoiceSession} {
		if a.has(v) {
			return v
		}
	}
	return ""
}

// rule is what a longer yes would make, "" when there is no such choice.
func (a *Approval) rule() string {
	switch {
	case a.longest() == "":
		return ""
	case len(a.q.Rungs) > 0:
		return a.q.Rungs[a.rung].Rule
	}
	return a.q.Rule
}

// remembered is the rule that a longer yes would make. It is on screen before it can be chosen.
func (a *Approval) remembered(w int) []string {
	rule := dialog.OneLine(a.rule())
	if rule == "" {
		return nil
	}
	sign, n := "rule ", ""
	if w >= dialog.Narrow-4 {
		sign = "Remembered as:  "
	}
	if len(a.q.Rungs) > 1 {
		n = fmt.Sprintf("  (%d of %d)", a.rung+1, len(a.q.Rungs))
		if long := fmt.Sprintf("   (%d of %d: Tab wider, Shift+Tab narrower)", a.rung+1, len(a.q.Rungs)); style.Width(sign+rule+long) <= w {
			n = long
		}
	}
	lines := style.Wrap(rule, max(1, w-len(sign)))
	for i, l := range lines {
		if i > 0 {
			sign = style.Blank(len(sign))
		}
		lines[i] = a.sheet.Ink(themes.FgMuted, sign) + l
		if i == len(lines)-1 && style.Width(sign+l+n) <= w {
			lines[i] += a.sheet.Ink(themes.FgMuted, n)
		}
	}
	return lines
}

// explained says why it is asked, and what each choice would mean.
func (a *Approval) explained(w int) []string {
	say := []string{"Asked because: " + a.q.Why + "."}
	if a.q.Danger != "" {
		say = append(say, "In the danger table: "+a.q.Danger+". What is in it is asked each time, and no rule covers it.")
	} else if a.longest() == "" {
		say = append(say, "It cannot be remembered: no rule could say exactly this and nothing more.")
	}
	for i, r := range a.q.Rungs {
		mark := "  "
		if i == a.rung {
			mark = a.sheet.Glyphs.Focus + " "
		}
		say = append(say, mark+r.Rule)
	}
	if strings.HasPrefix(a.labelled(engine.ChoiceAlways), "Always") {
		say = append(say, "A rule of this project is kept in your own data, never in the repository. /permissions shows and revokes them; /why tells what decided.")
	}
	var out []string
	for _, line := range say {
		out = append(out, style.Wrap(strings.TrimRight(style.Visible(line), "\n"), max(1, w))...)
	}
	return out
}
