package dialog

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"talaria/engine"
)

// server is a fake of the engine's connections.
type server struct {
	models  []string
	testErr error
	saveErr error
	tested  []string // provider/model key
	saved   []string
}

func (s *server) Known() []engine.Connection                { return connections() }
func (s *server) Local(context.Context) []engine.Connection { return []engine.Connection{ollama()} }
func (s *server) Models(context.Context, engine.Connection, string) ([]string, error) {
	return s.models, nil
}
func (s *server) Test(_ context.Context, c engine.Connection, key string) error {
	s.tested = append(s.tested, c.Route.Provider+"/"+c.Route.Model+" "+key)
	return s.testErr
}
func (s *server) Save(_ context.Context, c engine.Connection, key string) (string, error) {
	s.saved = append(s.saved, c.Route.Provider+"/"+c.Route.Model+" "+key)
	return "Saved to the keyring.", s.saveErr
}

type used struct{ engine.Connection }

func open(t *testing.T, s *server) *Connector {
	c := Connect(sheet(t), ConnectWith(t.Context(), s, func(c engine.Connection) tea.Cmd { return func() tea.Msg { return used{c} } }))
	c.Guard = Guard{}
	c.Update(c.Init()())
	return c
}

// drive presses keys and runs what they start until nothing is left; it returns the connection that was used.
func drive(c *Connector, keys ...string) (*engine.Connection, bool) {
	cmd, closed := press(c, keys...)
	for cmd != nil {
		msg := cmd()
		if u, ok := msg.(used); ok {
			return &u.Connection, closed
		}
		cmd, closed = c.Update(msg)
	}
	return nil, closed
}

func show(c *Connector) string {
	v, _ := c.View(80, 20)
	return ansi.Strip(v)
}

func TestEnterTestsSavesAndUsesWhatWasFound(t *testing.T) {
	s := &server{}
	c := open(t, s)
	u, closed := drive(c, "enter")
	if u == nil || !closed || u.Route.Model != "sonnet-4.5" || strings.Join(s.tested, ";") != "anthropic/sonnet-4.5 " || len(s.saved) != 1 || c.Note() != "Saved to the keyring." {
		t.Fatalf("used %+v, closed %v, tested %v, saved %v", u, closed, s.tested, s.saved)
	}
}

func TestALocalServerIsAppendedAndItsModelsAreOffered(t *testing.T) {
	s := &server{}
	c := open(t, s)
	if !strings.Contains(show(c), "3  Ollama") {
		t.Fatal(show(c))
	}
	if u, _ := drive(c, "3"); u != nil || !strings.Contains(show(c), "qwen3-coder:30b") {
		t.Fatal(show(c))
	}
	write(c, "llama")
	if u, _ := drive(c, "enter"); u == nil || u.Route.Model != "llama3.3:70b" {
		t.Fatalf("used %+v", u)
	}
}

func TestAProviderWithManyModelsIsAskedForThem(t *testing.T) {
	c := open(t, &server{models: []string{"a/one", "b/two"}})
	if drive(c, "2"); !strings.Contains(show(c), "b/two") {
		t.Fatal(show(c))
	}
	if u, _ := drive(c, "down", "enter"); u == nil || u.Route.Model != "b/two" {
		t.Fatalf("used %+v", u)
	}
}

func TestAPastedKeyIsNeverShownAndTellsItsProvider(t *testing.T) {
	s := &server{}
	c := open(t, s)
	press(c, "4")
	c.Update(tea.PasteMsg{Content: " gsk_secret123\n"})
	for _, size := range screens {
		v, _ := c.View(size.w, size.room)
		if strings.Contains(v, "secret") || !strings.Contains(v, "Groq") {
			t.Fatal(ansi.Strip(v))
		}
	}
	if u, _ := drive(c, "enter"); u == nil || u.Route.Provider != "groq" || s.tested[0] != "groq/llama gsk_secret123" || s.saved[0] != s.tested[0] {
		t.Fatalf("used %+v, tested %v, saved %v", u, s.tested, s.saved)
	}
}

func TestARefusedKeyIsNotSavedAndAnotherCanBePasted(t *testing.T) {
	s := &server{testErr: &engine.Error{Reason: engine.ReasonAuth, Status: 401, Message: "bad key"}}
	c := open(t, s)
	press(c, "4")
	c.Update(tea.PasteMsg{Content: "sk-wrong"})
	if u, closed := drive(c, "enter"); u != nil || closed || len(s.saved) != 0 {
		t.Fatalf("used %+v, saved %v", u, s.saved)
	}
	if text := strings.Join(strings.Fields(strings.ReplaceAll(show(c), "│", " ")), " "); !strings.Contains(text, "OpenAI did not accept this key (401). It was not saved. Paste another or press Esc.") {
		t.Fatal(text)
	}
	s.testErr = nil
	c.Update(tea.PasteMsg{Content: "sk-right"})
	if u, _ := drive(c, "enter"); u == nil || s.saved[0] != "openai/gpt-5.5 sk-right" {
		t.Fatalf("used %+v, saved %v", u, s.saved)
	}
}

