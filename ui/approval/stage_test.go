package approval

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

// screens are the sizes of the golden screens with the rows that title, prompt and status bar leave.
var screens = []struct{ w, h, room int }{{120, 36, 32}, {80, 24, 20}, {40, 15, 12}}

// golden compares d at every size with testdata/name_WxH.golden; the cursor is drawn as ▏.
func golden(t *testing.T, name string, d dialog.Dialog) {
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
	if k == "shift+tab" {
		return tea.KeyPressMsg{Code: tea.KeyTab, Mod: tea.ModShift}
	}
	if k == "space" {
		return tea.KeyPressMsg{Code: ' ', Text: " "}
	}
	return tea.KeyPressMsg{Code: []rune(k)[0], Text: k}
}

// press sends keys and returns what the last one did.
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

const someDiff = `--- a/src/auth/refresh.ts
+++ b/src/auth/refresh.ts
@@ -41,6 +41,8 @@
 async function refresh(id: SessionId) {
-  if (inFlight) return inFlight;
-  const p = post("/token", id);
-  inFlight = p;
+  const running = inFlight.get(id);
+  if (running) return running;
+  const p = post("/token", id)
+    .finally(() => inFlight.delete(id));
+  inFlight.set(id, p);
   return p;
 }
`

func editQuestion() engine.Question {
	return engine.Question{ID: "q1", Kind: engine.Approval, Title: "Edit src/auth/refresh.ts", Diff: someDiff,
		Why:  "edits ask in this mode",
		Rule: "edit src/auth/*",
		Choices: []engine.Choice{{Value: engine.ChoiceOnce, Label: "Allow once"},
			{Value: engine.ChoiceSession, Label: "Allow edits in src/auth/ for this session"},
			{Value: engine.ChoiceDeny, Label: "Deny and tell the agent why"}}}
}

func dangerQuestion() engine.Question {
	return engine.Question{ID: "q2", Kind: engine.Approval, Title: "Run a command", Body: "rm -rf build && git push --force",
		Why: "commands ask in this mode", Danger: "deletes without asking; rewrites history that others have",
		Choices: []engine.Choice{{Value: engine.ChoiceOnce}, {Value: engine.ChoiceDeny}}}
}

// fullQuestion offers everything: a ladder of rules, always, and editing first.
func fullQuestion() engine.Question {
	return engine.Question{ID: "q9", Kind: engine.Approval, Title: "Run a command", Body: "npm test -- refresh", Draft: "npm test -- refresh", Why: "not allowed yet: `npm test -- refresh`",
		Rule: "command npm test", At: 1, Rungs: []engine.Rung{{Rule: "exactly npm test -- refresh", Label: "exactly `npm test -- refresh`"}, {Rule: "command npm test", Label: "`npm test …`"}, {Rule: "command npm", Label: "`npm …`"}},
		Choices: []engine.Choice{{Value: engine.ChoiceOnce, Label: "Allow once"}, {Value: engine.ChoiceSession, Label: "Allow `npm test …` for this session"},
			{Value: engine.ChoiceAlways, Label: "Always allow `npm test …` in this project"}, {Value: engine.ChoiceEdit, Label: "Edit the command first"}, {Value: engine.ChoiceDeny, Label: "Deny and tell the agent why"}}}
}

func TestGoldenScreens(t *testing.T) {
	s, none := sheet(t), (&answers{}).take
	golden(t, "approval", New(s, editQuestion(), longAgo(), 2, none))
	golden(t, "approval_danger", New(s, dangerQuestion(), longAgo(), 1, none))
	full := New(s, editQuestion(), longAgo(), 1, none)
	press(full, "d")
	golden(t, "approval_full", full)
	split := New(s, editQuestion(), longAgo(), 1, none)
	press(split, "t")
	golden(t, "approval_split", split)
	reason := New(s, editQuestion(), longAgo(), 1, none)
	press(reason, "n")
	write(reason, "use a Map")
	golden(t, "approval_reason", reason)
	golden(t, "approval_rule", New(s, fullQuestion(), longAgo(), 1, none))
	wide := New(s, fullQuestion(), longAgo(), 1, none)
	press(wide, "tab")
	golden(t, "approval_wide", wide)
	edit := New(s, fullQuestion(), longAgo(), 1, none)
	press(edit, "e")
	golden(t, "approval_edit", edit)
	why := New(s, fullQuestion(), longAgo(), 1, none)
	press(why, "?")
	golden(t, "approval_why", why)
}

func TestU07VerySmallTerminal(t *testing.T) {
	s, none := sheet(t), (&answers{}).take
	long := dangerQuestion()
	long.Body = strings.Repeat("echo 한글😀\n", 50)
	typed := New(s, long, longAgo(), 1, none)
	press(typed, "n")
	write(typed, "한글😀")
	edit := New(s, fullQuestion(), longAgo(), 2, none)
	press(edit, "e")
	for _, d := range []dialog.Dialog{New(s, editQuestion(), longAgo(), 2, none), New(s, long, longAgo(), 3, none), typed, edit, New(s, fullQuestion(), longAgo(), 2, none)} {
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
