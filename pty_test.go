package main

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"talaria/store"
)

// ready is what the prompt says when a model is connected and nothing runs.
const ready = "Ask anything"

// listed are the sessions of a desk, as `talaria sessions list --json` tells them.
func (d *desk) listed() []map[string]any {
	d.t.Helper()
	cmd := exec.Command(d.program, "sessions", "list", "--json")
	cmd.Dir, cmd.Env = d.dir, d.env
	out, err := cmd.Output()
	var list []map[string]any
	if err == nil {
		err = json.Unmarshal(out, &list)
	}
	if err != nil {
		d.t.Fatalf("%v: %s", err, out)
	}
	return list
}

// keeps waits for a draft to be stored: of a session, or with "" of the next new one.
func (d *desk) keeps(session, draft string) {
	d.t.Helper()
	s, err := store.Open(d.home)
	if err != nil {
		d.t.Fatal(err)
	}
	defer s.Close()
	if err := soon("the draft to be stored", func() bool {
		text, err := s.Draft(d.t.Context(), d.dir, session)
		return err == nil && text == draft
	}); err != nil {
		d.t.Fatal(err)
	}
}

// quits leaves by Ctrl+D and checks that everything is as it was.
func (p *person) quits() {
	p.t.Helper()
	p.presses(ctrlD)
	if code := p.exits(); code != 0 {
		p.t.Errorf("exit code %d after Ctrl+D", code)
	}
	p.restored()
}

// asks waits for the nth request of a model and returns its messages.
func (m *model) asks(t *testing.T, n int) []any {
	t.Helper()
	if err := soon(fmt.Sprintf("request %d", n), func() bool { return len(m.requests()) >= n }); err != nil {
		t.Fatal(err)
	}
	messages, _ := dig(m.requests()[n-1].body, "messages")
	list, _ := messages.([]any)
	if why := unpaired(list); why != "" {
		t.Errorf("request %d: %s\n%s", n, why, plain(messages))
	}
	return list
}

// pidIn waits for a file with the number of a process; the process is ended with the test.
func (d *desk) pidIn(name string) int {
	d.t.Helper()
	pid := 0
	if err := soon("a process number in "+name, func() bool {
		var err error
		pid, err = strconv.Atoi(strings.TrimSpace(d.read(name)))
		return err == nil
	}); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { _ = syscall.Kill(pid, syscall.SIGKILL) })
	return pid
}