func TestACustomServerNeedsAnAddress(t *testing.T) {
	s := &server{models: []string{"mine"}}
	c := open(t, s)
	press(c, "5")
	write(c, "localhost:8080")
	if drive(c, "enter"); !strings.Contains(show(c), "http://") || len(s.tested) > 0 {
		t.Fatal(show(c))
	}
	for range "localhost:8080" {
		press(c, "backspace")
	}
	write(c, "http://localhost:8080/v1")
	drive(c, "enter", "enter", "enter")
	if u, _ := drive(c, "enter"); u == nil || u.Route.BaseURL != "http://localhost:8080/v1" || u.Route.Model != "mine" {
		t.Fatalf("used %+v\n%s", u, show(c))
	}
}

func TestNothingAnswersAndSavingFails(t *testing.T) {
	s := &server{testErr: &engine.Error{Reason: engine.ReasonTimeout, Code: engine.CodeNoConnection, Message: "refused"}}
	c := open(t, s)
	if drive(c, "1"); !strings.Contains(show(c), "Nothing answers at Anthropic") {
		t.Fatal(show(c))
	}
	s.testErr, s.saveErr = nil, errors.New("disk full")
	if drive(c, "enter"); !strings.Contains(show(c), "could not be saved: disk full") {
		t.Fatal(show(c))
	}
	if _, closed := press(c, "esc"); closed || !strings.Contains(show(c), "Found on this machine") {
		t.Fatal(show(c))
	}
	if _, closed := press(c, "esc"); !closed {
		t.Fatal("Esc on the list closes")
	}
}

func TestATestThatWasGivenUpSaysNothingLater(t *testing.T) {
	s := &server{}
	c := open(t, s)
	cmd, _ := press(c, "1")
	press(c, "esc")
	if next, closed := c.Update(cmd()); next != nil || closed || len(s.saved) > 0 {
		t.Fatal("it went on")
	}
}

func TestTheDemoNeedsNoTest(t *testing.T) {
	s := &server{}
	if u, closed := drive(open(t, s), "6"); u == nil || !closed || u.Route.Provider != "demo" || len(s.tested)+len(s.saved) > 0 {
		t.Fatalf("used %+v", u)
	}
}

func TestTypingGoesToThePromptNotToTheConnectScreen(t *testing.T) {
	c := open(t, &server{})
	for _, k := range "please fix it" {
		if c.Wants(key(string(k))) {
			t.Errorf("the screen takes %q", k)
		}
	}
	if press(c, "p"); !strings.Contains(show(c), "Found on this machine") {
		t.Fatalf("a letter left the list:\n%s", show(c))
	}
	if !c.Wants(key("enter")) || !c.Wants(key("3")) || !c.Wants(tea.KeyPressMsg{Code: 'v', Mod: tea.ModCtrl}) {
		t.Fatal("the screen leaves its own keys")
	}
	if press(c, "4"); !c.Wants(key("h")) {
		t.Fatal("a form takes every key")
	}
}

func TestAPastedKeyOpensItsFormAndOtherTextDoesNot(t *testing.T) {
	for text, is := range map[string]bool{"sk-ant-abc123def456\n": true, "0f9e8d7c6b5a49382716a5b4c3d2e1f0": true, "gsk_12345678": true,
		"please fix the bug in main.go": false, "https://example.test/a/very/long/address/1": false, "sk-": false, "": false, "internationalisation-of-all": false} {
		c := open(t, &server{})
		if c.WantsPaste(text) != is {
			t.Errorf("wanted %q: %v", text, !is)
		}
		c.Update(tea.PasteMsg{Content: text})
		if got := strings.Contains(show(c), "Provider  "); got != is {
			t.Errorf("%q opens the form: %v", text, got)
		}
		if strings.Contains(show(c), "ant-abc") {
			t.Error("the key is on screen")
		}
	}
	c := open(t, &server{})
	c.Update(tea.KeyPressMsg{Code: 'v', Mod: tea.ModCtrl})
	if !c.WantsText() {
		t.Error("Ctrl+V does not open the form")
	}
}
