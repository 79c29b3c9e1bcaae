package plain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"talaria/engine"
)

// list is a numbered list that waits for a number.
type list struct {
	title string
	rows  []string
	pick  func(i int) // from 0
}

// offer reads a list out and waits for a number.
func (c *chat) offer(l list) {
	if len(l.rows) == 0 {
		return
	}
	c.out.say("List: %s.", l.title)
	for i, row := range l.rows {
		c.out.say("%d. %s", i+1, row)
	}
	c.out.say("Type a number, or Enter to leave it.")
	c.ask.list = &l
}

// pick takes what was typed while a list waits. What is no number of it is kept, and the list stays.
func (c *chat) pick(text string) {
	l := c.ask.list
	n, err := strconv.Atoi(strings.TrimSuffix(text, "."))
	switch {
	case err == nil && n >= 1 && n <= len(l.rows):
		c.ask.list = nil
		l.pick(n - 1)
		c.release()
	case err == nil:
		c.out.say("Note: the list has %d rows. Type a number, or Enter to leave it.", len(l.rows))
	default:
		c.ask.keep(text)
		c.out.say("Kept: %s. It is sent when the list is left. Type a number, or Enter.", strings.TrimSuffix(oneLine(text), "."))
	}
}

// listed is how many sessions are read out at most: a list is heard from its beginning to the end.
const listed = 20

// sessions lists the sessions of this directory, those that fit text if there is any.
func (c *chat) sessions(text string) {
	lib, ctx, dir := c.d.Library, c.ctx, c.d.Options.Dir
	if lib == nil {
		c.out.say("Note: there are no sessions here.")
		return
	}
	c.later("sessions", func() func() {
		all, err := lib.List(ctx, engine.Query{Dir: dir, Text: text, Limit: listed})
		return func() {
			l := list{title: "sessions of this directory, newest first", pick: func(i int) { c.do(engine.Open{Session: all[i].ID}) }}
			for _, s := range all {
				title := oneLine(s.Title)
				if title == "" {
					title = "without a title"
				}
				l.rows = append(l.rows, fmt.Sprintf("%s, %s, %s", title, plural(s.Turns, "turn", "turns"), s.Updated.Local().Format("Mon 2 Jan 15:04")))
			}
			switch {
			case err != nil:
				c.out.say("Error: list the sessions: %v", err)
			case len(all) == 0:
				c.out.say("Note: no session of this directory fits.")
				c.release()
			default:
				c.offer(l)
			}
		}
	})
}

// demo is the built-in model, which needs no key and no network.
var demo = engine.Connection{Name: "Offline demo", Found: "scripted, no network", Local: true, Ready: true, Route: engine.Route{Provider: "demo", Model: "offline"}}

// connect lists the ways to a model: what was found, the model servers of this machine, then providers that need a key.
func (c *chat) connect() {
	ways, ctx := c.d.Connect, c.ctx
	if ways == nil || c.ask.list != nil || c.leaving.ended {
		return
	}
	c.later("connections", func() func() {
		known, local := ways.Known(), ways.Local(ctx)
		return func() {
			var ready, other []engine.Connection
			for _, one := range known {
				if one.Ready {
					ready = append(ready, one)
				} else if !one.Local {
					other = append(other, one)
				}
			}
			if !slices.ContainsFunc(ready, func(one engine.Connection) bool { return one.Route.Provider == demo.Route.Provider }) {
				local = append(local, demo)
			}
			all := append(append(ready, local...), other...)
			l := list{title: "ways to connect a model", pick: func(i int) { c.chosen(all[i]) }}
			for _, one := range all {
				row := oneLine(one.Name)
				if one.Found != "" {
					row += ", " + oneLine(one.Found)
				} else if !one.Ready && !one.Local {
					row += ", needs a key"
				}
				l.rows = append(l.rows, row)
			}
			if !c.connected() {
				c.out.say("Note: no model is connected.")
			}
			c.offer(l)
		}
	})
}

// chosen asks for the key of a connection that needs one. It is not echoed where the terminal can keep from it.
func (c *chat) chosen(one engine.Connection) {
	if one.Ready || one.Local {
		c.try(one, "")
		return
	}
	c.out.say("Question: the key for %s? It is not shown while you type. Enter alone leaves it.", oneLine(one.Name))
	c.echo(false)
	c.ask.secret = func(key string) {
		if key == "" {
			c.out.say("Note: left without a key.")
			return
		}
		c.try(one, key)
	}
}

// try tests a connection with one tiny request, and uses it when that works.
func (c *chat) try(one engine.Connection, key string) {
	ways, ctx := c.d.Connect, c.ctx
	c.out.say("Working: trying %s.", oneLine(one.Name))
	c.later("connect", func() func() {
		var err error
		if one.Route.Model == "" {
			var offered []string
			if offered, err = ways.Models(ctx, one, key); err == nil && len(offered) > 1 {
				return func() { c.chooseModel(one, key, offered) }
			} else if err == nil && len(offered) == 1 {
				one.Route.Model = offered[0]
			}
		}
		if err == nil {
			err = ways.Test(ctx, one, key)
		}
		where := ""
		if err == nil && key != "" {
			where, err = ways.Save(ctx, one, key)
		}
		return func() { c.tried(one, where, err) }
	})
}

func (c *chat) chooseModel(one engine.Connection, key string, offered []string) {
	c.offer(list{title: "models of " + oneLine(one.Name), rows: offered, pick: func(i int) {
		one.Route.Model = offered[i]
		c.try(one, key)
	}})
}

// tried uses a connection that works; else it says why not, and lists the ways again.
func (c *chat) tried(one engine.Connection, where string, err error) {
	if err != nil {
		c.out.say("Error: %s cannot be used: %v", oneLine(one.Name), err)
		c.connect()
		return
	}
	if where != "" {
		c.out.say("Note: the key was stored: %s.", where)
	}
	r := one.Route
	c.exit.Session.Route = r
	c.do(engine.Switch{Model: r.Model, Route: &r})
	c.out.say("Ready: %s is connected. Type a message.", model(r))
	c.release()
}

// models lists what can be chosen where a connection is ready.
func (c *chat) models(arg string) {
	if arg != "" {
		c.do(engine.Switch{Model: arg})
		return
	}
	ways := c.d.Connect
	if ways == nil {
		return
	}
	c.later("models", func() func() {
		known := ways.Known()
		return func() {
			var refs []string
			for _, one := range known {
				for _, name := range one.Models {
					if one.Ready {
						refs = append(refs, one.Route.Provider+"/"+name)
					}
				}
				if one.Ready && len(one.Models) == 0 && one.Route.Model != "" {
					refs = append(refs, one.Route.Provider+"/"+one.Route.Model)
				}
			}
			if len(refs) == 0 {
				c.out.say("Note: no other model is known. /model PROVIDER/MODEL uses one, /connect adds a provider.")
				return
			}
			c.offer(list{title: "models. Now it is " + model(c.exit.Session.Route), rows: refs, pick: func(i int) { c.do(engine.Switch{Model: refs[i]}) }})
		}
	})
}
