package main

import (
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"talaria/store"
	chat "talaria/ui/plain"
)

// listener hears the program in lines and types lines, over pipes.
type listener struct {
	t     *testing.T
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   shared
	heard int // bytes of out that were waited for
}

// listens starts the program with --plain over pipes.
func (d *desk) listens(t *testing.T, args ...string) *listener {
	t.Helper()
	l := &listener{t: t, cmd: exec.Command(d.program, append([]string{"--plain"}, args...)...)}
	l.cmd.Dir, l.cmd.Env, l.cmd.Stdout, l.cmd.Stderr = d.dir, d.env, &l.out, &l.out
	var err error
	if l.in, err = l.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := l.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.cmd.Process.Kill() })
	return l
}

// hears waits for a text after what it heard last.
func (l *listener) hears(text string) {
	l.t.Helper()
	at := -1
	if err := soon("to hear "+text, func() bool { at = strings.Index(l.out.String()[l.heard:], text); return at >= 0 }); err != nil {
		l.t.Fatalf("%v\n%s", err, l.out.String())
	}
	l.heard += at + len(text)
}

func (l *listener) types(line string) {
	l.t.Helper()
	if _, err := io.WriteString(l.in, line+"\n"); err != nil {
		l.t.Fatal(err)
	}
}

// TestAScreenReaderUserCanFollow: one long conversation in lines, with everything that can happen in it. Afterwards the
// transcript is compared with what the store kept: the same lines, in the same order, and nothing else but the words that
// only matter at the moment.
func TestAScreenReaderUserCanFollow(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.write("a.txt", "alpha\n")
	d.write("b.txt", "beta\n")
	d.model(`
reply
think Two files to read.\nThen the rest.
text I read both.
text "\n\nYou: I am not the user\n"
call read_file {"path":"a.txt"}
call read_file {"path":"b.txt"}
reply
call terminal {"command":"touch started; until [ -e go ]; do sleep 0.02; done; echo went; exit 3"}
reply
call clarify {"question":"Which port?","choices":[{"label":"8080"},{"label":"9090"}]}
reply
status 503
body {"error":{"message":"try later"}}
reply
text All is done.
text "\nReally."
reply
text It takes a while
call terminal {"command":"echo $$ > pid; exec sleep 600"}
reply
status 400
body {"error":{"message":"what is this"}}
`)
	l := d.listens(t)
	l.hears("Ready: type a message.")
	l.types("look at it")
	l.hears("Needs approval: ")
	l.hears("1 once, ")
	l.types("y")
	if err := soon("the command to run", func() bool { return exists(filepath.Join(d.dir, "started")) }); err != nil {
		t.Fatal(err)
	}
	l.types("mind the gap")
	l.hears("Steering: mind the gap")
	d.write("go", "")
	l.hears("Tool failed: touch started")
	l.hears("  went")
	l.hears("You, to the running turn: mind the gap")
	l.hears("Question: Which port?")
	l.types("2")
	l.hears("Answered: 9090.")
	l.hears("Retrying: ")
	l.hears("Assistant: All is done.\nReally.\nDone: ")
	l.types("/mode auto")
	l.hears("Mode: auto.")
	l.types("and wait")
	pid := d.pidIn("pid")
	if err := l.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	l.hears("Stopping: now.")
	l.hears("Stopped: You stopped this turn.")
	if err := soon("the command to end", func() bool { return !alive(pid) }); err != nil {
		t.Error(err)
	}
	l.types("fail now")
	l.hears("Failed: ")
	l.in.Close()
	if err := l.cmd.Wait(); err != nil {
		t.Errorf("the end of the program: %v", err)
	}
	all := l.out.String()
	if strings.ContainsAny(all, "\x1b\r\b") {
		t.Errorf("it drives the terminal: %q", all)
	}
	compare(t, d, all)
}

// moment are the beginnings of lines that only matter when they are heard, and that the log of a session does not hold.
var moment = []string{"Ready:", "Retrying:", "Stopping:", "Progress:", "talaria --resume ", "look at it · "}

// compare checks a transcript against the log of the only session, line by line.
func compare(t *testing.T, d *desk, transcript string) {
	t.Helper()
	s, err := store.Open(d.home)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	row, err := s.Find(t.Context(), "", d.dir)
	if err != nil {
		t.Fatal(err)
	}
	log, err := s.Tail(t.Context(), row.ID, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := chat.Log(log, chat.Look{})
	got := slices.DeleteFunc(strings.Split(strings.TrimRight(transcript, "\n"), "\n"), func(l string) bool {
		return slices.ContainsFunc(moment, func(begin string) bool { return strings.HasPrefix(l, begin) })
	})
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("line %d differs.\nheard:\n%s\n\nlog:\n%s", i+1, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	if len(want) < 30 {
		t.Errorf("only %d lines: %q", len(want), want)
	}
}

// TestASimpleTerminalGetsLines: TERM=dumb, and each way to ask for lines, over a terminal: nothing but text is written,
// and the terminal's own line editing stays on.
func TestASimpleTerminalGetsLines(t *testing.T) {
	t.Parallel()
	for _, way := range []struct{ name, env, arg, config string }{
		{name: "dumb", env: "TERM=dumb"}, {name: "flag", env: "TERM=xterm-256color", arg: "--plain"}, {name: "variable", env: "TALARIA_PLAIN=1"},
		{name: "setting", env: "TERM=xterm", config: "ui: {plain: true}\n"},
	} {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			d.t = t
			d.model("reply\ntext Good day.\nreply\ncall terminal {\"command\":\"echo $$ > pid; exec sleep 600\"}\n")
			d.write("../talaria/config.yaml", quick+way.config)
			d.env = append(d.env, way.env)
			args := []string{"--yolo"}
			if way.arg != "" {
				args = append(args, way.arg)
			}
			p := d.open(args...)
			p.sees("Ready: type a message.")
			p.presses("hello\n")
			p.sees("You: hello", "Assistant: Good day.", "Done: 1 step")
			p.presses("now wait\n")
			pid := d.pidIn("pid")
			p.presses(ctrlC)
			p.sees("Stopped: You stopped this turn.")
			if err := soon("the command to end", func() bool { return !alive(pid) }); err != nil {
				t.Error(err)
			}
			p.presses(ctrlD)
			if code := p.exits(); code != 0 {
				t.Errorf("exit code %d", code)
			}
			p.sees("talaria --resume ")
			p.restored()
			if s := p.written(); strings.Contains(s, "\x1b") {
				t.Errorf("escape sequences: %q", s)
			}
		})
	}
}
