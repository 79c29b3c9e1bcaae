// Package themes holds the colours of the screen by what they mean. The screen names roles only; a colour literal
// anywhere else fails the build's tests. It draws nothing.
package themes

import (
	"embed"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Role is what a colour means (UX 4.6).
type Role string

// The roles of a theme.
const (
	Bg          Role = "bg"
	Panel       Role = "panel"
	CodeBg      Role = "code_bg"
	RowSel      Role = "row_sel"
	Border      Role = "border"
	BorderFocus Role = "border_focus"
	Fg          Role = "fg"
	FgMuted     Role = "fg_muted"
	FgFaint     Role = "fg_faint"
	User        Role = "user"
	Assistant   Role = "assistant"
	Thinking    Role = "thinking"
	Tool        Role = "tool"
	Success     Role = "success"
	Warning     Role = "warning"
	Error       Role = "error"
	Info        Role = "info"
	Accent      Role = "accent"
	Link        Role = "link"
	ModePlan    Role = "mode_plan"
	ModeAuto    Role = "mode_auto"
	ModeDanger  Role = "mode_danger"
	DiffAdd     Role = "diff_add"
	DiffAddBg   Role = "diff_add_bg"
	DiffDel     Role = "diff_del"
	DiffDelBg   Role = "diff_del_bg"
	SelFg       Role = "sel_fg"
	SelBg       Role = "sel_bg"
	SynKeyword  Role = "syn_keyword"
	SynString   Role = "syn_string"
	SynFunc     Role = "syn_func"
	SynType     Role = "syn_type"
	SynNumber   Role = "syn_number"
	SynComment  Role = "syn_comment"
)

// Kind says which background a theme is made for.
type Kind string

// Dark and Light have palettes; Own has the 16 colours of the user's terminal; None has no colour at all.
const (
	Dark  Kind = "dark"
	Light Kind = "light"
	Own   Kind = "terminal"
	None  Kind = "none"
)

// Theme maps roles to colours. A colour is "#rrggbb", or "0" to "15" for one of the terminal's own, whose contrast is
// not known; a role that is absent has the terminal's default.
type Theme struct {
	Name        string          `yaml:"name"`
	Kind        Kind            `yaml:"kind"`
	MinContrast float64         `yaml:"min_contrast"` // lowest text contrast this theme promises, as a ratio to 1
	Roles       map[Role]string `yaml:"roles"`
}

//go:embed builtin/*.yaml
var builtin embed.FS

var (
	hexColour = regexp.MustCompile(`^#[0-9a-f]{6}$`)
	ownColour = regexp.MustCompile(`^([0-9]|1[0-5])$`)
)

// Names lists the built-in themes, sorted.
func Names() []string {
	entries, err := builtin.ReadDir("builtin")
	if err != nil {
		panic(err) // embedded: cannot fail
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	sort.Strings(names)
	return names
}

// Load returns a built-in theme; the error names those that exist.
func Load(name string) (Theme, error) {
	b, err := builtin.ReadFile("builtin/" + name + ".yaml")
	if err != nil {
		return Theme{}, fmt.Errorf("load theme %q: there is none of that name; the themes are %s", name, strings.Join(Names(), ", "))
	}
	return Parse(b)
}

// Parse reads a theme file and refuses unknown keys, unknown roles and colours that are not #rrggbb.
func Parse(b []byte) (Theme, error) {
	var t Theme
	dec := yaml.NewDecoder(strings.NewReader(string(b)))
	dec.KnownFields(true)
	if err := dec.Decode(&t); err != nil {
		return Theme{}, fmt.Errorf("read theme: %w", err)
	}
	for role, c := range t.Roles {
		if !slices.Contains(roles, role) {
			return Theme{}, fmt.Errorf("read theme %s: there is no role %q", t.Name, role)
		}
		if !hexColour.MatchString(c) && !(t.Kind == Own && ownColour.MatchString(c)) {
			return Theme{}, fmt.Errorf("read theme %s: role %s is %q, not #rrggbb", t.Name, role, c)
		}
	}
	return t, nil
}
