package guard

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"talaria/engine"
	"talaria/engine/guard/place"
	"talaria/engine/guard/rule"
	"talaria/engine/guard/shell"
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
		return decision{by: "the arguments cannot be read", question: &engine.Question{Title: "Run a command", Body: c.Args, Why: "the arguments cannot be read"}}
	}
	dir := g.o.Dir()
	if in.Workdir != "" {
		dir = g.land(dir).Abs(in.Workdir)
	}
	d := g.judgeCommand(in, dir, mode)
	d.action = "$ " + in.Command
	return d
}

func (g *Guard) judgeCommand(in commandArgs, dir, mode string) decision {
	r := shell.Analyse(in.Command, shell.Options{Land: g.land(dir), Lookup: g.o.Lookup})
	if r.Hard != "" {
		return byRule(deny("the hard line: "+r.Hard, "blocked: %s. Talaria never does this, in any mode, whoever says yes. Do not look for another way; "+
			"if it is really wanted, tell the user, who can do it outside Talaria.", r.Hard))
	}
	for _, rule := range g.k.deny {
		for _, words := range r.Steps {
			if rule.Forbids(words) {
				return byRule(deny("the rule of your settings: deny "+rule.String(), "your settings forbid this (approvals.deny: %s). %s", rule, noConsent))
			}
		}
	}
	switch {
	case mode == modePlan:
		return planned("the command")
	case mode == modeAuto && r.Broken == "":
		return pass("auto mode allows it")
	}
	return g.weigh(in, dir, r)
}

// weigh passes a command that rules cover, and asks about any other.
func (g *Guard) weigh(in commandArgs, dir string, r *shell.Report) decision {
	d := decision{by: "commands ask in this mode", judge: in.Command, dir: dir}
	commands, plain := shell.Plain(in.Command, r.File)
	switch {
	case r.Broken != "":
		d.by, d.judge = r.Broken, ""
	case len(r.Dangers) > 0:
		d.by, d.judge = "the list of dangerous commands: "+strings.Join(r.Dangers, "; "), ""
	case plain:
		left, by, ok := g.uncovered(commands, dir)
		switch {
		case ok && len(left.items) == 0:
			return pass(by)
		case ok:
			d.items = left.items
			if left.some {
				d.by = "not allowed yet: " + left.what
			}
		default:
			d.by = left.what
		}
	default:
		d.by = "it is more than plain commands, which is all that rules cover"
	}
	why := d.by
	if len(r.Dangers) > 0 && r.Broken == "" {
		why = "it is in the list of dangerous commands"
	}
	if in.Workdir != "" {
		why += fmt.Sprintf("; it would run in %s", g.name([]place.Place{g.land(g.o.Dir()).Look(in.Workdir)}))
	}
	d.question = &engine.Question{Title: "Run a command", Body: in.Command, Why: why, Danger: strings.Join(r.Dangers, "; "), Draft: in.Command}
	return d
}

// remainder is what no rule covers yet of a compound command. Some says that a rule covers the rest of it.
type remainder struct {
	items []rule.Ladder
	what  string
	some  bool
}

// uncovered returns what the commands would need beyond the rules in force, and the rules that cover the rest; ok is
// false when no rule may cover one, and then what says why. A cd inside the workspace needs none: it changes nothing.
func (g *Guard) uncovered(commands []shell.Command, dir string) (left remainder, by string, ok bool) {
	inForce := g.k.inForce()
	dirs := g.reach(commands, dir)
	var need, used []string
	for _, c := range commands {
		spread, fine := c.Spread(dirs)
		if !fine || !rule.Allowable(spread, dirs, g.land(dir)) {
			return remainder{what: "no rule may cover `" + shell.Join(c.Words) + "`: it can run or change more than it says, or leaves the workspace"}, "", false
		}
		if slices.Contains(idle, rule.Bare(c.Words)[0]) {
			used = append(used, "`"+rule.Bare(c.Words)[0]+"` changes nothing")
			continue
		}
		if i := slices.IndexFunc(inForce, func(r rule.Rule) bool {
			return r.Covers(c.Words, dirs) && !(c.Patterns() && r.Kind == rule.Exactly)
		}); i >= 0 {
			used = append(used, "the rule "+inForce[i].String())
			continue
		}
		l := rule.ForCommand(c.Words, dir, c.Patterns())
		if len(l.Rules) == 0 {
			return remainder{what: "no rule may cover `" + shell.Join(c.Words) + "`"}, "", false
		}
		if same := func(o rule.Ladder) bool { return slices.EqualFunc(o.Rules, l.Rules, rule.Rule.Same) }; !slices.ContainsFunc(left.items, same) {
			left.items, need = append(left.items, l), append(need, "`"+shell.Join(c.Words)+"`")
		}
	}
	slices.Sort(used)
	left.what, left.some = strings.Join(need, ", "), len(commands) > len(need)
	return left, strings.Join(slices.Compact(used), "; "), true
}

// idle are commands that change nothing outside their own line.
var idle = []string{"cd", "pwd", "true", "false", ":"}

// reach are the directories in which one of the commands may run: a cd may fail, so all of them count.
func (g *Guard) reach(commands []shell.Command, dir string) []string {
	dirs := []string{dir}
	for _, c := range commands {
		words := rule.Bare(c.Words)
		if words[0] != "cd" {
			continue
		}
		if to, ok := shell.Target(words[1:], g.o.Home, dirs[len(dirs)-1]); ok {
			dirs = append(dirs, to)
		}
	}
	return dirs
}
