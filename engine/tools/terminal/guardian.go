//go:build unix

package terminal

import (
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"

	"talaria/engine"
	"talaria/engine/tools/child"
)

// guardianName is what the process list calls a guardian.
const guardianName = "talaria-guardian"

func init() { child.Register(guardianName, guard) }

// order is what a guardian is told to run; all but Dir are as for execve.
type order struct {
	Path      string
	Args, Env []string
	Dir       string
}

// word is what a guardian says: first that the shell runs or why not, later how it ended.
type word struct {
	Shell  int    // its process id
	Fault  string // why it could not be started
	TooBig bool   // the fault is E2BIG
	Ended  bool
	Code   int // the exit code; 128 + the signal that ended it
}

// guard is the guardian: the process between the program and one command. Everything that the command starts stays below
// it (Linux: it adopts what loses its parent, so neither a second fork nor setsid nor an emptied environment leads away).
// It lives as long as anything of that does. When the program is gone, also by kill -9, it ends the whole tree.
func guard(parent *os.File) int {
	adopt()
	ignored := make(chan os.Signal, 8) // what the command sends by name or group must not end its guardian
	signal.Notify(ignored, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGPIPE)
	say := gob.NewEncoder(parent)
	in := gob.NewDecoder(parent)
	var o order
	if err := in.Decode(&o); err != nil {
		return 2
	}
	shell, err := syscall.ForkExec(o.Path, o.Args, &syscall.ProcAttr{Dir: o.Dir, Env: o.Env, Files: []uintptr{0, 1, 2}, Sys: leader()})
	if err != nil {
		say.Encode(word{Fault: err.Error(), TooBig: errors.Is(err, syscall.E2BIG)})
		return 1
	}
	letGo()
	say.Encode(word{Shell: shell})
	engine.Go("parent", func() {
		var none order
		in.Decode(&none) // returns at the end of the socket: nothing more is ever said
		tree{guardian: &guardian{pid: os.Getpid(), shell: shell}}.end()
		os.Exit(0)
	})
	for {
		var status syscall.WaitStatus
		switch pid, err := syscall.Wait4(-1, &status, 0, nil); {
		case err == syscall.EINTR:
		case err != nil: // no child is left
			outlast(shell)
			return 0
		case pid == shell:
			code := status.ExitStatus()
			if status.Signaled() {
				code = 128 + int(status.Signal())
			}
			say.Encode(word{Ended: true, Code: code})
		}
	}
}

// letGo closes the guardian's own hold on input and output, so that a pipe ends when the command lets go of it.
func letGo() {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer null.Close()
	for fd := range 3 {
		unix.Dup2(int(null.Fd()), fd)
	}
}

// guardian is a running guardian as the program sees it.
type guardian struct {
	pid   int
	shell int
	conn  *os.File
	ended chan struct{} // closed when the shell has ended; code is then set
	gone  chan struct{} // closed when nothing of the tree is left; nil inside the guardian itself
	code  int

	once sync.Once
}

// watchOver starts o under a guardian with the given files as input, output and errors (nil input: none).
func watchOver(o order, mark string, stdin, out *os.File) (*guardian, error) {
	cmd, conn, part, err := child.Command(guardianName)
	if err != nil {
		return nil, err
	}
	defer part.Close()
	cmd.Stdout, cmd.Stderr, cmd.Env = out, out, []string{mark}
	if stdin != nil {
		cmd.Stdin = stdin
	}
	detach(cmd)
	if err := cmd.Start(); err != nil {
		conn.Close()
		return nil, err
	}
	g := &guardian{pid: cmd.Process.Pid, conn: conn, ended: make(chan struct{}), gone: make(chan struct{})}
	in := gob.NewDecoder(conn)
	var w word
	err = gob.NewEncoder(conn).Encode(o)
	if err == nil {
		err = in.Decode(&w)
	}
	if err != nil || w.Fault != "" {
		conn.Close()
		cmd.Process.Kill()
		cmd.Wait()
		switch {
		case w.TooBig:
			return nil, errors.New("it is too long for one command: write it to a file with write_file and run that")
		case w.Fault != "":
			return nil, fmt.Errorf("start %s: %s", o.Path, w.Fault)
		}
		return nil, fmt.Errorf("start %s: the process that guards it did not answer: %w", o.Path, err)
	}
	g.shell = w.Shell
	engine.Go("guardian", func() { g.listen(in) })
	engine.Go("guardian wait", func() { g.wait(cmd) })
	return g, nil
}

// codeLost is the exit code of a shell whose guardian was killed: on Linux the shell was killed with it.
const codeLost = 128 + int(syscall.SIGKILL)

// listen hears how the shell ended.
func (g *guardian) listen(in *gob.Decoder) {
	w := word{}
	if in.Decode(&w) != nil {
		w.Code = codeLost
	}
	g.once.Do(func() { g.code = w.Code; close(g.ended) })
}

func (g *guardian) wait(cmd *exec.Cmd) {
	cmd.Wait() // how the guardian itself ended says nothing
	<-g.ended
	g.conn.Close()
	close(g.gone)
}

// left reports whether something of the tree may still run.
func (g *guardian) left() bool {
	select {
	case <-g.gone:
		return false
	default:
		return true
	}
}
