package picker

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/style"
)

// Model is one row of the model picker. Ref is what Switch takes (provider/model). Note is words. A model that is not
// Ready needs a key first. Connection is where it was found, if it was. Effort is what it is chosen with, "" for its own.
type Model struct {
	Ref, Name, Provider, Group string
	Card
	Note, Effort string
	Ready, Local bool
	Connection   *engine.Connection
	Place        int // of its connection among all: answers come in any order, and the list does not change with it
}

// Card is what the catalogue knows of a model: its window in tokens and its prices in US dollars for a million tokens in
// and out, each 0 when unknown, and what it can do. Known is false for a name that the catalogue does not have.
type Card struct {
	Window                  int
	In, Out                 float64
	Images, Tools, Thinking bool
	Known                   bool
}

// price is what a million tokens in and out cost, in words.
func (m Model) price() string {
	switch {
	case m.Local:
		return "free"
	case m.In == 0 && m.Out == 0:
		return "?"
	}
	return fmt.Sprintf("$%s/$%s", dollars(m.In), dollars(m.Out))
}

// dollars writes a price in at most four signs: 15, 1.75, 0.44.
func dollars(v float64) string {
	return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
}

// Shelf keeps which models the user starred, by Ref, between runs. Its methods read and write a file.
type Shelf interface {
	Starred() ([]string, error)
	Star(ref string, on bool) error
}

// ModelDeps is what the model picker can do. List brings one or more ModelsLoaded. Current is the Ref in use, Recent are
// those that were, newest first; Context is the tokens that a switch sends again. Effort is in use, Efforts are those
// there are. Choose takes what was chosen; a model that is not ready wants a key there. Settle makes it the one of new
// sessions. Shelf may be nil: nothing can be starred.
type ModelDeps struct {
	Current string
	Recent  []string
	Context int
	Effort  string
	Efforts []string
	List    func() tea.Cmd
	Choose  func(Model) tea.Cmd
	Settle  func(Model) tea.Cmd
	Shelf   Shelf
}

// ModelsLoaded brings models; they are added to those that came before. Err says that From could not be asked.
type ModelsLoaded struct {
	From   string
	Models []Model
	Err    error
}

// Starred brings what the user starred, or says that starring could not be kept.
type Starred struct {
	Refs []string
	Err  error
}

// ModelFacts says what the catalogue knows of a model.
type ModelFacts func(provider, model string) Card

