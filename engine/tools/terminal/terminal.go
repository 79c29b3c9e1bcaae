//go:build unix

package terminal

import (
	"context"
	_ "embed"
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
	Timeout time.Duration        // of a call that names none; 0: 180 s
	Shell   string               // a POSIX shell, name or path; "": bash, else sh
	Env     []string             // the environment at the start, keys already taken out
	Ended   func(engine.Process) // told when a process in the background ends by itself; nil: nobody
}

// Terminal is the tool `terminal`, and what its commands leave behind: the environment, and the processes in the
// background. It is safe for concurrent use.
type Terminal struct {
	engine.Tool
	w     *tools.Workspace
	o     Options
	id    string // in the mark of every process
	calls atomic.Int64
	shelf *shelf

	mu  sync.Mutex
	env []string // of the next command
}

// New returns the tool `terminal`. Commands run in w's directory and change it.
func New(w *tools.Workspace, o Options) *Terminal {
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	t := &Terminal{w: w, o: o, id: engine.NewID(""), env: o.Env, shelf: newShelf(o.Ended)}
	t.Tool = engine.NewTool(engine.Spec{Name: "terminal", Doc: doc, Effect: engine.Executes, Toolset: "terminal"}, t.run, nil)
	return t
}

// Close ends every process that still runs, in at most two seconds, and returns those that it had to end. The error says
// what could not be ended. Nothing may be started afterwards.
func (t *Terminal) Close() ([]engine.Process, error) {
	ended := t.shelf.close()
	var left []process
	for _, x := range t.shelf.trees(tree{mark: markName + "=" + t.id + "."}) {
		left = append(left, x...)
	}
	if len(left) > 0 {
		return ended, fmt.Errorf("end what the commands left running: still there: %s", list(left))
	}
	return ended, nil
}

// Lookup is the environment of the next command, for whoever judges what a variable in it stands for.
func (t *Terminal) Lookup(name string) (value string, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, v := range t.env {
		if n, value, _ := strings.Cut(v, "="); n == name {
			return value, true
		}
	}
	return "", false
}

type input struct {
	Command    string  `json:"command"`
	Timeout    float64 `json:"timeout,omitempty"`
	Workdir    string  `json:"workdir,omitempty"`
	Background bool    `json:"background,omitempty"`
}

func (t *Terminal) run(ctx context.Context, c engine.Call, in input, out engine.Output) (engine.Result, error) {
	if r := t.check(c, in); r != nil {
		return *r, nil
	}
	if ctx.Err() != nil {
		return result(c, engine.StatusStopped, "stopped by the user before the command was run"), nil
	}
	dir, err := t.dir(in)
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
	t.mu.Lock()
	env := t.env
	t.mu.Unlock()
	j := &job{call: c, command: in.Command, shell: shell, dir: dir, limit: limit, env: env,
		mark: fmt.Sprintf("%s=%s.%d", markName, t.id, t.calls.Add(1)), spill: t.w.Spill, masked: t.w.Masked}
	news := t.shelf.news()
	if in.Background {
		return t.background(ctx, j, news)
	}
	if err := j.start(out, false); err != nil {
		return engine.Failed(c, "the command could not be started: %v", err), nil
	}
	j.wait(ctx)
	if len(j.left) > 0 && j.status == engine.StatusDone {
		j.shelved = t.shelf.add(j, "left running by: ")
	}
	return j.result(append(t.keep(in, j), news...)), nil
}

// keep takes over the directory and the environment in which the command ended, and says what is another now.
func (t *Terminal) keep(in input, j *job) (notes []string) {
	if in.Workdir == "" && j.cwd != "" && j.cwd != j.dir {
		t.w.SetDir(j.cwd)
		notes = append(notes, "the working directory is now "+j.cwd)
	}
	if j.after == nil {
		return notes
	}
	env, changed, refused := carry(environ(j.env), j.after)
	if len(changed) > 0 {
		t.mu.Lock()
		t.env = env
		t.mu.Unlock()
		notes = append(notes, "kept for later commands: "+some(changed))
	}
	if len(refused) > 0 {
		notes = append(notes, "not kept for later commands: "+some(refused))
	}
	return notes
}

// firstLook is how long a process in the background is watched before the result, so that one that fails at once is
// told as failed.
const firstLook = 500 * time.Millisecond

// background starts j and leaves it running.
func (t *Terminal) background(ctx context.Context, j *job, notes []string) (engine.Result, error) {
	if why := t.shelf.full(); why != "" {
		return engine.Failed(j.call, "the command was not run: %s", why), nil
	}
	if err := j.start(nil, true); err != nil {
		return engine.Failed(j.call, "the command could not be started: %v", err), nil
	}
	id := t.shelf.add(j, "")
	e := t.shelf.find(id)
	timer := time.NewTimer(firstLook)
	defer timer.Stop()
	select {
	case <-e.done:
	case <-timer.C:
	case <-ctx.Done(): // it was started, and stays
	}
	text, _ := j.stream.capture.recent()
	if text = lastChars(text, pollChars); text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	r := engine.Succeeded(j.call, text+"["+e.line()+"]")
	r.Note = id
	if p := e.process(); !p.Running {
		e.tell()
		if r.Note = fmt.Sprintf("exit %d", p.Exit); p.Exit != 0 {
			r.Status = engine.StatusFailed
		}
	} else {
		r.Text += fmt.Sprintf("\n[all it prints goes to %s; process(action=\"poll\", id=%q) looks at it]", j.stream.log, id)
	}
	for _, n := range notes {
		r.Text += "\n[" + n + "]"
	}
	return r, nil
}

// some writes at most eight names.
func some(names []string) string {
	if len(names) > 8 {
		return strings.Join(names[:8], ", ") + fmt.Sprintf(" and %d more", len(names)-8)
	}
	return strings.Join(names, ", ")
}

// check refuses arguments that cannot be used.
func (t *Terminal) check(c engine.Call, in input) *engine.Result {
	refuse := func(format string, args ...any) *engine.Result {
		r := engine.Badly(c, format, args...)
		return &r
	}
	switch {
	case strings.TrimSpace(in.Command) == "":
		return refuse("the command is empty")
	case strings.ContainsRune(in.Command, 0):
		return refuse("the command holds a NUL character, which no program can be given")
	case in.Timeout < 0:
		return refuse("timeout must be a number of seconds above 0")
	case in.Timeout > maxTimeout.Seconds():
		return refuse("timeout may be at most %.0f seconds. Split the work, or run it with background=true and "+
			"look at it with process.", maxTimeout.Seconds())
	}
	if why := unfit(in.Command, in.Background); why != "" {
		return refuse("%s", why)
	}
	return nil
}

// dir returns where the command runs. A kept directory that is gone is left for the nearest one above it.
func (t *Terminal) dir(in input) (dir string, err error) {
	if in.Workdir != "" {
		dir, err = t.w.Abs(in.Workdir)
		if err != nil {
			return "", fmt.Errorf("workdir: %w", err)
		}
		if !isDir(dir) {
			return "", fmt.Errorf("workdir: %s is not a directory", dir)
		}
		return dir, nil
	}
	kept := t.w.Dir()
	for dir = kept; !isDir(dir); dir = filepath.Dir(dir) {
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("the working directory %s does not exist", kept)
		}
	}
	if dir != kept {
		return "", t.moved(kept, dir)
	}
	return dir, nil
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
