package ui

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"talaria/engine"
	"talaria/engine/soak"
	"talaria/themes"
	"talaria/ui/uitest"
)

// ways are the ways into everything that can stand over the conversation: overlays by the name they open under, and the
// popups, which have none. TestEveryOverlayHasAWay fails for one that is not here.
//
// Must is what no window may hide, whatever stands beside it; Focus says that one row of a list is in use, and that it is
// marked in every window. Keys are pressed at random, between frames.
var ways = []way{
	{id: "help", show: press("f1"), keys: "down pgdown tab / a b backspace", focus: false},
	{id: "models", show: types("/model\n"), keys: "down up tab q w backspace right left pgdown", focus: true},
	{id: "sessions", show: press("ctrl+x", "s"), keys: "down up tab space f x backspace ctrl+d", focus: true},
	{id: "connect", show: types("/connect\n"), keys: "down up", focus: true, must: []string{"Esc"}},
	{id: "connect", name: "connect form", show: func(s *stage) {
		types("/connect\n")(s)
		s.Press("end", "down", "down", "down", "down", "down", "enter")
	}, keys: "tab a down"},
	{id: "approval", show: asks(hardEdit), keys: "down up pgdown tab shift+tab right left", must: strings.Fields("y s a e n"), focus: true},
	{id: "approval", name: "approval explained", show: func(s *stage) { asks(hardEdit)(s); s.Press("?") }, keys: "down pgdown tab", must: strings.Fields("y s a e n"), focus: true},
	{id: "approval", name: "approval of a command", show: asks(hardCommand), keys: "down up pgdown", must: strings.Fields("y n"), focus: true},
	{id: "approval", name: "denial", show: func(s *stage) { asks(hardEdit)(s); s.Press("n") }, keys: "a b space left", must: []string{"Deny", "❯"}},
	{id: "clarify", show: asks(hardQuestion), keys: "down up space tab", must: strings.Fields("1 2 3"), focus: true},
	{id: "clarify", name: "clarify with a note", show: func(s *stage) { asks(hardQuestion)(s); s.Press("N") }, keys: "a b left space", must: []string{"Note"}},
	{id: "clarify", name: "clarify of many", show: asks(hardMany), keys: "down up space pgdown", focus: true},
	{id: "trust", show: asks(engine.Question{ID: "q", Kind: engine.Trust, Title: "Trust this directory?", Body: "AGENTS.md\n.talaria/skills/" + long}), keys: "down up tab", focus: true},
	{id: "limit", show: func(s *stage) {
		s.Tell(engine.Began{Turn: 2, Route: sonnet})
		s.spent(engine.ExitBudget)
	}, keys: "left right tab", must: strings.Fields("1 2 3 4"), focus: true},
	{id: "timeline", show: types("/timeline\n"), keys: "down up left right pgdown d", must: []string{"1 Chat and files", "2 Chat only", "3 Files only", "4 Fork", "5 Summarise"}, focus: true},
	{id: "permissions", show: types("/permissions\n"), keys: "down up tab enter", focus: true},
	{id: "permissions", name: "why", show: types("/why\n"), keys: "down up tab enter", focus: true},
	{id: "context", show: types("/context\n"), keys: "down up space delete pgdown", focus: true},
	{id: "usage", show: types("/usage\n"), keys: "down up pgdown"},
	{id: "status", show: types("/status\n"), keys: "down up pgdown"},
	{id: "memory", show: types("/memory\n"), keys: "down up tab x", focus: true},
	{id: "agents", show: types("/agents\n"), keys: "down up", focus: true},
	{id: "background", show: types("/background\n"), keys: "down up pgdown", focus: true},
	{id: "queue", show: func(s *stage) { waits(s); types("/queue\n")(s) }, keys: "down up", focus: true},
	{id: "settings", name: "a setting being changed", show: func(s *stage) { s.Type("/settings\n"); s.guardOver(); s.Press("e") }, keys: "a left up space backspace", must: []string{"Enter"}},
	{id: "tools", show: types("/tools\n"), keys: "down up", focus: true},
	{id: "mcp", show: types("/mcp\n"), keys: "down up", focus: true},
	{id: "skills", show: types("/skills\n"), keys: "down up", focus: true},
	{id: "settings", show: types("/settings\n"), keys: "down up", focus: true},
	{id: "doctor", show: types("/doctor\n"), keys: "down up"},
	{id: "changelog", show: types("/changelog\n"), keys: "down up pgdown"},
	{id: "tips", show: types("/tips\n"), keys: "down up pgdown"},
	{id: "bug", show: types("/bug\n"), keys: "down up"},
	{id: "theme", show: types("/theme\n"), keys: "", focus: true},
	{id: "palette", show: press("ctrl+x", "p"), keys: "down up s e backspace pgdown", focus: true},
	{id: "keys", show: press("ctrl+x", "k"), keys: "down up s backspace", focus: true},
	{id: "keys", name: "keys, one being pressed", show: press("ctrl+x", "k", "enter", "ctrl+o"), keys: "ctrl+k ctrl+y"},
	{id: "diff", show: types("/diff session\n"), keys: "down up pgdown t right left tab"},
	{id: "links", show: press("ctrl+x", "l"), keys: "down up", focus: true},
	{id: "browse", show: press("ctrl+x", "["), keys: "j k } { g G o"},
	{id: "browse", name: "search", show: func(s *stage) { s.Press("ctrl+x", "/"); s.Type("code\n") }, keys: "n N j k o"},
	{id: "copy", show: press("ctrl+x", "c"), keys: "down up", focus: true},
	{id: "history", show: press("ctrl+r"), keys: "down up a backspace tab", focus: true},
	{id: "remember", show: types("#tests 中文 run with npm test " + long + "\n"), keys: "down up tab", focus: true},
	{id: "replay", show: func(*stage) {}, keys: "+ - space", player: true, must: []string{"1:05 of 1:30"}},
	{name: "menu", show: types("/"), keys: "down up", focus: true},
	{name: "arguments", show: types("/mode "), keys: "down up", focus: true},
	{name: "files", show: types("look at @s"), keys: "down up", focus: true},
	{name: "leader", show: func(s *stage) { s.Press("ctrl+x"); s.Pass(time.Second) }},
	{name: "leaving", show: func(s *stage) { s.Tell(engine.Began{Turn: 2, Route: sonnet}); s.Press("ctrl+d") }, must: []string{"s", "Esc"}},
	{name: "compacting", show: func(s *stage) {
		s.Tell(engine.Compacted{Running: true, Before: 104_000, Kept: 9, Old: 61, Part: 1, Parts: 2})
	}, must: []string{"Esc"}},
	{name: "a wait", show: func(s *stage) {
		s.Tell(engine.Began{Turn: 2, Route: sonnet}, engine.Streamed{Delta: engine.Retry{Err: &engine.Error{Reason: engine.ReasonOverloaded, Status: 529, Message: "過負荷 " + long, After: 20 * time.Second},
			Provider: "anthropic", Model: "sonnet-4.5", Try: 3, Of: 3, After: 20 * time.Second}})
	}, keys: "ctrl+o", must: []string{"Enter"}},
}

