package picker

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/dialog"
	"talaria/ui/style"
)

// Model is one row of the model picker. Ref is what Switch takes (provider/model). Window is in tokens, 0 when unknown;
// Price and Note are words. A model that is not Ready needs a key first. Connection is where it was found, if it was.
type Model struct {
	Ref, Name, Provider, Group string
	Window                     int
	Price, Note                string
	Ready                      bool
	Connection                 *engine.Connection
}

// ModelDeps is what the model picker can do. List brings one or more ModelsLoaded. Current is the Ref in use, Context
// the tokens that a switch sends again. Choose takes what was chosen; a model that is not ready wants a key there.
type ModelDeps struct {
	Current string
	Context int
	List    func() tea.Cmd
	Choose  func(Model) tea.Cmd
}

// ModelsLoaded brings models; they are added to those that came before. Err says that From could not be asked.
type ModelsLoaded struct {
	From   string
	Models []Model
	Err    error
}

// ModelFacts says what the catalogue knows of a model: its window in tokens, 0 when unknown, and its price in words.
type ModelFacts func(provider, model string) (window int, price string)

// ModelsWith makes the commands out of the connections. Each server that is ready is asked by a command of its own, so
// that a slow one holds nobody up. Facts may be nil.
func ModelsWith(ctx context.Context, c engine.Connections, facts ModelFacts, choose func(Model) tea.Cmd) ModelDeps {
	ask := func(one engine.Connection) tea.Cmd {
		return func() tea.Msg {
			names, err := one.Models, error(nil)
			if len(names) == 0 && one.Ready {
				names, err = c.Models(ctx, one, "")
			}
			if m := one.Route.Model; m != "" && !slices.Contains(names, m) {
				names = append([]string{m}, names...)
			}
			return ModelsLoaded{one.Name, modelsOf(one, names, facts), err}
		}
	}
	list := func() tea.Cmd {
		var cmds []tea.Cmd
		for _, one := range c.Known() {
			cmds = append(cmds, ask(one))
		}
		local := func() tea.Msg {
			var all []tea.Cmd
			for _, one := range c.Local(ctx) {
				all = append(all, ask(one))
			}
			return tea.BatchMsg(all)
		}
		return tea.Batch(append(cmds, local)...)
	}
	return ModelDeps{List: list, Choose: choose}
}

func modelsOf(c engine.Connection, names []string, facts ModelFacts) []Model {
	group := c.Name
	switch {
	case !c.Ready:
		group = "Needs a key"
	case c.Local:
		group += " · local"
	}
	var out []Model
	for _, n := range names {
		m := Model{Ref: c.Route.Provider + "/" + n, Name: n, Provider: c.Route.Provider, Group: group, Ready: c.Ready, Connection: &c}
		if facts != nil {
			m.Window, m.Price = facts(c.Route.Provider, n)
		}
		if c.Local {
			m.Price = "free"
		}
		if !c.Ready {
			m.Note = "Enter adds a key"
		}
		out = append(out, m)
	}
	return out
}

// Models is the picker of models.
type Models struct {
	sheet  style.Sheet
	deps   ModelDeps
	list   list[Model]
	failed []string
	page   int
	asked  bool
}

// NewModels returns the picker; the owner runs Init.
func NewModels(sheet style.Sheet, deps ModelDeps) *Models {
	m := &Models{sheet: sheet, deps: deps}
	m.list.text = func(m Model) string { return m.Name + " " + m.Provider + " " + m.Ref }
	return m
}

// SetSheet changes the theme or the glyphs.
func (m *Models) SetSheet(s style.Sheet) { m.sheet = s }

// Init asks for the models.
func (m *Models) Init() tea.Cmd { return m.deps.List() }

// Update takes keys, and the models as they come.
func (m *Models) Update(msg tea.Msg) (tea.Cmd, bool) {
	if more, ok := msg.(ModelsLoaded); ok {
		m.add(more)
		return nil, false
	}
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.Keystroke() {
		case "esc":
			if m.list.filter.Value() == "" {
				return nil, true
			}
			m.list.filter.Set("")
			m.list.apply()
			return nil, false
		case "enter":
			if one, ok := m.chosen(); ok {
				return m.deps.Choose(one), true
			}
			return nil, false
		}
		if n := int(k.Code - '0'); m.list.filter.Value() == "" && len(k.Text) == 1 && n >= 1 && n <= 9 {
			if row := n - 1; row < len(m.list.shown) {
				m.list.at = row
				return m.deps.Choose(m.list.all[m.list.shown[row]]), true
			}
			return nil, false
		}
	}
	m.list.update(msg, m.page)
	return nil, false
}

// chosen is the row in use; when nothing fits, what is typed.
func (m *Models) chosen() (Model, bool) {
	if one, ok := m.list.current(); ok {
		return one, true
	}
	ref := strings.TrimSpace(m.list.filter.Value())
	return Model{Ref: ref, Name: ref, Ready: true}, ref != ""
}

