package ui

import (
	"fmt"
	"strings"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/style"
)

// strip is the lines above the prompt: what waits to be delivered, questions left for later, and that saving fails.
type strip struct {
	steers []engine.Waiting
	queued []engine.Waiting
	paused bool
	later  []engine.Question
	unsent string // waits for a connection
}

func (s *strip) waits() bool { return len(s.steers)+len(s.queued) > 0 }

// stripRows draws the strip in at most most rows; what matters most comes first.
func (m *Model) stripRows(most int) []string {
	g, narrow := m.sheet.Glyphs, m.w < 60
	var rows []string
	add := func(role themes.Role, left, right string) {
		if narrow {
			right = ""
		}
		rows = append(rows, m.sheet.Spread(m.sheet.Ink(role, m.sheet.Truncate(left, max(1, m.w-style.Width(right)-2))), m.sheet.Ink(themes.FgMuted, right), m.w))
	}
	if m.session.save != "" {
		add(themes.Error, g.Warning+" "+style.Safe(m.session.save), "")
	}
	if n := len(m.strip.later); n > 0 {
		add(themes.Warning, fmt.Sprintf("%s %d waits for your answer: %s", g.Waiting, n, oneLine(m.strip.later[0].Title)), "Enter opens it")
	}
	if m.strip.unsent != "" {
		add(themes.FgMuted, g.Queue+" Kept  "+quoted(m.strip.unsent), "goes out when a model is connected")
	}
	if n := len(m.strip.steers); n > 0 {
		add(themes.Accent, g.Steer+" Steering   "+quoted(m.strip.steers[n-1].Text), m.when(m.steerMoment()))
	}
	if n := len(m.strip.queued); n > 0 {
		add(themes.FgMuted, fmt.Sprintf("%s Queued %d   %s", g.Queue, n, quoted(m.strip.queued[n-1].Text)), m.when("after this turn"))
	}
	if len(rows) > most {
		rows = rows[:most]
	}
	return rows
}

func (m *Model) steerMoment() string {
	if r, ok := m.turn.slowest(); ok {
		return "goes in when " + m.sheet.Truncate(action(r.line), 24) + " ends"
	}
	return "goes in with the next step"
}

func (m *Model) when(moment string) string {
	if m.strip.paused {
		moment = "paused · Enter continues"
	}
	return moment + " · ↑ edit"
}

func quoted(s string) string { return `"` + oneLine(s) + `"` }

func oneLine(s string) string { return style.Safe(strings.Join(strings.Fields(s), " ")) }

// firstLine is the first line of s with words in it.
func firstLine(s string) string {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}
