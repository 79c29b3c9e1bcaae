package themes

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Set is the built-in themes and those of the user, which are files NAME.yaml in one directory. A file may say less than
// a whole theme: what it leaves out, and every line of it that is wrong, comes from the theme it inherits. The zero value
// has the built-in themes alone.
type Set struct {
	Dir  string // where the user's files are, "" for none
	own  map[string]Theme
	told map[string][]string
}

// Open reads the user's themes in dir. It cannot fail: a file with mistakes is a theme with Faults.
func Open(dir string) Set {
	s := Set{Dir: dir, own: map[string]Theme{}, told: map[string][]string{}}
	paths, _ := filepath.Glob(filepath.Join(dir, "*.yaml")) // the pattern is sound
	files := map[string]*file{}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".yaml")
		f := read(path)
		if slices.Contains(Names(), name) || name == auto {
			s.told[name] = []string{f.fault(0, "the name %s is taken by a theme of the program; this file is not used. Rename it", name)}
			continue
		}
		files[name] = f
	}
	for name := range files {
		s.resolve(name, files, nil)
	}
	return s
}

// defaultParent is what a file of each kind stands on when it names no theme.
var defaultParent = map[Kind]string{"": "dusk", Dark: "dusk", Light: "paper", Own: "terminal", None: "mono"}

// resolve makes the theme of a file on top of its parent's. way are the files that led here, to find a circle.
func (s Set) resolve(name string, files map[string]*file, way []string) Theme {
	if t, ok := s.own[name]; ok {
		return t
	}
	f := files[name]
	parent := Theme{}
	switch from := f.inherits; {
	case from == "":
		parent, _ = Load(defaultParent[f.kind])
	case slices.Contains(way, from) || from == name:
		f.add(f.inheritsLine, "%s inherits itself over %s; dusk is taken instead", name, strings.Join(append(way, name), ", "))
		parent, _ = Load("dusk")
	case files[from] != nil:
		parent = s.resolve(from, files, append(way, name))
	default:
		var err error
		if parent, err = Load(from); err != nil {
			f.add(f.inheritsLine, "there is no theme %q; nearest: %s. dusk is taken instead", from, nearest(from, append(Names(), keysOf(files)...)))
			parent, _ = Load("dusk")
		}
	}
	t := f.over(parent)
	t.Name = name
	s.own[name], s.told[name] = t, f.faults
	return t
}

// Names lists the built-in themes and the user's own, each part sorted.
func (s Set) Names() []string { return append(Names(), s.Own()...) }

// Own lists the user's themes, sorted.
func (s Set) Own() []string { return keysOf(s.own) }

// Has reports whether a theme is the user's.
func (s Set) Has(name string) bool { _, ok := s.own[name]; return ok }

// Load returns a theme. The error names the nearest there is.
func (s Set) Load(name string) (Theme, error) {
	if t, ok := s.own[name]; ok {
		return t, nil
	}
	t, err := Load(name)
	if err != nil {
		return t, fmt.Errorf("load theme %q: there is none of that name; nearest: %s. The themes are %s", name, nearest(name, s.Names()), strings.Join(s.Names(), ", "))
	}
	return t, nil
}

// Faults are what is wrong in the file of a theme, one line each with file, line and what was meant; none for a
// built-in. Names of files that are not used at all are asked for here too.
func (s Set) Faults(name string) []string { return s.told[name] }

// Unused lists the files of the user that are no theme, by name.
func (s Set) Unused() []string {
	return slices.DeleteFunc(keysOf(s.told), func(n string) bool { _, ok := s.own[n]; return ok })
}

// Path is the file of one of the user's themes.
func (s Set) Path(name string) string { return filepath.Join(s.Dir, name+".yaml") }

