package ui

import (
	"fmt"
	"strings"

	"talaria/themes"
	"talaria/ui/style"
)

// statusRow is the last line: on the left what happens, on the right mode, context, cost and the one key that matters
// now (UX 4.5). Cells are dropped in a fixed order as the width shrinks; state, mode, context and key never are.
func (m *Model) statusRow() string {
	left, right := m.leftCells(), m.rightCells()
	for width(left)+width(right)+3 > m.w && len(left) > 1 {
		left = left[:len(left)-1]
	}
	r := m.paintRight(right)
	room := m.w - style.Width(r) - 2
	l := m.sheet.Truncate(strings.Join(left, " · "), max(0, room))
	return " " + m.sheet.Ink(m.stateRole(), l) + style.Blank(m.w-1-style.Width(l)-style.Width(r)) + r
}

func width(cells []string) int {
	n := 0
	for _, c := range cells {
		n += style.Width(c) + 3
	}
	return n
}

// leftCells are the state and live facts, most important first.
func (m *Model) leftCells() []string {
	t, g := &m.turn, m.sheet.Glyphs
	narrow := m.w < 60
	clockCell := clock(t.elapsed(m.now()))
	if why := m.press.hint(m.now()); why != "" {
		return []string{why}
	}
	if m.leaving.asked {
		return []string{"The agent is still working.  s stop and quit · Esc stay"}
	}
	switch t.state {
	case stateReady:
		if m.setup() {
			return []string{"Setup 1/2"}
		}
		return []string{"Ready"}
	case stateSending:
		if narrow {
			return []string{g.Running + " " + clockCell}
		}
		return []string{g.Running + " Waiting for " + m.modelName(), clockCell}
	case stateThinking, stateWriting:
		return m.flowCells(clockCell, narrow)
	case stateTools:
		return append([]string{m.toolsCell(narrow)}, clockCell)
	case stateNeedsYou:
		return []string{m.needsCell(), "waiting " + clock(m.now().Sub(t.asked)), "clock stopped"}
	case stateStopping:
		return []string{m.stoppingCell()}
	case stateRetrying:
		wait := max(0, t.retry.until.Sub(m.now()))
		return []string{g.Warning + " Retrying in " + clock(wait), fmt.Sprintf("%s, attempt %d of %d", strings.ReplaceAll(t.retry.reason, "_", " "), t.retry.try, t.retry.of), "Enter now"}
	case stateStopped:
		cells := []string{g.Stopped + " Stopped", "after " + clock(t.took)}
		if t.partial {
			cells = append(cells, "partial answer kept")
		}
		return cells
	case stateFailed:
		return []string{g.Failed + " Failed", "the reason is above"}
	}
	return nil
}

func (m *Model) flowCells(clockCell string, narrow bool) []string {
	verb := "Writing"
	if m.turn.state == stateThinking {
		verb = "Thinking"
	}
	if narrow {
		return []string{m.sheet.Glyphs.Running + " " + clockCell}
	}
	cells := []string{m.sheet.Glyphs.Running + " " + verb, clockCell}
	if u := m.turn.usage; u.Input+u.Output > 0 && m.w >= 110 {
		cells = append(cells, "↑"+count(u.Input)+" ↓"+count(u.Output))
	}
	if m.turn.rate.value > 0 {
		cells = append(cells, fmt.Sprintf("%.0f tok/s", m.turn.rate.value))
	}
	return cells
}

func (m *Model) toolsCell(narrow bool) string {
	g := m.sheet.Glyphs.Running
	if n := len(m.turn.tools); n > 1 {
		if narrow {
			return fmt.Sprintf("%s %d tools", g, n)
		}
		return fmt.Sprintf("%s Running %d tools", g, n)
	}
	r, _ := m.turn.slowest()
	if narrow {
		return g + " " + action(r.line)
	}
	return g + " Running " + action(r.line)
}

