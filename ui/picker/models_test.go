package picker

import (
	"context"
	"errors"
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

func models(t *testing.T) *Models {
	facts := func(provider, model string) (int, string) {
		if provider == "anthropic" {
			return 200_000, "$3/$15"
		}
		return 0, "?"
	}
	deps := ModelsWith(t.Context(), world{}, facts, func(m Model) tea.Cmd { return func() tea.Msg { return chosen(m) } })
	deps.Current, deps.Context = "anthropic/opus-4.5", 76_400
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