// Copy writes a theme as a file of the user's, with every colour in it to be changed, and returns its name. A file that
// is there is never written over.
func (s Set) Copy(t Theme) (name string, err error) {
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return "", fmt.Errorf("make the directory of themes: %w", err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# A copy of %s. What is left out or wrong comes from the theme that is inherited.\ninherits: %s\n", t.Name, t.Name)
	if t.MinContrast > 0 {
		fmt.Fprintf(&b, "min_contrast: %g # of text; the list of themes shows what is below it\n", t.MinContrast)
	}
	if len(t.Roles) > 0 {
		b.WriteString("roles:\n")
	}
	for _, r := range roles {
		if c := t.Roles[r]; c != "" {
			fmt.Fprintf(&b, "  %s: %q\n", r, c)
		}
	}
	for n := 1; ; n++ {
		name = t.Name + "-copy"
		if n > 1 {
			name += "-" + strconv.Itoa(n)
		}
		f, err := os.OpenFile(s.Path(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("copy theme %s: %w", t.Name, err)
		}
		_, err = f.WriteString(b.String())
		return name, errors.Join(err, f.Close())
	}
}

// file is what one file says, before it stands on its parent.
type file struct {
	path         string
	inherits     string
	inheritsLine int
	kind         Kind
	least        float64 // min_contrast, 0 when it is not said
	roles        map[Role]string
	faults       []string
}

// fileKeys are what may stand in a file.
var fileKeys = []string{"name", "inherits", "kind", "min_contrast", "roles"}

func (f *file) fault(line int, format string, args ...any) string {
	where := f.path
	if line > 0 {
		where += ":" + strconv.Itoa(line)
	}
	return where + ": " + fmt.Sprintf(format, args...)
}

func (f *file) add(line int, format string, args ...any) {
	f.faults = append(f.faults, f.fault(line, format, args...))
}

// read takes a file apart. What is wrong in it is noted, and left out.
func read(path string) *file {
	f := &file{path: path, roles: map[Role]string{}}
	b, err := os.ReadFile(path)
	if err != nil {
		f.add(0, "it cannot be read: %v", errors.Unwrap(err))
		return f
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(b, &doc); err != nil {
		f.add(0, "it is not YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
		return f
	}
	if len(doc.Content) == 0 {
		return f // empty: all of it is inherited
	}
	f.each(doc.Content[0], "a theme", func(key, value *yaml.Node) {
		switch key.Value {
		case "name": // the name of the file is the theme's
		case "inherits":
			f.inherits, f.inheritsLine = value.Value, key.Line
		case "kind":
			if f.kind = Kind(value.Value); !slices.Contains([]Kind{Dark, Light, Own, None}, f.kind) {
				f.add(key.Line, "kind is %q; it is dark, light, terminal or none", value.Value)
				f.kind = ""
			}
		case "min_contrast":
			var err error
			if f.least, err = strconv.ParseFloat(value.Value, 64); err != nil || f.least < 1 || f.least > 21 {
				f.add(key.Line, "min_contrast is %q; it is a number from 1 to 21", value.Value)
				f.least = 0
			}
		case "roles":
			f.each(value, "roles", f.role)
		default:
			f.add(key.Line, "there is no key %q; nearest: %s", key.Value, nearest(key.Value, fileKeys))
		}
	})
	return f
}

// each calls do with every key of a mapping.
func (f *file) each(n *yaml.Node, what string, do func(key, value *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		f.add(n.Line, "%s is a list of \"key: value\" lines", what)
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		do(n.Content[i], n.Content[i+1])
	}
}

// role takes the colour of one role.
func (f *file) role(key, value *yaml.Node) {
	r, c := Role(key.Value), strings.ToLower(value.Value)
	if len(c) == 4 && c[0] == '#' {
		c = string([]byte{'#', c[1], c[1], c[2], c[2], c[3], c[3]})
	}
	switch {
	case !slices.Contains(roles, r):
		names := make([]string, len(roles))
		for i := range roles {
			names[i] = string(roles[i])
		}
		f.add(key.Line, "there is no role %q; nearest: %s", key.Value, nearest(key.Value, names))
	case value.Kind != yaml.ScalarNode || value.Tag == "!!null":
		f.add(key.Line, "%s has no colour; write it in quotes, since # begins a comment: %s: \"#7aa2f7\"", r, r)
	case c == "default":
		f.roles[r] = ""
	case !hexColour.MatchString(c) && !ownColour.MatchString(c):
		f.add(value.Line, "%s is %q, which is no colour; a colour is \"#rrggbb\", 0 to 15 for one of the terminal's own, or default", r, value.Value)
	default:
		f.roles[r] = c
	}
}

// over is the theme that the file makes of its parent.
func (f *file) over(parent Theme) Theme {
	t := Theme{Kind: parent.Kind, MinContrast: parent.MinContrast, Roles: map[Role]string{}}
	if f.kind != "" {
		t.Kind = f.kind
	}
	if f.least > 0 {
		t.MinContrast = f.least
	}
	for r, c := range parent.Roles {
		t.Roles[r] = c
	}
	for r, c := range f.roles {
		if c == "" {
			delete(t.Roles, r)
			continue
		}
		t.Roles[r] = c
	}
	return t
}
