package ui

import (
	"talaria/engine"
	"talaria/ui/chrome"
	"talaria/ui/layout"
)

// What package chrome draws around the conversation is gathered here.

func (m *Model) statusRow() string {
	o := m.Overlays.Question()
	agents, commands := m.panel.Running(), len(m.Session.Background)
	if m.panel.Open(layout.Of(m.W, m.H)) && m.Overlays.Top() == nil {
		agents, commands = 0, 0 // the panel says it
	}
	return chrome.Status(m.Sheet, chrome.Facts{
		Turn: &m.Turn, Now: m.Now(), Hint: m.hint(), Key: m.bestKey(), Setup: m.Setup(),
		Clarify: o == nil && len(m.Strip.Later) > 0 || o != nil && o.Question.Kind == engine.Clarify,
		Mode:    m.Session.Mode, Editing: m.Prompt.Mode(), Route: m.Session.Route, Context: m.Session.Context, Window: m.Session.Window, Money: chrome.Money{Cost: m.Session.Cost, Budget: m.Session.Budget},
		Beside: chrome.Beside{Agents: agents, Commands: commands}, Show: m.Options.Status, Compacting: m.Strip.Compacting,
	}, m.W)
}

// cost is what the session cost, "" when nothing was asked.
func (m *Model) cost() string {
	if m.Session.Context == 0 {
		return ""
	}
	return chrome.Cost(m.Session.Route, m.Session.Cost)
}

// bestKey is the one key that matters now; "" when the hint names it.
func (m *Model) bestKey() string {
	switch {
	case m.leaving.asked:
		return ""
	case m.Leader.On:
		return "Esc cancel"
	case len(m.Overlays) > 0:
		return m.Overlays.Top().Key
	case m.Strip.Compacting != nil:
		return "Esc cancel"
	case m.Turn.Active:
		return "Esc stop"
	case !m.Connected():
		return "Enter connect"
	}
	return "? help"
}

// hint names what the second press would do, while it counts.
func (m *Model) hint() string {
	p, now := &m.press, m.Now()
	switch {
	case m.leaving.asked && m.W < chrome.Narrow:
		return "s stop+quit · Esc stay"
	case m.leaving.asked && !m.Turn.Active:
		return chrome.Plural(len(m.Session.Background), "command runs", "commands run") + " in the background.  s stop and quit · Esc stay"
	case m.leaving.asked:
		return "The agent is still working.  s stop and quit · Esc stay"
	case m.Leader.On:
		return "Ctrl+X …"
	case now.Sub(p.quit) < twice:
		return "Ctrl+C again to quit"
	case m.Log.Marked():
		return "Ctrl+C copies · Esc"
	case now.Sub(p.esc) < escTwice && !m.Prompt.Empty():
		return "Esc again: clear the prompt (↑ brings it back)"
	}
	return ""
}

func (m *Model) titleRow() string {
	title := "New session"
	switch {
	case m.Setup():
		title = "Welcome"
	case m.Session.Row.Title != "":
		title = m.Session.Row.Title
	}
	return chrome.Title(m.Sheet, title, m.Session.Route, chrome.Where{Dir: m.HomePath(m.Options.Dir), Branch: m.Session.Branch}, m.W)
}
