// Package skill finds the user's skills: folders with a SKILL.md that say how a kind of task is done. The model is told
// their names and descriptions, reads one when it fits, and reads its further files when it needs them.
//
// It refuses to leave the folders it was given, by a name, by ".." or by a link of a project; to change any skill but the
// user's own; and to keep text that reads like an attack on who reads it later.
package skill

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Limits (BEHAVIOUR 15).
const (
	maxName        = 64
	maxDescription = 1024
	maxText        = 100_000 // characters of a SKILL.md
	maxFile        = 1 << 20 // bytes of any other file
	maxSkills      = 500     // of one folder
)

// entryName is the file that makes a folder a skill.
const entryName = "SKILL.md"

// Options are the folders, best first: of two skills with one name, that of the folder that stands first is used.
// Project returns the project's folder, "" where the directory is not trusted. Threat says what is wrong with a text, "" for nothing; strict for
// text that a model wants to keep.
type Options struct {
	Project func() string
	User    string
	Extra   []string
	Threat  func(text string, strict bool) string
	// Commands is the user's folder of commands, ProjectCommands the project's, "" where the directory is not trusted.
	Commands        string
	ProjectCommands func() string
}

// Library is the skills of these folders. They are read anew each time, since an editor may change them.
type Library struct{ o Options }

// New returns a library.
func New(o Options) *Library {
	if o.Threat == nil {
		o.Threat = func(string, bool) string { return "" }
	}
	if o.Project == nil {
		o.Project = func() string { return "" }
	}
	if o.ProjectCommands == nil {
		o.ProjectCommands = func() string { return "" }
	}
	return &Library{o}
}

// Source says whose folder a skill is from.
type Source string

// The sources.
const (
	Project Source = "project"
	User    Source = "user"
	Extra   Source = "extra"
)

// Skill is one skill. Dir is its folder; Category the folder between it and the root, "" for none; Fault says why it
// is not offered to the model.
type Skill struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Category    string `json:"category,omitempty"`
	Source      Source `json:"source"`
	Dir         string `json:"dir"`
	Fault       string `json:"fault,omitempty"`
}

// head is the front matter of a SKILL.md; what else stands there is for others.
type head struct {
	Name        string   `yaml:"name"`
	Description string   `yaml:"description"`
	Platforms   []string `yaml:"platforms"`
	Args        string   `yaml:"argument-hint"` // of a command
}

var goodName = regexp.MustCompile(`^[a-z0-9][a-z0-9_.-]{0,63}$`)

// All are the skills that can be used, in the order of category and name, and those that cannot with their Fault.
func (l *Library) All() []Skill {
	var all []Skill
	seen := map[string]bool{}
	for _, root := range l.roots() {
		for _, s := range l.in(root) {
			if seen[s.Name] {
				continue
			}
			seen[s.Name] = true
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b Skill) int {
		return cmp.Or(cmp.Compare(a.Category, b.Category), cmp.Compare(a.Name, b.Name))
	})
	return all
}

// Find returns a skill by name; false also for one with a fault.
func (l *Library) Find(name string) (Skill, bool) {
	for _, s := range l.All() {
		if s.Name == name && s.Fault == "" {
			return s, true
		}
	}
	return Skill{}, false
}

type root struct {
	dir    string
	source Source
}

func (l *Library) roots() []root {
	all := []root{{l.o.Project(), Project}, {l.o.User, User}}
	for _, d := range l.o.Extra {
		all = append(all, root{d, Extra})
	}
	return slices.DeleteFunc(all, func(r root) bool { return r.dir == "" })
}

// in are the skills of one folder: root/NAME/SKILL.md and root/CATEGORY/NAME/SKILL.md.
func (l *Library) in(r root) []Skill {
	var all []Skill
	for _, name := range r.folders(r.dir) {
		dir := filepath.Join(r.dir, name)
		if r.hasEntry(dir) {
			all = append(all, l.load(r, dir, ""))
			continue
		}
		for _, inner := range r.folders(dir) {
			if sub := filepath.Join(dir, inner); r.hasEntry(sub) {
				all = append(all, l.load(r, sub, name))
			}
		}
		if len(all) >= maxSkills {
			break
		}
	}
	return all
}

