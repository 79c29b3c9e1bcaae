package plain

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"talaria/engine"
	"talaria/ui/limit"
	"talaria/ui/turn"
)

// command is one thing that can be typed after a slash. Idle ones are refused while the agent works.
type command struct {
	name, args, help string
	idle             bool
	do               func(c *chat, arg string)
}

func op(o engine.Op) func(*chat, string) { return func(c *chat, _ string) { c.do(o) } }

// commands are all of them, in the order in which /help reads them out. It is made when asked for: help is one of them.
func commands() []command {
	return slices.Concat([]command{{"help", "", "reads this list", false, func(c *chat, _ string) { c.help() }}}, turnCommands(), sessionCommands(), lookCommands(),
		[]command{{"quit", "", "leaves; the session is kept. Ctrl+D does too", false, func(c *chat, _ string) { c.quit() }}})
}

// turnCommands are what is done with turns, and how they run.
func turnCommands() []command {
	return []command{
		{"stop", "", "stops the turn now, as Ctrl+C does; /stop after lets the running tool finish", false, (*chat).stop},
		{"continue", "", "asks again, without a new message", true, op(engine.Continue{})},
		{"retry", "", "asks the last message once more; files stay as they are", true, func(c *chat, _ string) { c.retry() }},
		{"steer", "TEXT", "gives the running turn a word", false, func(c *chat, arg string) { c.word(engine.Steer{Text: arg}, arg) }},
		{"queue", "TEXT", "is sent after this turn", false, func(c *chat, arg string) { c.word(engine.Queue{Text: arg}, arg) }},
		{"later", "", "leaves a question for later", false, func(c *chat, _ string) { c.putOff() }},
		{"plan", "[GOAL]", "plans without changing anything; with a goal it begins", true, (*chat).planFor},
		{"mode", "ask, edit, plan or auto", "changes what is asked before", false, (*chat).setMode},
		{"model", "[PROVIDER/]MODEL", "changes the model; without a name it lists them", true, (*chat).models},
		{"effort", "WORD", "how much the model thinks: off, minimal, low, medium, high, xhigh or max", true, (*chat).effort},
		{"budget", "5, 40 turns or off", "what a turn may cost in dollars, or take in rounds", false, (*chat).budget},
		{"connect", "", "lists the ways to connect a model", false, func(c *chat, _ string) { c.connect() }},
		{"run", "COMMAND", "runs it in the session's shell and tells the model; so does !COMMAND, and !!COMMAND does not tell", false, func(c *chat, arg string) { c.shell(arg, true) }},
		{"compact", "[FOCUS]", "summarises older turns", true, func(c *chat, arg string) { c.do(engine.Compact{Focus: arg}) }},
	}
}

// command runs a line that begins with a slash; ok is false for one that is no command but a path.
func (c *chat) command(text string) (ok bool) {
	name, arg, _ := strings.Cut(text[1:], " ")
	if strings.Contains(name, "/") || name == "" {
		return false
	}
	for _, one := range commands() {
		if one.name != strings.ToLower(name) {
			continue
		}
		if one.idle && c.turn.Active {
			c.out.say("Warning: /%s does not work while the agent does. /stop stops it.", one.name)
			return true
		}
		one.do(c, strings.TrimSpace(arg))
		return true
	}
	if why := absent[strings.ToLower(name)]; why != "" {
		c.out.say("Note: /%s is for the full screen: %s.", name, why)
		return true
	}
	c.skill(name, text)
	return true
}

// skill sends a line whose name may be that of a skill or a kept prompt; the engine puts that in its place.
func (c *chat) skill(name, text string) {
	unknown := func() { c.out.say("Warning: no command /%s. /help lists them. Nothing was sent.", name) }
	skills := c.d.Views.Skills
	if skills == nil {
		unknown()
		return
	}
	ask(c, "look for the skill", func(ctx context.Context) ([]engine.SkillLine, error) { return skills.Skills(ctx), nil }, func(all []engine.SkillLine) {
		if !slices.ContainsFunc(all, func(s engine.SkillLine) bool { return s.Name == strings.ToLower(name) }) {
			unknown()
			return
		}
		c.message(text)
	})
}

func (c *chat) help() {
	c.out.say("Note: what you type is a message; while the agent works it goes in with its next step. Ctrl+C stops the turn. A line that ends in a backslash goes on in the next.")
	for _, one := range commands() {
		c.out.say("/%s: %s.", strings.TrimSpace(one.name+" "+one.args), one.help)
	}
}