// ModelsWith makes the commands out of the connections. Each server that is ready is asked by a command of its own, so
// that a slow one holds nobody up. Facts may be nil.
func ModelsWith(ctx context.Context, c engine.Connections, facts ModelFacts, choose func(Model) tea.Cmd) ModelDeps {
	ask := func(place int, one engine.Connection) tea.Cmd {
		return func() tea.Msg {
			names, err := one.Models, error(nil)
			if len(names) == 0 && one.Ready {
				names, err = c.Models(ctx, one, "")
			}
			if m := one.Route.Model; m != "" && !slices.Contains(names, m) {
				names = append([]string{m}, names...)
			}
			models := modelsOf(one, names, facts)
			for i := range models {
				models[i].Place = place
			}
			return ModelsLoaded{one.Name, models, err}
		}
	}
	list := func() tea.Cmd {
		var cmds []tea.Cmd
		for i, one := range c.Known() {
			cmds = append(cmds, ask(i, one))
		}
		first := len(cmds)
		local := func() tea.Msg {
			var all []tea.Cmd
			for i, one := range c.Local(ctx) {
				all = append(all, ask(first+i, one))
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
		m := Model{Ref: c.Route.Provider + "/" + n, Name: n, Provider: c.Route.Provider, Group: group, Ready: c.Ready, Local: c.Local, Connection: &c}
		if facts != nil {
			m.Card = facts(c.Route.Provider, n)
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
	sheet   style.Sheet
	deps    ModelDeps
	list    list[Model]
	failed  []string
	starred []string
	said    string // what Tab came to
	near    int    // how many of the list stand in the group of the recent ones
	page    int
	asked   bool
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
func (m *Models) Init() tea.Cmd {
	shelf := m.deps.Shelf
	if shelf == nil {
		return m.deps.List()
	}
	return tea.Batch(m.deps.List(), func() tea.Msg {
		refs, err := shelf.Starred()
		return Starred{refs, err}
	})
}

// Update takes keys, and the models as they come.
func (m *Models) Update(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case ModelsLoaded:
		m.add(msg)
		return nil, false
	case Starred:
		m.starred = msg.Refs
		if msg.Err != nil {
			m.failed = append(m.failed, "favourites: "+oneLine(msg.Err.Error()))
		}
		m.group()
		return nil, false
	case tea.KeyPressMsg:
		if cmd, closed, taken := m.key(msg); taken {
			return cmd, closed
		}
	}
	m.list.update(msg, m.page)
	return nil, false
}

// key takes the keys that are not of the list or its filter.
func (m *Models) key(k tea.KeyPressMsg) (cmd tea.Cmd, closed, taken bool) {
	m.said = ""
	switch stroke := k.Keystroke(); stroke {
	case "esc":
		if m.list.filter.Value() == "" {
			return nil, true, true
		}
		m.list.filter.Set("")
		m.list.apply()
		return nil, false, true
	case "enter":
		if one, ok := m.chosen(); ok {
			return m.deps.Choose(one), true, true
		}
		return nil, false, true
	case "left", "right":
		m.turn(stroke == "right")
		return nil, false, true
	case "tab":
		one, ok := m.chosen()
		if !ok || m.deps.Settle == nil || one.Connection == nil || !one.Ready {
			m.said = "This one cannot be the default before it can be used."
			return nil, false, true
		}
		m.said = one.Name + " is the default for new sessions from now on."
		return m.deps.Settle(one), false, true
	}
	if k.Text == "*" && m.deps.Shelf != nil {
		return m.star(), false, true
	}
	if n := int(k.Code - '0'); m.list.filter.Value() == "" && len(k.Text) == 1 && n >= 1 && n <= 9 {
		if row := n - 1; row < len(m.list.shown) {
			m.list.at = row
			one, _ := m.chosen()
			return m.deps.Choose(one), true, true
		}
		return nil, false, true
	}
	return nil, false, false
}

// turn changes the effort; left of the first is the model's own.
func (m *Models) turn(up bool) {
	at := slices.Index(m.deps.Efforts, m.deps.Effort)
	if up {
		at = min(at+1, len(m.deps.Efforts)-1)
	} else {
		at--
	}
	m.deps.Effort = ""
	if at >= 0 {
		m.deps.Effort = m.deps.Efforts[at]
	}
}

// star marks the model in use as a favourite, or takes the mark away.
func (m *Models) star() tea.Cmd {
	one, ok := m.list.current()
	if !ok {
		return nil
	}
	on, shelf := !slices.Contains(m.starred, one.Ref), m.deps.Shelf
	return func() tea.Msg {
		err := shelf.Star(one.Ref, on)
		refs, read := shelf.Starred()
		return Starred{refs, cmp.Or(err, read)}
	}
}

// chosen is the row in use; when nothing fits, what is typed.
func (m *Models) chosen() (Model, bool) {
	if one, ok := m.list.current(); ok {
		one.Effort = m.deps.Effort
		return one, true
	}
	ref := strings.TrimSpace(m.list.filter.Value())
	return Model{Ref: ref, Name: ref, Ready: true, Effort: m.deps.Effort}, ref != ""
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
	first := len(m.list.all) == 0
	m.list.set(all, sameModel)
	m.group()
	for i, at := range m.list.shown {
		if first && m.list.all[at].Ref == m.deps.Current {
			m.list.at = i
		}
	}
}

func sameModel(a, b Model) bool { return a.Ref == b.Ref }

// recent is the group of what was used or starred.
const recent = "Recent"

// maxRecent is how many of the models that were used stand above the others.
const maxRecent = 5

// group sorts the list by its groups: what was used or starred, what is ready, what needs a key.
func (m *Models) group() {
	all := slices.Clone(m.list.all)
	near := slices.Concat([]string{m.deps.Current}, m.starred, m.deps.Recent[:min(maxRecent, len(m.deps.Recent))])
	rank := func(one Model) int {
		if i := slices.Index(near, one.Ref); i >= 0 && one.Ready {
			return i
		}
		return len(near)
	}
	order := map[string]int{} // by the first of its connections, what needs a key last
	for _, one := range all {
		place := one.Place
		if !one.Ready {
			place += 1000
		}
		if at, ok := order[one.Group]; rank(one) == len(near) && (!ok || place < at) {
			order[one.Group] = place
		}
	}
	slices.SortStableFunc(all, func(a, b Model) int {
		if x := cmp.Compare(rank(a), rank(b)); x != 0 {
			return x
		}
		return cmp.Or(cmp.Compare(order[a.Group], order[b.Group]), cmp.Compare(a.Place, b.Place))
	})
	m.near = 0
	for m.near < len(all) && rank(all[m.near]) < len(near) {
		m.near++
	}
	m.list.set(all, sameModel)
}
