package themes

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestEveryBuiltinThemeCanBeRead(t *testing.T) {
	for _, name := range Names() {
		theme, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		if theme.Name != name {
			t.Errorf("%s.yaml calls itself %q", name, theme.Name)
		}
		for _, p := range theme.Pairs() {
			if !p.OK() {
				t.Errorf("%s: %s on %s has contrast %.2f, needs %.1f", name, p.Fg, p.Bg, p.Ratio, p.Floor)
			}
		}
		for _, r := range Roles() {
			if (theme.Kind == Dark || theme.Kind == Light) && theme.Roles[r] == "" {
				t.Errorf("%s has no colour for %s", name, r)
			}
		}
	}
}

func TestU14ReadableOnBothBackgrounds(t *testing.T) {
	for _, name := range []string{"dusk", "paper"} {
		theme, _ := Load(name)
		if n := len(theme.Pairs()); n != 4*21+3+2 {
			t.Errorf("%s: %d pairs measured", name, n)
		}
		if theme.MinContrast < 4.5 {
			t.Errorf("%s promises only %.1f", name, theme.MinContrast)
		}
	}
}

func TestContrastOfKnownColours(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float64
	}{{"#000000", "#ffffff", 21}, {"#777777", "#ffffff", 4.48}, {"#ffffff", "#ffffff", 1}, {"red", "#ffffff", 0}} {
		if got := Contrast(c.a, c.b); math.Abs(got-c.want) > 0.01 {
			t.Errorf("Contrast(%s, %s) = %.3f, want %.2f", c.a, c.b, got, c.want)
		}
	}
}

func TestMonoHasNoColourAtAll(t *testing.T) {
	mono, err := Load("mono")
	if err != nil || len(mono.Roles) != 0 || mono.Pairs() != nil {
		t.Fatalf("mono = %+v, %v", mono, err)
	}
}

func TestAThemeFileWithAMistakeIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"name: x\nroles: {backround: \"#000000\"}": `no role "backround"`,
		"name: x\nroles: {bg: \"#000\"}":           "not #rrggbb",
		"name: x\ncolour: red":                     "colour",
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q in it", text, err, want)
		}
	}
	if _, err := Load("nonesuch"); err == nil || !strings.Contains(err.Error(), strings.Join(Names(), ", ")) {
		t.Errorf("an unknown name must list those that exist: %v", err)
	}
}

func TestU14ResolvingATheme(t *testing.T) {
	cases := []struct {
		config     string
		env        map[string]string
		background Kind
		want       string
		bad        bool
	}{
		{want: "dusk"},
		{config: "auto", want: "dusk"},
		{background: Light, want: "paper"},
		{background: Dark, env: map[string]string{"COLORFGBG": "0;15"}, want: "dusk"},
		{env: map[string]string{"COLORFGBG": "0;15"}, want: "paper"},
		{env: map[string]string{"COLORFGBG": "0;default;15"}, want: "paper"},
		{env: map[string]string{"COLORFGBG": "15;0"}, want: "dusk"},
		{env: map[string]string{"COLORFGBG": "nonsense"}, want: "dusk"},
		{env: map[string]string{"TALARIA_THEME": "paper"}, background: Dark, want: "paper"},
		{config: "dusk", env: map[string]string{"TALARIA_THEME": "paper"}, want: "dusk"},
		{config: "paper", env: map[string]string{"NO_COLOR": "1"}, want: "mono"},
		{env: map[string]string{"NO_COLOR": ""}, want: "dusk"},
		{config: "nonesuch", background: Light, want: "paper", bad: true},
	}
	for _, c := range cases {
		theme, err := Resolve(c.config, Terminal{Getenv: func(k string) string { return c.env[k] }, Background: c.background})
		if theme.Name != c.want || (err != nil) != c.bad {
			t.Errorf("Resolve(%q, %v, %q) = %s, %v; want %s", c.config, c.env, c.background, theme.Name, err, c.want)
		}
	}
	if theme, err := Resolve("", Terminal{}); err != nil || theme.Name != "dusk" {
		t.Errorf("without an environment: %s, %v", theme.Name, err)
	}
}

// TestRolesAreAllListed fails when a Role constant is added to theme.go but not to the table.
func TestRolesAreAllListed(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "theme.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	ast.Inspect(file, func(node ast.Node) bool {
		v, ok := node.(*ast.ValueSpec)
		if !ok || v.Type == nil {
			return true
		}
		if name, ok := v.Type.(*ast.Ident); ok && name.Name == "Role" {
			n++
			role := Role(strings.Trim(v.Values[0].(*ast.BasicLit).Value, `"`))
			if !slices.Contains(Roles(), role) {
				t.Errorf("role %s is not in the table", role)
			}
		}
		return true
	})
	if n != len(Roles()) {
		t.Errorf("%d constants, %d roles in the table", n, len(Roles()))
	}
}
