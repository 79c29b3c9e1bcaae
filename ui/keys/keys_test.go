package keys

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

func nothing() tea.Cmd { return nil }

func table() []Binding {
	return append([]Binding{
		{ID: "send", Keys: []string{"enter"}, Name: "Send", Scope: Prompt},
		{ID: "newline", Keys: []string{"shift+enter", "ctrl+j"}, Name: "New line", Scope: Prompt},
		{ID: "queue", Keys: []string{"tab"}, Name: "Queue", Scope: Running, Do: nothing},
		{ID: "sessions", Keys: []string{"ctrl+x s"}, Name: "Sessions", Do: nothing},
		{ID: "expand", Keys: []string{"ctrl+o", "ctrl+x o"}, Name: "Expand", Do: nothing},
		{ID: "editor", Keys: []string{"ctrl+g", "ctrl+x e"}, Name: "Editor", Do: nothing},
		{ID: "leader", Keys: []string{Lead}, Name: "Leader", Do: nothing},
	}, Editing()...)
}

func found(m *Map, key string) string {
	b, _ := m.Find(key)
	return b.ID
}

func TestAKeyOfTheUsersTakesTheOldOneAndSaysSo(t *testing.T) {
	m, told := New(table(), Options{Own: map[string][]string{"sessions": {"Ctrl+O", "ctrl+x z"}}})
	if found(m, "ctrl+o") != "sessions" || found(m, "ctrl+x z") != "sessions" || found(m, "ctrl+x s") != "" || found(m, "ctrl+x o") != "expand" {
		t.Errorf("ctrl+o is %q, ctrl+x z %q, ctrl+x s %q, ctrl+x o %q", found(m, "ctrl+o"), found(m, "ctrl+x z"), found(m, "ctrl+x s"), found(m, "ctrl+x o"))
	}
	if len(told) != 1 || !strings.Contains(told[0], "Ctrl+O is Sessions now; Expand keeps Ctrl+X o") {
		t.Errorf("told %q", told)
	}
}

func TestWhatNoActionMayHaveIsRefusedAndTheOldKeyStays(t *testing.T) {
	for key, why := range map[string]string{"ctrl+s": "stop their output", "q": "types a character", "ctrl+c": "belongs to the screen", "ctrl+b": "lists and terminals",
		"hyper+x": "no key is called that", "ctrl+k s": "a pair begins with the leader", "ctrl+p": "lists and terminals", "esc": "belongs to the screen"} {
		m, told := New(table(), Options{Own: map[string][]string{"sessions": {key}}})
		if len(told) != 1 || !strings.Contains(told[0], why) || found(m, "ctrl+x s") != "sessions" {
			t.Errorf("%s: told %q, ctrl+x s is %q", key, told, found(m, "ctrl+x s"))
		}
	}
	_, told := New(table(), Options{Own: map[string][]string{"fly": {"f5"}}})
	if len(told) != 1 || !strings.Contains(told[0], `no action "fly"`) {
		t.Errorf("told %q", told)
	}
	m, told := New(table(), Options{Own: map[string][]string{"editor": {"f5"}, "sessions": {"f5"}}})
	if len(told) != 1 || !strings.Contains(told[0], "given to editor already") || found(m, "f5") != "editor" || found(m, "ctrl+x s") != "sessions" {
		t.Errorf("told %q", told)
	}
}

func TestAnotherLeaderMovesEveryPair(t *testing.T) {
	m, told := New(table(), Options{Own: map[string][]string{"leader": {"ctrl+space"}, "editor": {"ctrl+space v"}}})
	if len(told) != 0 || m.Lead() != "ctrl+space" || found(m, "ctrl+space") != "leader" || found(m, "ctrl+x") != "" {
		t.Errorf("told %q, the leader is %s", told, m.Lead())
	}
	if b, _ := m.Pair("v"); b.ID != "editor" {
		t.Errorf("the pair leads to %q", b.ID)
	}
	if got := m.Hint("sessions"); got != "Ctrl+Space s" {
		t.Errorf("the hint is %q", got)
	}
}

