package dialog

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/style"
)

var update = flag.Bool("update", false, "write the golden screens anew")

func sheet(t testing.TB) style.Sheet {
	theme, err := themes.Load("dusk")
	if err != nil {
		t.Fatal(err)
	}
	return style.New(theme, false)
}

// screens are the sizes of the golden screens with the rows that title, prompt and status bar leave.
var screens = []struct{ w, h, room int }{{120, 36, 32}, {80, 24, 20}, {40, 15, 12}}

// golden compares d at every size with testdata/name_WxH.golden; the cursor is drawn as ▏.
func golden(t *testing.T, name string, d Dialog) {
	t.Helper()
	for _, s := range screens {
		d.View(s.w, s.room) // the first view measures; what is kept from it must not change the second
		got, cur := d.View(s.w, s.room)
		fits(t, got, s.w, s.room)
		got = withCursor(ansi.Strip(got), cur) + "\n"
		file := filepath.Join("testdata", fmt.Sprintf("%s_%dx%d.golden", name, s.w, s.h))
		if *update {
			os.MkdirAll("testdata", 0o755)
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s differs (go test -update rewrites it).\ngot:\n%swant:\n%s", file, got, want)
		}
	}
}

func withCursor(s string, cur *tea.Cursor) string {
	var out []string
	for y, l := range strings.Split(s, "\n") {
		if cur != nil && y == cur.Y {
			l += fmt.Sprintf("  <- cursor in column %d", cur.X)
		}
		out = append(out, strings.TrimRight(l, " "))
	}
	return strings.Join(out, "\n")
}

func fits(t *testing.T, view string, w, h int) {
	t.Helper()
	if view == "" {
		return
	}
	lines := strings.Split(view, "\n")
	if len(lines) > h {
		t.Fatalf("%d lines in %dx%d:\n%s", len(lines), w, h, ansi.Strip(view))
	}
	for _, l := range lines {
		if n := ansi.StringWidth(l); n > w {
			t.Fatalf("a line of %d cells in %dx%d: %q", n, w, h, ansi.Strip(l))
		}
	}
}

func key(k string) tea.KeyPressMsg {
	named := map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "up": tea.KeyUp, "down": tea.KeyDown, "tab": tea.KeyTab,
		"pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp, "backspace": tea.KeyBackspace}
	if c, ok := named[k]; ok {
		return tea.KeyPressMsg{Code: c}
	}
	if k == "space" {
		return tea.KeyPressMsg{Code: ' ', Text: " "}
	}
	return tea.KeyPressMsg{Code: []rune(k)[0], Text: k}
}

// press sends keys and returns what the last one did.
func press(d Dialog, keys ...string) (cmd tea.Cmd, closed bool) {
	for _, k := range keys {
		cmd, closed = d.Update(key(k))
	}
	return cmd, closed
}