// TestTheFirstFrameWaitsForNothing: the model server and the proxies take connections and never answer, and every
// program that could be started says that it was, and hangs. The screen is there all the same, before any of it.
func TestTheFirstFrameWaitsForNothing(t *testing.T) {
	t.Parallel()
	for _, connected := range []bool{true, false} {
		d := newDesk(t)
		hole, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer hole.Close()
		var calls atomic.Int32
		go func() {
			for {
				c, err := hole.Accept()
				if err != nil {
					return
				}
				calls.Add(1)
				defer c.Close()
			}
		}()
		bin := filepath.Join(d.home, "bin")
		if err := os.Mkdir(bin, 0o700); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"git", "rg", "uname", "sh", "bash", "env", "dbus-launch", "security", "xdg-open", "defaults", "tput"} {
			d.write("../talaria/bin/"+name, "#!/bin/sh\necho "+name+" >>"+d.dir+"/started\nexec /bin/sleep 600\n")
			if err := os.Chmod(filepath.Join(bin, name), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Mkdir(filepath.Join(d.dir, ".git"), 0o700); err != nil {
			t.Fatal(err)
		}
		address := "http://" + hole.Addr().String()
		d.env = append(d.env, "PATH="+bin, "HTTP_PROXY="+address, "HTTPS_PROXY="+address, "ALL_PROXY="+address)
		first := "Choose how to connect"
		if connected {
			d.env, first = append(d.env, "TALARIA_BASE_URL="+address+"/v1", "TALARIA_MODEL=silent"), ready
		}
		p := d.open()
		p.sees(first)
		if n := calls.Load(); n > 0 {
			t.Errorf("%d connections before the first frame", n)
		}
		if s := d.read("started"); s != "" {
			t.Errorf("started before the first frame: %s", s)
		}
		p.quits()
	}
}

func TestAPersonConnectsTheDemoWithOneKeyAndTakesTheTour(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.write("README.md", "# A project\n")
	p := d.open()
	p.sees("Choose how to connect", "Offline demo")
	p.pressesUntil("the demo to be connected", "3", func(screen string) bool { return strings.Contains(screen, ready) })
	p.says("tour")
	p.answers("What shall the demo file say?", enter)
	p.answers("Allow this edit?", "y")
	p.answers("Allow this command?", "y")
	p.answers("Allow this command?", "y")
	p.sees("That was the tour", "Ready")
	if d.read("talaria-demo.txt") != "" {
		t.Error("the tour left its file behind")
	}
	p.quits()
	p.sees("tour · 1 turn · local", "Files changed 1", "  talaria-demo.txt", "talaria --resume")
	if all := d.listed(); len(all) != 1 || all[0]["title"] != "tour" {
		t.Errorf("sessions: %v", all)
	}
}

func TestAMessageTypedOnTheConnectScreenIsKept(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	p := d.open()
	p.sees("Choose how to connect")
	p.presses("read 3 things")
	p.until("the text in the prompt", func(string) bool { return strings.Contains(p.prompt(), "read 3 things") })
	p.pressesUntil("the second row", down, func(screen string) bool { return strings.Contains(screen, "▸ 2") })
	p.presses(down)
	p.sees("▸ 3")
	p.pressesUntil("the message to go out by itself", enter, func(screen string) bool { return strings.Contains(screen, "I am the offline demo") })
	p.sees("read 3 things", "Ready")
	p.quits()

	// What was never sent is there again after a restart, even after kill -9.
	p = d.open()
	p.sees("Choose how to connect")
	p.presses("and never forget this")
	p.until("the text in the prompt", func(string) bool { return strings.Contains(p.prompt(), "never forget this") })
	d.keeps("", "and never forget this")
	_ = p.cmd.Process.Kill()
	p.exits()
	p = d.open()
	p.sees("and never forget this")
}

// TestKillNineLosesNothing: the program is killed while a command runs; what was finished and what was typed is there
// again, and the conversation goes on.
func TestKillNineLosesNothing(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	m := d.model("reply\ntext The first answer.\nreply\ntext Now I wait.\ncall read_file {\"path\":\"a.txt\"}\n" +
		"reply\ncall terminal {\"command\":\"echo $$ > pid; exec sleep 600\"}\nreply\ntext Here we are again.\n")
	d.write("a.txt", "alpha\n")
	p := d.open("--yolo")
	p.sees(ready)
	p.says("first question")
	p.sees("The first answer.", "Ready")
	p.says("second question")
	d.pidIn("pid")
	p.presses("a half typed thought")
	d.keeps(fmt.Sprint(d.listed()[0]["id"]), "a half typed thought")
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	p.exits()

	p = d.open("-c", "--yolo")
	p.sees("first question", "The first answer.", "second question", "Now I wait.", "a half typed thought")
	p.pressesUntil("the draft to be sent", enter, func(string) bool { return !strings.Contains(p.prompt(), "thought") })
	p.sees("Here we are again.", "Ready")
	sent := m.asks(t, 4)
	text := plain(any(sent))
	for _, want := range []string{"first question", "The first answer.", "second question", "Now I wait.", "alpha", "a half typed thought"} {
		if strings.Count(text, want) != 1 {
			t.Errorf("%q stands %d times in the request: %s", want, strings.Count(text, want), text)
		}
	}
	p.quits()
	if all := d.listed(); len(all) != 1 {
		t.Errorf("%d sessions", len(all))
	}
}

// TestEscStopsTheCommandAndItsChildrenAndASteerGoesInLater: the first Esc asks the turn to end after the command, the
// second ends the command and all it started. In the next turn a word goes in while a command runs.
func TestEscStopsTheCommandAndItsChildrenAndASteerGoesInLater(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	m := d.model("reply\ncall terminal {\"command\":\"(setsid sleep 600 & echo $! > far); sleep 600 & echo $! > near; wait\"}\n" +
		"reply\ncall terminal {\"command\":\"touch started; until [ -e go ]; do sleep 0.02; done; echo went\"}\nreply\ntext Understood.\n")
	p := d.open("--yolo")
	p.sees(ready)
	p.says("wait for ever")
	near, far := d.pidIn("near"), d.pidIn("far")
	p.presses(esc)
	p.sees("Stopping")
	if !alive(near) {
		t.Error("the first Esc ended the command")
	}
	p.presses(esc)
	pressed := time.Now()
	p.sees("Stopped")
	if err := soon("the processes to end", func() bool { return !alive(near) && !alive(far) }); err != nil {
		t.Fatalf("%v: near %v, far %v", err, alive(near), alive(far))
	}
	if took := time.Since(pressed); took > 30*time.Second {
		t.Errorf("ending the processes took %v", took)
	}

	p.says("wait again")
	if err := soon("the second command", func() bool { return exists(filepath.Join(d.dir, "started")) }); err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"first, mind the gap", "second, mind the door", "third, mind the step"} {
		p.says(word)
		p.sees("Steering", word)
	}
	d.write("go", "")
	p.sees("Understood.", "Ready")
	sent := m.asks(t, 3)
	all := plain(any(sent))
	if !regexp.MustCompile(`(?s)went.*first, mind the gap.*second, mind the door.*third, mind the step`).MatchString(plain(sent[len(sent)-1])) || strings.Count(all, "mind the") != 3 {
		t.Errorf("the steers are not at the end of the newest result, each once and in order: %s", all)
	}
	p.seesNo("Steering")
	p.quits()
}