// add puts models into their groups: what is ready before what needs a key, groups in the order in which they came.
func (m *Models) add(more ModelsLoaded) {
	m.asked = true
	if more.Err != nil {
		m.failed = append(m.failed, oneLine(more.From)+": "+oneLine(engine.AsError(more.Err).Message))
	}
	all := slices.Clone(m.list.all)
	for _, one := range more.Models {
		at := slices.IndexFunc(all, func(have Model) bool { return have.Ref == one.Ref })
		if at < 0 {
			all = append(all, one)
		} else if !all[at].Ready {
			all[at] = one
		}
	}
	order := map[string]int{}
	for _, one := range all {
		if _, ok := order[one.Group]; !ok {
			order[one.Group] = len(order)
			if !one.Ready {
				order[one.Group] += 1000
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Model) int { return cmp.Compare(order[a.Group], order[b.Group]) })
	first := len(m.list.all) == 0
	m.list.set(all, func(a, b Model) bool { return a.Ref == b.Ref })
	for i, at := range m.list.shown {
		if first && all[at].Ref == m.deps.Current {
			m.list.at = i
		}
	}
}

// View draws the list in its groups; while a filter is typed the best fit is first and there are no groups.
func (m *Models) View(w, h int) (string, *tea.Cursor) {
	s := m.sheet
	f := dialog.Frame{Sheet: s, Title: "Model", Max: 90, Fill: h < 24 || w < dialog.Narrow,
		Hints: []string{"Enter use", "type to filter or name any provider/model", "Esc back"}}
	inner := f.Inner(w)
	label := "Search  "
	if w < dialog.Narrow {
		label = " / "
	}
	text, x := m.list.filter.View(s, max(1, inner-len(label)))
	p := dialog.Page{Head: []string{s.Ink(themes.FgMuted, label) + text, dialog.RuleLine}, Row: 0, Col: len(label) + x, OnHead: true}
	var tail []string
	if m.deps.Context > 0 {
		words := "Switching re-sends %s tokens of context uncached."
		if w < dialog.Narrow {
			words = "Switching re-sends %s tokens."
		}
		tail = append(tail, s.Ink(themes.FgMuted, fmt.Sprintf(words, tokens(m.deps.Context))))
	}
	for _, problem := range m.failed {
		tail = append(tail, s.Ink(themes.Warning, s.Glyphs.Warning+" "+problem))
	}
	if len(tail) > 0 {
		tail = append([]string{dialog.RuleLine}, tail[:min(len(tail), 3)]...)
	}
	room := max(1, min(h-4-len(tail), 22))
	if w < dialog.Narrow {
		room = max(1, h-3-len(tail))
	}
	p.Foot = m.rows(inner, room)
	for len(p.Foot) < min(room, m.lines()) { // the box keeps its height while a filter narrows the list
		p.Foot = append(p.Foot, "")
	}
	p.Keep = len(p.Foot)
	p.Foot = append(p.Foot, tail...)
	return f.Draw(w, h, p)
}

// lines counts those of the whole list, groups' names included.
func (m *Models) lines() int {
	groups := map[string]bool{}
	for _, one := range m.list.all {
		groups[one.Group] = true
	}
	return len(m.list.all) + len(groups)
}

// rows draws n lines: groups' names and models, the one in use among them.
func (m *Models) rows(w, n int) []string {
	s := m.sheet
	m.page = max(1, n-2)
	if len(m.list.shown) == 0 {
		typed := strings.TrimSpace(m.list.filter.Value())
		switch {
		case typed != "":
			return []string{s.Ink(themes.FgMuted, "Nothing matches. Enter uses '"+oneLine(typed)+"' as it is.")}
		case !m.asked:
			return []string{s.Ink(themes.FgMuted, dialog.Plain(s, "Asking what there is…"))}
		}
		return []string{s.Ink(themes.FgMuted, "No models were found. /connect adds a provider.")}
	}
	var lines []string
	focus, group := 0, ""
	for i, at := range m.list.shown {
		one := m.list.all[at]
		if m.list.filter.Value() == "" && one.Group != group {
			group = one.Group
			lines = append(lines, s.Ink(themes.FgMuted, dialog.Plain(s, oneLine(group))))
		}
		if i == m.list.at {
			focus = len(lines)
		}
		lines = append(lines, m.row(one, i == m.list.at, w))
	}
	from := max(focus-n+1, min(m.list.top, max(0, focus-1)))
	from = max(0, min(from, len(lines)-n))
	m.list.top = from
	return lines[from:min(from+n, len(lines))]
}

func (m *Models) row(one Model, focus bool, w int) string {
	s := m.sheet
	sign, look := "  ", style.Look{Fg: themes.Fg}
	if focus {
		sign, look = s.Glyphs.Focus+" ", style.Look{Fg: themes.Fg, Bg: themes.RowSel, Bold: true}
	} else if !one.Ready {
		look.Fg = themes.FgMuted
	}
	window := ""
	if one.Window > 0 {
		window = tokens(one.Window)
	}
	note := oneLine(one.Note)
	if one.Ref == m.deps.Current {
		note = s.Glyphs.Current + " current"
	}
	var row string
	if w < dialog.Narrow-4 {
		width := max(4, w-18)
		row = sign + style.PadRight(s.Truncate(oneLine(one.Name), width), width) + fmt.Sprintf(" %6s %8s", window, one.Price)
	} else {
		width := max(20, min(36, w-50))
		row = sign + style.PadRight(s.Truncate(oneLine(one.Name), width), width) + " " +
			style.PadRight(s.Truncate(oneLine(one.Provider), 11), 11) + fmt.Sprintf(" %6s %9s   %s", window, one.Price, note)
	}
	return s.Paint(look, style.PadRight(s.Truncate(row, w), w))
}

// tokens writes a number of tokens: 900, 128k, 1M.
func tokens(n int) string {
	switch {
	case n >= 1_000_000:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/1e6), ".0") + "M"
	case n >= 1000:
		return fmt.Sprintf("%dk", n/1000)
	}
	return fmt.Sprint(n)
}

// Keys lists what can be pressed.
func (m *Models) Keys() []dialog.Binding {
	return []dialog.Binding{{Keys: []string{"enter"}, Name: "use"}, {Keys: []string{"esc"}, Name: "back"}}
}
