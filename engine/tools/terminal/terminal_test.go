//go:build unix

package terminal

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"go.uber.org/goleak"

	"talaria/engine"
	"talaria/engine/tools"
)

func TestMain(m *testing.M) {
	if command := os.Getenv("TALARIA_TEST_VICTIM"); command != "" {
		victim(command)
		return
	}
	flag.Parse()
	flag.Set("test.parallel", "12") // most of these tests wait for processes
	goleak.VerifyTestMain(m)
}

// victim is a program that runs a command, and one more in the background, until somebody kills it.
func victim(command string) {
	dir, _ := os.MkdirTemp("", "victim-")
	term := New(tools.NewWorkspace(dir, dir), Options{Env: []string{"PATH=" + os.Getenv("PATH")}})
	args := func(background bool) string {
		b, _ := json.Marshal(map[string]any{"command": command, "background": background})
		return string(b)
	}
	term.Run(context.Background(), engine.Call{ID: "a", Name: "terminal", Args: args(true)}, io.Discard)
	term.Run(context.Background(), engine.Call{ID: "b", Name: "terminal", Args: args(false)}, os.Stdout)
}

// desk is a workspace with a terminal in it.
type desk struct {
	*testing.T
	w    *tools.Workspace
	term *Terminal
	out  *buffer
}

// buffer is what the screen was told.
type buffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.String()
}

// counter counts the bytes that the screen was told.
type counter struct{ atomic.Int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.Add(int64(len(p)))
	return len(p), nil
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := tools.NewWorkspace(dir, filepath.Join(t.TempDir(), "results"))
	term := New(w, Options{Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "LANG=C.UTF-8"}})
	t.Cleanup(func() {
		if _, err := term.Close(); err != nil {
			t.Error(err)
		}
	})
	return &desk{t, w, term, &buffer{}}
}

func (d *desk) run(command string, args ...any) engine.Result {
	d.Helper()
	return d.runCtx(context.Background(), command, args...)
}

// runCtx calls the tool; args are further names and values.
func (d *desk) runCtx(ctx context.Context, command string, args ...any) engine.Result {
	d.Helper()
	m := map[string]any{"command": command}
	for i := 0; i+1 < len(args); i += 2 {
		m[args[i].(string)] = args[i+1]
	}
	b, _ := json.Marshal(m)
	r, err := d.term.Run(ctx, engine.Call{ID: "call_1", Name: "terminal", Args: string(b)}, d.out)
	if err != nil {
		d.Fatalf("run %q: %v", command, err)
	}
	if !utf8.ValidString(r.Text) || r.Text == "" {
		d.Errorf("run %q: the text is empty or no UTF-8", command)
	}
	return r
}

func (d *desk) want(r engine.Result, status engine.Status, text string) {
	d.Helper()
	if r.Status != status || r.Text != text {
		d.Errorf("got %s %q\nwant %s %q", r.Status, r.Text, status, text)
	}
}

// gone waits until no process has word among its arguments.
func (d *desk) gone(word string, within time.Duration) {
	d.Helper()
	for end := time.Now().Add(within); ; time.Sleep(10 * time.Millisecond) {
		var left []string
		for _, p := range running() {
			if strings.Contains(p, word) {
				left = append(left, p)
			}
		}
		if len(left) == 0 {
			return
		}
		if time.Now().After(end) {
			d.Fatalf("still alive after %s: %q", within, left)
		}
	}
}

func running() []string {
	out, _ := exec.Command("ps", "-eo", "args").Output()
	var lines []string
	for l := range strings.Lines(string(out)) {
		if !strings.Contains(l, "<defunct>") {
			lines = append(lines, strings.TrimSpace(l))
		}
	}
	return lines
}

var seed atomic.Int64

// odd is a number of seconds that no other process sleeps.
func odd() string { return strconv.FormatInt(700000+int64(os.Getpid()%1000)*100+seed.Add(1), 10) }