type way struct {
	id, name string
	show     func(s *stage)
	keys     string
	must     []string
	focus    bool
	player   bool
}

func (w way) String() string {
	if w.name != "" {
		return w.name
	}
	return w.id
}

func press(keys ...string) func(*stage) { return func(s *stage) { s.Press(keys...) } }

func types(text string) func(*stage) { return func(s *stage) { s.Type(text) } }

func asks(q engine.Question) func(*stage) {
	return func(s *stage) { s.Tell(engine.Began{Turn: 2, Route: sonnet}, engine.Asked{Question: q}); s.guardOver() }
}

// Text that is hard to measure, and would do harm if it were printed as it is.
const (
	long = "中文字符宽度 👩‍👩‍👧‍👦 e\u0301a\u0308 مرحبا שלום \u202eevil\u202c 🇩🇪👍🏽 \x1b[31mred\x1b[0m a-word-without-any-blank-that-is-longer-than-most-windows-are-wide"
	code = "```go\nfunc 名前(x int) string { // 注释\n\treturn \"한국어\" + \"👩‍👩‍👧\"\n}\n```\n"
)

var (
	hardEdit = func() engine.Question {
		q := editQuestion("q1")
		q.Title, q.Why = "Edit src/認証/リフレッシュ.ts", "edits ask in ask mode, "+long
		q.Diff = strings.ReplaceAll(q.Diff, "inFlight", "実行中") + "+" + long + "\n"
		return q
	}()
	hardCommand = func() engine.Question {
		q := commandQuestion("q2", "echo "+long+" && rm -rf 'ディレクトリ'")
		q.Danger = "deletes a directory tree"
		return q
	}()
	hardQuestion = func() engine.Question {
		q := storeQuestion("q3")
		q.Title += " " + long
		q.Choices[0].Label += " 本番"
		q.Choices[2].Description += long
		return q
	}()
	hardMany = func() engine.Question {
		q := engine.Question{ID: "q4", Kind: engine.Clarify, Title: "Which of these?", Multi: true}
		for i := range 14 {
			q.Choices = append(q.Choices, engine.Choice{Value: fmt.Sprint(i), Label: fmt.Sprintf("選択 %d %s", i, long), Description: long})
		}
		return q
	}()
)

