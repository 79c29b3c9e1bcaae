package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/charmbracelet/x/term"

	"talaria/engine"
	"talaria/engine/config"
	"talaria/engine/core"
	"talaria/ui/print"
	"talaria/ui/style"
)

// print runs one turn without a screen.
func (p *program) print() int {
	f := p.flags
	var in io.Reader // print.Run reads it: a pipe that stays open is told of, and a signal ends the wait
	if f.input == "stream-json" || piped(os.Stdin) {
		in = os.Stdin
	}
	if in == nil && strings.TrimSpace(f.prompt) == "" {
		return usageError(os.Stderr, errors.New(`print mode needs a prompt: talaria -p "..." or text on stdin`))
	}
	if f.resume != nil && *f.resume == "" {
		return usageError(os.Stderr, errors.New("in print mode --resume needs a session: an id, the beginning of one, or a title"))
	}
	if _, err := p.resolver.ResolveRoute(); len(config.Faults(err)) > 0 {
		return usageError(os.Stderr, err) // a setting is wrong; a missing key is the turn's failure, with its JSON
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	deps := p.deps(f.input == "stream-json") // a script can answer questions
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
	asked, signalled, stop := untilSignal()
	defer stop()
	code := print.Run(asked, print.Deps{Engine: c, In: in, Out: os.Stdout, Err: os.Stderr, Prompt: f.prompt, Output: f.output, Input: f.input,
		TTY: term.IsTerminal(os.Stdout.Fd()), ExitSignal: func() int { return int(signalled.Load()) }})
	cancel()
	<-c.Done()
	tellSwept(c.Swept())
	if err := c.Unsaved(); err != nil && !f.noSession {
		fmt.Fprintf(os.Stderr, "talaria: this session could not be saved: %s. What was said is not on disk; only what was printed is left. Make room, or set TALARIA_HOME to a directory that can be written to.\n", safe(err.Error()))
	}
	return code
}

// untilSignal returns a context that ends with the first signal, and that signal's exit code. A second signal ends the
// program at once. SIGPIPE is taken so that a closed stdout is an error to handle, and not the end.
func untilSignal() (context.Context, *atomic.Int32, func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var code atomic.Int32
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	engine.Go("signals", func() {
		for s := range signals {
			if s == syscall.SIGPIPE {
				continue
			}
			n := int32(128 + s.(syscall.Signal))
			if !code.CompareAndSwap(0, n) {
				os.Exit(int(n))
			}
			cancel()
		}
	})
	return ctx, &code, func() { signal.Stop(signals); close(signals); cancel() }
}

// tellSwept says what ran in the background and was ended with the program.
func tellSwept(all []engine.Process) {
	for _, p := range all {
		fmt.Fprintf(os.Stderr, "talaria: ended in the background: %s\n", style.Safe(strings.Join(strings.Fields(p.Command), " ")))
	}
}