// action is the line of a tool as the status bar says it: a command without its prompt sign.
func action(line string) string { return style.Safe(strings.TrimPrefix(line, "$ ")) }

func (m *Model) stoppingCell() string {
	r, ok := m.turn.slowest()
	if !ok {
		return "Stopping"
	}
	return "Stopping after " + action(r.line) + ". Esc again: now"
}

func (m *Model) needsCell() string {
	if o := m.question(); o != nil && o.kind == overlayQuestion {
		return m.sheet.Glyphs.Waiting + " Question"
	}
	return m.sheet.Glyphs.Waiting + " Needs you"
}

func (m *Model) stateRole() themes.Role {
	switch m.turn.state {
	case stateNeedsYou, stateStopping, stateRetrying:
		return themes.Warning
	case stateFailed:
		return themes.Error
	case stateThinking, stateWriting, stateSending, stateTools:
		return themes.Accent
	case stateReady, stateStopped:
	}
	return themes.FgMuted
}

// rightCells are mode, context, cost and key, as they fit the width.
func (m *Model) rightCells() []string {
	key := m.bestKey()
	if m.w < 60 {
		short, _, _ := strings.Cut(key, " ")
		return []string{m.session.mode + " " + m.contextNumber() + " " + short}
	}
	context := "ctx " + m.contextNumber()
	if m.w >= 110 && m.session.window > 0 {
		context += " " + m.sheet.Meter(float64(m.session.context)/float64(m.session.window), 10)
	}
	return []string{m.session.mode, context, m.costCell(), key}
}

func (m *Model) paintRight(cells []string) string {
	var out []string
	for i, c := range cells {
		role := themes.FgMuted
		switch {
		case i == 0 && m.session.mode == "auto":
			out = append(out, m.sheet.Fg(themes.ModeDanger).Bold(true).Reverse(true).Render(strings.Replace(c, "auto", "AUTO", 1)))
			continue
		case i == 0 && m.session.mode == "plan":
			role = themes.ModePlan
		case i == 1 && m.crowded():
			role = themes.Warning
		}
		out = append(out, m.sheet.Ink(role, c))
	}
	return strings.Join(out, m.sheet.Ink(themes.FgFaint, " "+m.sheet.Glyphs.VLine+" ")) + " "
}

// crowdedAt is the share of the window from which the context cell warns (UX 4.5).
const crowdedAt = 0.8

func (m *Model) crowded() bool {
	return m.session.window > 0 && float64(m.session.context) >= crowdedAt*float64(m.session.window)
}

func (m *Model) contextNumber() string {
	if m.session.window == 0 {
		if m.session.context == 0 {
			return "0%"
		}
		return count(m.session.context)
	}
	sign := ""
	if m.crowded() {
		sign = m.sheet.Glyphs.Warning
	}
	return fmt.Sprintf("%s%d%%", sign, 100*m.session.context/m.session.window)
}

// costCell never says $0.00 for a price that is not known (UX 4.5).
func (m *Model) costCell() string {
	switch {
	case m.session.context == 0:
		return m.sheet.Glyphs.Dash
	case m.session.cost == nil && m.local():
		return "local"
	case m.session.cost == nil:
		return "?"
	}
	return fmt.Sprintf("$%.2f", *m.session.cost)
}

// local reports that the model runs on this machine, where nothing is charged.
func (m *Model) local() bool {
	b := m.session.route.BaseURL
	return m.session.route.Provider == "demo" || strings.Contains(b, "//127.") || strings.Contains(b, "//localhost") || strings.Contains(b, "//[::1]")
}

// bestKey is the one key that matters now.
func (m *Model) bestKey() string {
	switch {
	case len(m.overlays) > 0:
		return m.overlays[len(m.overlays)-1].key
	case m.turn.running:
		return "Esc stop"
	}
	return "? help"
}

func (m *Model) modelName() string {
	if m.session.route.Model == "" {
		return "no model yet"
	}
	return style.Safe(m.session.route.Model)
}