// folders are the names of the folders in dir, hidden ones left out. Links are followed where the user put them, not
// where a project did.
func (r root) folders(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // most users have no such folder
	}
	var names []string
	for _, e := range entries {
		folder := e.IsDir()
		if e.Type()&fs.ModeSymlink != 0 && r.source != Project {
			info, err := os.Stat(filepath.Join(dir, e.Name()))
			folder = err == nil && info.IsDir()
		}
		if folder && !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	return names
}

func (r root) hasEntry(dir string) bool {
	info, err := os.Lstat(filepath.Join(dir, entryName))
	return err == nil && (info.Mode().IsRegular() || info.Mode()&fs.ModeSymlink != 0)
}

// load reads the head of a skill. What is wrong with it becomes its Fault, so that `talaria skills list` can say it.
func (l *Library) load(r root, dir, category string) Skill {
	s := Skill{Name: strings.ToLower(filepath.Base(dir)), Category: category, Source: r.source, Dir: dir}
	text, err := readIn(dir, entryName, 4*maxText)
	if err != nil {
		s.Fault = err.Error()
		return s
	}
	h, body, err := split(text)
	if err != nil {
		s.Fault = err.Error()
		return s
	}
	if h.Name != "" {
		s.Name = h.Name
	}
	s.Description = strings.Join(strings.Fields(h.Description), " ")
	if s.Description == "" {
		s.Description = firstLine(body)
	}
	switch {
	case !goodName.MatchString(s.Name):
		s.Fault = fmt.Sprintf("its name %q is not of the form a-z, 0-9, - _ . with at most %d characters", s.Name, maxName)
	case len([]rune(s.Description)) > maxDescription:
		s.Fault = fmt.Sprintf("its description is longer than %d characters", maxDescription)
	case !here(h.Platforms):
		s.Fault = "it is for " + strings.Join(h.Platforms, ", ")
	default:
		if why := l.o.Threat(s.Description, false); why != "" {
			s.Fault = "its description " + why
		}
	}
	return s
}

// here reports whether platforms, as SKILL.md names them, hold this one.
func here(platforms []string) bool {
	os := map[string]string{"darwin": "macos"}[runtime.GOOS]
	return len(platforms) == 0 || slices.ContainsFunc(platforms, func(p string) bool {
		p = strings.ToLower(p)
		return p == runtime.GOOS || p == os || p == "all"
	})
}

// split parts a SKILL.md into its head and its text. A file without front matter is all text.
func split(text string) (head, string, error) {
	var h head
	text = strings.TrimPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "\uFEFF")
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return h, text, nil
	}
	front, body, ok := strings.Cut(rest, "\n---")
	if !ok {
		return h, "", errors.New("its front matter has no end (a line of three dashes)")
	}
	if err := yaml.NewDecoder(bytes.NewReader([]byte(front))).Decode(&h); err != nil && strings.TrimSpace(front) != "" {
		return h, "", fmt.Errorf("its front matter cannot be read: %s", firstLine(err.Error()))
	}
	if _, after, ok := strings.Cut(body, "\n"); ok {
		body = after
	} else {
		body = ""
	}
	return h, strings.TrimLeft(body, "\n"), nil
}

func firstLine(s string) string {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(strings.TrimLeft(line, "# ")); line != "" {
			if r := []rune(line); len(r) > 200 {
				return string(r[:200]) + "…"
			}
			return line
		}
	}
	return ""
}

// readIn reads a file below dir: a regular one, reached without leaving dir, of at most limit bytes.
func readIn(dir, name string, limit int64) (string, error) {
	r, err := os.OpenRoot(dir)
	if err != nil {
		return "", err
	}
	defer r.Close()
	info, err := r.Stat(name)
	switch {
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%s is no regular file", name)
	case info.Size() > limit:
		return "", fmt.Errorf("%s is larger than %d KB", name, limit>>10)
	}
	data, err := r.ReadFile(name)
	return strings.ToValidUTF8(string(data), "\uFFFD"), err
}
