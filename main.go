// Talaria is a full-screen terminal agent: a person types what they want, an engine goroutine runs the agent loop, and
// the screen shows every token, thought, tool and question as it happens.
//
// This package wires it together: flags, configuration, store, engine, and then the screen or print mode.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"slices"
	"time"

	"github.com/charmbracelet/x/term"

	"talaria/engine"
	"talaria/engine/config"
	"talaria/engine/core"
	"talaria/engine/core/dial"
	"talaria/engine/worktree"
	"talaria/store"
	"talaria/store/trajectory"
	"talaria/themes"
	"talaria/ui/style"
)

// version is stamped by the build.
var version = "dev"

// The exit codes of CONTRACT 2 that are decided before a turn runs.
const (
	exitOK, exitFailed, exitUsage = 0, 1, 2
)

func main() {
	log.SetOutput(io.Discard) // what libraries log would land in the middle of the screen
	os.Exit(run(os.Args[1:]))
}

// program is what every way of running shares.
type program struct {
	flags    flags
	resolver config.Resolver
	paths    config.Paths
	dir      string
	store    engine.Store
	themes   themes.Set
}

func run(args []string) int {
	out := &style.Writer{W: os.Stdout} // titles and texts came from elsewhere
	if !term.IsTerminal(os.Stdout.Fd()) {
		if code, ok := subcommand(args, os.Stdout, os.Stderr); ok {
			return code
		}
	} else if code, ok := subcommand(args, out, os.Stderr); ok {
		_ = out.Flush()
		return code
	}
	connect := slices.Equal(args, []string{"connect"})
	if connect {
		args = nil
	}
	f, err := parseFlags(args)
	f.connect = connect
	switch {
	case errors.Is(err, errHelp):
		fmt.Print(usage)
		return exitOK
	case err != nil:
		return usageError(os.Stderr, err)
	case f.version:
		fmt.Println("talaria " + version)
		return exitOK
	}
	if f.worktree != nil {
		leave, from, err := worktree.Enter(context.Background(), *f.worktree)
		if err != nil {
			return usageError(os.Stderr, err)
		}
		f.from = from
		defer leave(os.Stderr)
	}
	p, err := assemble(f)
	if err != nil {
		return usageError(os.Stderr, err)
	}
	defer p.store.Close()
	switch terminal := term.IsTerminal(os.Stdout.Fd()); {
	case f.print || f.input == "stream-json" || f.output != "text" || !terminal && !f.plain:
		return p.print()
	case f.plain || p.simple():
		return p.plain()
	}
	return p.screen()
}

// usageError tells a mistake of the command line or the configuration.
func usageError(w io.Writer, err error) int {
	fmt.Fprintf(w, "talaria: %v\n", err)
	var e *engine.Error
	if errors.As(err, &e) && e.Hint != "" {
		fmt.Fprintln(w, e.Hint)
	}
	return exitUsage
}

// assemble reads the configuration and opens the store; neither touches the network.
func assemble(f flags) (*program, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("find the current directory: %w", err)
	}
	p, err := configure(f, dir)
	if err != nil {
		return nil, err
	}
	if f.noSession {
		p.store = store.NewMemory()
		return p, nil
	}
	if p.store, err = store.Open(p.paths.Data, store.Drafts(p.paths.Drafts)); err != nil {
		return nil, fmt.Errorf("open the sessions: %w", err)
	}
	return p, nil
}

// configure makes the program of its settings, and tells on stderr what is odd about them.
func configure(f flags, dir string) (*program, error) {
	home, err := os.UserHomeDir()
	if err != nil && os.Getenv("TALARIA_HOME") == "" {
		return nil, fmt.Errorf("find your home directory: %w. Set TALARIA_HOME to a directory of your choice", err)
	}
	paths := config.PathsFor(os.Getenv, home)
	cat := dial.Catalogue()
	trusted, err := config.OpenTrust(paths.Trust).Has(cmp.Or(f.from, dir))
	f.trust = f.trust || f.from != "" && trusted && err == nil // a worktree holds what the directory holds that is trusted
	cfg, origins, warnings, err := readSettings(f, paths, dir)
	if err != nil {
		return nil, err
	}
	for _, w := range warnings {
		fmt.Fprintf(os.Stderr, "talaria: %s\n", w)
	}
	keys := config.OpenKeys(paths.Keys, nil)
	return &program{flags: f, paths: paths, dir: dir, themes: themes.Open(paths.Themes),
		resolver: config.Resolver{Config: cfg, Origins: origins, Catalogue: cat, Getenv: os.Getenv, Keys: keys}}, nil
}

// readSettings reads every source of settings, in the order of CONTRACT 4.
func readSettings(f flags, paths config.Paths, dir string) (config.Config, config.Origins, []config.Warning, error) {
	cat := dial.Catalogue()
	sources := []config.Source{config.UserFile(paths.Config, paths.ConfigNamed, cat), config.Values(config.Environment, cat, config.Variables(os.Getenv)),
		config.Values(config.Flag, cat, f.settings)}
	if trusted, err := config.OpenTrust(paths.Trust).Has(dir); f.trust || trusted && err == nil {
		sources = append(sources, config.ProjectFile(dir))
	}
	return config.Load(sources...)
}

// deps is the engine's part of the program.
func (p *program) deps(attended bool) core.Deps {
	f := p.flags
	var write func(engine.Outcome, []engine.Spec, time.Time) error
	if f.trajectory || p.resolver.Config.Sessions.SaveTrajectories {
		write = func(o engine.Outcome, specs []engine.Spec, at time.Time) error {
			return trajectory.Append(p.paths.Trajectories, o, specs, at)
		}
	}
	return core.Deps{Trajectory: write, Store: p.store, Resolver: p.resolver, Paths: p.paths, Dir: p.dir, AddDirs: f.addDirs, Environ: os.Environ(), Attended: attended,
		Trusted: f.trust, Mode: p.resolver.Config.Approvals.Mode, Budget: f.budget, System: f.system, Append: f.appendSystem, NoRules: f.ignoreRules,
		NoTrace: f.noSession, Getenv: os.Getenv, Version: version}
}

// session finds the session that -c or -r names; "" starts a new one. It never opens it.
func (p *program) session(ctx context.Context) (string, error) {
	f := p.flags
	switch {
	case f.cont:
		s, err := p.store.Find(ctx, "", p.dir)
		if errors.Is(err, engine.ErrNotFound) {
			return "", nil
		}
		return s.ID, err
	case f.resume != nil && *f.resume != "":
		s, err := p.store.Find(ctx, *f.resume, p.dir)
		switch {
		case errors.Is(err, engine.ErrNotFound):
			return "", fmt.Errorf("no session fits %q. talaria sessions list shows them", *f.resume)
		case errors.Is(err, engine.ErrMany):
			return "", fmt.Errorf("more than one session fits %q. Give more of its id; talaria sessions list shows them", *f.resume)
		}
		return s.ID, err
	}
	return "", nil
}

// owned explains that another window has the session.
func owned(id string, err error) error {
	if errors.Is(err, engine.ErrOwned) {
		return fmt.Errorf("session %s is open in another window. Close it there, or start a new one without -c", id)
	}
	return err
}

// piped reports whether something other than a terminal or /dev/null feeds f.
func piped(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice == 0
}
