package picker

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"talaria/engine"
)

// world is a fake of the engine's connections.
type world struct{ engine.Connections }

func (world) Known() []engine.Connection {
	return []engine.Connection{
		{Name: "Anthropic", Ready: true, Route: engine.Route{Provider: "anthropic", Model: "sonnet-4.5"}},
		{Name: "Google Gemini", Route: engine.Route{Provider: "gemini", Model: "gemini-3-pro"}},
		{Name: "OpenRouter", Ready: true, Route: engine.Route{Provider: "openrouter", Model: "x/y"}}}
}

func (world) Local(context.Context) []engine.Connection {
	return []engine.Connection{{Name: "Ollama", Ready: true, Local: true, Models: []string{"qwen3-coder:30b", "llama3.3:70b"}, Route: engine.Route{Provider: "ollama"}}}
}

func (world) Models(_ context.Context, c engine.Connection, _ string) ([]string, error) {
	if c.Name == "OpenRouter" {
		return nil, errors.New("no answer within 5 s")
	}
	return []string{"sonnet-4.5", "opus-4.5", "haiku-4.5"}, nil
}

type chosen Model

type settled Model

// stars keeps favourites in the test.
type stars struct{ refs []string }

func (s *stars) Starred() ([]string, error) { return slices.Clone(s.refs), nil }

func (s *stars) Star(ref string, on bool) error {
	s.refs = slices.DeleteFunc(s.refs, func(r string) bool { return r == ref })
	if on {
		s.refs = append(s.refs, ref)
	}
	return nil
}

func TestAModelIsStarredAndStandsAboveTheOthers(t *testing.T) {
	m := models(t)
	for _, one := range "haiku" {
		m.Update(tea.KeyPressMsg{Code: one, Text: string(one)})
	}
	cmd, _ := m.Update(tea.KeyPressMsg{Code: '*', Text: "*"})
	m.Update(cmd())
	m.Update(tea.KeyPressMsg{Code: tea.KeyEscape})
	text, _ := m.View(100, 40)
	lines := strings.Split(ansi.Strip(text), "\n")
	at := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "Recent") })
	if at < 0 || !strings.Contains(lines[at+1], "opus-4.5") || !strings.Contains(lines[at+2], "haiku-4.5") || !strings.Contains(lines[at+2], "★") || !strings.Contains(lines[at+3], "qwen3") {
		t.Errorf("got\n%s", strings.Join(lines, "\n"))
	}
	if strings.Count(ansi.Strip(text), "haiku-4.5") != 1 {
		t.Error("it stands in two groups")
	}
	cmd, _ = m.Update(tea.KeyPressMsg{Code: '*', Text: "*"}) // it is still in use
	m.Update(cmd())
	if got := m.deps.Shelf.(*stars).refs; len(got) != 1 {
		t.Errorf("starred: %v", got)
	}
}

func TestTheEffortIsChosenWithTheModelAndTabMakesTheDefault(t *testing.T) {
	m := models(t)
	m.Update(tea.KeyPressMsg{Code: tea.KeyLeft})
	m.Update(tea.KeyPressMsg{Code: tea.KeyDown})
	cmd, closed := m.Update(tea.KeyPressMsg{Code: tea.KeyTab})
	if one, ok := cmd().(settled); closed || !ok || one.Effort != "medium" || one.Name != "qwen3-coder:30b" {
		t.Errorf("closed %v, %+v", closed, one)
	}
	text, _ := m.View(100, 40)
	if got := ansi.Strip(text); !strings.Contains(got, "[med]") || !strings.Contains(got, "qwen3-coder:30b is the default") {
		t.Errorf("got\n%s", got)
	}
	for range 9 {
		m.Update(tea.KeyPressMsg{Code: tea.KeyLeft})
	}
	cmd, _ = m.Update(tea.KeyPressMsg{Code: tea.KeyEnter})
	if one := cmd().(chosen); one.Effort != "" || one.Connection == nil {
		t.Errorf("%+v", one)
	}
	m = models(t)
	m.Update(tea.KeyPressMsg{Code: tea.KeyEnd})
	for range 20 {
		m.Update(tea.KeyPressMsg{Code: tea.KeyDown})
	}
	if cmd, _ := m.Update(tea.KeyPressMsg{Code: tea.KeyTab}); cmd != nil { // it needs a key
		t.Error("a model that cannot be used is the default")
	}
}

