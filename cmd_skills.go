package main

import (
	"fmt"
	"os"

	"talaria/engine/config"
	"talaria/engine/core/outside"
	"talaria/engine/prompt"
	"talaria/engine/skill"
)

// skills are the skills that a session in this directory would have.
func (p *program) skills() *skill.Library {
	trusted, err := config.OpenTrust(p.paths.Trust).Has(p.dir)
	return outside.Skills(outside.Deps{Config: p.resolver.Config, Paths: p.paths, Getenv: os.Getenv, Start: p.dir, Threat: prompt.Threat},
		func() bool { return trusted && err == nil })
}

func listSkills(c *cmdline) error {
	p, err := c.program()
	if err != nil {
		return err
	}
	all := p.skills().All()
	lines := []string{}
	for _, s := range all {
		line := fmt.Sprintf("%-24s %-8s %s", safe(s.Name), s.Source, safe(s.Description))
		if s.Fault != "" {
			line = fmt.Sprintf("%-24s %-8s not used: %s", safe(s.Name), s.Source, safe(s.Fault))
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		lines = []string{"No skills. A skill is a folder with a SKILL.md in " + p.paths.Skills + "."}
	}
	if all == nil {
		all = []skill.Skill{}
	}
	return c.print(all, lines...)
}

func showSkill(c *cmdline) error {
	p, err := c.program()
	if err != nil {
		return err
	}
	l := p.skills()
	s, ok := l.Find(c.args[0])
	if !ok {
		return fmt.Errorf("there is no skill %q. talaria skills list names them", c.args[0])
	}
	text, err := l.View(s)
	if err != nil {
		return fmt.Errorf("read the skill %s: %w", s.Name, err)
	}
	return c.print(map[string]any{"skill": s, "text": text}, text)
}