// mined is the program with a panic buried in four places, each set off by a text. Nothing else differs.
var mined = sync.OnceValues(func() (string, error) {
	replace := map[string]string{}
	for _, mine := range []struct{ file, line, code string }{
		{"ui/update.go", "func (m *Model) take(msg tea.Msg) tea.Cmd {", `
	if p, ok := msg.(tea.PasteMsg); ok && p.Content == "boom in update" {
		panic("mine")
	} else if ok && p.Content == "boom in command" {
		return func() tea.Msg { panic("mine") }
	}`},
		{"ui/view.go", "func (m *Model) rows() ([]string, *tea.Cursor) {", `
	if m.Prompt.Value() == "boom in view" {
		panic("mine")
	}`},
		{"engine/core/ops.go", "func (c *Core) handle(ctx context.Context, op engine.Op) {", `
	if s, ok := op.(engine.Submit); ok && s.Text == "boom in engine" {
		panic("mine")
	}`},
	} {
		src, err := os.ReadFile(mine.file)
		if err != nil {
			return "", err
		}
		before, after, ok := strings.Cut(string(src), mine.line+"\n")
		if !ok {
			return "", fmt.Errorf("%s has no line %q to bury a mine behind", mine.file, mine.line)
		}
		path := filepath.Join(binary, strings.ReplaceAll(mine.file, "/", "_"))
		if err := os.WriteFile(path, []byte(before+mine.line+mine.code+"\n"+after), 0o600); err != nil {
			return "", err
		}
		abs, err := filepath.Abs(mine.file)
		if err != nil {
			return "", err
		}
		replace[abs] = path
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(binary, "overlay.json"), overlay, 0o600); err != nil {
		return "", err
	}
	path := filepath.Join(binary, "mined")
	flags := []string{"-overlay", filepath.Join(binary, "overlay.json")}
	if raced {
		flags = append(flags, "-race")
	}
	return path, compile(path, flags...)
})

// paste is a text as a terminal sends it when it is pasted.
func paste(text string) string { return "\x1b[200~" + text + "\x1b[201~" }

func TestU13TheTerminalIsRestoredWhateverHappens(t *testing.T) {
	t.Parallel()
	const story = "reply\ntext It was a dark and\nstall\n"
	for _, c := range []struct {
		name string
		code int
		do   func(p *person)
	}{
		{"SIGTERM", 143, func(p *person) { _ = p.cmd.Process.Signal(syscall.SIGTERM) }},
		{"SIGHUP", 129, func(p *person) { _ = p.cmd.Process.Signal(syscall.SIGHUP) }},
		{"four Ctrl+C", 130, func(p *person) { p.presses(ctrlC + ctrlC + ctrlC + ctrlC) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			d.model(story)
			p := d.open()
			p.sees(ready)
			p.says("tell me a story")
			p.sees("a dark and")
			c.do(p)
			if code := p.exits(); code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			p.restored()
			if all := d.listed(); len(all) != 1 {
				t.Errorf("%d sessions", len(all))
			}
		})
	}
	for _, where := range []string{"update", "view", "command", "engine"} {
		t.Run("a panic in the "+where, func(t *testing.T) {
			t.Parallel()
			path, err := mined()
			if err != nil {
				t.Fatal(err)
			}
			d := newDesk(t)
			d.model(story)
			d.program = path
			p := d.open()
			p.sees(ready)
			p.presses(paste("boom in " + where))
			if where == "engine" {
				p.sees("boom in engine")
				p.pressesUntil("the message to be sent", enter, func(string) bool { return !strings.Contains(p.prompt(), "boom") })
			}
			if code := p.exits(); code != 1 {
				t.Errorf("exit code %d, want 1", code)
			}
			p.restored()
			p.sees("talaria stopped unexpectedly", "mine", "--continue")
			reports, err := filepath.Glob(filepath.Join(d.home, "crash", "*"))
			if err != nil || len(reports) != 1 {
				t.Errorf("crash reports: %v %v", reports, err)
			}
		})
	}
}

