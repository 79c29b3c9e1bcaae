package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"talaria/engine"
	"talaria/engine/config"
	"talaria/store"
	"talaria/ui/chrome"
)

// cmd is one subcommand: "sessions list". Args says how many further words it takes, at least and at most.
type cmd struct {
	name, sub string
	least     int
	most      int
	run       func(c *cmdline) error
}

// cmdline is a subcommand at work. Opts are the options of its own that were given, by name, a switch with the value "".
type cmdline struct {
	args []string
	opts map[string]string
	json bool
	out  io.Writer
	errs io.Writer
}

// subcommand runs args as a subcommand if they parse as one; otherwise a first word like "sessions" begins a prompt.
func subcommand(args []string, out, errs io.Writer) (code int, ok bool) {
	for _, one := range cmds() {
		c := cmdline{out: out, errs: errs}
		if !c.parse(one, args) {
			continue
		}
		err := one.run(&c)
		var some errNotAll
		if errors.As(err, &some) {
			fmt.Fprintf(errs, "talaria: %v\n", some)
			return exitFailed, true
		}
		if err != nil {
			return usageError(errs, err), true
		}
		return exitOK, true
	}
	return 0, false
}

// parse reports whether args are the subcommand one, and takes them.
func (c *cmdline) parse(one cmd, args []string) bool {
	c.args, c.opts = nil, map[string]string{}
	own := strings.Fields(abouts[one.key()].opts)
	for i := 0; i < len(args); i++ {
		name, value, given := strings.Cut(args[i], "=")
		switch {
		case args[i] == "--json", args[i] == "--origin":
			c.json = true
		case !strings.HasPrefix(name, "-"):
			c.args = append(c.args, args[i])
		case slices.Contains(own, name) && !given:
			c.opts[name] = ""
		case slices.Contains(own, name+"="):
			if !given {
				if i++; i == len(args) {
					return false
				}
				value = args[i]
			}
			c.opts[name] = value
		default:
			return false
		}
	}
	words := strings.Fields(one.key())
	if len(c.args) < len(words) || !slices.Equal(c.args[:len(words)], words) {
		return false
	}
	c.args = c.args[len(words):]
	return len(c.args) >= one.least && len(c.args) <= one.most
}

// key is how the subcommand is typed.
func (c cmd) key() string { return strings.TrimSpace(c.name + " " + c.sub) }

// print writes v as JSON, or as the lines of text.
func (c *cmdline) print(v any, lines ...string) error {
	if c.json {
		b, err := json.MarshalIndent(v, "", "  ")
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(c.out, string(b))
		return err
	}
	for _, l := range lines {
		if _, err := fmt.Fprintln(c.out, l); err != nil {
			return err
		}
	}
	return nil
}

func (c *cmdline) program() (*program, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	return configure(flags{}, dir)
}

// withStore runs f over the store and closes it.
func (c *cmdline) withStore(f func(ctx context.Context, s engine.Store) error) error {
	p, err := c.program()
	if err != nil {
		return err
	}
	s, err := store.Open(p.paths.Data)
	if err != nil {
		return err
	}
	defer s.Close()
	return f(context.Background(), s)
}

// listLimit is how many sessions a listing shows.
const listLimit = 200

func listSessions(c *cmdline) error {
	return c.withStore(func(ctx context.Context, s engine.Store) error {
		list, err := s.List(ctx, engine.Query{Limit: listLimit})
		if err != nil {
			return err
		}
		var lines []string
		for i := range list {
			list[i].System = "" // kept for the model, not for a listing
			one := list[i]
			lines = append(lines, fmt.Sprintf("%s  %s  %9s  %s", one.ID, one.Updated.Local().Format("2006-01-02 15:04"), chrome.Plural(one.Turns, "turn", "turns"), one.Title))
		}
		if len(lines) == 0 {
			lines = []string{"No sessions yet."}
		}
		return c.print(list, lines...)
	})
}

// sought is the error of a search for a session, which names what was looked for, with a way on.
func sought(err error) error {
	switch {
	case errors.Is(err, engine.ErrNotFound):
		return fmt.Errorf("%w. talaria sessions list shows them", err)
	case errors.Is(err, engine.ErrMany):
		return fmt.Errorf("%w. Give more of its id", err)
	}
	return err
}

func showSession(c *cmdline) error {
	return c.withStore(func(ctx context.Context, s engine.Store) error {
		one, err := s.Find(ctx, c.args[0], "")
		if err != nil {
			return sought(err)
		}
		recs, err := s.Tail(ctx, one.ID, 0)
		if err != nil {
			return err
		}
		var msgs []engine.Message
		for _, r := range engine.Standing(recs) {
			if a, ok := r.Event.(engine.Appended); ok {
				msgs = append(msgs, a.Message)
			}
		}
		chat := engine.ExportChat("", msgs)
		var lines []string
		for _, m := range chat {
			for _, call := range m.ToolCalls {
				lines = append(lines, "["+call.Function.Name+" "+call.Function.Arguments+"]")
			}
			if m.Content != "" {
				lines = append(lines, m.Role+": "+m.Content, "")
			}
		}
		return c.print(map[string]any{"session": one, "messages": chat}, lines...)
	})
}

func renameSession(c *cmdline) error {
	return c.withStore(func(ctx context.Context, s engine.Store) error {
		one, err := s.Find(ctx, c.args[0], "")
		if err != nil {
			return sought(err)
		}
		return s.Rename(ctx, one.ID, strings.Join(c.args[1:], " "))
	})
}

func deleteSession(c *cmdline) error {
	return c.withStore(func(ctx context.Context, s engine.Store) error {
		one, err := s.Find(ctx, c.args[0], "")
		if err != nil {
			return sought(err)
		}
		return s.Delete(ctx, one.ID)
	})
}

func configGet(c *cmdline) error {
	p, err := c.program()
	if err != nil {
		return err
	}
	v, err := config.Get(p.resolver.Config, c.args[0])
	if err != nil {
		return err
	}
	origin := p.resolver.Origins.Of(c.args[0]).String()
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return c.print(map[string]any{"key": c.args[0], "value": v, "origin": origin}, fmt.Sprintf("%s  (%s)", text, origin))
}

func configSet(c *cmdline) error {
	p, err := c.program()
	if err != nil {
		return err
	}
	if c.args[0] == "ui.theme" {
		if err := p.themed(c.args[1]); err != nil {
			return err
		}
	}
	return config.Set(p.paths.Config, config.Value{Key: c.args[0], Text: c.args[1]})
}

// themed reports a name that no theme has; which there are depends on the user's own.
func (p *program) themed(name string) error {
	if name == "" || name == "auto" {
		return nil
	}
	if _, err := p.themes.Load(name); err != nil {
		return fmt.Errorf("ui.theme: %w", err)
	}
	return nil
}

func configPath(c *cmdline) error {
	p, err := c.program()
	if err != nil {
		return err
	}
	return c.print(map[string]string{"path": p.paths.Config}, p.paths.Config)
}

func configCheck(c *cmdline) error {
	p, err := c.program()
	if err != nil {
		return err
	}
	if err := p.themed(p.resolver.Config.UI.Theme); err != nil {
		return err
	}
	return c.print(map[string]bool{"ok": true}, p.paths.Config+" is in order.")
}

func listThemes(c *cmdline) error {
	p, err := c.program()
	if err != nil {
		return err
	}
	return c.print(p.themes.Names(), p.themes.Names()...)
}
