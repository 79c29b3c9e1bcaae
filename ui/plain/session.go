package plain

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"talaria/engine"
)

// looks is how long what is asked of the store or the engine for a command may take.
const looks = 30 * time.Second

// ask runs what takes time beside the conversation, and says its error or hands over what it brought.
func ask[T any](c *chat, doing string, f func(ctx context.Context) (T, error), tell func(T)) {
	parent := c.ctx
	c.later(doing, func() func() {
		ctx, cancel := context.WithTimeout(parent, looks)
		defer cancel()
		got, err := f(ctx)
		return func() {
			if err != nil {
				c.out.say("Error: %s: %v", doing, err)
				return
			}
			tell(got)
		}
	})
}

// none says that a command has nothing to work on here.
func (c *chat) none(text string) { c.out.say("Note: %s", text) }

// sessionCommands are what is done with sessions as wholes.
func sessionCommands() []command {
	return []command{
		{"new", "", "begins a new session", true, op(engine.Open{})},
		{"sessions", "[TEXT]", "lists the sessions, to open one by its number", true, (*chat).sessions},
		{"resume", "[TITLE or ID]", "opens that session; alone it lists them", true, (*chat).resume},
		{"rename", "TITLE", "gives this session a title", false, (*chat).rename},
		{"fork", "[TITLE]", "goes on in a copy of this session", true, (*chat).fork},
		{"timeline", "", "lists the turns, to go back to one, fork there or summarise from there", true, (*chat).timeline},
		{"export", "[FORMAT]", "writes this session to a file", false, (*chat).export},
		{"share", "", "writes this session as a page for a browser; nothing is sent", false, func(c *chat, _ string) { c.export("html") }},
		{"history", "", "reads the whole session again", false, func(c *chat, _ string) { c.history() }},
		{"search", "TEXT", "finds it in this session", false, (*chat).search},
		{"undo", "[TURNS]", "takes back the last turn and its files", true, (*chat).undo},
		{"redo", "", "brings back what was undone", true, op(engine.Undo{Redo: true})},
	}
}

func (c *chat) resume(ref string) {
	lib, dir := c.d.Library, c.d.Options.Dir
	if ref == "" || lib == nil {
		c.sessions("")
		return
	}
	ask(c, "find the session", func(ctx context.Context) (engine.Session, error) { return lib.Find(ctx, ref, dir) },
		func(s engine.Session) { c.do(engine.Open{Session: s.ID}) })
}

func (c *chat) rename(title string) {
	lib, id := c.d.Library, c.exit.Session.ID
	switch {
	case title == "":
		c.none("/rename TITLE gives this session a title.")
	case lib == nil || !c.exit.Stored:
		c.none("this session has no message yet; rename it after the first.")
	default:
		ask(c, "rename the session", func(ctx context.Context) (string, error) { return title, lib.Rename(ctx, id, title) }, func(title string) {
			c.exit.Session.Title = title
			c.out.say("Session: its title is %s now.", title)
		})
	}
}

func (c *chat) fork(title string) {
	forks, lib, id := c.d.Views.Forks, c.d.Library, c.exit.Session.ID
	if forks == nil || !c.exit.Stored {
		c.none("this session has no message yet: there is nothing to copy.")
		return
	}
	ask(c, "copy the session", func(ctx context.Context) (string, error) {
		copied, err := forks.ForkSession(ctx, id)
		if err == nil && title != "" && lib != nil {
			err = lib.Rename(ctx, copied, title)
		}
		return copied, err
	}, func(copied string) { c.do(engine.Open{Session: copied}) })
}

func (c *chat) export(format string) {
	x, id := c.d.Views.Exporter, c.exit.Session.ID
	if x == nil || !c.exit.Stored {
		c.none("there is nothing to export yet.")
		return
	}
	formats := x.Formats()
	if format == "" {
		format = formats[0]
	}
	if !slices.Contains(formats, format) {
		c.out.say("Warning: /export takes %s. Nothing was written.", strings.Join(formats, ", "))
		return
	}
	ask(c, "export the session", func(ctx context.Context) (string, error) { return x.Export(ctx, id, format) },
		func(path string) { c.out.say("Note: exported to %s.", path) })
}

// search reads the lines of this session that have a text, whatever its case.
func (c *chat) search(text string) {
	lib, id, look := c.d.Library, c.exit.Session.ID, c.d.Options.Look
	if text == "" || lib == nil || !c.exit.Stored {
		c.none("/search TEXT finds it in this session.")
		return
	}
	ask(c, "read the session", func(ctx context.Context) ([]string, error) {
		all, err := lib.Tail(ctx, id, 0)
		return slices.DeleteFunc(Log(all, look), func(l string) bool { return !strings.Contains(strings.ToLower(l), strings.ToLower(text)) }), err
	}, func(found []string) {
		c.out.lines(found)
		c.out.say("Note: %s with %s.", plural(len(found), "line", "lines"), text)
	})
}

// timeline lists the turns; of the one that is chosen, what can be done.
func (c *chat) timeline(string) {
	line := c.d.Views.Timeline
	if line == nil {
		c.none("there is no timeline here.")
		return
	}
	ask(c, "read the turns", line.Turns, func(turns []engine.Turn) {
		turns = slices.DeleteFunc(turns, func(t engine.Turn) bool { return !t.Here })
		l := list{title: "turns of this session, oldest first. Nothing changes until you choose what to do", pick: func(i int) { c.goBack(line, turns[i]) }}
		for _, t := range turns {
			row := t.At.Local().Format("15:04") + ", " + oneLine(t.Text)
			if n := len(t.Files); n > 0 {
				row += ", " + plural(n, "file changed", "files changed")
			}
			l.rows = append(l.rows, row)
		}
		if len(turns) == 0 {
			c.none("nothing was sent yet.")
		}
		c.offer(l)
	})
}

// goBack offers what can be done before a turn.
func (c *chat) goBack(line engine.Timeline, t engine.Turn) {
	ask(c, "compare the files", func(ctx context.Context) (engine.Rewind, error) { return line.Rewind(ctx, t.Number) }, func(r engine.Rewind) {
		var files []string
		for _, f := range r.Files {
			name := oneLine(f.Name)
			if f.Edited {
				name += " (changed since, you would be asked)"
			}
			files = append(files, name)
		}
		text := fmt.Sprintf("before %q: %s would leave the chat", oneLine(t.Text), plural(r.Turns, "turn", "turns"))
		if len(files) > 0 {
			text += fmt.Sprintf(" and %s would be restored: %s", plural(len(files), "file", "files"), strings.Join(files, ", "))
		}
		undo := func(what string) func() { return func() { c.do(engine.Undo{Turn: t.Number, What: what}) } }
		fork := func() {
			ask(c, "copy the session", func(ctx context.Context) (string, error) { return line.Fork(ctx, t.Number) }, func(id string) { c.do(engine.Open{Session: id}) })
		}
		do := []func(){undo(""), undo(engine.UndoChat), undo(engine.UndoFiles), fork, func() { c.do(engine.Compact{From: t.ID}) }}
		c.offer(list{title: text, pick: func(i int) { do[i]() }, rows: []string{"Take back chat and files", "The chat only", "The files only", "Fork there: keep everything, continue in a copy",
			"Summarise from here: keep the chat, free context"}})
	})
}
