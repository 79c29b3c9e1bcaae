package themes

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// wardrobe is a directory with these themes in it.
func wardrobe(t *testing.T, files map[string]string) Set {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name+".yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return Open(dir)
}

func TestAThemeOfTheUserStandsOnTheOneItInherits(t *testing.T) {
	s := wardrobe(t, map[string]string{
		"slate":  "inherits: ember\nroles:\n  accent: \"#ABC\"\n  border: default\n",
		"night":  "inherits: slate\nmin_contrast: 7\nroles: {user: \"#ffffff\"}\n",
		"day":    "kind: light\n",
		"mine":   "kind: terminal\nroles: {accent: 5}\n",
		"nought": "",
	})
	ember, _ := Load("ember")
	slate, err := s.Load("slate")
	if err != nil || slate.Name != "slate" || slate.Roles[Accent] != "#aabbcc" || slate.Roles[Border] != "" || slate.Roles[User] != ember.Roles[User] {
		t.Errorf("slate = %+v, %v", slate, err)
	}
	night, _ := s.Load("night")
	if night.Roles[Accent] != "#aabbcc" || night.Roles[User] != "#ffffff" || night.MinContrast != 7 || night.Kind != Dark {
		t.Errorf("night = %+v", night)
	}
	day, _ := s.Load("day")
	if paper, _ := Load("paper"); day.Roles[Bg] != paper.Roles[Bg] || day.Kind != Light {
		t.Errorf("day = %+v", day)
	}
	if mine, _ := s.Load("mine"); mine.Roles[Accent] != "5" || mine.Roles[Error] != "1" || mine.Pairs() != nil {
		t.Errorf("mine = %+v", mine)
	}
	for _, n := range s.Own() {
		if f := s.Faults(n); len(f) > 0 {
			t.Errorf("%s has faults: %v", n, f)
		}
	}
	if got := s.Names(); !slices.Contains(got, "dusk") || !slices.Equal(s.Own(), []string{"day", "mine", "night", "nought", "slate"}) {
		t.Errorf("names %v", got)
	}
	if r, err := Resolve("night", Terminal{Themes: s}); err != nil || r.Name != "night" {
		t.Errorf("resolved %s, %v", r.Name, err)
	}
}

func TestAMistakeInAThemeIsToldWithItsLineAndTheParentIsUsedForIt(t *testing.T) {
	s := wardrobe(t, map[string]string{
		"broken": "inherits: embre\nkind: blue\ncolors: {}\nmin_contrast: a lot\nroles:\n  accnt: \"#ffffff\"\n  user: \"#ff\"\n  tool: #c0ffee\n  error: red\n  success: \"#00ff00\"\n",
		"bad":    "roles: [\n",
		"list":   "- a\n",
		"one":    "inherits: two\n",
		"two":    "inherits: one\n",
		"dusk":   "roles: {accent: \"#ffffff\"}\n",
	})
	broken, err := s.Load("broken")
	dusk, _ := Load("dusk")
	if err != nil || broken.Roles[Success] != "#00ff00" {
		t.Errorf("broken = %+v, %v", broken, err)
	}
	for _, r := range Roles() {
		if r != Success && broken.Roles[r] != dusk.Roles[r] {
			t.Errorf("%s is %s, the parent has %s", r, broken.Roles[r], dusk.Roles[r])
		}
	}
	told := strings.Join(s.Faults("broken"), "\n")
	for _, want := range []string{"broken.yaml:1: there is no theme \"embre\"; nearest: ember", ":2: kind is \"blue\"", ":3: there is no key \"colors\"; nearest: roles",
		":4: min_contrast is \"a lot\"", ":6: there is no role \"accnt\"; nearest: accent", ":7: user is \"#ff\"", ":8: tool has no colour; write it in quotes", ":9: error is \"red\""} {
		if !strings.Contains(told, want) {
			t.Errorf("want %q in\n%s", want, told)
		}
	}
	for name, want := range map[string]string{"bad": "bad.yaml: it is not YAML: ", "list": "list.yaml:1: a theme is a list of", "dusk": "the name dusk is taken"} {
		if told := strings.Join(s.Faults(name), "\n"); !strings.Contains(told, want) {
			t.Errorf("%s: want %q in %q", name, want, told)
		}
	}
	if told := strings.Join(append(s.Faults("one"), s.Faults("two")...), "\n"); !strings.Contains(told, "inherits itself over") {
		t.Errorf("a circle is told as %q", told)
	}
	if one, _ := s.Load("one"); one.Roles[Bg] != dusk.Roles[Bg] {
		t.Errorf("one = %+v", one)
	}
	if got := s.Unused(); !slices.Equal(got, []string{"dusk"}) {
		t.Errorf("unused: %v", got)
	}
	if got, _ := s.Load("dusk"); got.Roles[Accent] != dusk.Roles[Accent] {
		t.Error("a file took the place of a theme of the program")
	}
	if _, err := s.Load("brokn"); err == nil || !strings.Contains(err.Error(), "nearest: broken.") {
		t.Errorf("%v", err)
	}
}

