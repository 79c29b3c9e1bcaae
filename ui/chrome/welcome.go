package chrome

import (
	"fmt"
	"time"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/style"
)

// Place is where an empty session is: its directory as it is shown, what it talks to, and what was done here before.
type Place struct {
	Dir, Version, Mode string
	Branch             string // of its repository, "" for none
	Route              engine.Route
	Recent             []engine.Session // newest first
	Now                time.Time
}

// Recents is how many sessions the welcome lists.
const Recents = 3

// modeWords say what a mode means.
var modeWords = map[string]string{"ask": "ask before edits and commands", "edit": "edits allowed, commands ask", "plan": "read only",
	"auto": "everything allowed but what is never run"}

// Welcome is what an empty session shows (frame 2): where it is, what it talks to, what was done here before.
func Welcome(s style.Sheet, p Place, w int) []string {
	if w < Narrow {
		return p.short(s, w)
	}
	row := func(name, value, hint string) string {
		left := "  " + s.Ink(themes.FgMuted, style.PadRight(name, 12)) + value
		return s.Spread(left, s.Ink(themes.FgMuted, hint), min(w, 76))
	}
	branch := ""
	if p.Branch != "" {
		branch = "  " + s.Truncate(OneLine(p.Branch), longestBranch)
	}
	model, hint := ModelName(p.Route), "/model"
	if p.Route.Model == "" {
		hint = "/connect"
	} else if e := p.Route.Effort; e != "" {
		model += s.Words(" · ") + "effort " + OneLine(e)
	}
	lines := []string{"",
		s.Fg(themes.Accent).Bold(true).Render("talaria " + p.Version), "",
		row("Directory", s.Middle(p.Dir, min(w, 76)-16-style.Width(branch))+s.Ink(themes.FgMuted, branch), ""),
		row("Model", model, hint),
		row("Approval", modeWords[p.Mode], "Shift+Tab"),
	}
	if len(p.Recent) == 0 {
		return lines
	}
	lines = append(lines, "", "Pick up where you left off")
	for i, r := range p.Recent[:min(Recents, len(p.Recent))] {
		lines = append(lines, fmt.Sprintf("  %s  %s %s %s", s.Ink(themes.Accent, fmt.Sprint(i+1)), style.PadRight(s.Truncate(named(r), 32), 32),
			s.Ink(themes.FgMuted, style.PadRight(ago(p.Now, r.Updated), 10)), s.Ink(themes.FgMuted, Plural(r.Turns, "turn", "turns"))))
	}
	keys := "1–3 opens"
	if n := len(lines) - 8; n == 1 {
		keys = "1 opens"
	} else if n == 2 {
		keys = "1–2 opens"
	}
	return append(lines, s.Ink(themes.FgMuted, s.Words("     Ctrl+X "+keys+" one · Ctrl+X s shows all")))
}

// short is the welcome of a Narrow window.
func (p Place) short(s style.Sheet, w int) []string {
	model := ModelName(p.Route)
	if e := p.Route.Effort; e != "" && p.Route.Model != "" {
		model += s.Words(" · ") + OneLine(e)
	}
	head := s.Fg(themes.Accent).Bold(true).Render("talaria "+p.Version) + s.Words(" · ") + model
	branch := ""
	if p.Branch != "" {
		branch = " (" + s.Truncate(OneLine(p.Branch), w/3) + ")"
	}
	lines := []string{s.Truncate(head, max(0, w)), s.Middle(p.Dir, max(1, w-style.Width(branch))) + s.Ink(themes.FgMuted, branch)}
	if len(p.Recent) > 0 {
		r := p.Recent[0]
		at := ago(p.Now, r.Updated)
		title := s.Truncate(named(r), max(8, w-15-len(at)))
		lines = append(lines, "", "Last here: \""+title+"\" "+s.Ink(themes.FgMuted, at),
			s.Ink(themes.FgMuted, s.Words("  Ctrl+X 1 opens it · Ctrl+X s all")))
	}
	return lines
}

// named is what a session is called.
func named(s engine.Session) string {
	if t := OneLine(s.Title); t != "" {
		return t
	}
	return s.ID
}

// ago writes when something was: 5m ago, 2h ago, yesterday, Mon, 12 Nov.
func ago(now, at time.Time) string {
	d := now.Sub(at)
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%dm ago", int(d.Minutes()))
	case d < 24*time.Hour:
		return fmt.Sprintf("%dh ago", int(d.Hours()))
	case d < 48*time.Hour:
		return "yesterday"
	case d < 7*24*time.Hour:
		return at.Format("Mon")
	}
	return at.Format("2 Jan")
}
