package outside

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"talaria/engine"
	"talaria/engine/skill"
)

// Skills are the user's skills, those of further folders of the settings, and, while trusted says so, those of the
// directory itself.
func Skills(d Deps, trusted func() bool) *skill.Library {
	var extra []string
	for _, dir := range d.Config.Skills.Dirs {
		if rest, ok := strings.CutPrefix(dir, "~/"); ok {
			dir = filepath.Join(d.Getenv("HOME"), rest)
		}
		if filepath.IsAbs(dir) {
			extra = append(extra, dir)
		}
	}
	folder := func(name string) func() string {
		return func() string {
			if !trusted() {
				return ""
			}
			return inside(d.Start, ".talaria", name)
		}
	}
	return skill.New(skill.Options{User: d.Paths.Skills, Extra: extra, Threat: d.Threat, Project: folder("skills"),
		Commands: filepath.Join(filepath.Dir(d.Paths.Config), "commands"), ProjectCommands: folder("commands")})
}

// inside is a folder below dir that is reached without a link, "" when there is none: a project must not point to
// another place of the user's.
func inside(dir string, names ...string) string {
	for _, n := range names {
		dir = filepath.Join(dir, n)
		if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
			return ""
		}
	}
	return dir
}

// Index is the part of the prompt about skills, "" where there is none to speak of.
func (o *Outside) Index() string {
	if !o.enabled("skills") {
		return ""
	}
	return o.skills.Index()
}

// Expand turns "/name ..." into a message that holds the skill; other texts stay as they are.
func (o *Outside) Expand(text string) string {
	if long, ok := o.skills.Expand(text); ok {
		return long
	}
	return text
}

// Preview is the diff of what a call would change in a skill; "" for other calls.
func (o *Outside) Preview(c engine.Call) string { return o.skills.Preview(c) }

// Lines are the skills and the user's commands for the menu of slash commands.
func (o *Outside) Lines(context.Context) []engine.SkillLine {
	var all []engine.SkillLine
	for _, s := range o.skills.All() {
		if s.Fault == "" {
			all = append(all, engine.SkillLine{Name: s.Name, Description: s.Description, Project: s.Source != skill.User})
		}
	}
	for _, c := range o.skills.Commands() {
		if c.Fault == "" && !slices.ContainsFunc(all, func(s engine.SkillLine) bool { return s.Name == c.Name }) {
			all = append(all, engine.SkillLine{Name: c.Name, Description: c.Description, Args: c.Args, Project: c.Source == skill.Project})
		}
	}
	slices.SortFunc(all, func(a, b engine.SkillLine) int { return strings.Compare(a.Name, b.Name) })
	return all
}
