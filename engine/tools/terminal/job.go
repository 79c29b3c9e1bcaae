//go:build unix

package terminal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"talaria/engine"
)

// script runs the command after it has told the shell to leave its last directory in a file, whatever the way it ends.
// An `exec` or a trap of the command's own loses the directory; the kept one then stays as it was.
const script = `trap '{ pwd >|"$` + cwdName + `"; } 2>/dev/null' EXIT
%s
`

// job is one command that runs.
type job struct {
	call    engine.Call
	command string
	shell   string
	dir     string
	limit   time.Duration
	env     []string
	mark    string
	spill   func(callID, text string) (string, error)

	temp   string // a directory of its own, for the last directory of the shell
	cmd    *exec.Cmd
	exited chan struct{} // closed when the shell is gone; cmd.ProcessState is then set
	stream *stream
	status engine.Status
	left   []process // what still runs
	cwd    string    // the shell's last directory, "" when unknown
}

func (j *job) start(out engine.Output) error {
	temp, err := os.MkdirTemp("", "talaria-")
	if err != nil {
		return err
	}
	r, w, err := os.Pipe()
	if err != nil {
		os.RemoveAll(temp)
		return err
	}
	defer w.Close()
	j.temp = temp
	j.cmd = exec.Command(j.shell, "-c", fmt.Sprintf(script, j.command))
	j.cmd.Dir, j.cmd.Stdout, j.cmd.Stderr = j.dir, w, w // a nil Stdin is /dev/null
	j.cmd.Env = environ(j.env, "PWD="+j.dir, j.mark, cwdName+"="+j.cwdFile())
	detach(j.cmd)
	if err := j.cmd.Start(); err != nil {
		r.Close()
		os.RemoveAll(temp)
		if errors.Is(err, syscall.E2BIG) {
			return errors.New("it is too long for one command: write it to a file with write_file and run that")
		}
		return err
	}
	k := &capture{open: func(begin string) (string, error) { return j.spill(j.call.ID, begin) }}
	j.stream = newStream(r, k, &live{out: out})
	j.exited = make(chan struct{})
	engine.Go("terminal output", j.stream.run)
	engine.Go("terminal wait", func() {
		j.cmd.Wait() // the outcome is read from ProcessState
		close(j.exited)
	})
	return nil
}

func (j *job) tree() tree { return tree{root: j.cmd.Process.Pid, mark: j.mark + "\x00"} }

// wait returns when the command has ended, was timed out or stopped, and its output is complete.
func (j *job) wait(ctx context.Context) {
	defer os.RemoveAll(j.temp)
	timer := time.NewTimer(j.limit)
	defer timer.Stop()
	select {
	case <-j.exited:
		j.stream.exit()
		<-j.stream.settled
		j.status, j.left, j.cwd = engine.StatusDone, j.tree().alive(), j.lastDir()
		return
	case <-ctx.Done():
		j.status = engine.StatusStopped
	case <-timer.C:
		j.status = engine.StatusTimeout
	}
	j.left = j.tree().end()
	j.stream.exit()
	<-j.stream.settled
	j.stream.pipe.Close() // what escaped is not listened to
}

func (j *job) cwdFile() string { return filepath.Join(j.temp, "cwd") }

func (j *job) lastDir() string {
	b, err := os.ReadFile(j.cwdFile())
	dir := strings.TrimSuffix(string(b), "\n")
	if err != nil || !filepath.IsAbs(dir) || !isDir(dir) {
		return ""
	}
	return filepath.Clean(dir)
}

// result says what the command printed and how it ended.
func (j *job) result(notes []string) engine.Result {
	text := strings.TrimRight(j.stream.text, "\n")
	if text != "" {
		text += "\n"
	}
	r := result(j.call, j.status, "")
	r.Spill = j.stream.spill
	var end string
	switch j.status {
	case engine.StatusStopped:
		end, r.Note = fmt.Sprintf("stopped by the user: the command and what it started were ended; exit %d", codeStopped), "stopped"
	case engine.StatusTimeout:
		r.Note = fmt.Sprintf("timed out after %s", seconds(j.limit))
		end = fmt.Sprintf("%s: the command and what it started were ended; exit %d", r.Note, codeTimeout)
	default:
		end, r.Note, r.Status = j.verdict()
		if text == "" {
			text = "(no output)\n"
		}
	}
	r.Text = text + "[" + end + "]"
	for _, n := range append(notes, j.leftover()...) {
		r.Text += "\n[" + n + "]"
	}
	return r
}

// verdict says how a command ended by itself.
func (j *job) verdict() (words, note string, status engine.Status) {
	code := j.cmd.ProcessState.ExitCode()
	if ws, ok := j.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		code = 128 + int(ws.Signal())
	}
	words = fmt.Sprintf("exit %d", code)
	if code != 0 {
		note, status = words, engine.StatusFailed
	}
	meant, fine := meaning(j.command, code)
	if meant != "" {
		words += ": " + meant
	}
	if fine {
		status = engine.StatusDone
	}
	return words, note, status
}

func (j *job) leftover() []string {
	if len(j.left) == 0 {
		return nil
	}
	if j.status != engine.StatusDone {
		return []string{"could not be ended: " + list(j.left)}
	}
	n := "still running in the background: " + list(j.left)
	if j.stream.log != "" {
		n += "; what it prints from now on goes to " + j.stream.log
	}
	return []string{n}
}

func seconds(d time.Duration) string {
	if d < time.Second {
		return d.String()
	}
	return fmt.Sprintf("%g s", d.Seconds())
}

// lookPath finds a program by the PATH of env.
func lookPath(name string, env []string) (string, error) {
	if strings.Contains(name, "/") {
		if info, err := os.Stat(name); err != nil || info.IsDir() || info.Mode()&0o111 == 0 {
			return "", fmt.Errorf("the shell %s cannot be run", name)
		}
		return name, nil
	}
	for _, v := range env {
		path, ok := strings.CutPrefix(v, "PATH=")
		if !ok {
			continue
		}
		for _, dir := range filepath.SplitList(path) {
			if !filepath.IsAbs(dir) {
				continue // a shell from the working directory would be the project's
			}
			if p, err := lookPath(filepath.Join(dir, name), nil); err == nil {
				return p, nil
			}
		}
	}
	return "", fmt.Errorf("the shell %s is not in PATH", name)
}