// waits puts messages into the queue and the strip.
func waits(s *stage) {
	s.Tell(engine.Steered{Waiting: []engine.Waiting{{ID: "1", Text: long}}}, engine.Queued{Waiting: []engine.Waiting{{ID: "2", Text: "後で " + long}, {ID: "3", Text: "short"}}})
}

// hardFacts, hardRules and the others answer with text that is hard to measure.
type hardFacts struct{ facts }

func (f *hardFacts) Report(_ context.Context, page string) (engine.Report, error) {
	r := engine.Report{Note: long, Text: long + "\n" + code}
	for i := range 30 {
		r.Rows = append(r.Rows, engine.ReportRow{Name: fmt.Sprintf("%s.名前_%d", page, i), Mark: long, Value: long, Text: long + "\n" + long, Dim: i%3 == 0})
	}
	if page == "changelog" {
		r.Rows = nil
	}
	return r, nil
}

type hardRules struct{}

func (hardRules) List(context.Context) ([]engine.Permission, error) {
	return []engine.Permission{{ID: "s1", Rule: "edit src/認証/**", Scope: engine.ScopeSession, Made: "edit " + long, At: noon}, {ID: "p1", Rule: "command " + long, Scope: engine.ScopeProject, Made: "$ " + long, At: noon},
		{Rule: "command git push", Scope: engine.ScopeConfig, Deny: true}}, nil
}
func (hardRules) Revoke(context.Context, string) error { return nil }
func (hardRules) Rulings(context.Context, int) ([]engine.Ruling, error) {
	return []engine.Ruling{{CallID: "c2", Action: "$ " + long, Verdict: "denied", By: long, Mode: "ask", Asked: true, Choice: "deny", At: noon}, {CallID: "c1", Action: "$ npm test", Verdict: "allowed", By: "the rule command npm test", Mode: "ask", At: noon}}, nil
}

// crowded is a session full of such text, with everything that an overlay can show.
func crowded(t *testing.T, w, h int, player bool, change ...func(*setting)) *stage {
	time.Sleep(time.Until(noon.Add(70 * time.Minute))) // the fake clock: when the agents and processes of the views run
	v := &views{win: newFilled(), book: book{[]string{long, "Prefers short answers.\nAlways with the file name."}}}
	v.win.items[3].Name = "Read " + long
	s := open(t, w, h, append(change, withPast, withFiles, ownThemes(t, map[string]string{"slate": "inherits: ember\nroles:\n  fg_muted: \"#a5a070\"\n"}), func(s *setting) {
		refs := s.Views.Refs
		s.Views = Views{Timeline: &v.past, Lens: v.win, Memory: &v.book, Agents: &v.crew, Ledger: till{}, Reports: &hardFacts{}, Refs: refs}
		s.Processes, s.Context, s.Rules, s.Save = &v.shelf, t.Context(), hardRules{}, &keeper{}
		s.Options.Budget = 5
		if player {
			s.Player = &tape{now: engine.Playing{Speed: 1, At: 65 * time.Second, Total: 90 * time.Second}}
		}
		for i := range 30 {
			one := s.lib.Sessions[i%4]
			one.ID, one.Title = fmt.Sprintf("20000101_000000_0001%02d", i), fmt.Sprintf("%d %s", i, long)
			s.lib.Sessions = append(s.lib.Sessions, one)
			_ = s.lib.AddHistory(t.Context(), workDir, fmt.Sprintf("%d %s", i, long))
		}
		s.conn.Ready = []engine.Connection{{Name: "Anthropic 中文", Route: sonnet, Found: "$ANTHROPIC_API_KEY is set", Ready: true, Models: []string{"sonnet-4.5", "模型-" + long, "opus-4"}},
			{Name: "OpenRouter", Route: engine.Route{Provider: "openrouter"}, Found: long}}
		s.conn.Servers = []engine.Connection{{Name: "Ollama", Route: engine.Route{Provider: "ollama", BaseURL: "http://127.0.0.1:11434/v1"}, Found: "running on 127.0.0.1:11434", Models: []string{"qwen3", "llama3"}, Local: true, Ready: true}}
	})...)
	s.Tell(engine.Began{Turn: 1, Route: sonnet}, engine.Noted{Kind: engine.NoteTitle, Text: "直す " + long}, uitest.User("Fix the race. "+long))
	s.Tell(workDone()...)
	s.Tell(uitest.Thinks(long), uitest.Reply("See https://example.org/日本 and https://example.org/"+strings.Repeat("path/", 30)+"\n\n| a | 中文 |\n|---|---|\n| "+long+" | 1 |\n\n"+code+"\n> "+long+"\n\n"+code),
		uitest.Cost(76_000, 200_000, 0.21), engine.Ended{Why: engine.ExitFinished})
	s.ops()
	return s
}

