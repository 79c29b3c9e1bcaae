//go:build unix

package terminal

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"talaria/engine"
)

// act calls the tool process; args are further names and values.
func (d *desk) act(action, id string, args ...any) engine.Result {
	d.Helper()
	m := map[string]any{"action": action, "id": id}
	for i := 0; i+1 < len(args); i += 2 {
		m[args[i].(string)] = args[i+1]
	}
	b, _ := json.Marshal(m)
	r, err := d.term.Background().Run(context.Background(), engine.Call{ID: "call_2", Name: "process", Args: string(b)}, d.out)
	if err != nil {
		d.Fatalf("process %s: %v", action, err)
	}
	return r
}

// until polls action until the text of its result holds word.
func (d *desk) until(word, action, id string) engine.Result {
	d.Helper()
	for end := time.Now().Add(60 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		r := d.act(action, id)
		if strings.Contains(r.Text, word) {
			return r
		}
		if time.Now().After(end) {
			d.Fatalf("%s never says %q: %q", action, word, r.Text)
		}
	}
}

func (d *desk) has(r engine.Result, status engine.Status, words ...string) {
	d.Helper()
	for _, w := range words {
		if r.Status != status || !strings.Contains(r.Text, w) {
			d.Errorf("got %s %q, want %s with %q", r.Status, r.Text, status, w)
		}
	}
}

func TestServerInTheBackgroundIsPolledWrittenToAndEnded(t *testing.T) {
	t.Parallel()
	d, n := newDesk(t), odd()
	began := time.Now()
	r := d.run(`echo up; while read line; do echo "got $line"; printf '> '; done; echo closed; exec sleep `+n, "background", true)
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("the call took %s", took)
	}
	d.has(r, engine.StatusDone, "up\n[bg_1 is running for ", "[all it prints goes to ", `process(action="poll", id="bg_1")`)
	d.has(d.act("list", ""), engine.StatusDone, "bg_1 is running for ")
	d.act("write", "bg_1", "data", "hello")
	d.has(d.until("got hello\n> \n[", "poll", "bg_1"), engine.StatusDone, "up\n")
	d.act("close", "bg_1")
	d.until("closed", "log", "bg_1")
	d.has(d.act("write", "bg_1", "data", "x"), engine.StatusFailed, "its input was closed before")
	d.has(d.act("wait", "bg_1", "timeout", 0.05), engine.StatusDone, "[it has not ended within 50ms]")
	all := d.term.List()
	if len(all) != 1 || !all[0].Running || all[0].Log == "" || all[0].PID == 0 {
		t.Errorf("the screen is told %+v", all)
	}
	b, err := os.ReadFile(all[0].Log)
	if string(b) != "up\ngot hello\n> closed\n" {
		t.Errorf("the log holds %q (%v)", b, err)
	}
	d.has(d.act("kill", "bg_1"), engine.StatusDone, "[bg_1 was ended after ")
	d.gone(n, 30*time.Second)
	d.has(d.act("list", ""), engine.StatusDone, "bg_1 was ended")
	d.want(d.run("true"), engine.StatusDone, "(no output)\n[exit 0]")
}

func TestBackgroundThatFailsAtOnceIsToldAtOnce(t *testing.T) {
	if raceOn {
		t.Skip("the race detector holds every process, a guardian too, for a second at its end")
	}
	d := newDesk(t)
	r := d.run("echo 'address in use' >&2; exit 3", "background", true)
	d.has(r, engine.StatusFailed, "address in use\n[bg_1 has ended by itself after ", "exit 3: ")
	if strings.Contains(r.Text, "poll") {
		t.Errorf("a dead process is offered for polling: %q", r.Text)
	}
}

