package picker

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/dialog"
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

func golden(t *testing.T, name string, d dialog.Dialog, less int) {
	t.Helper()
	for _, s := range [][2]int{{120, 36}, {80, 24}, {40, 15}} {
		view, cur := d.View(s[0], s[1]-less)
		fits(t, view, cur, s[0], s[1]-less)
		lines := strings.Split(ansi.Strip(view), "\n")
		for i, l := range lines {
			if cur != nil && i == cur.Y {
				l = style.PadRight(l, s[0]) + fmt.Sprintf("  <- cursor in column %d", cur.X)
			}
			lines[i] = strings.TrimRight(l, " ")
		}
		got := strings.Join(lines, "\n") + "\n"
		file := filepath.Join("testdata", fmt.Sprintf("%s_%dx%d.golden", name, s[0], s[1]))
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

func fits(t *testing.T, view string, cur *tea.Cursor, w, h int) {
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
	if cur != nil && (cur.X < 0 || cur.X >= w || cur.Y < 0 || cur.Y >= h) {
		t.Fatalf("cursor at %d,%d in %dx%d", cur.X, cur.Y, w, h)
	}
}

func key(k string) tea.KeyPressMsg {
	named := map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "up": tea.KeyUp, "down": tea.KeyDown, "tab": tea.KeyTab, "backspace": tea.KeyBackspace, "pgup": tea.KeyPgUp}
	if c, ok := named[k]; ok {
		return tea.KeyPressMsg{Code: c}
	}
	if r, ok := strings.CutPrefix(k, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: []rune(r)[0], Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: []rune(k)[0], Text: k}
}

func press(d dialog.Dialog, keys ...string) (cmd tea.Cmd, closed bool) {
	for _, k := range keys {
		cmd, closed = d.Update(key(k))
	}
	return cmd, closed
}

func write(d dialog.Dialog, s string) {
	for _, r := range s {
		d.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

var noon = time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC) // a Wednesday

func sessions() []engine.Session {
	money := func(f float64) *float64 { return &f }
	ago := func(h int) time.Time { return noon.Add(-time.Duration(h) * time.Hour) }
	return []engine.Session{
		{ID: "s1", Title: "fix auth tests", Dir: "/home/ada/src/shop", Created: ago(5), Updated: ago(2), Turns: 12, Cost: money(0.84),
			Route: engine.Route{Provider: "anthropic", Model: "sonnet-4.5"}, Changed: []string{"/home/ada/src/shop/src/auth/refresh.ts"},
			Last: "❯ Run the unit, type and lint checks and fix what breaks.\nI will run all three checks at once."},
		{ID: "s2", Title: "upgrade eslint to 10", Dir: "/home/ada/src/shop", Updated: ago(26), Turns: 5, Cost: money(0.001)},
		{ID: "s3", Title: "Биллинг: объяснить модуль", Dir: "/home/ada/src/shop", Updated: ago(48), Turns: 2},
		{ID: "s4", Title: "쿠폰 rounding bug", Dir: "/home/ada/src/shop", Updated: ago(400), Turns: 21, Route: engine.Route{Provider: "ollama"}},
		{ID: "s5", Title: "a\x1b]0;pwn\x07title\u202e", Dir: "/home/ada/src/shop", Updated: ago(24 * 700), Turns: 3, Cost: money(1.9)},
	}
}

// shelf is a library that keeps sessions in memory.
type shelf struct {
	engine.Library
	rows []engine.Session
	err  error
	did  []string
	hits []engine.Hit
	repo bool
}

func (s *shelf) List(_ context.Context, q engine.Query) ([]engine.Session, error) {
	if q.Dir == "" {
		return append(s.rows, engine.Session{ID: "far", Title: "elsewhere", Dir: "/srv"}), s.err
	}
	return s.rows, s.err
}

func (s *shelf) Tail(_ context.Context, id string, _ int) ([]engine.Record, error) {
	said := func(id string, role engine.Role, aside bool, text string) engine.Record {
		return engine.Record{Event: engine.Appended{Message: engine.Message{ID: id, Role: role, Aside: aside, Parts: engine.Parts{engine.Text{Text: text}}}}}
	}
	out := []engine.Record{said("u", engine.RoleUser, false, "the first words of "+id)}
	for i := range 30 {
		out = append(out, said(fmt.Sprint(i), engine.RoleAssistant, true, "half"), said(fmt.Sprint(i), engine.RoleAssistant, false, fmt.Sprintf("half an answer, number %d", i)))
	}
	return append(out, engine.Record{Event: engine.CallEnded{Line: "$ npm test", Result: engine.Result{Status: engine.StatusFailed}}},
		said("z", engine.RoleAssistant, false, "the last \x1b]0;pwn\x07words")), s.err
}

func (s *shelf) Rename(_ context.Context, id, title string) error {
	s.did = append(s.did, "rename "+id+" "+title)
	return s.err
}

func (s *shelf) Delete(_ context.Context, id string) error {
	s.did = append(s.did, "delete "+id)
	return s.err
}

func (s *shelf) Owned(context.Context, []string) ([]string, error) { return []string{"s1"}, nil }

func (s *shelf) Search(_ context.Context, q engine.SearchQuery) ([]engine.Hit, error) {
	s.did = append(s.did, fmt.Sprintf("search %s in %q %v", q.Text, q.Dir, q.Repos))
	return s.hits, s.err
}

type (
	opened string
	forked string
)

func pick(t *testing.T, lib *shelf) *Sessions {
	deps := SessionsWith(t.Context(), lib, Where{Dir: "/home/ada/src/shop"}, func(s engine.Session) tea.Cmd { return func() tea.Msg { return opened(s.ID) } })
	deps.Current = "s4"
	deps.Repo = lib.repo
	deps.Fork = func(id string) tea.Cmd { return func() tea.Msg { return forked(id) } }
	p := NewSessions(sheet(t), deps)
	p.now = func() time.Time { return noon }
	p.Update(p.Init()())
	return p
}

func show(d dialog.Dialog, w, h int) string {
	v, _ := d.View(w, h)
	return ansi.Strip(v)
}

func TestGoldenScreens(t *testing.T) {
	golden(t, "sessions", pick(t, &shelf{rows: sessions()}), 0)
	p := pick(t, &shelf{rows: sessions()})
	press(p, "down", "ctrl+d", "down", "ctrl+r")
	write(p, "!")
	golden(t, "sessions_busy", p, 0)
	golden(t, "sessions_found", finding(t), 0)
	golden(t, "models", models(t), 4)
	full := pick(t, &shelf{rows: sessions()})
	read(full, "space")
	golden(t, "sessions_full", full, 0)
	m := models(t)
	write(m, "qwen")
	golden(t, "models_filter", m, 4)
}

func TestTypingNarrowsInAnyScriptAndCase(t *testing.T) {
	for typed, want := range map[string]string{"AUTH": "fix auth tests", "бИЛЛ": "Биллинг", "쿠폰": "쿠폰", "eslnt": "upgrade eslint", "10 upgrade": "upgrade eslint"} {
		p := pick(t, &shelf{rows: sessions()})
		p.Update(tea.PasteMsg{Content: typed})
		if one, ok := p.list.current(); !ok || !strings.Contains(one.Title, want) {
			t.Errorf("%q finds %q", typed, one.Title)
		}
	}
	p := pick(t, &shelf{rows: sessions()})
	write(p, "zzz")
	if s := show(p, 80, 24); !strings.Contains(s, "Nothing matches 'zzz'. Esc clears.") {
		t.Fatal(s)
	}
	if _, closed := press(p, "esc"); closed || !strings.Contains(show(p, 80, 24), "fix auth tests") {
		t.Fatal("the first Esc clears the filter")
	}
	if _, closed := press(p, "esc"); !closed {
		t.Fatal("the second Esc goes back")
	}
}

// read opens the full preview and gives it what it asked for.
func read(p *Sessions, k string) {
	if k == "space" {
		k = " "
	}
	if cmd, _ := press(p, k); cmd != nil {
		p.Update(cmd())
	}
}

func TestTheFullPreviewShowsTheConversation(t *testing.T) {
	for _, k := range []string{"space", "ctrl+o"} {
		p := pick(t, &shelf{rows: sessions()})
		press(p, "down")
		read(p, k)
		s := show(p, 80, 24)
		if !strings.Contains(s, "upgrade eslint to 10") || !strings.Contains(s, "✗ $ npm test") || !strings.Contains(s, "words") || strings.Contains(s, "the first words") {
			t.Fatalf("%s does not show the end:\n%s", k, s)
		}
		for range 9 {
			press(p, "pgup")
			s += show(p, 80, 24)
		}
		if !strings.Contains(s, "❯ the first words of s2") || !strings.Contains(s, "number 0") || strings.Contains(s, "half\n") {
			t.Fatalf("the beginning cannot be reached, or halves are shown:\n%s", s)
		}
		if _, closed := press(p, "esc"); closed || !strings.Contains(show(p, 80, 24), "Search titles") {
			t.Fatal("Esc does not lead back to the list")
		}
		read(p, k)
		if cmd, closed := press(p, "enter"); !closed || cmd() != tea.Msg(opened("s2")) {
			t.Fatal("Enter does not open the session")
		}
	}
	p := pick(t, &shelf{rows: sessions()})
	write(p, "eslint ")
	if p.reading != nil || p.list.filter.Value() != "eslint " {
		t.Fatal("a blank in a filter is text")
	}
	read(p, "ctrl+o")
	if p.reading == nil {
		t.Fatal("Ctrl+O does nothing while there is a filter")
	}
}

func TestWhatTheFilterFoundIsMarked(t *testing.T) {
	p := pick(t, &shelf{rows: sessions()})
	write(p, "ESLINT")
	v, _ := p.View(80, 24)
	look := style.Look{Fg: themes.Accent, Bg: themes.RowSel, Bold: true, Underline: true}
	if !strings.Contains(v, p.sheet.Paint(look, "eslint")) {
		t.Fatalf("%q", v)
	}
	for _, c := range []struct {
		query, text string
		want        [][2]int
	}{{"ab b", "xab ABc", [][2]int{{1, 3}, {4, 6}}}, {"", "x", nil}, {"бИ", "Биб", [][2]int{{0, 4}}}, {"a", "aaa", [][2]int{{0, 3}}}, {"i", "İi", nil}} {
		if got := matches(c.query, c.text); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%q in %q: %v", c.query, c.text, got)
		}
	}
}

func TestATypoIsAskedBack(t *testing.T) {
	for typed, want := range map[string]string{"eslitn": "Did you mean 'eslint'? Esc clears.", "upgrade elsint": "Did you mean 'upgrade eslint'?", "biling": "'biling'. Esc clears."} {
		p := pick(t, &shelf{rows: sessions()})
		write(p, typed)
		if s := show(p, 80, 24); !strings.Contains(s, want) || !strings.Contains(s, "Nothing matches '"+typed+"'.") {
			t.Errorf("%q: %s", typed, s)
		}
	}
}

func TestPickersTakeAnotherTheme(t *testing.T) {
	paper, err := themes.Load("paper")
	if err != nil {
		t.Fatal(err)
	}
	p, m := pick(t, &shelf{rows: sessions()}), models(t)
	for _, d := range []dialog.Dialog{p, m} {
		before, _ := d.View(80, 24)
		d.(interface{ SetSheet(style.Sheet) }).SetSheet(style.New(paper, false))
		if after, _ := d.View(80, 24); after == before || ansi.Strip(after) != ansi.Strip(before) {
			t.Errorf("%T keeps the old colours", d)
		}
	}
}

func TestEnterAndNumbersOpen(t *testing.T) {
	for keys, want := range map[string]opened{"down enter": "s2", "down down enter": "s3", "3": "s3"} {
		cmd, closed := press(pick(t, &shelf{rows: sessions()}), strings.Fields(keys)...)
		if !closed || cmd() != tea.Msg(want) {
			t.Errorf("%s did not open %s", keys, want)
		}
	}
	p := pick(t, &shelf{rows: sessions()})
	write(p, "eslint to 1")
	if one, _ := p.list.current(); one.ID != "s2" || p.list.filter.Value() != "eslint to 1" {
		t.Fatal("a number in a filter is text")
	}
}

func TestTabLooksEverywhere(t *testing.T) {
	p := pick(t, &shelf{rows: sessions()})
	cmd, _ := press(p, "tab")
	p.Update(cmd())
	if s := show(p, 80, 24); !strings.Contains(s, "elsewhere") || !strings.Contains(s, "[All]") {
		t.Fatal(s)
	}
	p.Update(SessionsLoaded{Scope: ScopeDir}) // a late answer for the other scope
	if s := show(p, 80, 24); !strings.Contains(s, "elsewhere") {
		t.Fatal(s)
	}
}

func TestRename(t *testing.T) {
	lib := &shelf{rows: sessions()}
	p := pick(t, lib)
	press(p, "ctrl+r", "ctrl+u")
	write(p, "auth, done")
	cmd, closed := press(p, "enter")
	if cmd(); closed || lib.did[0] != "rename s1 auth, done" || !strings.Contains(show(p, 80, 24), "auth, done") {
		t.Fatalf("%v\n%s", lib.did, show(p, 80, 24))
	}
	press(p, "ctrl+r")
	write(p, "no")
	if cmd, closed = press(p, "esc"); cmd != nil || closed || len(lib.did) != 1 {
		t.Fatal("Esc renamed")
	}
}

func TestDeletionCanBeTakenBackForTenSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lib := &shelf{rows: sessions()}
		p := pick(t, lib)
		first, _ := press(p, "down", "ctrl+d")
		if s := show(p, 80, 24); !strings.Contains(s, "Ctrl+D undoes it") {
			t.Fatal(s)
		}
		press(p, "ctrl+d") // back
		second, _ := press(p, "ctrl+d")
		start := time.Now()
		if cmd, _ := p.Update(first()); cmd != nil || time.Since(start) != 10*time.Second {
			t.Fatal("the deletion that was taken back ran")
		}
		cmd, _ := p.Update(second())
		run(cmd)
		if fmt.Sprint(lib.did) != "[delete s2]" || strings.Contains(show(p, 80, 24), "eslint") {
			t.Fatalf("%v\n%s", lib.did, show(p, 80, 24))
		}
	})
}

