package ui

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/chrome"
	"talaria/ui/turn"
)

// What package chrome draws around the conversation is gathered here.

func (m *Model) statusRow() string {
	o := m.question()
	return chrome.Status(m.sheet, chrome.Facts{
		Turn: &m.turn, Now: m.now(), Hint: m.hint(), Key: m.bestKey(), Setup: m.setup(),
		Clarify: o == nil && len(m.strip.Later) > 0 || o != nil && o.kind == overlayQuestion,
		Mode:    m.session.mode, Route: m.session.route, Context: m.session.context, Window: m.session.window, Cost: m.session.cost,
	}, m.w)
}

// bestKey is the one key that matters now; "" when the hint names it.
func (m *Model) bestKey() string {
	switch {
	case m.leaving.asked:
		return ""
	case m.press.leader.on:
		return "Esc cancel"
	case len(m.overlays) > 0:
		return m.overlays[len(m.overlays)-1].key
	case m.turn.Active:
		return "Esc stop"
	case !m.connected():
		return "Enter connect"
	}
	return "? help"
}

// hint names what the second press would do, while it counts.
func (m *Model) hint() string {
	p, now := &m.press, m.now()
	switch {
	case m.leaving.asked && m.w < chrome.Narrow:
		return "s stop+quit · Esc stay"
	case m.leaving.asked:
		return "The agent is still working.  s stop and quit · Esc stay"
	case p.leader.on:
		return "Ctrl+X …"
	case now.Sub(p.quit) < twice:
		return "Ctrl+C again to quit"
	case now.Sub(p.esc) < escTwice && !m.prompt.Empty():
		return "Esc again: clear the prompt (↑ brings it back)"
	}
	return ""
}

func (m *Model) titleRow() string {
	title := "New session"
	switch {
	case m.setup():
		title = "Welcome"
	case m.session.row.Title != "":
		title = m.session.row.Title
	}
	return chrome.Title(m.sheet, title, m.session.route, m.home(m.d.Options.Dir), m.w)
}

// windowTitle changes only with the state and the session: a title that moves makes tabs jump.
func (m *Model) windowTitle() string {
	g, sign := m.sheet.Glyphs, ""
	switch {
	case m.turn.State == turn.NeedsYou:
		sign = g.Waiting + " "
	case m.turn.State == turn.Failed:
		sign = g.Failed + " "
	case m.turn.Active:
		sign = g.Running + " "
	}
	title := chrome.OneLine(m.session.row.Title)
	if title == "" {
		title = "new session"
	}
	return sign + m.sheet.Truncate(title, 60) + m.sheet.Words(" · ") + "talaria"
}

// rewelcome draws the welcome of an empty session anew.
func (m *Model) rewelcome() {
	m.log.SetWelcome(chrome.Welcome(m.sheet, chrome.Place{Dir: m.home(m.d.Options.Dir), Version: m.d.Options.Version, Mode: m.session.mode,
		Route: m.session.route, Recent: m.session.recent, Now: m.now()}, m.w))
}

// home writes a path below the home directory with ~.
func (m *Model) home(path string) string {
	if rest, ok := strings.CutPrefix(path, m.d.Options.Home); ok && m.d.Options.Home != "" && (rest == "" || rest[0] == '/') {
		path = "~" + rest
	}
	return chrome.OneLine(path)
}

type recentMsg []engine.Session

// loadRecent asks for the newest sessions of this directory, for the welcome of an empty one.
func (m *Model) loadRecent() tea.Cmd {
	dir, lib := m.d.Options.Dir, m.d.Library
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), libraryTime)
		defer cancel()
		list, err := lib.List(ctx, engine.Query{Dir: dir, Limit: chrome.Recents})
		if err != nil {
			return nil
		}
		return recentMsg(list)
	}
}