func TestTheEditorGetsTheKeyItKnows(t *testing.T) {
	m, _ := New(table(), Options{Own: map[string][]string{"send": {"ctrl+enter"}, "newline": {"enter"}, "line-start": {"f6"}}})
	for key, want := range map[string]string{"enter": "shift+enter", "f6": "ctrl+a", "x": "x", "ctrl+e": "ctrl+e"} {
		if got, ok := m.Edits(key); !ok || got != want {
			t.Errorf("%s becomes %q %v, want %q", key, got, ok, want)
		}
	}
	if _, ok := m.Edits("ctrl+a"); ok {
		t.Error("a key that was taken from the editor still edits")
	}
	if b := m.Prompting("ctrl+enter", false); b.ID != "send" {
		t.Errorf("ctrl+enter is %q", b.ID)
	}
}

func TestReadlineGetsItsKeysBack(t *testing.T) {
	m, told := New(table(), Options{Preset: "readline"})
	if len(told) > 0 || found(m, "ctrl+o") != "" || found(m, "ctrl+g") != "" || found(m, "ctrl+x o") != "expand" || found(m, "ctrl+x ctrl+e") != "editor" {
		t.Errorf("told %q", told)
	}
}

func TestHintsNameWhatWorksHere(t *testing.T) {
	m, _ := New(table(), Options{Inside: "zellij"})
	if got := []string{m.Hint("editor"), m.Hint("expand"), m.Hint("newline")}; !slices.Equal(got, []string{"Ctrl+X e", "Ctrl+X o", "Ctrl+J"}) {
		t.Errorf("in zellij, without kitty keys: %q", got)
	}
	m.Tell(true)
	if got := m.Hint("newline"); got != "Shift+Enter" {
		t.Errorf("with kitty keys: %q", got)
	}
}

func TestLintFindsWhatItIsFor(t *testing.T) {
	if faults := Lint(table()); len(faults) > 0 {
		t.Errorf("the table is clean, but %q", faults)
	}
	for want, b := range map[string]Binding{
		"both":        {ID: "a", Keys: []string{"ctrl+o"}, Name: "A"},
		"twice":       {ID: "send", Keys: []string{"f9"}, Name: "A"},
		"stop their":  {ID: "a", Keys: []string{"ctrl+s"}, Name: "A"},
		"only Alt":    {ID: "a", Keys: []string{"alt+q"}, Name: "A"},
		"for history": {ID: "a", Keys: []string{"ctrl+p"}, Name: "A", Scope: Prompt},
		"no name":     {ID: "a"},
	} {
		if faults := strings.Join(Lint(append(table(), b)), "; "); !strings.Contains(faults, want) {
			t.Errorf("want %q, got %q", want, faults)
		}
	}
}

func TestKeysAreReadAsPeopleWriteThem(t *testing.T) {
	for text, want := range map[string]string{"Ctrl+X M": "ctrl+x M", "control+x": "ctrl+x", "PageUp": "pgup", "Shift+Ctrl+F5": "ctrl+shift+f5", "ctrl++": "ctrl++", "ALT+Q": "alt+q", "é": "é"} {
		if got, ok := Parse(text); !ok || got != want {
			t.Errorf("%q is %q %v, want %q", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "ctrl+", "foo", "ctrl+foo", "\x1b", "ctrl+x foo"} {
		if got, ok := Parse(text); ok {
			t.Errorf("%q is %q", text, got)
		}
	}
	for _, stroke := range []string{"ctrl+a", "shift+tab", "enter", "f5", "alt+enter", "x", "ctrl+shift+left"} {
		if got := Press(stroke).String(); got != stroke {
			t.Errorf("%s is pressed as %s", stroke, got)
		}
	}
}
