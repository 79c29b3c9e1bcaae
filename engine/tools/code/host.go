//go:build unix

package code

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"talaria/engine"
	"talaria/engine/tools/child"
)

// scriptName is what the process list calls the interpreter.
const scriptName = "talaria-script"

// program is what the interpreter is told: the code, and the functions it has.
type program struct {
	Code  string
	Names []string
}

// said is what the interpreter says: a line of output, a call, or how the program ended.
type said struct {
	Log        string
	Call, Args string
	Done       bool
	Value      string // what the program returned, as JSON
	Fault      string // why it failed
}

// answer is the result of a call.
type answer struct {
	Text   string
	Status string // "" when the call did what it should
}

// do runs the program and keeps to its limits.
func (r *run) do(ctx context.Context, source string) engine.Result {
	cmd, conn, part, err := child.Command(scriptName)
	if err != nil {
		return engine.Failed(r.call, "the program was not run: %v", err)
	}
	defer conn.Close()
	var faults bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stderr = "/", []string{"GOTRACEBACK=none"}, &faults
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	err = cmd.Start()
	part.Close()
	if err != nil {
		return engine.Failed(r.call, "the program was not run: %v", err)
	}
	heard := make(chan said)
	quit := make(chan struct{})
	engine.Go("script", func() { listen(conn, heard, quit) })
	say := gob.NewEncoder(conn)
	status, end := engine.StatusFailed, "the interpreter could not be told the program"
	if say.Encode(program{source, r.names}) == nil {
		status, end = r.follow(ctx, say, heard)
	}
	close(quit)
	died := end == ""
	stop(cmd, conn)
	if died {
		end = "the interpreter ended before the program did"
		if bytes.Contains(faults.Bytes(), []byte("out of memory")) || bytes.Contains(faults.Bytes(), []byte("cannot allocate")) {
			end = fmt.Sprintf("the program needed more than %d MB of memory and was ended", memoryMax>>20)
		}
	}
	return r.result(status, end)
}

// stop ends the interpreter, whatever it is in.
func stop(cmd *exec.Cmd, conn *os.File) {
	cmd.Process.Kill() // it holds nothing that needs an orderly end
	cmd.Wait()         // how it ended is known from what it said
	conn.Close()
}

// listen passes on what the interpreter says, and closes heard when it says nothing more.
func listen(conn *os.File, heard chan<- said, quit <-chan struct{}) {
	defer close(heard)
	in := gob.NewDecoder(conn)
	for {
		var s said
		if in.Decode(&s) != nil {
			return
		}
		select {
		case heard <- s:
		case <-quit:
			return
		}
	}
}

// follow hears the program to its end; end is "" when the interpreter died.
func (r *run) follow(ctx context.Context, say *gob.Encoder, heard <-chan said) (status engine.Status, end string) {
	left := ownTime
	for {
		began := time.Now()
		timer := time.NewTimer(left)
		var s said
		ok := false
		select {
		case s, ok = <-heard:
			timer.Stop()
		case <-ctx.Done():
			timer.Stop()
			return engine.StatusStopped, "stopped by the user: the program was ended"
		case <-timer.C:
			return engine.StatusTimeout, fmt.Sprintf("ended after %g seconds of computing", ownTime.Seconds())
		}
		left -= time.Since(began)
		switch {
		case !ok:
			return engine.StatusFailed, ""
		case s.Done && s.Fault != "":
			return engine.StatusFailed, "the program failed: " + s.Fault
		case s.Done:
			if s.Value != "" && !r.print(s.Value) {
				return engine.StatusFailed, tooMuch
			}
			return engine.StatusDone, "done"
		case s.Call != "":
			res := r.inner(ctx, s.Call, s.Args)
			a := answer{Text: res.Text}
			if res.Status != engine.StatusDone {
				a.Status = string(res.Status)
			}
			if err := say.Encode(a); err != nil {
				return engine.StatusFailed, ""
			}
		case !r.print(s.Log):
			return engine.StatusFailed, tooMuch
		}
	}
}

var tooMuch = fmt.Sprintf("ended: it printed more than %d MB", outputMax>>20)
