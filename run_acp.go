package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"

	"github.com/charmbracelet/x/term"

	"talaria/engine/config"
	"talaria/engine/core"
	"talaria/ui/acp"
)

// serveEditor speaks the Agent Client Protocol with an editor until it goes.
func serveEditor(c *cmdline) error {
	p, err := assemble(flags{})
	if err != nil {
		return err
	}
	defer p.store.Close()
	if term.IsTerminal(os.Stdin.Fd()) {
		fmt.Fprintln(c.errs, "talaria acp speaks the Agent Client Protocol with an editor, which starts it. Ctrl+C ends it.")
	}
	ctx, _, stop := untilSignal()
	defer stop()
	acp.Serve(ctx, acp.Deps{In: os.Stdin, Out: c.out, Version: version, Mode: p.resolver.Config.Approvals.Mode, Library: p.store,
		Pictures: filepath.Join(p.paths.State, "pasted"), Start: p.startFor})
	return nil
}

// startFor starts an engine for a session of an editor, with the settings of its directory and the tool servers that the
// editor brings.
func (p *program) startFor(ctx context.Context, b acp.Begin) (acp.Engine, func(), error) {
	one, err := configure(p.flags, b.Dir)
	if err != nil {
		return nil, nil, err
	}
	one.store, one.flags.addDirs = p.store, b.AddDirs
	servers := map[string]config.MCPServer{}
	maps.Copy(servers, one.resolver.Config.MCPServers)
	for _, s := range b.Servers {
		servers[s.Name] = config.MCPServer{Command: s.Command, Args: s.Args, Env: s.Env, URL: s.URL, Headers: s.Headers}
	}
	one.resolver.Config.MCPServers = servers
	deps := one.deps(true)
	deps.Titles = true
	if b.Session != "" {
		s, err := p.store.Find(ctx, b.Session, b.Dir)
		if err != nil {
			return nil, nil, err
		}
		deps.Resume = s.ID
	}
	ctx, cancel := context.WithCancel(ctx)
	e, err := core.Start(ctx, deps)
	if err != nil {
		cancel()
		return nil, nil, err
	}
	return e, func() { cancel(); <-e.Done() }, nil
}
