//go:build unix

package terminal

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"talaria/engine"
)

//go:embed process.md
var processDoc string

// What one look shows (BEHAVIOUR 8.17): poll in characters, log in lines when no number is given. writeTime is how long
// a process may leave its input unread.
const (
	pollChars = 1_000
	logLines  = 200
	logMax    = 2_000
	writeTime = 5 * time.Second
)

// Background is the tool `process`, over what the terminal left running.
func (t *Terminal) Background() engine.Tool {
	return engine.NewTool(engine.Spec{Name: "process", Doc: processDoc, Effect: engine.Executes, Toolset: "terminal"}, t.process, nil)
}

type action struct {
	Action  string  `json:"action"`
	ID      string  `json:"id,omitempty"`
	Data    string  `json:"data,omitempty"`
	Timeout float64 `json:"timeout,omitempty"`
	Lines   int     `json:"lines,omitempty"`
}

func (t *Terminal) process(ctx context.Context, c engine.Call, in action, _ engine.Output) (engine.Result, error) {
	if in.Action == "list" {
		return engine.Succeeded(c, t.list()), nil
	}
	e := t.shelf.find(in.ID)
	if e == nil {
		return engine.Badly(c, "there is no process %q. %s", in.ID, t.list()), nil
	}
	switch in.Action {
	case "poll":
		return e.look(c), nil
	case "log":
		return e.log(c, in.Lines), nil
	case "wait":
		limit := t.o.Timeout
		if in.Timeout > 0 {
			limit = min(maxTimeout, time.Duration(in.Timeout*float64(time.Second)))
		}
		return e.wait(ctx, c, limit), nil
	case "write":
		if in.Data == "" {
			return engine.Badly(c, "data is empty: give the line to write"), nil
		}
		if err := e.write(in.Data); err != nil {
			return engine.Failed(c, "%v\n[%s]", err, e.line()), nil
		}
		return e.settle(ctx, c), nil
	case "close":
		if e.job.stdin == nil {
			return engine.Failed(c, "%s has no input: it was left running by a command", e.id), nil
		}
		e.job.stdin.Close() // closed twice is closed
		return e.settle(ctx, c), nil
	case "kill":
		if !e.process().Running {
			e.tell()
			return engine.Succeeded(c, "["+e.line()+"]"), nil
		}
		if left := e.end(); len(left) > 0 {
			return engine.Failed(c, "could not be ended: %s", list(left)), nil
		}
		return e.look(c), nil
	}
	return engine.Badly(c, "there is no action %q; the actions are list, poll, log, wait, write, close and kill", in.Action), nil
}

func (t *Terminal) list() string {
	var lines []string
	for _, e := range t.shelf.all() {
		lines = append(lines, e.line())
		if !e.process().Running {
			e.tell()
		}
	}
	if len(lines) == 0 {
		return "Nothing runs in the background."
	}
	return strings.Join(lines, "\n")
}

// look is the newest output and the state of e.
func (e *entry) look(c engine.Call) engine.Result {
	text, whole := e.job.stream.capture.recent()
	cut := lastChars(text, pollChars)
	whole = whole && len(cut) == len(text)
	return e.report(c, cut, whole)
}

// log is the last n lines of the output.
func (e *entry) log(c engine.Call, n int) engine.Result {
	if n <= 0 {
		n = logLines
	}
	text, whole := e.job.stream.capture.recent()
	cut := lastLines(text, min(n, logMax))
	if utf8.RuneCountInString(cut) > headChars+tailChars {
		cut = lastChars(cut, headChars+tailChars)
	}
	return e.report(c, cut, whole && len(cut) == len(text))
}

func (e *entry) report(c engine.Call, text string, whole bool) engine.Result {
	p := e.process()
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	if !whole && p.Log != "" {
		text = fmt.Sprintf("[%s characters were printed so far; all of them are in %s]\n", grouped(e.job.stream.capture.size()), p.Log) + text
	}
	if text == "" {
		text = "(no output so far)\n"
	}
	r := engine.Succeeded(c, text+"["+e.line()+"]")
	r.Note = e.id + " is running"
	if !p.Running {
		e.tell()
		r.Note = fmt.Sprintf("%s: exit %d", e.id, p.Exit)
		if p.Killed {
			r.Note = e.id + " was ended"
		}
	}
	return r
}

// wait waits until e has ended, the limit is over, or ctx.
func (e *entry) wait(ctx context.Context, c engine.Call, limit time.Duration) engine.Result {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-e.done:
		return e.look(c)
	case <-ctx.Done():
		r := e.look(c)
		r.Status, r.Text = engine.StatusStopped, r.Text+"\n[the waiting was stopped by the user; the process was not]"
		return r
	case <-timer.C:
		r := e.look(c)
		r.Text += fmt.Sprintf("\n[it has not ended within %s]", seconds(limit))
		return r
	}
}

// write gives e a line of input.
func (e *entry) write(data string) error {
	in := e.job.stdin
	switch {
	case in == nil:
		return fmt.Errorf("%s has no input: it was left running by a command. Start it with background=true to be able to write to it", e.id)
	case !e.process().Running:
		return errors.New("it has ended: nothing reads any more")
	}
	if !strings.HasSuffix(data, "\n") {
		data += "\n"
	}
	in.SetWriteDeadline(time.Now().Add(writeTime))
	n, err := in.WriteString(data)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Errorf("it does not read its input: %d of %d bytes were taken within %s", n, len(data), writeTime)
	case errors.Is(err, os.ErrClosed):
		return errors.New("its input was closed before")
	case err != nil:
		return fmt.Errorf("write to its input: %w", err)
	}
	return nil
}

// settle waits a moment for what a process answers to its input, and looks.
func (e *entry) settle(ctx context.Context, c engine.Call) engine.Result {
	timer := time.NewTimer(firstLook)
	defer timer.Stop()
	select {
	case <-e.done:
	case <-timer.C:
	case <-ctx.Done():
	}
	return e.look(c)
}

// Processes, Changed, Tail and End are the background as the screen sees it; see engine.Processes.

// List describes all that run and what ended lately, oldest first.
func (t *Terminal) List() []engine.Process { return t.shelf.processes() }

// Changed is closed with the next change of List.
func (t *Terminal) Changed() <-chan struct{} { return t.shelf.next() }

// Tail returns the last lines that a process printed, at most n.
func (t *Terminal) Tail(id string, n int) (string, error) {
	e := t.shelf.find(id)
	if e == nil {
		return "", fmt.Errorf("look at %s: it is not known any more", id)
	}
	text, _ := e.job.stream.capture.recent()
	return lastLines(text, n), nil
}

// End ends a process and everything it started; the error names what could not be ended.
func (t *Terminal) End(id string) error {
	e := t.shelf.find(id)
	if e == nil {
		return fmt.Errorf("end %s: it is not known any more", id)
	}
	if !e.process().Running {
		return nil
	}
	if left := e.end(); len(left) > 0 {
		return fmt.Errorf("end %s: still there: %s", id, list(left))
	}
	return nil
}

func lastChars(s string, n int) string { return string(suffix([]byte(s), n)) }

// lastLines returns the last n lines of s; an unfinished one counts.
func lastLines(s string, n int) string {
	at := len(strings.TrimSuffix(s, "\n"))
	for ; n > 0 && at >= 0; n-- {
		at = strings.LastIndexByte(s[:at], '\n')
	}
	return s[at+1:]
}