// run runs a command and what it batches.
func run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	if batch, ok := cmd().(tea.BatchMsg); ok {
		for _, one := range batch {
			run(one)
		}
	}
}

func TestLeavingDeletesAtOnceWhatWaits(t *testing.T) {
	lib := &shelf{rows: sessions()}
	p := pick(t, lib)
	press(p, "down", "ctrl+d")
	cmd, closed := press(p, "esc")
	if run(cmd); !closed || fmt.Sprint(lib.did) != "[delete s2]" {
		t.Fatal(lib.did)
	}
}

func TestWhatIsOpenIsNotDeleted(t *testing.T) {
	for keys, want := range map[string]string{"ctrl+d": "another window", "down down down ctrl+d": "on screen"} {
		lib := &shelf{rows: sessions()}
		p := pick(t, lib)
		if cmd, _ := press(p, strings.Fields(keys)...); cmd != nil || !strings.Contains(show(p, 80, 24), want) {
			t.Fatal(show(p, 80, 24))
		}
	}
}

func TestALineageIsOneRow(t *testing.T) {
	p := pick(t, &shelf{rows: []engine.Session{{ID: "new", Title: "t", ParentID: "old", ParentWhy: "compression"}, {ID: "old", Title: "t"}, {ID: "fork", Title: "f", ParentID: "new", ParentWhy: "fork"}}})
	if len(p.list.shown) != 2 || p.list.all[0].ID != "new" {
		t.Fatalf("%+v", p.list.all)
	}
}

