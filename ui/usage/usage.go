// Package usage is what a session used and where it stands: /usage and /status. It refuses to write $0.00 for a price that
// is not known.
package usage

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/board"
	"talaria/ui/chrome"
	"talaria/ui/command"
	"talaria/ui/keys"
	"talaria/ui/overlay"
	"talaria/ui/screen"
	"talaria/ui/turn"
)

// Feature is its keys and commands.
func Feature(s *screen.State) screen.Feature {
	can := func() string {
		if s.Views.Ledger == nil {
			return "nothing is counted here"
		}
		return ""
	}
	usage := func() tea.Cmd {
		return s.Open(overlay.Overlay{ID: "usage", Key: "Esc close", Box: usageBox(s)})
	}
	status := func() tea.Cmd {
		return s.Open(overlay.Overlay{ID: "status", Key: "Esc close", Box: statusBox(s)})
	}
	return screen.Feature{
		Keys: []keys.Binding{
			{ID: "usage", Keys: []string{"ctrl+x g"}, Name: "Usage", Can: can, Do: usage},
			{ID: "status", Keys: []string{"ctrl+x i"}, Name: "Session info", Do: status},
		},
		Commands: []command.Command{
			{Name: "usage", Help: "tokens and cost, by model and side task", Group: command.Look, Busy: true, Can: can, Do: func(string) tea.Cmd { return usage() }},
			{Name: "status", Help: "session, model, mode, context and cost", Group: command.Look, Busy: true, Do: func(string) tea.Cmd { return status() }},
		},
	}
}

func usageBox(s *screen.State) *board.Board {
	b := board.New(s.Sheet, board.Words{Title: "Usage", Note: "this session", Empty: "Adding up…", Max: 84, Hints: []string{"PgUp/PgDn scroll", "Esc close"}, Shares: true})
	ledger := s.Views.Ledger
	b.Start = func() tea.Cmd { return board.Load(s.Context, b, ledger.Bill) }
	b.Take = func(msg tea.Msg) (tea.Cmd, bool) {
		m, ok := msg.(board.Loaded[engine.Bill])
		switch {
		case !ok || m.Board != b:
		case m.Err != nil:
			b.Empty = "It could not be added up: " + m.Err.Error()
		default:
			b.Empty, b.Wide = "", true
			b.Detail = func(_, w int) []string { return board.Pairs(b.Sheet(), billPairs(s, m.Value), w) }
		}
		return nil, false
	}
	return b
}

// billPairs are the lines of a bill.
func billPairs(s *screen.State, b engine.Bill) [][2]string {
	u := b.Total
	read := u.Input + u.CacheRead + u.CacheWrite
	rate := ""
	if read > 0 {
		rate = fmt.Sprintf("%d%% of what was sent came from the cache", 100*u.CacheRead/read)
	}
	pairs := [][2]string{{"Cost", money(s, b.Cost)}, {"Input", turn.Count(u.Input) + " not cached"}, {"Cache", turn.Count(u.CacheRead) + " read, " + turn.Count(u.CacheWrite) + " written"},
		{"Hit rate", rate}, {"Output", turn.Count(u.Output) + reasoning(u)}}
	models := slices.Clone(b.Models)
	for _, m := range append(models, b.Side) {
		if m.Usage == (engine.Usage{}) {
			continue
		}
		text := fmt.Sprintf("%s · ↑ %s ↓ %s", money(s, m.Cost), turn.Count(m.Usage.Input+m.Usage.CacheRead+m.Usage.CacheWrite), turn.Count(m.Usage.Output))
		if m.Turns > 0 {
			text += fmt.Sprintf(" · %d turns", m.Turns)
		}
		pairs = append(pairs, [2]string{chrome.OneLine(m.Name), strings.Replace(text, " 1 turns", " 1 turn", 1)})
	}
	if len(b.Squeezed) == 0 {
		return append(pairs, [2]string{"Compacted", "never"})
	}
	for _, q := range b.Squeezed {
		pairs = append(pairs, [2]string{"Compacted", fmt.Sprintf("%s  %s to %s tokens", q.At.Local().Format("15:04"), turn.Count(q.Before), turn.Count(q.After))})
	}
	return pairs
}

func reasoning(u engine.Usage) string {
	if u.Reasoning == 0 {
		return ""
	}
	return ", " + turn.Count(u.Reasoning) + " of it reasoning"
}

func money(s *screen.State, cost *float64) string {
	text := chrome.Cost(s.Session.Route, cost)
	if text == "?" {
		return "? (a price is not known)"
	}
	return text
}

func statusBox(s *screen.State) *board.Board {
	b := board.New(s.Sheet, board.Words{Title: "Status", Max: 84, Hints: []string{"PgUp/PgDn scroll", "Esc close"}, Shares: true})
	b.Wide = true
	b.Detail = func(_, w int) []string {
		x, opts := s.Session, s.Options
		context := turn.Count(x.Context) + " tokens"
		if x.Window > 0 {
			context = fmt.Sprintf("%d%% · %s of %s tokens", 100*x.Context/x.Window, turn.Count(x.Context), turn.Count(x.Window))
		}
		model := strings.Trim(strings.Join([]string{chrome.OneLine(x.Route.Provider), chrome.ModelName(x.Route)}, "/"), "/")
		stored := map[bool]string{true: "saved", false: "nothing to save yet"}[x.Stored]
		if s.Strip.Unsaved != "" {
			stored = s.Strip.Unsaved
		}
		used := ""
		if u := x.Row.Usage; u != (engine.Usage{}) {
			used = turn.Count(u.Input+u.CacheRead+u.CacheWrite) + " sent, " + turn.Count(u.Output) + " received"
		}
		return board.Pairs(b.Sheet(), [][2]string{{"Session", x.Row.ID}, {"Title", x.Row.Title}, {"Directory", s.HomePath(opts.Dir)}, {"Model", model}, {"Effort", x.Route.Effort},
			{"Server", x.Route.BaseURL}, {"Mode", x.Mode}, {"Context", context}, {"Tokens", used}, {"Cost", money(s, x.Cost)}, {"Turns", fmt.Sprint(x.Row.Turns)},
			{"Files", files(s, x.Row.Changed)}, {"Lineage", lineage(x.Row)},
			{"Background", plural(len(x.Background), "process", "processes")}, {"Stored", stored}, {"Theme", s.Sheet.Theme.Name}, {"Version", "talaria " + opts.Version}}, w)
	}
	return b
}

// files are the changed ones, the first of them by name.
func files(s *screen.State, changed []string) string {
	const named = 3
	var names []string
	for _, path := range changed[:min(named, len(changed))] {
		if rest, ok := strings.CutPrefix(path, s.Options.Dir+"/"); ok {
			path = rest
		}
		names = append(names, s.HomePath(path))
	}
	switch more := len(changed) - named; {
	case len(changed) == 0:
		return ""
	case more > 0:
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return plural(len(changed), "changed", "changed") + ": " + strings.Join(names, ", ")
}

// lineage says what a session came from.
func lineage(row engine.Session) string {
	switch {
	case row.ParentID == "":
		return ""
	case row.ParentWhy == engine.WhyFork:
		return "a copy of " + row.ParentID
	}
	return "goes on from " + row.ParentID + ", which was summarised"
}

func plural(n int, one, many string) string {
	if n == 0 {
		return ""
	}
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
