//go:build unix

package terminal

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"talaria/engine"
	"talaria/engine/tools"
)

//go:embed terminal.md
var doc string

// Limits of one call (BEHAVIOUR 8.16).
const (
	defaultTimeout = 180 * time.Second
	maxTimeout     = 600 * time.Second
)

// Exit codes that are the tool's word: the command was timed out, or stopped.
const (
	codeTimeout = 124
	codeStopped = 130
)

// Options says how commands are run.
type Options struct {
	Timeout time.Duration // of a call that names none; 0: 180 s
	Shell   string        // a POSIX shell, name or path; "": bash, else sh
	Env     []string      // the environment, keys already taken out
}

// Terminal is the tool `terminal`.
type Terminal struct {
	engine.Tool
	w     *tools.Workspace
	o     Options
	id    string // in the mark of every process
	calls atomic.Int64

	mu   sync.Mutex
	left []tree // with living processes, where a mark does not find them
}

// New returns the tool `terminal`, a *Terminal. Commands run in w's directory and change it.
func New(w *tools.Workspace, o Options) engine.Tool {
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	t := &Terminal{w: w, o: o, id: engine.NewID("")}
	t.Tool = engine.NewTool(engine.Spec{Name: "terminal", Doc: doc, Effect: engine.Executes, Toolset: "terminal"}, t.run, nil)
	return t
}

// Close ends every process that commands left behind. It takes at most two seconds.
func (t *Terminal) Close() error {
	all := []tree{{mark: markName + "=" + t.id + "."}}
	if !byMark {
		t.mu.Lock()
		all = t.left
		t.mu.Unlock()
	}
	var left []process
	for _, x := range all {
		left = append(left, x.end()...)
	}
	if len(left) > 0 {
		return fmt.Errorf("end what the commands left running: still there: %s", list(left))
	}
	return nil
}

type input struct {
	Command string  `json:"command"`
	Timeout float64 `json:"timeout,omitempty"`
	Workdir string  `json:"workdir,omitempty"`
}

func (t *Terminal) run(ctx context.Context, c engine.Call, in input, out engine.Output) (engine.Result, error) {
	if r := t.check(c, in); r != nil {
		return *r, nil
	}
	if ctx.Err() != nil {
		return result(c, engine.StatusStopped, "stopped by the user before the command was run"), nil
	}
	dir, note, err := t.dir(in)
	if err != nil {
		return engine.Failed(c, "the command was not run: %v", err), nil
	}
	shell, err := t.shell()
	if err != nil {
		return engine.Failed(c, "the command was not run: %v", err), nil
	}
	limit := t.o.Timeout
	if in.Timeout > 0 {
		limit = time.Duration(in.Timeout * float64(time.Second))
	}
	j := &job{call: c, command: in.Command, shell: shell, dir: dir, limit: limit, env: t.o.Env,
		mark: fmt.Sprintf("%s=%s.%d", markName, t.id, t.calls.Add(1)), spill: t.w.Spill}
	if err := j.start(out); err != nil {
		return engine.Failed(c, "the command could not be started: %v", err), nil
	}
	j.wait(ctx)
	if !byMark && len(j.left) > 0 {
		t.mu.Lock()
		t.left = append(t.left, j.tree())
		t.mu.Unlock()
	}
	if in.Workdir == "" && j.cwd != "" && j.cwd != dir {
		t.w.SetDir(j.cwd)
		note = append(note, "the working directory is now "+j.cwd)
	}
	return j.result(note), nil
}

// check refuses arguments that cannot be used.
func (t *Terminal) check(c engine.Call, in input) *engine.Result {
	var reserved struct {
		Background bool `json:"background"`
	}
	_ = json.Unmarshal([]byte(c.Args), &reserved) // what is no boolean asks for nothing
	refuse := func(format string, args ...any) *engine.Result {
		r := engine.Badly(c, format, args...)
		return &r
	}
	switch {
	case strings.TrimSpace(in.Command) == "":
		return refuse("the command is empty")
	case strings.ContainsRune(in.Command, 0):
		return refuse("the command holds a NUL character, which no program can be given")
	case reserved.Background:
		return refuse("background processes come with the process tool; not in this version. " +
			"A server can be started with `cmd >server.log 2>&1 &`; look at its log with a later call.")
	case in.Timeout < 0:
		return refuse("timeout must be a number of seconds above 0")
	case in.Timeout > maxTimeout.Seconds():
		return refuse("timeout may be at most %.0f seconds. Split the work, or start it with `cmd >out.log 2>&1 &` and look at the log "+
			"with later calls.", maxTimeout.Seconds())
	}
	return nil
}

// dir returns where the command runs. A kept directory that is gone is left for the nearest one above it.
func (t *Terminal) dir(in input) (dir string, note []string, err error) {
	if in.Workdir != "" {
		dir, err = t.w.Abs(in.Workdir)
		if err != nil {
			return "", nil, fmt.Errorf("workdir: %w", err)
		}
		if !isDir(dir) {
			return "", nil, fmt.Errorf("workdir: %s is not a directory", dir)
		}
		return dir, nil, nil
	}
	kept := t.w.Dir()
	for dir = kept; !isDir(dir); dir = filepath.Dir(dir) {
		if dir == filepath.Dir(dir) {
			return "", nil, fmt.Errorf("the working directory %s does not exist", kept)
		}
	}
	if dir != kept {
		return "", nil, t.moved(kept, dir)
	}
	return dir, nil, nil
}

// moved makes dir the working directory in place of one that is gone. The command does not run there unasked: it was
// written, and perhaps approved, for another place.
func (t *Terminal) moved(gone, dir string) error {
	t.w.SetDir(dir)
	return fmt.Errorf("the working directory %s does not exist any more. The working directory is now %s; send the command again if it fits there", gone, dir)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// posix are the shells whose language the guard can read.
var posix = []string{"sh", "bash", "dash", "zsh", "ksh", "mksh", "ash"}

func (t *Terminal) shell() (string, error) {
	if s := t.o.Shell; s != "" {
		if !slices.Contains(posix, filepath.Base(s)) {
			return "", fmt.Errorf("terminal.shell is %q; it must be one of %s", s, strings.Join(posix, ", "))
		}
		return lookPath(s, t.o.Env)
	}
	for _, s := range []string{"bash", "/bin/bash", "sh"} {
		if path, err := lookPath(s, t.o.Env); err == nil {
			return path, nil
		}
	}
	return "/bin/sh", nil
}

func result(c engine.Call, s engine.Status, text string) engine.Result {
	return engine.Result{CallID: c.ID, Name: c.Name, Status: s, Text: text}
}

func list(all []process) string {
	var words []string
	for i, p := range all {
		if i == 8 {
			words = append(words, fmt.Sprintf("and %d more", len(all)-i))
			break
		}
		if p.args == "" {
			p.args = "just starting" // the system shows no words while a program takes another's place
		}
		words = append(words, fmt.Sprintf("%d (%s)", p.pid, p.args))
	}
	return strings.Join(words, ", ")
}