func write(d Dialog, s string) {
	for _, r := range s {
		d.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

// answers collects what a dialog answers.
type answers struct{ got []engine.Answer }

func (a *answers) take(v engine.Answer) tea.Cmd {
	a.got = append(a.got, v)
	return nil
}

func (a *answers) want(t *testing.T, want ...engine.Answer) {
	t.Helper()
	if fmt.Sprint(a.got) != fmt.Sprint(want) {
		t.Fatalf("answered %+v, want %+v", a.got, want)
	}
}

// longAgo is an opening time whose guard is over.
func longAgo() time.Time { return time.Now().Add(-time.Hour) }

func clarifyQuestion() engine.Question {
	return engine.Question{ID: "q3", Kind: engine.Clarify, Title: "Token store", Body: "Which token store should the fix keep?",
		Choices: []engine.Choice{
			{Value: "Redis", Label: "Redis", Description: "used in production; adds a lock with SET NX"},
			{Value: "In memory", Label: "In memory", Description: "what the tests use today; single process only"},
			{Value: "Both", Label: "Both, behind one interface", Description: "about 60 more lines; keeps tests fast", Recommended: true}}}
}

func bindings() []Binding {
	return []Binding{
		{Keys: []string{"enter"}, Name: "send"}, {Keys: []string{"shift+enter", "ctrl+j"}, Name: "new line"},
		{Keys: []string{"esc", "ctrl+c"}, Name: "stop"}, {Keys: []string{"tab"}, Name: "queue for later"},
		{Keys: []string{"shift+tab"}, Name: "approval mode"}, {Keys: []string{"/"}, Name: "commands"},
		{Keys: []string{"ctrl+o"}, Name: "expand / collapse"}, {Keys: []string{"ctrl+x s"}, Name: "sessions"},
		{Keys: []string{"ctrl+x m"}, Name: "model"}, {Keys: []string{"pgup", "pgdown"}, Name: "scroll"},
		{Keys: []string{"ctrl+home", "ctrl+end"}, Name: "top / bottom"}, {Keys: []string{"ctrl+d"}, Name: "quit"},
		{Keys: []string{"ctrl+x u"}, Name: "undo turn", Can: func() string { return "nothing to undo" }}}
}

func commands() []Command {
	return []Command{{"/new", "start a new session", ""}, {"/sessions", "open another session", ""}, {"/model", "choose a model", "a turn is running"}}
}

func connections() []engine.Connection {
	return []engine.Connection{
		{Name: "Anthropic", Found: "$ANTHROPIC_API_KEY is set", Ready: true, Route: engine.Route{Provider: "anthropic", Model: "sonnet-4.5"}},
		{Name: "OpenRouter", Found: "$OPENROUTER_API_KEY is set", Ready: true, Route: engine.Route{Provider: "openrouter"}},
		{Name: "OpenAI", Route: engine.Route{Provider: "openai", Model: "gpt-5.5"}},
		{Name: "Groq", Route: engine.Route{Provider: "groq", Model: "llama"}}}
}

func ollama() engine.Connection {
	return engine.Connection{Name: "Ollama", Found: "running on 127.0.0.1:11434", Local: true, Ready: true,
		Models: []string{"qwen3-coder:30b", "llama3.3:70b", "gemma3:4b"}, Route: engine.Route{Provider: "ollama", BaseURL: "http://127.0.0.1:11434/v1"}}
}

func TestGoldenScreens(t *testing.T) {
	s, none := sheet(t), (&answers{}).take
	golden(t, "clarify", Clarify(s, clarifyQuestion(), longAgo(), none))
	multi := clarifyQuestion()
	multi.Multi = true
	several := Clarify(s, multi, longAgo(), none)
	press(several, "1", "3", "n")
	write(several, "한글 note")
	golden(t, "clarify_multi", several)
	golden(t, "trust", Trust(s, engine.Question{Title: "~/src/shop has instructions for agents.", Body: "AGENTS.md   2.1 kB\n.talaria/config.yaml   sets tools, mode",
		Why: "They go to the model as if you had written them. Until you agree they are not read."}, longAgo(), none))
	golden(t, "help", Help(s, bindings(), commands()))
	page := Help(s, bindings(), commands())
	press(page, "tab", "/", "m")
	golden(t, "help_commands", page)
	list := Connect(s, ConnectDeps{Known: connections()})
	list.Update(LocalFound{[]engine.Connection{ollama()}})
	golden(t, "connect", list)
	golden(t, "connect_nothing", Connect(s, ConnectDeps{}))
}

func TestU07VerySmallTerminal(t *testing.T) {
	s, none := sheet(t), (&answers{}).take
	wide := clarifyQuestion()
	wide.Body, wide.Choices[0].Label = strings.Repeat("한글😀", 40), "일본어😀"
	form := Connect(s, ConnectDeps{Known: connections()})
	form.Guard = Guard{}
	press(form, "3")
	for _, d := range []Dialog{Clarify(s, wide, longAgo(), none),
		Trust(s, wide, longAgo(), none), Help(s, bindings(), commands()), Connect(s, ConnectDeps{Known: connections()}), form} {
		for w := -1; w < 130; w += 1 + w/12 {
			for _, h := range []int{-1, 0, 1, 2, 3, 4, 5, 6, 8, 12, 50} {
				view, cur := d.View(w, h)
				fits(t, view, max(w, 0), max(h, 0))
				if cur != nil && (cur.X < 0 || cur.X >= w || cur.Y < 0 || cur.Y >= h) {
					t.Fatalf("%T: cursor at %d,%d in %dx%d", d, cur.X, cur.Y, w, h)
				}
			}
		}
	}
}

func TestKeysAreNamedAsPrinted(t *testing.T) {
	for in, want := range map[string]string{"ctrl+x h": "Ctrl+X h", "shift+tab": "Shift+Tab", "pgup": "PgUp", "f1": "F1", "?": "?", "space": "Space", "ctrl+_": "Ctrl+_"} {
		if got := KeyName(in); got != want {
			t.Errorf("%s is named %s, want %s", in, got, want)
		}
	}
}

func TestASCIISheetDrawsASCIIOnly(t *testing.T) {
	theme, _ := themes.Load("mono")
	s := style.New(theme, true)
	list := Connect(s, ConnectDeps{Known: connections()})
	for _, d := range []Dialog{Clarify(s, clarifyQuestion(), longAgo(), nil), Help(s, bindings(), commands()), list} {
		for _, size := range screens {
			view, _ := d.View(size.w, size.room)
			for _, r := range ansi.Strip(view) {
				if r > 0x7e {
					t.Fatalf("%T draws %q:\n%s", d, r, ansi.Strip(view))
				}
			}
		}
	}
}
