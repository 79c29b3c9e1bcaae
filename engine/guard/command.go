package guard

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"talaria/engine"
)

// commandArgs are the arguments of the terminal that matter here, decoded as the tool decodes them.
type commandArgs struct {
	Command string `json:"command"`
	Workdir string `json:"workdir"`
}

// command decides about a shell command.
func (g *Guard) command(c engine.Call, mode string) decision {
	var in commandArgs
	if err := json.Unmarshal([]byte(c.Args), &in); err != nil {
		return decision{question: &engine.Question{Title: "Run a command", Body: c.Args, Why: "the arguments cannot be read"}}
	}
	dir := g.o.Dir()
	if in.Workdir != "" {
		dir = g.land(dir).abs(in.Workdir)
	}
	r := g.analyse(in.Command, dir)
	if r.hard != "" {
		d := deny("blocked: %s. Talaria never does this, in any mode, whoever says yes. Do not look for another way; "+
			"if it is really wanted, tell the user, who can do it outside Talaria.", r.hard)
		d.verdict.Policy = true
		return d
	}
	for _, rule := range g.deny {
		for _, words := range r.steps {
			if rule.forbids(words) {
				return byRule(deny("your settings forbid this (approvals.deny: %s). %s", rule, noConsent))
			}
		}
	}
	switch {
	case mode == modePlan:
		return planned("the command")
	case mode == modeAuto && r.broken == "":
		return pass()
	}
	return g.weigh(in, dir, r)
}

// weigh passes a command that rules cover, and asks about any other.
func (g *Guard) weigh(in commandArgs, dir string, r *report) decision {
	why, rules := "commands ask in this mode", []rule(nil)
	words, plain := plainCommands(in.Command, r.file)
	switch {
	case r.broken != "":
		why = r.broken
	case len(r.dangers) > 0:
		why = "it is in the list of dangerous commands"
	case plain:
		left, ruleable := g.uncovered(words, dir)
		if ruleable && len(left) == 0 {
			return pass()
		}
		if ruleable {
			rules = left
		}
	}
	if in.Workdir != "" {
		why += fmt.Sprintf("; it would run in %s", g.name([]place{g.land(g.o.Dir()).look(in.Workdir)}))
	}
	return decision{rules: rules, question: &engine.Question{Title: "Run a command", Body: in.Command, Why: why,
		Danger: strings.Join(r.dangers, "; ")}}
}

// uncovered returns the rules that the commands would need beyond those granted; ok is false when no rule may cover one.
func (g *Guard) uncovered(commands [][]string, dir string) (left []rule, ok bool) {
	granted := g.granted()
	dirs := g.reach(commands, dir)
	for _, words := range commands {
		if !g.ruleable(words, dirs) {
			return nil, false
		}
		if slices.ContainsFunc(granted, func(r rule) bool { return r.covers(words, dirs) }) {
			continue
		}
		r := ruleFor(words, dir)
		if !slices.ContainsFunc(left, func(o rule) bool { return o.String() == r.String() }) {
			left = append(left, r)
		}
	}
	return left, true
}

// reach are the directories in which one of the commands may run: a cd may fail, so all of them count.
func (g *Guard) reach(commands [][]string, dir string) []string {
	a := &analyst{land: g.land(dir), dirs: []string{dir}}
	for _, words := range commands {
		if words[0] != "cd" {
			continue
		}
		if to, ok := a.target(words[1:]); ok {
			a.dirs = append(a.dirs, to)
		}
	}
	return a.dirs
}

// join writes words as a shell would read them.
func join(words []string) string {
	var all []string
	for _, w := range words {
		q, err := syntax.Quote(w, syntax.LangBash)
		if err != nil {
			q = fmt.Sprintf("%q", w)
		}
		all = append(all, q)
	}
	return strings.Join(all, " ")
}

// splitWords reads the words of a rule; what is no plain text is split at blanks.
func splitWords(s string) []string {
	f, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(s), "")
	if words, ok := plainCommands(s, f); err == nil && ok && len(words) == 1 {
		return words[0]
	}
	return strings.Fields(s)
}