func models(t *testing.T) *Models {
	facts := func(provider, model string) Card {
		if provider == "anthropic" {
			return Card{Window: 200_000, In: 3, Out: 15, Images: true, Tools: true, Thinking: true, Known: true}
		}
		return Card{}
	}
	deps := ModelsWith(t.Context(), world{}, facts, func(m Model) tea.Cmd { return func() tea.Msg { return chosen(m) } })
	deps.Current, deps.Context = "anthropic/opus-4.5", 76_400
	deps.Recent = []string{"ollama/qwen3-coder:30b", "gone/away"}
	deps.Effort, deps.Efforts = "high", []string{"off", "minimal", "low", "medium", "high", "xhigh", "max"}
	deps.Shelf = &stars{refs: []string{"anthropic/opus-4.5"}}
	deps.Settle = func(m Model) tea.Cmd { return func() tea.Msg { return settled(m) } }
	m := NewModels(sheet(t), deps)
	feed(m, m.Init())
	return m
}

func feed(m *Models, cmd tea.Cmd) {
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, one := range msg {
			feed(m, one)
		}
	default:
		m.Update(msg)
	}
}

func TestModelsComeFromEveryConnection(t *testing.T) {
	s := show(models(t), 100, 30)
	for _, want := range []string{"opus-4.5", "★ current", "Ollama · local", "qwen3-coder:30b", "free", "Needs a key", "Enter adds a key", "OpenRouter: no answer within 5 s", "76k tokens"} {
		if !strings.Contains(s, want) {
			t.Errorf("%q is missing in\n%s", want, s)
		}
	}
	if strings.Index(s, "Needs a key") < strings.Index(s, "Ollama") {
		t.Error("what needs a key comes before what is ready")
	}
}

func TestTheModelInUseIsUnderTheCursorAndEnterChooses(t *testing.T) {
	m := models(t)
	if cmd, closed := press(m, "enter"); !closed || cmd().(chosen).Ref != "anthropic/opus-4.5" {
		t.Fatal("not the model in use")
	}
	write(m, "llama")
	if cmd, _ := press(m, "enter"); cmd().(chosen).Ref != "ollama/llama3.3:70b" {
		t.Fatal("not the model that was typed")
	}
}

func TestANameThatIsNotListedIsTakenAsTyped(t *testing.T) {
	m := models(t)
	m.Update(tea.PasteMsg{Content: "openai/gpt-99:high"})
	if s := show(m, 80, 20); !strings.Contains(s, "Enter uses 'openai/gpt-99:high' as it is.") {
		t.Fatal(s)
	}
	if cmd, closed := press(m, "enter"); !closed || cmd().(chosen).Ref != "openai/gpt-99:high" {
		t.Fatal("it was not taken")
	}
}

func TestMenuFiltersMovesAndTellsWhyNot(t *testing.T) {
	var items []Item
	for _, n := range []string{"/new", "/sessions", "/model", "/mode", "/memory", "/help", "/quit", "/undo", "/compact", "/diff"} {
		items = append(items, Item{Name: n, Help: "does " + n})
	}
	items[2].Why = "a turn is running"
	m := NewMenu(sheet(t), items)
	if rows := m.View(60, 20); len(rows) != MenuRows {
		t.Fatalf("%d rows", len(rows))
	}
	m.Filter("/mo")
	if got := ansi.Strip(strings.Join(m.View(60, 20), "\n")); !strings.Contains(got, "a turn is running") || m.Len() != 3 {
		t.Fatal(got)
	}
	if one, ok := m.Selected(); !ok || one.Name != "/model" {
		t.Fatalf("%+v", one)
	}
	m.Move(-2)
	if one, _ := m.Selected(); one.Name != "/mode" {
		t.Fatalf("%+v", one)
	}
	m.Filter("/modle")
	if _, ok := m.Selected(); ok {
		t.Fatal("a typo fits nothing")
	}
	m.Filter("/cmpct")
	if one, ok := m.Selected(); !ok || one.Name != "/compact" {
		t.Fatalf("%+v", one)
	}
}

// Servers answer when they please: the list is the same in any order of their answers.
func TestTheListOfModelsDoesNotDependOnWhoAnswersFirst(t *testing.T) {
	var answers []tea.Msg
	var collect func(msg tea.Msg)
	collect = func(msg tea.Msg) {
		if batch, ok := msg.(tea.BatchMsg); ok {
			for _, cmd := range batch {
				collect(cmd())
			}
			return
		}
		answers = append(answers, msg)
	}
	deps := ModelsWith(t.Context(), world{}, nil, nil)
	collect(deps.List()())
	want := ""
	for turn := range len(answers) {
		m := NewModels(sheet(t), deps)
		for i := range answers {
			m.Update(answers[(i+turn)%len(answers)])
		}
		text, _ := m.View(100, 30)
		if rows := strings.ReplaceAll(ansi.Strip(text), "▸", " "); turn == 0 { // the cursor stays where it was
			want = rows
		} else if rows != want {
			t.Errorf("%d answers came first:\n%s\nwant\n%s", turn, rows, want)
		}
	}
	if !strings.Contains(want, "sonnet-4.5") || !strings.Contains(want, "qwen3-coder:30b") {
		t.Errorf("%s", want)
	}
}
