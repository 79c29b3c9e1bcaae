package beacon

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/ui/chrome"
	"talaria/ui/style"
	"talaria/ui/turn"
)

// Title is the window's title. It changes only with the state and the session: one that moves makes tabs jump.
func (b *Beacon) Title() string {
	g, sign := b.s.Sheet.Glyphs, ""
	switch t := &b.s.Turn; {
	case t.State == turn.NeedsYou:
		sign = g.Waiting + " "
	case t.State == turn.Failed:
		sign = g.Failed + " "
	case t.Active:
		sign = g.Running + " "
	}
	title := chrome.OneLine(b.s.Session.Row.Title)
	if title == "" {
		title = "new session"
	}
	return sign + b.s.Sheet.Truncate(title, 60) + b.s.Sheet.Words(" · ") + "talaria"
}

// Progress is the bar that the terminal shows beside its title: the share of the tasks that are done, or that something
// runs; paused while it waits for the user, an error when the turn failed; nil when there is nothing to show.
func (b *Beacon) Progress() *tea.ProgressBar {
	if !b.s.Options.Terminal.Progress {
		return nil
	}
	t, part := &b.s.Turn, 0
	if n := len(b.s.Session.Tasks); n > 0 {
		part = 100 * done(b.s.Session.Tasks) / n
	}
	switch {
	case t.State == turn.NeedsYou:
		return tea.NewProgressBar(tea.ProgressBarWarning, max(part, 1))
	case t.State == turn.Failed:
		return tea.NewProgressBar(tea.ProgressBarError, max(part, 1))
	case !t.Active:
		return nil
	case len(b.s.Session.Tasks) == 0:
		return tea.NewProgressBar(tea.ProgressBarIndeterminate, 0)
	}
	return tea.NewProgressBar(tea.ProgressBarDefault, part)
}

// The ways to notify that terminals have.
const (
	osc99  = "99"  // kitty
	osc777 = "777" // ghostty, foot, WezTerm, urxvt
	osc9   = "9"   // iTerm2, Windows Terminal
)

// Notifies is the way to notify of the terminal that an environment names, "" when none is known: then there is the bell.
// Inside tmux the variables of the terminal around it are still there.
func Notifies(getenv func(string) string) string {
	term, program := getenv("TERM"), strings.ToLower(getenv("TERM_PROGRAM"))
	has := func(name string) bool { return getenv(name) != "" }
	switch {
	case has("KITTY_WINDOW_ID") || strings.Contains(term, "kitty"):
		return osc99
	case program == "ghostty" || has("GHOSTTY_RESOURCES_DIR") || program == "wezterm" || has("WEZTERM_PANE") || strings.HasPrefix(term, "foot") || strings.HasPrefix(term, "rxvt"):
		return osc777
	case program == "iterm.app" || getenv("LC_TERMINAL") == "iTerm2" || has("WT_SESSION") || has("ConEmuANSI"):
		return osc9
	}
	return ""
}

// Progresses reports whether OSC 9;4 does no harm in the terminal that an environment names: old iTerm2 shows it as a
// notification, the Linux console as text.
func Progresses(getenv func(string) string) bool {
	switch term := getenv("TERM"); {
	case term == "" || term == "dumb" || term == "linux":
		return false
	case strings.ToLower(getenv("TERM_PROGRAM")) == "iterm.app":
		return getenv("TERM_PROGRAM_VERSION") >= "3.6.6"
	}
	return true
}

// notice is the sequence that makes the terminal notify, "" when it cannot.
func (b *Beacon) notice(what, about string) string {
	clean := func(s string) string { return strings.ReplaceAll(style.Safe(chrome.OneLine(s)), ";", ",") }
	title, body := "talaria: "+clean(what), clean(b.s.Sheet.Truncate(about, 120))
	text := ""
	switch b.s.Options.Terminal.Notifies {
	case osc99:
		text = "\x1b]99;i=talaria:d=0;" + title + "\x1b\\\x1b]99;i=talaria:d=1:p=body;" + body + "\x1b\\"
	case osc777:
		text = "\x1b]777;notify;" + title + ";" + body + "\x1b\\"
	case osc9:
		text = "\x1b]9;" + title + ": " + body + "\x1b\\"
	default:
		return ""
	}
	if b.s.Options.Terminal.Tmux {
		text = "\x1bPtmux;" + strings.ReplaceAll(text, "\x1b", "\x1b\x1b") + "\x1b\\"
	}
	return text
}
