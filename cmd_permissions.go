package main

import (
	"fmt"
	"os"
	"slices"

	"talaria/engine"
	"talaria/engine/core/ward"
	"talaria/engine/guard/ledger"
	"talaria/ui/style"
)

// remembered is one approval rule as talaria config permissions --json has it.
type remembered struct {
	engine.Permission
	Project string `json:"project,omitempty"`
}

// listPermissions shows the rules that are remembered for any project, this one first, and those of the configuration.
func listPermissions(c *cmdline) error {
	p, err := c.program()
	if err != nil {
		return err
	}
	all, err := ledger.Open(p.paths.Approvals).All()
	if err != nil {
		return err
	}
	home, _ := os.UserHomeDir() // without one no project can be it
	here := ward.Project(p.dir, home)
	projects := []string{here}
	for project := range all {
		if project != here {
			projects = append(projects, project)
		}
	}
	slices.Sort(projects[1:])
	list, lines := []remembered{}, []string(nil)
	for _, project := range projects {
		for i, e := range all[project] {
			if i == 0 {
				lines = append(lines, project)
			}
			list = append(list, remembered{engine.Permission{ID: e.ID(project), Rule: e.Rule, Dir: e.Dir, Scope: engine.ScopeProject, Made: e.Made, At: e.At}, project})
			lines = append(lines, fmt.Sprintf("  %s  %-40s  %s  for %s", e.ID(project), style.Visible(e.Rule), e.At.Local().Format("2006-01-02"), style.Visible(e.Made)))
		}
	}
	for _, deny := range []bool{false, true} {
		rules, word := p.resolver.Config.Approvals.Allow, "allow"
		if deny {
			rules, word = p.resolver.Config.Approvals.Deny, "deny"
		}
		for _, r := range rules {
			list = append(list, remembered{Permission: engine.Permission{Rule: r, Scope: engine.ScopeConfig, Deny: deny}})
			lines = append(lines, fmt.Sprintf("approvals.%s  %s", word, style.Visible(r)))
		}
	}
	if len(list) == 0 {
		lines = []string{"No rules are remembered."}
	}
	return c.print(list, lines...)
}

// revokePermission forgets a remembered rule.
func revokePermission(c *cmdline) error {
	p, err := c.program()
	if err != nil {
		return err
	}
	found, err := ledger.Open(p.paths.Approvals).Remove(c.args[0])
	switch {
	case err != nil:
		return err
	case !found:
		return fmt.Errorf("no remembered rule has the ID %q. talaria config permissions lists them", c.args[0])
	}
	return c.print(map[string]string{"revoked": c.args[0]}, "Revoked. What it allowed is asked again.")
}