func TestReadingFailsInWords(t *testing.T) {
	p := pick(t, &shelf{err: errors.New("the database is locked")})
	if s := show(p, 80, 24); !strings.Contains(s, "could not be read: the database is locked") {
		t.Fatal(s)
	}
	p = pick(t, &shelf{})
	if s := show(p, 80, 24); !strings.Contains(s, "No sessions here yet. Tab looks in all directories.") {
		t.Fatal(s)
	}
}

func TestPreviewIsAskedForOnceAndShown(t *testing.T) {
	asked := 0
	p := pick(t, &shelf{rows: sessions()})
	p.deps.Preview = func(id string) tea.Cmd {
		asked++
		return func() tea.Msg { return PreviewLoaded{id, []string{"about " + id, "\x1b]0;pwn\x07"}} }
	}
	for range 3 {
		if cmd, _ := press(p, "down"); cmd != nil {
			p.Update(cmd())
		}
		press(p, "up")
	}
	press(p, "down")
	if v, _ := p.View(120, 36); asked != 2 || !strings.Contains(v, "about s2") || strings.Contains(v, "\x1b]") {
		t.Fatalf("asked %d times\n%s", asked, ansi.Strip(v))
	}
}

func TestCostIsNeverZeroForUnknown(t *testing.T) {
	zero := 0.0
	for want, s := range map[string]engine.Session{"?": {}, "local": {Cost: &zero, Route: engine.Route{BaseURL: "http://127.0.0.1:11434/v1"}}, "$0.00": {Cost: &zero}} {
		if got := Cost(s); got != want {
			t.Errorf("%+v costs %s, want %s", s, got, want)
		}
	}
}

