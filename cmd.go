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

// cmds is the table of subcommands.
func cmds() []cmd {
	return []cmd{
		{"sessions", "list", 0, 0, listSessions},
		{"sessions", "show", 1, 1, showSession},
		{"sessions", "search", 1, 99, searchSessions},
		{"sessions", "rename", 2, 99, renameSession},
		{"sessions", "delete", 1, 1, deleteSession},
		{"sessions", "export", 1, 1, exportSession},
		{"sessions", "import", 0, 99, importSessions},
		{"sessions", "prune", 0, 0, pruneSessions},
		{"usage", "", 0, 0, showUsage},
		{"doctor", "", 0, 0, doctor},
		{"replay", "", 1, 1, replayFile},
		{"logs", "", 0, 0, showLogs},
		{"models", "", 0, 0, listModels},
		{"models", "list", 0, 0, listModels},
		{"models", "refresh", 0, 0, refreshModels},
		{"completion", "", 1, 1, writeCompletion},
		{"man", "", 0, 0, writeManual},
		{"themes", "check", 0, 99, checkThemes},
		{"config", "get", 1, 1, configGet},
		{"config", "set", 2, 2, configSet},
		{"config", "path", 0, 0, configPath},
		{"config", "schema", 0, 0, func(c *cmdline) error { _, err := fmt.Fprintln(c.out, string(config.Schema())); return err }},
		{"config", "check", 0, 0, configCheck},
		{"memory", "show", 0, 1, showMemory},
		{"memory", "path", 0, 0, memoryPath},
		{"config", "permissions", 0, 0, listPermissions},
		{"config", "revoke", 1, 1, revokePermission},
		{"themes", "list", 0, 0, listThemes},
		{"skills", "list", 0, 0, listSkills},
		{"skills", "show", 1, 1, showSkill},
		{"mcp", "list", 0, 0, listServers},
		{"mcp", "test", 0, 1, testServers},
		{"acp", "", 0, 0, serveEditor},
	}
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
			lines = append(lines, fmt.Sprintf("%s  %s  %3d turns  %s", one.ID, one.Updated.Local().Format("2006-01-02 15:04"), one.Turns, one.Title))
		}
		if len(lines) == 0 {
			lines = []string{"No sessions yet."}
		}
		return c.print(list, lines...)
	})
}

func showSession(c *cmdline) error {
	return c.withStore(func(ctx context.Context, s engine.Store) error {
		one, err := s.Find(ctx, c.args[0], "")
		if err != nil {
			return fmt.Errorf("find session %q: %w", c.args[0], err)
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
			return fmt.Errorf("find session %q: %w", c.args[0], err)
		}
		return s.Rename(ctx, one.ID, strings.Join(c.args[1:], " "))
	})
}

func deleteSession(c *cmdline) error {
	return c.withStore(func(ctx context.Context, s engine.Store) error {
		one, err := s.Find(ctx, c.args[0], "")
		if err != nil {
			return fmt.Errorf("find session %q: %w", c.args[0], err)
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
	return config.Set(p.paths.Config, config.Value{Key: c.args[0], Text: c.args[1]})
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
	return c.print(map[string]bool{"ok": true}, p.paths.Config+" is in order.")
}

func listThemes(c *cmdline) error {
	p, err := c.program()
	if err != nil {
		return err
	}
	return c.print(p.themes.Names(), p.themes.Names()...)
}