// wearing are the themes: all that are built in, one of the user's, and what a terminal with fewer colours shows.
type wearing struct {
	theme   string
	colours int
}

func wearings() (all []wearing) {
	for _, name := range append(themes.Names(), "slate") {
		all = append(all, wearing{name, themes.TrueColours})
	}
	return append(all, wearing{"dusk", themes.Indexed}, wearing{"paper", themes.Indexed}, wearing{"dusk", themes.Few}, wearing{"linen", themes.Two})
}

// windows are the sizes at which something changes, and their neighbours.
func windows() (all [][2]int) {
	for _, w := range []int{36, 37, 40, 59, 60, 61, 63, 64, 80, 99, 109, 110, 132, 200} {
		for _, h := range []int{8, 9, 10, 11, 12, 15, 19, 20, 21, 24, 29, 30, 36, 60} {
			all = append(all, [2]int{w, h})
		}
	}
	return all
}

// TestEveryOverlayInEveryThemeAndWindow opens everything that can stand over the conversation, makes the window every
// size, each in another theme, and six of them in every theme, with keys between. Every frame keeps to the window and to
// the palette, has no sequence that is not ours, marks the row in use, and shows the choices. Every day each 97th look,
// for each overlay others; in a soak all.
func TestEveryOverlayInEveryThemeAndWindow(t *testing.T) {
	type look struct {
		wearing
		w, h int
	}
	var looks []look
	for n, size := range windows() {
		looks = append(looks, look{wearings()[n%len(wearings())], size[0], size[1]})
	}
	for _, size := range [][2]int{{36, 8}, {40, 15}, {60, 20}, {80, 24}, {110, 30}, {200, 60}} {
		for _, wear := range wearings() {
			looks = append(looks, look{wear, size[0], size[1]})
		}
	}
	for i, w := range ways {
		for _, ascii := range []bool{false, true} {
			if (ascii && i%5 != 0 || racing && i%4 != 0) && !soak.Whole() {
				continue
			}
			t.Run(fmt.Sprintf("%s/ascii=%v", w, ascii), func(t *testing.T) {
				story(t, func(t *testing.T) {
					random := rand.New(rand.NewPCG(6, uint64(i)))
					s := crowded(t, 100, 30, w.player, func(s *setting) { s.Options.ASCII, s.Options.Terminal.Links = ascii, i%2 == 0 })
					w.show(s)
					s.Pass(time.Second)
					w.opened(t, s)
					for n, l := range append([]look{{wearing{"dusk", themes.TrueColours}, 36, 8}, {wearing{"mono", themes.TrueColours}, 200, 60}}, soak.Every(looks, 97, 53*i)...) {
						th, err := s.m.Options.Themes.Load(l.theme)
						if err != nil {
							t.Fatal(err)
						}
						s.m.Colours = l.colours
						s.m.Wear(th)
						s.Resize(l.w, l.h)
						s.sound(t, w)
						if keys := strings.Fields(w.keys); len(keys) > 0 && n%2 == 1 {
							s.Press(keys[random.IntN(len(keys))])
							s.sound(t, w)
						}
						if t.Failed() {
							t.Fatalf("%s in %+v", w, l)
						}
					}
				})
			})
		}
	}
}

// opened fails unless the way led to what it says.
func (w way) opened(t *testing.T, s *stage) {
	t.Helper()
	top := s.m.Overlays.Top()
	if w.id == "" && top != nil || w.id != "" && (top == nil || top.ID != w.id) {
		t.Fatalf("%s: %+v is open:\n%s", w, top, s.Text())
	}
}