func TestEndInTheBackgroundIsToldOnceWithTheNextCommand(t *testing.T) {
	d := newDesk(t)
	told := make(chan engine.Process, 1)
	d.term.shelf.told = func(p engine.Process) { told <- p }
	d.run("until test -e go; do sleep 0.02; done; echo bye; exit 7", "background", true)
	changed := d.term.Changed()
	if err := os.WriteFile(filepath.Join(d.w.Dir(), "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	select {
	case p := <-told:
		if p.Running || p.Exit != 7 || p.ID != "bg_1" {
			t.Errorf("told %+v", p)
		}
	case <-time.After(60 * time.Second):
		t.Fatal("the end was not told")
	}
	<-changed
	d.has(d.run("true"), engine.StatusDone, "[exit 0]\n[bg_1 has ended by itself after ", "exit 7")
	d.want(d.run("true"), engine.StatusDone, "(no output)\n[exit 0]")
	d.has(d.act("log", "bg_1"), engine.StatusDone, "bye\n[bg_1 has ended")
}

func TestWhatACommandLeavesRunningIsListedAndKilled(t *testing.T) {
	t.Parallel()
	d, n := newDesk(t), odd()
	d.has(d.run("setsid nohup sleep "+n+" >/dev/null 2>&1 & echo started"), engine.StatusDone, "[still running in the background as bg_1: ")
	d.has(d.act("list", ""), engine.StatusDone, "bg_1 is running for ", "left running by: ")
	d.has(d.act("write", "bg_1", "data", "x"), engine.StatusFailed, "has no input")
	d.has(d.act("kill", "bg_1"), engine.StatusDone, "was ended")
	d.gone(n, 30*time.Second)
}

func TestProcessRefusesWhatItCannotDo(t *testing.T) {
	d := newDesk(t)
	d.has(d.act("poll", "bg_9"), engine.StatusRefused, `there is no process "bg_9". Nothing runs in the background.`)
	d.run("sleep "+odd(), "background", true)
	d.has(d.act("dance", "bg_1"), engine.StatusRefused, `there is no action "dance"`)
	d.has(d.act("write", "bg_1"), engine.StatusRefused, "data is empty")
	d.has(d.act("poll", "bg_9"), engine.StatusRefused, "bg_1 is running")
}

func TestProgramEndSweepsTheBackgroundAndSaysWhat(t *testing.T) {
	t.Parallel()
	d, n, m := newDesk(t), odd(), odd()
	d.run(fmt.Sprintf(`trap "" TERM; sleep %s; sleep %[1]s`, n), "background", true)
	d.run(fmt.Sprintf(`trap "" TERM; sleep %s; sleep %[1]s`, m), "background", true)
	began := time.Now()
	ended, err := d.term.Close()
	if took := time.Since(began); err != nil || len(ended) != 2 || took > 30*time.Second {
		t.Errorf("ended %v in %s: %v", ended, took, err)
	}
	d.gone(n, 30*time.Second)
	d.gone(m, 30*time.Second)
	if ended, err := d.term.Close(); len(ended) != 0 || err != nil {
		t.Errorf("closing twice ends %v: %v", ended, err)
	}
}

// A killed program cannot clean up: the guardians of its commands do.
func TestKillOfTheProgramEndsItsCommands(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the test looks through /proc")
	}
	t.Parallel()
	d, n := newDesk(t), odd()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), fmt.Sprintf(`TALARIA_TEST_VICTIM=trap "" TERM; echo begun; (env -i setsid /bin/sleep %s &) ; /bin/sleep %[1]s; /bin/sleep %[1]s`, n))
	cmd.Stdout = struct{ io.Writer }{d.out} // not its ReadFrom, which takes no lock
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(60 * time.Second); !strings.Contains(d.out.String(), "begun"); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the command did not start")
		}
	}
	cmd.Process.Signal(syscall.SIGKILL)
	cmd.Wait()
	d.gone(n, 30*time.Second)
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		guardians := orphanGuardians()
		if len(guardians) == 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("guardians are left: %v", guardians)
		}
	}
}

// orphanGuardians are guardians whose program is gone.
func orphanGuardians() []string {
	var out []string
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		line, _ := os.ReadFile(dir + "/cmdline")
		stat, _ := os.ReadFile(dir + "/stat")
		if strings.HasPrefix(string(line), guardianName) && strings.Contains(string(stat), ") S 1 ") {
			out = append(out, dir)
		}
	}
	return out
}

func TestCommandThatKillsItsGuardianLeavesNothing(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only there the shell dies with its guardian")
	}
	t.Parallel()
	d, n := newDesk(t), odd()
	r := d.run("kill -TERM $PPID; sleep 0.1; echo still here; (sleep "+n+" &); kill -9 $PPID; sleep "+n, "timeout", 20)
	d.has(r, engine.StatusFailed, "still here\n[exit 137")
	if _, err := d.term.Close(); err != nil {
		t.Error(err)
	}
	d.gone(n, 30*time.Second)
}