func TestL01BackgroundChildDoesNotHoldTheResult(t *testing.T) {
	t.Parallel()
	for _, form := range []string{"sleep %s & echo started", "setsid sleep %s & echo started", "(nohup sleep %s >/dev/null 2>&1 &) ; echo started"} {
		t.Run(form, func(t *testing.T) {
			d, n := newDesk(t), odd()
			begin := time.Now()
			r := d.run(fmt.Sprintf(form, n))
			if took := time.Since(begin); took > 30*time.Second {
				t.Errorf("took %s", took)
			}
			if r.Status != engine.StatusDone || !strings.HasPrefix(r.Text, "started\n[exit 0]\n[still running in the background as bg_1: ") || !strings.Contains(r.Text, "sleep "+n) && !strings.Contains(r.Text, "(just starting)") {
				t.Errorf("got %s %q", r.Status, r.Text)
			}
			if _, err := d.term.Close(); err != nil {
				t.Error(err)
			}
			d.gone(n, 30*time.Second)
		})
	}
}

func TestWhatIsLeftRunningKeepsPrintingIntoAFile(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	r := d.run("(until test -e go; do sleep 0.02; done; echo late; sleep " + odd() + ") & echo started")
	_, path, ok := strings.Cut(r.Text, "what it prints from now on goes to ")
	if !ok {
		t.Fatalf("no file is named: %q", r.Text)
	}
	path = strings.TrimSuffix(path, "]")
	if err := os.WriteFile(filepath.Join(d.w.Dir(), "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(60 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		b, _ := os.ReadFile(path)
		if string(b) == "started\nlate\n" {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("the file holds %q", b)
		}
	}
}

func TestL02TimeoutEndsTheWholeTree(t *testing.T) {
	t.Parallel()
	for name, form := range map[string]string{
		"ignores TERM":            `echo begun; bash -c 'trap "" TERM; (sleep %[1]s) & sleep %[1]s'`,
		"left the group":          `echo begun; setsid bash -c 'trap "" TERM; sleep %[1]s; sleep %[1]s' & sleep %[1]s`,
		"orphan of its own":       `echo begun; bash -c 'setsid bash -c "setsid sleep %[1]s & disown" & wait'; sleep %[1]s`,
		"emptied its environment": `echo begun; env -i PATH="$PATH" setsid bash -c 'trap "" TERM; (env -i PATH="$PATH" setsid sleep %[1]s &) ; sleep %[1]s' & sleep 0.3; kill %%1; sleep %[1]s`,
		"stopped":                 `echo begun; bash -c 'kill -STOP $$; sleep %[1]s' ; sleep %[1]s`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, n := newDesk(t), odd()
			begin := time.Now()
			r := d.run(fmt.Sprintf(form, n), "timeout", 1)
			if took := time.Since(begin); took > 30*time.Second {
				t.Errorf("took %s", took)
			}
			d.want(r, engine.StatusTimeout, "begun\n[timed out after 1 s: the command and what it started were ended; exit 124]")
			d.gone(n, 30*time.Second)
		})
	}
}

func TestL02StopByTheUserKeepsWhatWasPrinted(t *testing.T) {
	t.Parallel()
	d, n := newDesk(t), odd()
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		for !strings.Contains(d.out.String(), "begun") {
			time.Sleep(5 * time.Millisecond)
		}
		cancel()
	}()
	begin := time.Now()
	r := d.runCtx(ctx, fmt.Sprintf(`echo begun; bash -c 'trap "" TERM; (sleep %[1]s) & sleep %[1]s'`, n))
	if took := time.Since(begin); took > 30*time.Second {
		t.Errorf("took %s", took)
	}
	d.want(r, engine.StatusStopped, "begun\n[stopped by the user: the command and what it started were ended; exit 130]")
	d.gone(n, 30*time.Second)
}