func TestACopyOfAThemeLooksLikeItAndIsNeverWrittenOver(t *testing.T) {
	s := Set{Dir: filepath.Join(t.TempDir(), "new", "themes")}
	for _, from := range []string{"paper", "terminal", "mono"} {
		was, _ := Load(from)
		for _, want := range []string{from + "-copy", from + "-copy-2"} {
			name, err := s.Copy(was)
			if err != nil || name != want {
				t.Fatalf("copied to %q, %v", name, err)
			}
			now := Open(s.Dir)
			got, err := now.Load(name)
			if err != nil || len(now.Faults(name)) > 0 || got.Kind != was.Kind || got.MinContrast != was.MinContrast {
				t.Fatalf("%+v, %v, %v", got, err, now.Faults(name))
			}
			for _, r := range Roles() {
				if got.Roles[r] != was.Roles[r] {
					t.Errorf("%s: %s is %q, was %q", name, r, got.Roles[r], was.Roles[r])
				}
			}
		}
	}
}

func TestEveryThemeCanBeReadWithFewerColours(t *testing.T) {
	for _, name := range Names() {
		theme, _ := Load(name)
		for _, p := range theme.In(Indexed).Pairs() {
			if !p.OK() {
				t.Errorf("%s in 256 colours: %s on %s has contrast %.2f, needs %.1f", name, p.Fg, p.Bg, p.Ratio, p.Floor)
			}
		}
		for r, c := range theme.In(Indexed).Roles {
			if theme.Kind != Own && !slices.Contains(palette(), c) {
				t.Errorf("%s in 256 colours: %s is %s, which is none of them", name, r, c)
			}
		}
		if in := theme.In(Indexed).Roles; theme.Kind != Own && theme.Kind != None && (in[DiffAddBg] == in[DiffDelBg] || leads(in[DiffAddBg]) != leads(theme.Roles[DiffAddBg]) || leads(in[DiffDelBg]) != leads(theme.Roles[DiffDelBg])) {
			t.Errorf("%s in 256 colours: added stands on %s, deleted on %s", name, in[DiffAddBg], in[DiffDelBg])
		}
		few := theme.In(Few)
		if want := map[Kind]string{Dark: "terminal", Light: "terminal", Own: "terminal", None: "mono"}[theme.Kind]; few.Name != want {
			t.Errorf("%s in 16 colours is %s", name, few.Name)
		}
		if theme.In(TrueColours).Name != name || theme.In(0).Name != name {
			t.Errorf("%s is another one in true colours", name)
		}
	}
}

func TestAThemeThatCannotBeReadIsToldTheNearestColourThatCan(t *testing.T) {
	dusk, _ := Load("dusk")
	s := wardrobe(t, map[string]string{"faint": "roles: {fg_muted: \"#5a6070\"}\n"})
	faint, _ := s.Load("faint")
	if faint.reads(FgMuted) {
		t.Fatal("it can be read")
	}
	c, ok := faint.Passing(FgMuted, nil)
	if !ok || Contrast(c, dusk.Roles[RowSel]) < 4.5 || Contrast(c, dusk.Roles[RowSel]) > 5 {
		t.Errorf("%s, %v: contrast %.2f", c, ok, Contrast(c, dusk.Roles[RowSel]))
	}
	faint.Roles[Bg], faint.Roles[Panel] = "#000000", "#ffffff"
	faint.MinContrast = 7
	if c, ok := faint.Passing(FgMuted, nil); ok {
		t.Errorf("%s reads on black and on white", c)
	}
}