func TestEnvironmentIsKept(t *testing.T) {
	d := newDesk(t)
	d.w.SetDir(d.w.Dir())
	if err := os.MkdirAll(filepath.Join(d.w.Dir(), "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	r := d.run("cd sub && export A=1 B=$'two\\nlines' C='é'; unset LANG; echo $A")
	d.has(r, engine.StatusDone, "1\n[exit 0]\n[the working directory is now ", "/sub]\n[kept for later commands: A, B, C, LANG]")
	d.want(d.run(`echo "$A|$B|$C|${LANG-unset}|${PWD##*/}"`), engine.StatusDone, "1|two\nlines|é|unset|sub\n[exit 0]")
	d.want(d.run("A=5; F() { :; }; TERM=xterm; export TERM OLDPWD=x; false"), engine.StatusFailed, "(no output)\n[exit 1]\n[kept for later commands: A]")
	if v, ok := d.term.Lookup("A"); v != "5" || !ok {
		t.Errorf("the guard is told A=%q", v)
	}
	d.want(d.run("export A=6; exit 4"), engine.StatusFailed, "(no output)\n[exit 4]\n[kept for later commands: A]")
	r = d.run("export LD_PRELOAD=/nowhere.so BASH_ENV=/tmp/x; ls() { echo mine; }; export -f ls; true")
	d.has(r, engine.StatusDone, "[not kept for later commands: BASH_ENV, BASH_FUNC_ls%%, LD_PRELOAD]")
	if r := d.run("ls; env"); strings.Contains(r.Text, "mine") || strings.Contains(r.Text, "nowhere") || strings.Contains(r.Text, "BASH_ENV") {
		t.Errorf("it was kept: %q", r.Text)
	}
	d.want(d.run("export PATH=/nowhere; A=7"), engine.StatusDone, "(no output)\n[exit 0]\n[kept for later commands: A, PATH]")
	d.has(d.run("ls"), engine.StatusFailed, "exit 127")
	d.has(d.run("export PATH=/usr/bin:/bin"), engine.StatusDone, "kept for later commands: PATH")
	d.has(d.run("timeout 5 ls >/dev/null; echo $A"), engine.StatusDone, "7\n[exit 0]")
}

func TestWhatCannotRunHereIsSaidAndNotHung(t *testing.T) {
	refused := []string{"vim a.txt", "sudo nano /etc/hosts", "EDITOR=vi vi x", "cd x && vim y", "top", "echo $(top)", "tmux new -s x", "python3", "python -i", "node", "psql mine",
		"npm run dev", "npm start", "yarn dev", "pnpm --filter web dev", "bun run watch", "npx vite", "python3 -m http.server 8000", "python -m http.server", "uvicorn app:app",
		"flask run", "docker compose up", "docker-compose -f x.yml up", "tail -f log", "cd web; npm run dev | tee log", "next dev", "watch ls", "(cd a && npm start)", "if true; then vim; fi"}
	fine := []string{"npm run dev --help", "vim --version", "git log | less", "less README.md", "npm run build", "npm test", "npm run dev &", "echo 'npm run dev'", "python3 -c 'print(1)'",
		"python3 x.py", "python3 <<'E'\nprint(1)\nE", "echo 1 | python3", "python3 < x.py", "top -b -n 1", "emacs --batch -l x.el", "docker compose up -d", "tail -f log | grep -m1 ready",
		"timeout 5 npm run dev", "git commit -m vim", "cat vim", "node x.js", "tmux ls", "psql -c 'select 1'", "man top", "which vim", "tail -n 5 log", "vim -es -c wq x", "npm install serve",
		"nodemon --version", "echo \"$(("}
	for _, c := range refused {
		if unfit(c, false) == "" {
			t.Errorf("%q would be run", c)
		}
	}
	for _, c := range fine {
		if why := unfit(c, false); why != "" {
			t.Errorf("%q is refused: %s", c, why)
		}
	}
	for _, c := range []string{"npm run dev", "python3 -i", "python3 -m http.server"} {
		if why := unfit(c, true); why != "" {
			t.Errorf("%q is refused in the background: %s", c, why)
		}
	}
	if unfit("vim x", true) == "" {
		t.Error("an editor is started in the background")
	}
	d := newDesk(t)
	d.has(d.run("npm run dev"), engine.StatusRefused, "refused: this does not end by itself", "background=true")
	d.has(d.run("vim x"), engine.StatusRefused, "vim needs a terminal")
}