// TestTheTerminalGoesAway: the window is closed. The program ends by itself, with its command, and the session is kept.
func TestTheTerminalGoesAway(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.model("reply\ncall terminal {\"command\":\"sleep 600 & echo $! > pid; wait\"}\n")
	p := d.open("--yolo")
	p.sees(ready)
	p.says("run it")
	pid := d.pidIn("pid")
	p.tty.Close()
	p.pty.Close()
	p.exits()
	if err := soon("the command to end", func() bool { return !alive(pid) }); err != nil {
		t.Error(err)
	}
	if all := d.listed(); len(all) != 1 || all[0]["turns"] != 1.0 {
		t.Errorf("sessions: %v", all)
	}
}

func TestU15TerminalRepliesAreNeverTyped(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.model("reply again\ntext Yes.\n")
	p := d.open()
	p.sees(ready)
	for _, parts := range [][]string{
		{"\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\"}, {"\x1b]11;rgb:1e1e", "/1e1e/1e1e\a"}, {"\x1b[50;1R"},
		{"\x1b[?61;4;6;7;14;21;22;23;24;28;32;42;52c"}, {"\x1b[<64;10;", "5M"}, {"\x1b[I", "\x1b[O"}, {"\x1b[?2026;2$y"}, {"\x1bP1$r0m\x1b\\"},
		{"\x1b[?1u"}, {"\x1b[?0", "u"}, {"\x1b[>1;4000;30c"}, {"\x1b[?61;4", ";22c"}, {"\x1b[12;", "40R"}, {"\x1bP>|XTerm(390)\x1b\\"}, {"\x1bP>|tmux 3", ".4\x1b\\"}, {"\x1b[?997;1n"},
		{"\x1b]10;rgb:ffff/ffff/ffff\a"}, {"\x1b]4;1;rgb:cdcd/0000/0000\x1b\\"}, {"\x1b]11;rgb:1e1e/1e1e/1e1e\x1b", "\\"}, {"\x1b_Gi=31;OK\x1b\\"}, {"\x1b[?2027;1$y"}, {"\x1b[4;600;800t"},
		{"\x1b[<35;10;5M\x1b[<35;1", "1;5M"}, {"\x1b[<0;3;", "3m"},
	} {
		for _, part := range parts {
			p.presses(part)
			p.settles()
		}
		if !strings.Contains(p.prompt(), ready) {
			t.Errorf("%q was typed: %q", parts, p.prompt())
			p.presses(strings.Repeat(backspace, 80))
		}
	}
	p.presses("\xed\x95")
	p.settles()
	p.presses("\x9c")
	p.until("the split character", func(string) bool { return strings.TrimSpace(strings.Trim(p.prompt(), "❯ ")) == "한" })
}

// settles waits until the program has read everything: the terminal's input queue is empty. What it makes of it shows
// when a later key does.
func (p *person) settles() {
	p.t.Helper()
	if err := soon("the input to be read", func() bool { n, err := queued(p.tty); return err == nil && n == 0 }); err != nil {
		p.t.Fatal(err)
	}
}

func TestU03APastedLineEndDoesNotSend(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	m := d.model("reply again\ntext Read.\n")
	p := d.open()
	p.sees(ready)
	both := func(string) bool {
		return strings.Contains(p.prompt(), "line1\n") && strings.Contains(p.prompt(), "line2")
	}
	for _, parts := range [][]string{{paste("line1\nline2")}, {paste("line1\rline2")}, {"\x1b[200~line1", "\nline2\x1b[20", "1~"}} {
		for _, part := range parts {
			p.presses(part)
			p.settles()
		}
		p.until("both lines in the prompt", both)
		if n := len(m.requests()); n != 0 {
			t.Fatalf("%q was sent", parts)
		}
		p.presses(strings.Repeat(backspace, len("line1\nline2")))
		p.until("an empty prompt", func(string) bool { return strings.Contains(p.prompt(), ready) })
	}
	p.presses(paste("C:\\ProgramData\\Battle.net"))
	p.sees("C:\\ProgramData\\Battle.net")
	p.pressesUntil("the paste to be sent", enter, func(string) bool { return strings.Contains(p.look(), "Read.") })
	if got, _ := dig(m.asks(t, 1)[1], "content"); got != "C:\\ProgramData\\Battle.net" {
		t.Errorf("sent %q", got)
	}
	p.sees("Ready")
	p.presses("line1\rline2\r") // a terminal without bracketed paste
	p.until("both lines in the prompt", both)
	if n := len(m.requests()); n != 1 {
		t.Error("the first line was sent")
	}
}

func TestAWindowOfAnySizeAndBack(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.model("reply\ntext The whole answer is here.\nreply\ntext Go\nstall\n")
	p := d.open()
	p.sees(ready)
	p.says("hello")
	p.sees("The whole answer is here.", "Ready")
	p.says("and on")
	p.presses("한글😀")
	p.sees("Go", "한글😀")
	for _, size := range [][2]int{{20, 6}, {7, 3}, {2, 2}, {1, 1}, {10, 4}, {36, 8}, {60, 15}, {200, 50}, {100, 30}} {
		p.resize(size[0], size[1])
		if size[0] >= 60 {
			p.sees("The whole answer is here.", "한글😀")
		} else if size[0] == 20 {
			p.sees("Too small")
		}
	}
	p.presses(ctrlC)
	p.sees("Stopped", "한글😀")
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	if code := p.exits(); code != 143 {
		t.Errorf("exit code %d", code)
	}
	p.restored()
}

// TestTwoWindowsAtOnce: each has its own session; a third that wants the first one's is told so at once.
func TestTwoWindowsAtOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.model("reply again\ntext An answer.\n")
	a, b := d.open(), d.open()
	a.sees(ready)
	b.sees(ready)
	a.says("from the left")
	a.sees("An answer.", "Ready")
	b.says("from the right")
	b.sees("An answer.", "Ready")
	all := d.listed()
	if len(all) != 2 {
		t.Fatalf("%d sessions", len(all))
	}
	c := d.open("-c") // the list, on that session: it is marked, and can be forked
	c.sees("Sessions", "from the right", "◐")
	c.presses("\x1b")
	c.sees(ready)
	c.quits()
	a.quits()
	b.quits()
	c = d.open("-r", "from the left")
	c.sees("from the left", "An answer.")
	c.quits()
}

