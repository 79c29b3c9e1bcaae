package plain

import (
	"context"

	"talaria/engine"
	"talaria/ui/plain/page"
)

// lookCommands say what is known: of the session, of the program.
func lookCommands() []command {
	v := func(c *chat) Views { return c.d.Views }
	all := []command{
		{"status", "", "says what happens now", false, func(c *chat, _ string) { c.status() }},
		{"tasks", "", "reads the task list", false, func(c *chat, _ string) { c.tasks() }},
		{"diff", "[turn]", "reads what this session, or its last turn, did to files", false, (*chat).diff},
		{"agents", "[stop]", "lists the agents that are at work; stop ends them all", false, (*chat).agents},
		{"background", "[end NUMBER]", "lists the commands in the background; end stops one", false, (*chat).background},
		{"usage", "", "says tokens and cost, by model", false, func(c *chat, _ string) {
			ledger, r := v(c).Ledger, c.exit.Session.Route
			c.read("add up what was used", ledger != nil, func(ctx context.Context) ([]string, error) { return page.Usage(ctx, ledger, r) })
		}},
		{"context", "[pin or drop NUMBER]", "lists what fills the window; pin keeps one word for word, drop leaves it out, and once more takes that back", false, func(c *chat, arg string) {
			lens := v(c).Lens
			c.read("look at what is sent", lens != nil, func(ctx context.Context) ([]string, error) { return page.Context(ctx, lens, arg) })
		}},
		{"permissions", "", "lists what is allowed without a question, to revoke one by its number", false, (*chat).permissions},
		{"why", "", "says what decided on the latest calls", false, func(c *chat, _ string) {
			rules := v(c).Rules
			c.read("read the decisions", rules != nil, func(ctx context.Context) ([]string, error) { return page.Why(ctx, rules, listed) })
		}},
		{"memory", "[add TEXT or remove NUMBER]", "reads what is remembered", false, func(c *chat, arg string) {
			book := v(c).Memory
			c.read("read the memory", book != nil, func(ctx context.Context) ([]string, error) { return page.Memory(ctx, book, arg) })
		}},
	}
	for _, one := range [][2]string{{"tools", "says what the agent can do"}, {"mcp", "lists MCP servers and their tools"}, {"skills", "lists skills and kept prompts"}, {"settings", "reads every setting; talaria config set changes one"},
		{"doctor", "checks configuration, keys, terminal, disk and sessions"}, {"changelog", "says what changed in this version"}, {"bug", "writes a report of a fault; nothing is sent"}} {
		all = append(all, command{one[0], "", one[1], false, func(c *chat, _ string) {
			reports := v(c).Reports
			c.read("make the page", reports != nil, func(ctx context.Context) ([]string, error) { return page.Report(ctx, reports, one[0]) })
		}})
	}
	return all
}

// read says the lines of a page, or why there are none. There false says what is missing.
func (c *chat) read(doing string, there bool, f func(ctx context.Context) ([]string, error)) {
	if !there {
		c.none("there is nothing of that here.")
		return
	}
	ask(c, doing, f, func(lines []string) { c.out.lines(lines) })
}

func (c *chat) diff(arg string) {
	line := c.d.Views.Timeline
	if arg != "" && arg != "turn" && arg != "session" {
		c.none("/diff reads what the session did to files, /diff turn what its last turn did.")
		return
	}
	c.read("compare the files", line != nil, func(ctx context.Context) ([]string, error) { return page.Diff(ctx, line, arg == "turn") })
}

func (c *chat) agents(arg string) {
	agents := c.d.Views.Agents
	if agents == nil || len(agents.Agents()) == 0 {
		c.none("no agents are running.")
		return
	}
	if arg == "stop" {
		agents.StopAgent("")
		c.none("the agents are stopped.")
		return
	}
	for i, a := range agents.Agents() {
		c.out.say("%d. %s", i+1, oneLine(a.Goal))
	}
}

func (c *chat) background(arg string) {
	if c.d.Processes == nil {
		c.none("nothing runs in the background.")
		return
	}
	all, end := c.d.Processes.List(), c.d.Processes.End
	id := page.End(all, arg)
	if id == "" {
		c.out.lines(page.Background(all))
		return
	}
	ask(c, "end "+id, func(context.Context) (string, error) { return id, end(id) }, func(id string) { c.out.say("Note: %s has ended.", id) })
}

func (c *chat) permissions(string) {
	rules := c.d.Views.Rules
	if rules == nil {
		c.none("there are no rules here.")
		return
	}
	ask(c, "read the rules", rules.List, func(all []engine.Permission) {
		l := list{title: "rules in force. The number of one revokes it", pick: func(i int) {
			r := all[i]
			if r.ID == "" {
				c.none("this one is in the configuration: talaria config path shows the file.")
				return
			}
			ask(c, "revoke the rule", func(ctx context.Context) (string, error) { return r.Rule, rules.Revoke(ctx, r.ID) },
				func(rule string) { c.out.say("Note: revoked: %s. It is asked again from now on.", rule) })
		}}
		for _, r := range all {
			row := oneLine(r.Rule) + ", " + r.Scope
			if r.Deny {
				row += ", never"
			}
			l.rows = append(l.rows, row)
		}
		if len(all) == 0 {
			c.none("no rules yet. An approval offers one.")
		}
		c.offer(l)
	})
}