func TestU01TitlesCannotDriveTheTerminal(t *testing.T) {
	p := pick(t, &shelf{rows: sessions()})
	press(p, "down", "down", "down", "down")
	for _, s := range [][2]int{{120, 36}, {80, 24}, {40, 15}} {
		v, _ := p.View(s[0], s[1])
		if strings.Contains(v, "\x1b]") || strings.ContainsAny(ansi.Strip(v), "\u202e\x07") || strings.Contains(v, "pwn\x07") {
			t.Fatalf("%q", v)
		}
	}
}

func TestU07VerySmallTerminal(t *testing.T) {
	p, m, menu := pick(t, &shelf{rows: sessions()}), models(t), NewMenu(sheet(t), []Item{{Name: "/한글", Help: "일본어😀"}})
	press(p, "ctrl+r")
	write(p, "한글😀")
	full := pick(t, &shelf{rows: sessions()})
	read(full, "space")
	for w := -1; w < 130; w += 1 + w/12 {
		for _, h := range []int{-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 20, 50} {
			for _, d := range []dialog.Dialog{p, m, full} {
				v, cur := d.View(w, h)
				fits(t, v, cur, max(w, 0), max(h, 0))
			}
			fits(t, strings.Join(menu.View(w, h), "\n"), nil, max(w, 0), max(h, 0))
		}
	}
}

func TestAForkIsToldFromItsOriginal(t *testing.T) {
	p := pick(t, &shelf{rows: []engine.Session{{ID: "copy", Title: "t", Dir: "/p", ParentID: "old", ParentWhy: engine.WhyFork}, {ID: "old", Title: "t", Dir: "/p"}}})
	first := show(p, 80, 24)
	press(p, "down")
	if second := show(p, 80, 24); !strings.Contains(first, "· fork") || strings.Contains(second, "· fork") {
		t.Fatalf("%s\n%s", first, second)
	}
}
