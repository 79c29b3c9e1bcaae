package ui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"talaria/engine"
	"talaria/ui/composer"
)

// Exit is how the screen ended: the exit code of the program, the session that was open (stored when Stored), and the
// crash when one ended it. Answer is the last one, Changed are the files that tools changed, Cost is what was paid as the
// status bar says it ("$0.21", "local", "?", "" for nothing), for the summary.
type Exit struct {
	Code    int
	Session engine.Session
	Stored  bool
	Answer  string
	Changed []string
	Cost    string
	Crash   *engine.Crash
}

// Run opens the full screen and returns when it is left. The terminal is restored on every path, a panic in any
// goroutine included (law 13).
func Run(ctx context.Context, d Deps, opts ...tea.ProgramOption) (Exit, error) {
	d.Context = ctx
	m := New(d)
	sizes, input := &resizes{now: time.Now}, &composer.Stdin{File: os.Stdin}
	filter := func(m tea.Model, msg tea.Msg) tea.Msg {
		if paste, ok := msg.(tea.PasteMsg); ok {
			msg = input.Whole(paste)
		}
		return sizes.filter(m, msg)
	}
	p := tea.NewProgram(m, append([]tea.ProgramOption{tea.WithFilter(filter), tea.WithoutSignalHandler(), tea.WithContext(ctx), tea.WithInput(input)}, opts...)...)
	sizes.after = func(d time.Duration, msg tea.Msg) { time.AfterFunc(d, func() { p.Send(msg) }) }
	crash := func(c engine.Crash) { p.Send(crashMsg{c}) }
	m.leaving.fail = func(c engine.Crash) { engine.Go("crash", func() { crash(c) }) } // View must not wait for the loop it runs in
	restore := engine.OnCrash(crash)
	defer restore()
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	done := make(chan struct{})
	defer close(done)
	engine.Go("signals", func() { watch(p, signals, done) })
	_, err := p.Run()
	fmt.Print(ansi.ResetModeLightDark) // also after a crash: nobody reads these reports any more
	m.keepDraft()
	exit := Exit{Code: m.leaving.code, Session: m.Session.Row, Stored: m.Session.Stored, Answer: m.Session.Answer, Changed: m.panel.Files(),
		Cost: m.cost(), Crash: m.leaving.crash}
	if m.Options.Inline {
		exit.Answer = "" // it stands above already
	}
	switch {
	case exit.Crash != nil:
		exit.Code = 1
		return exit, nil
	case errors.Is(err, tea.ErrProgramPanic):
		exit.Code, exit.Crash = 1, &engine.Crash{Where: "screen", Value: err}
		return exit, nil
	case err != nil && exit.Code == 0 && ctx.Err() == nil:
		return exit, fmt.Errorf("run the screen: %w", err)
	}
	return exit, nil
}

// keepDraft saves a draft that the last command did not: after a crash, or four Ctrl+C.
func (m *Model) keepDraft() {
	if !m.out.Saved() {
		safe(m.out.Save())()
	}
}

// watch turns signals into messages: an outside SIGINT stops the turn and never quits, SIGTERM and SIGHUP leave. The
// second of these does not wait for the screen.
func watch(p *tea.Program, signals <-chan os.Signal, done <-chan struct{}) {
	asked := false
	for {
		select {
		case <-done:
			return
		case s := <-signals:
			switch {
			case s == syscall.SIGINT:
				p.Send(interruptMsg{})
			case asked:
				p.Kill()
			default:
				asked = true
				engine.Go("leave", func() { p.Send(endMsg{128 + int(s.(syscall.Signal))}) })
			}
		}
	}
}
