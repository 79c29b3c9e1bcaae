package guard

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

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