// status says in one line what happens.
func (c *chat) status() {
	what := map[turn.State]string{turn.Sending: "waiting for the model", turn.Thinking: "the model thinks", turn.Writing: "the model writes", turn.NeedsYou: "waiting for your answer",
		turn.Stopping: "stopping", turn.Retrying: "waiting to ask again", turn.Stopped: "stopped; Enter continues", turn.Failed: "the last turn failed; Enter asks again"}[c.turn.State]
	if act, ok := c.turn.Slowest(); ok && c.turn.State == turn.Tools {
		what = fmt.Sprintf("%s runs, %s", action(act.Line), spoken(time.Since(act.Began)))
	}
	if what == "" {
		what = "type a message"
	}
	word := "Ready"
	if c.turn.Active {
		word = "Working"
		what += fmt.Sprintf(", turn %d, %s", c.exit.Session.Turns, spoken(c.turn.Elapsed(time.Now())))
	}
	text := fmt.Sprintf("%s: %s. %s, mode %s", word, what, model(c.exit.Session.Route), c.facts.mode)
	if used := c.facts.used; used.Window > 0 {
		text += fmt.Sprintf(", context %d percent", 100*used.Context/used.Window)
	}
	if cost := c.facts.used.Cost; cost != nil && *cost > 0 {
		text += fmt.Sprintf(", $%.2f", max(0.01, *cost))
	}
	c.out.say("%s.", text)
	if s := c.exit.Session; s.ID != "" {
		c.out.say("Session: %s, %s, %s, %s.", s.ID, cmp.Or(oneLine(s.Title), "without a title"), plural(s.Turns, "turn", "turns"), c.d.Options.Dir)
	}
}

func (c *chat) stop(arg string) {
	switch {
	case !c.turn.Active:
		c.out.say("Note: nothing runs.")
	case arg == "after":
		c.turn.Stop(false, time.Now())
		c.d.Engine.Do(engine.Interrupt{Graceful: true})
	default:
		c.signal(os.Interrupt)
	}
}

// word is what /steer and /queue give; without a running turn it is a message.
func (c *chat) word(o engine.Op, text string) {
	switch {
	case text == "":
		c.out.say("Note: the text goes behind the command.")
	case c.turn.Active:
		c.do(o)
	default:
		c.message(text)
	}
}

func (c *chat) setMode(arg string) {
	if arg == "" {
		c.out.say("Mode: %s. /mode ask, edit, plan or auto changes it.", c.facts.mode)
		return
	}
	c.do(engine.Set{Mode: arg})
}

// efforts are how much a model may think (CONTRACT 4, model.effort).
var efforts = []string{"off", "minimal", "low", "medium", "high", "xhigh", "max"}

func (c *chat) effort(word string) {
	r := &c.exit.Session.Route
	switch {
	case !c.connected():
		c.out.say("Note: no model is connected. /connect adds one.")
	case !slices.Contains(efforts, word):
		now := r.Effort
		if now == "" {
			now = "the model's own"
		}
		c.out.say("Note: the effort is %s. /effort takes %s.", now, strings.Join(efforts, ", "))
	default:
		c.do(engine.Switch{Model: r.Provider + "/" + r.Model + ":" + word})
		r.Effort = word
	}
}

func (c *chat) budget(arg string) {
	set, ok := limit.Read(arg)
	if !ok {
		c.out.say("Note: /budget 5 caps a turn at $5, /budget 40 turns at 40 rounds, /budget off takes both away.")
		return
	}
	c.do(set)
}

func (c *chat) planFor(goal string) {
	c.do(engine.Set{Mode: "plan"})
	if goal != "" {
		c.message(goal)
	}
}

// retry asks the last message once more. One that was answered is taken out of the chat first, and sent when it is.
func (c *chat) retry() {
	if c.turn.State == turn.Stopped || c.turn.State == turn.Failed {
		c.do(engine.Continue{})
		return
	}
	c.then.again = true
	c.do(engine.Undo{What: engine.UndoChat})
}

// shell runs a command of the user's own; with tell the model reads of it.
func (c *chat) shell(line string, tell bool) {
	if line = strings.TrimSpace(line); line == "" || c.d.Processes == nil {
		c.out.say("Note: !COMMAND runs it and tells the model, !!COMMAND does not tell.")
		return
	}
	if c.then.own != nil {
		c.out.say("Note: your command before this one still runs. Ctrl+C stops it.")
		return
	}
	run := c.d.Processes.Shell
	ctx, cancel := context.WithCancel(c.ctx)
	c.then.own = cancel
	c.later("shell", func() func() {
		_, err := run(ctx, line, tell) // what it prints comes as events
		return func() {
			cancel()
			c.then.own = nil
			if err != nil {
				c.out.say("Error: run %s: %v", line, err)
			}
		}
	})
}

func (c *chat) undo(arg string) {
	n := 1
	if arg != "" {
		var err error
		if n, err = strconv.Atoi(arg); err != nil || n < 1 {
			c.out.say("Warning: /undo takes back the last turn, /undo 3 the last three. Nothing was changed.")
			return
		}
	}
	c.do(engine.Undo{Turn: -n})
}

// history reads the session from its beginning.
func (c *chat) history() {
	lib, ctx, id, look := c.d.Library, c.ctx, c.exit.Session.ID, c.d.Options.Look
	if lib == nil || !c.exit.Stored {
		c.out.say("Note: nothing was said yet.")
		return
	}
	c.later("history", func() func() {
		all, err := lib.Tail(ctx, id, 0)
		return func() {
			if err != nil {
				c.out.say("Error: read the session: %v", err)
				return
			}
			c.out.lines(Log(all, look))
			c.out.say("Note: that is all.")
		}
	})
}

func (c *chat) tasks() {
	if len(c.facts.plan) == 0 {
		c.out.say("Tasks: there is no list. The agent makes one for longer work.")
		return
	}
	c.out.lines(planned(c.facts.plan))
	for i, t := range c.facts.plan {
		c.out.say("%d. %s, %s", i+1, strings.ReplaceAll(t.Status, "_", " "), t.Content)
	}
}