var sgr = regexp.MustCompile("\x1b\\[([0-9;:]*)m")

// sound holds a frame to what is said of TestEveryOverlayInEveryThemeAndWindow; its size is the driver's business.
func (s *stage) sound(t *testing.T, w way) {
	t.Helper()
	w.opened(t, s)
	view := s.View()
	content := view.Content
	known := map[string]bool{}
	for _, c := range s.m.Sheet.Theme.Roles {
		known[c] = true
	}
	for _, m := range sgr.FindAllStringSubmatch(content, -1) {
		for _, ink := range inks(m[1]) {
			if !known[ink] {
				t.Errorf("the colour %s is not of %s: %q", ink, s.m.Sheet.Theme.Name, m[0])
			}
		}
	}
	for _, r := range osc8.ReplaceAllString(sgr.ReplaceAllString(content, ""), "") {
		if r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			t.Errorf("%U is on the screen:\n%q", r, content)
			break
		}
	}
	text := ansi.Strip(content)
	for _, must := range w.must {
		if s.m.Sheet.Glyphs.You == ">" {
			must = strings.ReplaceAll(must, "❯", ">")
		}
		if !regexp.MustCompile(`(^|[^\pL\pN])` + regexp.QuoteMeta(must) + `($|[^\pL\pN])`).MatchString(text) {
			t.Errorf("%q is hidden:\n%s", must, text)
		}
	}
	if w.focus && !strings.Contains(text, s.m.Sheet.Glyphs.Focus) && !strings.Contains(text, "Nothing matches") {
		t.Errorf("no row is marked:\n%s", text)
	}
	if c := view.Cursor; c != nil && (c.X < 0 || c.Y < 0 || c.X >= s.m.W || c.Y >= s.m.H) {
		t.Errorf("the cursor is at %d,%d in %dx%d", c.X, c.Y, s.m.W, s.m.H)
	}
}

var osc8 = regexp.MustCompile("\x1b]8;[^;\x1b\a]*;[^\x1b\a]*(?:\a|\x1b\\\\)")

// inks are the colours that the parameters of an SGR set, written as a theme writes them.
func inks(params string) (out []string) {
	n := strings.FieldsFunc(params, func(r rune) bool { return r == ';' || r == ':' })
	at := func(i int) int {
		if i >= len(n) {
			return -1
		}
		v, _ := strconv.Atoi(n[i])
		return v
	}
	for i := 0; i < len(n); i++ {
		switch v := at(i); {
		case v >= 30 && v <= 37 || v >= 40 && v <= 47:
			out = append(out, strconv.Itoa(v%10))
		case v >= 90 && v <= 97 || v >= 100 && v <= 107:
			out = append(out, strconv.Itoa(v%10+8))
		case (v == 38 || v == 48 || v == 58) && at(i+1) == 5:
			out = append(out, strconv.Itoa(at(i+2)))
			i += 2
		case v == 38 || v == 48 || v == 58:
			out = append(out, fmt.Sprintf("#%02x%02x%02x", at(i+2), at(i+3), at(i+4)))
			i += 4
		}
	}
	return out
}

func TestInksAreReadFromEveryForm(t *testing.T) {
	for params, want := range map[string]string{"": "", "0;1;4": "", "31": "1", "1;97": "15", "38;5;196": "196", "48;2;1;2;255;1": "#0102ff", "38:2:1:2:3": "#010203", "38;2;1;2;3;48;5;7": "#010203 7", "58;5;3": "3"} {
		if got := strings.Join(inks(params), " "); got != want {
			t.Errorf("%q: %q, want %q", params, got, want)
		}
	}
}

// dynamic are the names that the source does not have as a word, and where the words are.
var dynamic = map[string][]string{
	"p.name":         {"tools", "mcp", "skills", "settings", "doctor", "changelog", "bug"},
	"id":             {"agents", "background", "queue"},
	"string(q.Kind)": {string(engine.Approval), string(engine.Clarify), string(engine.Trust)},
}

