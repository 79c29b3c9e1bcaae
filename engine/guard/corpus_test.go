package guard

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/guard/rule"
)

// entry is one line of a corpus: a command, and what the line "= ..." above it says of it.
type entry struct{ want, command string }

// corpus reads a file of testdata: comments begin with #, a line in double quotes is a Go string.
func corpus(t testing.TB, name string) (all []entry) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	want := ""
	for i, line := range strings.Split(string(data), "\n") {
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
			continue
		case strings.HasPrefix(line, "= "):
			want = line[2:]
			continue
		case strings.HasPrefix(line, `"`):
			if line, err = strconv.Unquote(line); err != nil {
				t.Fatalf("%s:%d: %v", name, i+1, err)
			}
		}
		all = append(all, entry{want, line})
	}
	return all
}

// generous allows every program by its name, as somebody would who always says yes.
func generous(t testing.TB, all []entry) (rules []string) {
	seen := map[string]bool{}
	for _, e := range all {
		for _, w := range strings.FieldsFunc(e.command, func(r rune) bool { return strings.ContainsRune(" \t\n;|&()'\"`{}$<>", r) }) {
			if r := "command " + w; !seen[r] && !strings.ContainsAny(w, `\*?[`) {
				if _, ok := rule.Parse(r, "", ""); ok {
					seen[r] = true
					rules = append(rules, r)
				}
			}
		}
	}
	return rules
}

func TestNoSpellingGetsPastTheDangerTable(t *testing.T) {
	all := corpus(t, "bypass.txt")
	if len(all) < 300 {
		t.Fatalf("only %d commands", len(all))
	}
	h := newHouse(t, generous(t, all)...)
	for _, e := range all {
		for _, mode := range []string{"ask", "edit"} {
			h.mode = mode
			got := h.command(e.command)
			danger := ""
			if len(h.asked) > 0 {
				danger = h.asked[0].Danger
			}
			switch {
			case e.want == "block" && got == "block":
			case e.want == "block" || got != "ask":
				t.Errorf("%s: %q: %s, want %s", mode, e.command, got, e.want)
			case e.want == "*" && danger == "", e.want != "*" && !strings.Contains(danger, e.want):
				t.Errorf("%q: the danger is %q, want %q", e.command, danger, e.want)
			case len(h.asked[0].Rungs) > 0:
				t.Errorf("%q may be remembered as %q", e.command, h.asked[0].Rule)
			}
			if t.Failed() && mode == "ask" {
				break
			}
		}
	}
	h.mode = "auto"
	for _, e := range all {
		if got := h.command(e.command); (got == "block") != (e.want == "block") {
			t.Errorf("auto: %q: %s", e.command, got)
		}
	}
}

func TestHarmlessCommandsAreNotCalledDangerous(t *testing.T) {
	all := corpus(t, "harmless.txt")
	if len(all) < 200 {
		t.Fatalf("only %d commands", len(all))
	}
	h := harmlessHouse(t)
	for _, e := range all {
		h.mode = "auto"
		if got := h.command(e.command); got != "pass" {
			t.Errorf("auto: %q: %s", e.command, got)
		}
		h.mode = "ask"
		h.command(e.command)
		if len(h.asked) > 0 && h.asked[0].Danger != "" {
			t.Errorf("%q: %s", e.command, h.asked[0].Danger)
		}
	}
}

// harmlessHouse has the files that the harmless commands name.
func harmlessHouse(t *testing.T) *house {
	h := newHouse(t)
	for _, name := range []string{"README.md", "package.json", "main.go", "go.mod", "a.txt", "b.txt", "data.csv", "data.json", "names.txt", "src/index.ts", "src/auth/refresh.ts", "scripts/build.js"} {
		path := filepath.Join(h.ws, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

// Somebody who answers each first question with "always" is asked again only for what is new: each command passes the
// second time, and few cannot be remembered.
func TestHarmlessCommandsAskOnlyOnce(t *testing.T) {
	all := corpus(t, "harmless.txt")
	h := harmlessHouse(t)
	h.answer = engine.Answer{Choice: engine.ChoiceSession}
	for _, e := range all {
		h.run(e.command)
	}
	h.answer = engine.Answer{Choice: engine.ChoiceDeny}
	var asked []string
	for _, e := range all {
		if got := h.command(e.command); got != "pass" {
			asked = append(asked, e.command+"   ("+h.asked[0].Why+")")
		}
	}
	t.Logf("%d of %d ask again:\n%s", len(asked), len(all), strings.Join(asked, "\n"))
	if 50*len(asked) >= len(all) { // 2 %
		t.Errorf("%d of %d ask though they were allowed:\n%s", len(asked), len(all), strings.Join(asked, "\n"))
	}
}
