// Package shell is the commands of the user's own: `!cmd` runs in the session's shell and tells the model, `!!cmd` keeps
// it to oneself, and `{!cmd}` within a message puts what a command prints in its place, to be looked at before it is sent.
// It refuses to run what was pasted, and to run two at once.
package shell

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/chrome"
	"talaria/ui/command"
	"talaria/ui/screen"
)

type shell struct {
	s      *screen.State
	cancel context.CancelFunc // nil: nothing runs
}

// ran is the end of a command; filled of those within a message: what stands for what, and the one that failed.
type (
	ran struct {
		line string
		err  error
	}
	filled struct {
		pairs []string // "{!cmd}", then what it printed
		ran
	}
)

// New returns the feature; without a shell there is none.
func New(s *screen.State) screen.Feature {
	if s.Processes == nil {
		return screen.Feature{}
	}
	sh := &shell{s: s}
	return screen.Feature{Sends: sh.sends, Update: sh.update, Stop: sh.stop, Commands: []command.Command{{Name: "run", Args: "command",
		Help: "run it in the session's shell and tell the model; so does !command", Group: command.Turn, Busy: true, Do: func(arg string) tea.Cmd {
			if arg == "" {
				s.Say(engine.NoteInfo, "!command runs it and tells the model, !!command runs it privately, {!command} puts its output into a message.")
				return nil
			}
			if sh.busy() {
				return nil
			}
			return sh.run(arg, true)
		}}}}
}

// within is a command inside a message.
var within = regexp.MustCompile(`\{!([^{}\n]+)\}`)

func (sh *shell) sends(text string) (tea.Cmd, bool) {
	line, own := strings.CutPrefix(text, "!")
	if all := within.FindAllStringSubmatch(text, -1); !own && all != nil {
		if sh.s.Prompt.Foreign() {
			return nil, false // it may have been pasted: it is text
		}
		if sh.busy() {
			return nil, true
		}
		return sh.fill(all), true
	}
	line, private := strings.CutPrefix(line, "!")
	if line = strings.TrimSpace(line); !own || line == "" {
		return nil, false
	}
	if sh.busy() {
		return nil, true
	}
	sh.s.Prompt.Remember(text)
	sh.s.Prompt.Reset()
	return tea.Batch(sh.run(line, !private), sh.keep(text)), true
}

// busy says that a command runs; what was typed stays in the prompt.
func (sh *shell) busy() bool {
	if sh.cancel != nil {
		sh.s.Say(engine.NoteInfo, "Your command before this one still runs. Esc stops it.")
	}
	return sh.cancel != nil
}

// begin says what runs, and returns what ends it.
func (sh *shell) begin(line string) context.Context {
	ctx, cancel := context.WithCancel(sh.s.Context)
	sh.cancel = cancel
	sh.s.Log.Bottom()
	sh.s.Say(engine.NoteInfo, "$ "+chrome.OneLine(line)+" runs. Esc stops it.")
	return ctx
}

func (sh *shell) run(line string, tell bool) tea.Cmd {
	ctx, run := sh.begin(line), sh.s.Processes.Shell
	return func() tea.Msg {
		_, err := run(ctx, line, tell)
		return ran{line, err}
	}
}

// fill runs the commands within a message, one after the other.
func (sh *shell) fill(all [][]string) tea.Cmd {
	var lines []string
	for _, m := range all {
		lines = append(lines, strings.TrimSpace(m[1]))
	}
	ctx, run := sh.begin(strings.Join(lines, "; ")), sh.s.Processes.Shell
	return func() tea.Msg {
		var f filled
		for i, line := range lines {
			r, err := run(ctx, line, false)
			if err != nil {
				f.ran = ran{line, err}
				break
			}
			f.pairs = append(f.pairs, all[i][0], printed(r.Text))
		}
		return f
	}
}

// keep puts the line into the history.
func (sh *shell) keep(text string) tea.Cmd {
	dir, lib := sh.s.Options.Dir, sh.s.Library
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), screen.LibraryTime)
		defer cancel()
		_ = lib.AddHistory(ctx, dir, text) // a convenience; the command itself is in the session
		return nil
	}
}

// stop ends the command that runs.
func (sh *shell) stop() bool {
	if sh.cancel == nil {
		return false
	}
	sh.cancel()
	return true
}

// update takes the end of a command. What it printed is in the transcript: the engine told it as a message.
func (sh *shell) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case ran:
		sh.ended(msg)
	case filled:
		sh.ended(msg.ran)
		before := sh.s.Prompt.Value()
		if after := strings.NewReplacer(msg.pairs...).Replace(before); after != before {
			sh.s.Prompt.SetValue(after)
			sh.s.Say(engine.NoteInfo, "What was printed is in the prompt. Enter sends it.")
		}
	}
	return nil
}

func (sh *shell) ended(r ran) {
	if sh.cancel != nil {
		sh.cancel()
		sh.cancel = nil
	}
	if r.err != nil {
		sh.s.Say(engine.NoteError, fmt.Sprintf("$ %s: %v.", chrome.OneLine(r.line), r.err))
	}
}

// status is the last line of what the shell tells: how the command ended.
var status = regexp.MustCompile(`(?s)\n?\[exit [^\n]*\].*$`)

func printed(text string) string { return strings.TrimSpace(status.ReplaceAllString(text, "")) }
