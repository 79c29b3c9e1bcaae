//go:build unix

package terminal

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"talaria/engine"
)

// script runs the command after it has told the shell to leave its last directory and environment in files, whatever
// the way it ends. An `exec` or a trap of the command's own loses them; the kept ones then stay as they were.
const script = `trap '{ pwd >|"$` + homeName + `/dir"; command -p env -0 >|"$` + homeName + `/env"; } 2>/dev/null' EXIT
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
	masked  func(string) string

	temp    string // a directory of its own, for the last directory and environment of the shell
	guard   *guardian
	stdin   *os.File // what it reads from; nil: nothing
	stream  *stream
	status  engine.Status
	left    []process // what still runs
	cwd     string    // the shell's last directory, "" when unknown
	shelved string    // the id by which what it left running is known
	after   []string  // the shell's last environment, nil when unknown
}

// start starts the command under a guardian. Its output goes to out while it runs; a job in the background has none.
func (j *job) start(out engine.Output, background bool) error {
	temp, err := os.MkdirTemp("", "talaria-")
	if err != nil {
		return err
	}
	j.temp = temp
	if err := j.launch(out, background); err != nil {
		os.RemoveAll(temp)
		return err
	}
	return nil
}

func (j *job) launch(out engine.Output, background bool) error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer w.Close()
	var in *os.File
	if background {
		if in, j.stdin, err = os.Pipe(); err != nil {
			r.Close()
			return err
		}
		defer in.Close()
	}
	o := order{Path: j.shell, Args: []string{j.shell, "-c", fmt.Sprintf(script, j.command)}, Dir: j.dir,
		Env: environ(j.env, "PWD="+j.dir, j.mark, homeName+"="+j.temp)}
	j.guard, err = watchOver(o, j.mark, in, w)
	if err != nil {
		r.Close()
		if j.stdin != nil {
			j.stdin.Close()
		}
		return err
	}
	k := &capture{open: func(begin string) (string, error) { return j.spill(j.call.ID, begin) }, mask: j.masked}
	j.stream = newStream(r, k, &live{out: out})
	if background {
		j.stream.log = k.keep()
		engine.Go("background output", j.stream.follow)
	} else {
		engine.Go("terminal output", j.stream.run)
	}
	return nil
}

func (j *job) tree() tree { return tree{guardian: j.guard, mark: j.mark + "\x00"} }

// wait returns when the command has ended, was timed out or stopped, and its output is complete.
func (j *job) wait(ctx context.Context) {
	defer os.RemoveAll(j.temp)
	timer := time.NewTimer(j.limit)
	defer timer.Stop()
	select {
	case <-j.guard.ended:
		j.stream.exit()
		<-j.stream.settled
		j.status, j.left, j.cwd, j.after = engine.StatusDone, j.tree().alive(), j.lastDir(), j.lastEnv()
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

func (j *job) lastDir() string {
	b, err := os.ReadFile(filepath.Join(j.temp, "dir"))
	dir := strings.TrimSuffix(string(b), "\n")
	if err != nil || !filepath.IsAbs(dir) || !isDir(dir) {
		return ""
	}
	return filepath.Clean(dir)
}

func (j *job) lastEnv() []string {
	b, err := os.ReadFile(filepath.Join(j.temp, "env"))
	if err != nil || !strings.HasSuffix(string(b), "\x00") {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(b), "\x00"), "\x00")
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
	code := j.guard.code
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
	n := "still running in the background"
	if j.shelved != "" {
		n += " as " + j.shelved
	}
	n += ": " + list(j.left)
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
