package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/charmbracelet/x/term"

	"talaria/engine/core"
	"talaria/engine/core/dial"
	"talaria/ui"
	"talaria/ui/chrome"
	chat "talaria/ui/plain"
)

// simple reports whether the user asked for lines in the settings, or the terminal can do nothing else.
func (p *program) simple() bool {
	t := os.Getenv("TERM")
	return p.resolver.Config.UI.Plain || t == "dumb" || t == ""
}

// plain holds the conversation in lines.
func (p *program) plain() int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	deps := p.deps(true)
	deps.Titles = true
	f := p.flags
	id, err := p.session(ctx)
	if err != nil {
		return usageError(os.Stderr, err)
	}
	deps.Resume = id
	c, err := core.Start(ctx, deps)
	if err != nil {
		return usageError(os.Stderr, owned(id, err))
	}
	p.prune(ctx)
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	defer signal.Stop(signals)
	cfg := p.resolver.Config.UI
	exit := chat.Run(ctx, chat.Deps{Engine: c, Library: p.store, Connect: dial.NewConnector(p.resolver, p.paths.Config), Processes: c, In: os.Stdin, Out: os.Stdout,
		Signals: signals, Hide: chat.Echo(os.Stdin),
		Views: chat.Views{Timeline: c.Timeline(), Lens: c.Lens(), Memory: c.Memory(), Agents: c, Ledger: c.Ledger(), Reports: p.reports(c), Rules: c.Permissions(), Exporter: exporter{p.store, p.dir}, Forks: c, Skills: c},
		Options: chat.Options{Dir: p.dir, First: f.prompt, Mode: p.resolver.Config.Approvals.Mode, Picker: f.resume != nil && *f.resume == "", Connect: f.connect,
			TTY: term.IsTerminal(os.Stdin.Fd()), BusyEnter: cfg.BusyEnter, Look: chat.Look{Level: cfg.Verbosity, Reasoning: cfg.Reasoning}}})
	cancel()
	<-c.Done()
	tellSwept(c.Swept())
	out := ui.Exit{Code: exit.Code, Session: exit.Session, Stored: exit.Stored, Changed: exit.Changed, Crash: exit.Crash}
	if exit.Session.Turns > 0 {
		out.Cost = chrome.Cost(exit.Session.Route, exit.Session.Cost)
	}
	return p.farewell(out, c.Unsaved())
}