func TestStopBeforeTheStartRunsNothing(t *testing.T) {
	d := newDesk(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r := d.runCtx(ctx, "touch P"); r.Status != engine.StatusStopped {
		t.Errorf("got %s", r.Status)
	}
	if _, err := os.Stat(filepath.Join(d.w.Dir(), "P")); err == nil {
		t.Error("the command ran")
	}
}

func TestL03NoTerminalAndNoEditor(t *testing.T) {
	d := newDesk(t)
	r := d.run(`sh -c 'read x </dev/tty; echo rc=$?'`)
	if !strings.Contains(r.Text, "/dev/tty") || r.Status == engine.StatusTimeout {
		t.Errorf("got %q", r.Text)
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not there")
	}
	begin := time.Now()
	r = d.run("git init -q . && git config user.email a@b && git config user.name n && echo x >f && git add f && EDITOR=vi git commit")
	if r.Status != engine.StatusFailed || !strings.Contains(r.Text, "editor") || time.Since(begin) > 2*time.Second {
		t.Errorf("got %s %q after %s", r.Status, r.Text, time.Since(begin))
	}
}

func TestL04CommandReadsStdin(t *testing.T) {
	d := newDesk(t)
	d.want(d.run(`read x; echo "got=$x rc=$?"`), engine.StatusDone, "got= rc=1\n[exit 0]")
	if _, err := exec.LookPath("python3"); err == nil {
		if r := d.run(`python3 -c "input()"`); !strings.Contains(r.Text, "EOFError") {
			t.Errorf("got %q", r.Text)
		}
	}
	if r := d.run("git clone https://user@127.0.0.1:1/x.git", "timeout", 20); r.Status != engine.StatusFailed {
		t.Errorf("got %s %q", r.Status, r.Text)
	}
}

func TestL07UnboundedOutputStaysSmall(t *testing.T) {
	d := newDesk(t)
	var peak atomic.Uint64
	done := make(chan struct{})
	var before runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	go func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(20 * time.Millisecond):
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				peak.Store(max(peak.Load(), m.HeapInuse))
			}
		}
	}()
	var shown counter
	size := 500_000_000
	if raceOn {
		size = 110_000_000 // still more than is kept
	}
	r, err := d.term.Run(context.Background(), engine.Call{ID: "call_1", Name: "terminal",
		Args: fmt.Sprintf(`{"command": "yes 'äy' | head -c %d; echo; echo TAIL-MARKER", "timeout": 120}`, size)}, &shown)
	close(done)
	if err != nil {
		t.Fatal(err)
	}
	if rise := int64(peak.Load()) - int64(before.HeapInuse); rise > 50<<20 {
		t.Errorf("the heap rose by %d MB", rise>>20)
	}
	if n := utf8.RuneCountInString(r.Text); n > headChars+tailChars+300 {
		t.Errorf("the text has %d characters", n)
	}
	if !strings.HasPrefix(r.Text, "äy\n") || !strings.Contains(r.Text, "TAIL-MARKER\n[exit 0]") || !strings.Contains(r.Text, "characters left out here; the first 100 MB are in "+r.Spill) {
		t.Errorf("got %q ... %q", r.Text[:40], r.Text[len(r.Text)-200:])
	}
	if info, err := os.Stat(r.Spill); err != nil || info.Size() < spillMax/2 || info.Size() > spillMax+100 {
		t.Errorf("the file: %v %v", info, err)
	}
	if n := shown.Load(); n == 0 || n > 64<<20 {
		t.Errorf("the screen got %d MB", n>>20)
	}
}

func TestLongOutputIsWholeInTheFile(t *testing.T) {
	d := newDesk(t)
	r := d.run("seq 1 20000")
	want, _ := exec.Command("seq", "1", "20000").Output()
	got, err := os.ReadFile(r.Spill)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("the file has %d bytes, the output %d (%v)", len(got), len(want), err)
	}
	left := len(want) - headChars - tailChars
	if !strings.Contains(r.Text, fmt.Sprintf("\n[%s of %s characters left out here; the whole output is in %s]\n", grouped(left), grouped(len(want)), r.Spill)) {
		t.Errorf("got %q", r.Text[headChars-20:headChars+200])
	}
}

func TestDirectoryIsKept(t *testing.T) {
	d := newDesk(t)
	start := d.w.Dir()
	sub := filepath.Join(start, "a b", "c")
	r := d.run("mkdir -p 'a b/c' && cd 'a b/c'")
	d.want(r, engine.StatusDone, "(no output)\n[exit 0]\n[the working directory is now "+sub+"]")
	d.want(d.run("pwd"), engine.StatusDone, sub+"\n[exit 0]")
	if p, _ := d.w.Abs("x"); p != filepath.Join(sub, "x") {
		t.Errorf("file tools resolve to %s", p)
	}
	d.want(d.run("pwd; cd /", "workdir", start), engine.StatusDone, start+"\n[exit 0]")
	d.want(d.run("(cd /); false"), engine.StatusFailed, "(no output)\n[exit 1]")
	d.run("cd ..; exit 3")
	if d.w.Dir() != filepath.Dir(sub) {
		t.Errorf("after exit: %s", d.w.Dir())
	}
	d.run("set -Ceu; cd c; false; cd /")
	if d.w.Dir() != sub {
		t.Errorf("after set -e: %s", d.w.Dir())
	}
	if err := os.RemoveAll(filepath.Join(start, "a b")); err != nil {
		t.Fatal(err)
	}
	if r := d.run("touch P"); r.Status != engine.StatusFailed || !strings.Contains(r.Text, "does not exist any more") || d.w.Dir() != start {
		t.Errorf("in a directory that is gone: %s %q, now in %s", r.Status, r.Text, d.w.Dir())
	}
}