// TestU17TheTwoWaysOfCtrlC: the key stops a turn and keeps what is typed; the signal never ends the program; two keys
// on an empty prompt do.
func TestU17TheTwoWaysOfCtrlC(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.model("reply\nthink I wonder\nstall\nreply\ntext Once upon a time\nstall\n")
	p := d.open()
	p.sees(ready)
	_ = p.cmd.Process.Signal(syscall.SIGINT)
	p.says("think")
	p.sees("Thinking")
	p.presses("unsent words")
	p.sees("unsent words")
	p.presses(ctrlC)
	p.sees("Stopped", "unsent words")
	p.presses(strings.Repeat(backspace, len("unsent words")))
	p.until("an empty prompt", func(string) bool {
		return !strings.Contains(p.prompt(), "unsent") && !strings.Contains(p.prompt(), "❯ u")
	})
	p.says("speak")
	p.sees("Once upon a time")
	_ = p.cmd.Process.Signal(syscall.SIGINT)
	p.sees("Stopped", "Once upon a time")
	p.pressesUntil("the end", ctrlC, func(string) bool {
		select {
		case <-p.ended:
			return true
		default:
			return false
		}
	})
	if code := p.exits(); code != 0 && code != 130 { // 130 when the turn was stopped in these 1.5 seconds
		t.Errorf("exit code %d", code)
	}
	p.restored()
	p.sees("talaria --resume")
}

