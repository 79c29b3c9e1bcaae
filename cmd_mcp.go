package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"talaria/engine/core/outside"
	"talaria/engine/guard"
	"talaria/engine/mcp"
)

// errNotAll is the end of a test in which not everything worked; what did not was printed.
type errNotAll struct {
	bad, all int
	what     string // "MCP servers did not work"
}

// Error says how many failed.
func (e errNotAll) Error() string {
	return fmt.Sprintf("%d of %d %s", e.bad, e.all, e.what)
}

// servers are the configured MCP servers, as the engine would start them.
func (p *program) servers() []mcp.Server {
	cfg := p.resolver.Config
	env := guard.CleanEnv(os.Environ(), cfg.Terminal.EnvPassthrough, p.resolver.KeyVariables()...)
	list, _ := outside.Servers(cfg, env, p.dir, os.Getenv)
	return list
}

// listedServer is a server in `mcp list`: how it is reached, and nothing of its environment or headers.
type listedServer struct {
	Name    string   `json:"name"`
	Command []string `json:"command,omitempty"`
	URL     string   `json:"url,omitempty"`
	Include []string `json:"include,omitempty"`
	Exclude []string `json:"exclude,omitempty"`
	Fault   string   `json:"fault,omitempty"`
}

func listServers(c *cmdline) error {
	p, err := c.program()
	if err != nil {
		return err
	}
	list := []listedServer{}
	var lines []string
	for _, s := range p.servers() {
		cfg := p.resolver.Config.MCPServers[s.Name] // as written: what ${NAME} stands for is not shown
		one := listedServer{Name: s.Name, URL: cfg.URL, Include: s.Include, Exclude: s.Exclude, Fault: s.Fault}
		where := cfg.URL
		if cfg.Command != "" {
			one.Command = append([]string{cfg.Command}, cfg.Args...)
			where = strings.Join(one.Command, " ")
		}
		if s.Fault != "" {
			where += "  (" + s.Fault + ")"
		}
		list = append(list, one)
		lines = append(lines, fmt.Sprintf("%-16s %s", s.Name, where))
	}
	if len(lines) == 0 {
		lines = []string{"No MCP servers. They stand under mcp_servers in " + p.paths.Config + "."}
	}
	return c.print(list, lines...)
}

// testServers starts the servers, or the one that is named, lists their tools, and ends them.
func testServers(c *cmdline) error {
	p, err := c.program()
	if err != nil {
		return err
	}
	list := p.servers()
	if len(c.args) == 1 {
		list = named(list, c.args[0])
		if len(list) == 0 {
			return fmt.Errorf("there is no MCP server %q in %s", c.args[0], p.paths.Config)
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	host := mcp.New(mcp.Options{Servers: list, Version: version, Log: func(server, line string) { fmt.Fprintf(c.errs, "%s: %s\n", server, safe(line)) }})
	defer host.Close()
	host.Start()
	host.Wait(ctx)
	status, bad := host.Status(), 0
	var lines []string
	for _, st := range status {
		line := fmt.Sprintf("%-16s %-8s", st.Name, st.State)
		if st.State == mcp.Ready {
			line += fmt.Sprintf(" %s, %d tools", safe(st.Says), len(st.Tools))
		} else {
			bad++
			line += " " + safe(st.Reason)
		}
		lines = append(lines, line)
		for _, t := range st.Tools {
			lines = append(lines, "  "+t)
		}
	}
	if len(lines) == 0 {
		lines = []string{"No MCP servers. They stand under mcp_servers in " + p.paths.Config + "."}
	}
	if err := c.print(status, lines...); err != nil {
		return err
	}
	if bad > 0 {
		return errNotAll{bad, len(status), "MCP servers did not work"}
	}
	return nil
}

func named(list []mcp.Server, name string) []mcp.Server {
	for _, s := range list {
		if s.Name == name {
			return []mcp.Server{s}
		}
	}
	return nil
}

// safe makes a server's words fit for a terminal.
func safe(s string) string {
	return guard.Redact(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return ' '
		}
		return r
	}, s))
}