func TestExitCodesAreTold(t *testing.T) {
	d := newDesk(t)
	for command, want := range map[string]string{
		"true":                         "(no output)\n[exit 0]",
		"exit 7":                       "(no output)\n[exit 7]",
		"echo a | grep b":              "(no output)\n[exit 1: no match]",
		"false && echo a | grep b":     "(no output)\n[exit 1]",
		"echo out; echo err >&2":       "out\nerr\n[exit 0]",
		"kill -SEGV $$":                "(no output)\n[exit 139: crashed with a segmentation fault]",
		"cat <<E\nx\nE":                "x\n[exit 0]",
		"echo a # comment":             "a\n[exit 0]",
		`printf '1%%\r50%%\r100%%\n'`:  "100%\n[exit 0]",
		`printf 'a\r\nb\r\n'`:          "a\nb\n[exit 0]",
		`printf '\033[31mred\033[0m'`:  "red\n[exit 0]",
		`printf 'caf\351 \360\237\n'`:  "caf\uFFFD \uFFFD\uFFFD\n[exit 0]",
		"echo $PAGER $TERM $EDITOR":    "cat dumb false\n[exit 0]",
		"echo ${OPENAI_API_KEY-unset}": "unset\n[exit 0]",
	} {
		if r := d.run(command); r.Text != want {
			t.Errorf("%s: got %q, want %q", command, r.Text, want)
		}
	}
	if r := d.run("nosuchprogram"); !strings.HasSuffix(r.Text, "[exit 127: command not found]") || r.Note != "exit 127" {
		t.Errorf("got %q, note %q", r.Text, r.Note)
	}
	if r := d.run("echo ok"); r.Note != "" {
		t.Errorf("note %q", r.Note)
	}
}

func TestUnusableArgumentsAreRefused(t *testing.T) {
	d := newDesk(t)
	for _, args := range [][]any{{"  "}, {"a\x00b"}, {"ls", "timeout", 601}, {"ls", "timeout", -1}, {"ls", "background", "maybe"}} {
		if r := d.run(args[0].(string), args[1:]...); r.Status != engine.StatusRefused || !strings.HasPrefix(r.Text, "refused: ") {
			t.Errorf("%v: %s %q", args, r.Status, r.Text)
		}
	}
	if r := d.run("ls", "workdir", "nowhere"); r.Status != engine.StatusFailed {
		t.Errorf("got %s", r.Status)
	}
	long := "true " + strings.Repeat("x", 200<<10)
	if r := d.run(long); runtime.GOOS == "linux" && !strings.Contains(r.Text, "too long") {
		t.Errorf("got %q", r.Text)
	}
}

func TestScreenSeesOutputWhileTheCommandRuns(t *testing.T) {
	d := newDesk(t)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	go func() {
		for ctx.Err() == nil && !strings.Contains(d.out.String(), "Password? ") { // an unfinished line
			time.Sleep(5 * time.Millisecond)
		}
		os.WriteFile(filepath.Join(d.w.Dir(), "go"), nil, 0o600)
	}()
	d.want(d.runCtx(ctx, "echo one; printf 'Password? '; until test -e go; do sleep 0.02; done; echo two"), engine.StatusDone, "one\nPassword? two\n[exit 0]")
	if got := d.out.String(); got != "one\nPassword? two\n" {
		t.Errorf("the screen got %q", got)
	}
}

func TestShellMustBeReadableForTheGuard(t *testing.T) {
	d := newDesk(t)
	d.term.o.Shell = "fish"
	if r := d.run("touch P"); r.Status != engine.StatusFailed || !strings.Contains(r.Text, "terminal.shell") {
		t.Errorf("got %s %q", r.Status, r.Text)
	}
	d.term.o.Shell = "sh"
	d.want(d.run("cd /; echo $0"), engine.StatusDone, "/usr/bin/sh\n[exit 0]\n[the working directory is now /]")
}