// TestU01NothingTheModelSaysDrivesTheTerminal: the bytes that reach the terminal hold no sequence of the model's, a
// tool's or a file's making, also not in the summary on the normal screen.
func TestU01NothingTheModelSaysDrivesTheTerminal(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	evil := `\x1b]52;c;ZXZpbA==\x07\x1b]0;pwn\x07\x1b[2J\x1bc\u009b2J&#27;]52;c;ZXZpbA==&#7;`
	d.write("evil.sh", `printf '\033]52;c;ZXZpbA==\007\033]0;pwn\007\033[2Jtool\n'`)
	d.model(`reply
text "before ` + evil + ` after\n\n` + "```\\n" + evil + "\\n```" + `\n"
call terminal {"command":"sh evil.sh"}
reply again
text "` + evil + ` the end"
`)
	p := d.open("--yolo")
	p.sees(ready)
	p.says("go on")
	p.sees("before", "after", "the end", "Ready")
	p.quits()
	harmless := func(p *person) {
		for _, bad := range []string{"\x1b]52;", "\x1b]0;pwn", "\x1b[2Jtool", "\x1bc", "\u009b"} {
			if strings.Contains(p.written(), bad) {
				t.Errorf("%q reached the terminal", bad)
			}
		}
	}
	harmless(p)
	for _, output := range []string{"text", "json", "stream-json"} { // print mode at a terminal
		p = d.open("-p", "--output", output, "and again")
		if code := p.exits(); code != 0 {
			t.Errorf("exit code %d", code)
		}
		p.sees("the end")
		harmless(p)
	}
}

// colour finds a colour in what was written: any of the SGR codes that set one.
var colour = regexp.MustCompile(`\x1b\[(?:[0-9;:]*;)?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:[;:][0-9;:]*)?m`)

// TestU14NoColorMeansNone, with a prompt on the command line, which goes out by itself.
func TestU14NoColorMeansNone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		env  string
		want bool
	}{{"NO_COLOR=1", false}, {"NO_COLOR=", true}} {
		d := newDesk(t)
		d.model("reply\ntext \"It **works**: `code`\"\n")
		d.env = append(d.env, c.env)
		p := d.open("does", "it", "work?")
		p.sees("does it work?", "It works", "code", "Ready")
		p.quits()
		if got := colour.FindString(p.written()); (got != "") != c.want {
			t.Errorf("%s: %q", c.env, got)
		}
	}
}

// TestA10TheQuestionOfTrustIsAskedOnce: what is typed meanwhile waits, no means that nothing is read, and yes is kept.
func TestA10TheQuestionOfTrustIsAskedOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.write("AGENTS.md", "Always say ZZ9.\n")
	m := d.model("reply again\ntext Fine.\n")
	for i, answer := range []struct {
		key  string
		read bool
	}{{esc, false}, {"y", true}, {"", true}} {
		p := d.open("hello")
		if answer.key != "" {
			p.sees("Trust this directory?", "AGENTS.md")
			if n := len(m.requests()); n != i {
				t.Fatalf("%d requests before the answer", n)
			}
			p.answers("Trust this directory?", answer.key)
		}
		p.sees("Fine.", "Ready")
		system, _ := dig(m.asks(t, i+1)[0], "content")
		if strings.Contains(plain(system), "ZZ9") != answer.read {
			t.Errorf("answer %q: read is %v", answer.key, !answer.read)
		}
		p.quits()
	}
}

// TestEnterGoesOnWithACallThatACrashCutOff: the program is killed while it asks for a permission, and while a command
// runs. Both times Enter goes on: the model is told what is known of the call, and may make it again.
func TestEnterGoesOnWithACallThatACrashCutOff(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	m := d.model("reply\ncall terminal {\"command\":\"touch made\"}\nreply\ncall terminal {\"command\":\"touch made; echo $$ > pid; exec sleep 600\"}\nreply\ntext Here we are again.\n")
	p := d.open()
	p.sees(ready)
	p.says("make it")
	p.sees("Allow this command?")
	_ = p.cmd.Process.Kill()
	p.exits()

	p = d.open("-c")
	p.sees("nothing of it happened: Run a command: touch made", "Enter continues")
	p.pressesUntil("the question to come again", enter, func(screen string) bool { return strings.Contains(screen, "Allow this command?") })
	if told := plain(any(m.asks(t, 2))); !strings.Contains(told, "never ran") || exists(filepath.Join(d.dir, "made")) {
		t.Errorf("the model was told %s", told)
	}
	p.answers("Allow this command?", "y")
	d.pidIn("pid")
	_ = p.cmd.Process.Kill()
	p.exits()

	p = d.open("-c")
	p.sees("Enter continues")
	p.pressesUntil("the turn to go on", enter, func(screen string) bool { return strings.Contains(screen, "Here we are again.") })
	if told := plain(any(m.asks(t, 3))); !strings.Contains(told, "may have run in part") {
		t.Errorf("the model was told %s", told)
	}
	p.sees("Ready")
	p.quits()
}