// TestEveryOverlayHasAWay reads the source for what opens an overlay or is a popup, and runs every command and key: what
// opens must be among the ways.
func TestEveryOverlayHasAWay(t *testing.T) {
	ids, popups := inSource(t)
	have := map[string]bool{}
	shown := map[string]bool{}
	for _, w := range ways {
		have[w.id] = true
		if w.id == "" {
			story(t, func(t *testing.T) {
				s := crowded(t, 100, 30, false)
				w.show(s)
				if p := s.m.Popup; p != nil {
					shown[strings.TrimPrefix(reflect.TypeOf(p).String(), "*")] = true
				}
			})
		}
	}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		if !have[id] {
			t.Errorf("%s opens the overlay %q, which no way leads to", ids[id], id)
		}
	}
	for _, w := range ways {
		if w.id != "" && ids[w.id] == "" {
			t.Errorf("a way leads to %q, which nothing in the source opens", w.id)
		}
	}
	for _, p := range popups {
		if !shown[p] {
			t.Errorf("no way leads to the popup %s", p)
		}
	}
	var does []func(s *stage)
	story(t, func(t *testing.T) {
		s := crowded(t, 100, 30, false)
		for _, c := range s.m.commands.All() {
			does = append(does, func(s *stage) { s.Type("/" + c.Name + "\n") })
		}
		for _, b := range s.m.table() {
			if b.Do != nil {
				does = append(does, func(s *stage) { s.Press(strings.Fields(b.Keys[0])...) })
			}
		}
	})
	if len(does) < 90 {
		t.Errorf("%d commands and keys: the test is blind", len(does))
	}
	opened := map[string]bool{}
	for some := range slices.Chunk(does, 12) { // a conversation for a few of them: some leave it
		story(t, func(t *testing.T) {
			s := crowded(t, 100, 30, false)
			for _, do := range some {
				if s.Left {
					s = crowded(t, 100, 30, false)
				}
				s.m.Overlays, s.m.Popup, s.m.leaving.asked = nil, nil, false
				s.m.Prompt.Clear()
				do(s)
				for _, o := range s.m.Overlays {
					if opened[o.ID] = true; !have[o.ID] {
						t.Errorf("the overlay %q opened, which no way leads to:\n%s", o.ID, s.Text())
					}
				}
			}
		})
	}
	if len(opened) < 20 {
		t.Errorf("only %d overlays opened by commands and keys: %v", len(opened), opened)
	}
}

// inSource are the names of the overlays that the code below ui opens, with where, and the types of its popups.
func inSource(t *testing.T) (ids map[string]string, popups []string) {
	t.Helper()
	ids = map[string]string{}
	consts, idents := map[string]string{}, map[string]string{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Name.Name == "Refresh" && n.Recv != nil && n.Type.Results != nil {
					popups = append(popups, file.Name.Name+"."+strings.TrimPrefix(expr(n.Recv.List[0].Type), "*"))
				}
			case *ast.ValueSpec:
				for i, name := range n.Names {
					if i < len(n.Values) {
						if lit, ok := n.Values[i].(*ast.BasicLit); ok && lit.Kind == token.STRING {
							consts[file.Name.Name+"."+name.Name], _ = strconv.Unquote(lit.Value)
						}
					}
				}
			case *ast.CompositeLit:
				name := expr(n.Type)
				if name != "overlay.Overlay" {
					return true
				}
				where := set.Position(n.Pos()).String()
				for _, e := range n.Elts {
					kv, ok := e.(*ast.KeyValueExpr)
					if !ok || expr(kv.Key) != "ID" {
						continue
					}
					id := expr(kv.Value)
					if !strings.ContainsAny(id, ".(\"") && dynamic[id] == nil {
						id = file.Name.Name + "." + id
					}
					idents[id] = where
				}
			}
			return true
		})
		return nil
	})
	if err != nil || len(idents) < 20 || len(popups) < 3 {
		t.Fatalf("%d overlays, %d popups: %v", len(idents), len(popups), err)
	}
	for id, where := range idents {
		if name, err := strconv.Unquote(id); err == nil {
			ids[name] = where
		} else if name, ok := consts[id]; ok {
			ids[name] = where
		} else if names, ok := dynamic[id]; ok {
			for _, name := range names {
				ids[name] = where
			}
		} else {
			t.Errorf("%s: which overlays are named %s? Say it in dynamic", where, id)
		}
	}
	return ids, popups
}

// expr writes the few forms of expression that name an overlay.
func expr(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Value
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return expr(e.X) + "." + e.Sel.Name
	case *ast.StarExpr:
		return "*" + expr(e.X)
	case *ast.CallExpr:
		if len(e.Args) == 1 {
			return expr(e.Fun) + "(" + expr(e.Args[0]) + ")"
		}
	}
	return fmt.Sprintf("%T", e)
}
