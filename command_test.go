package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
)

// story is the state of one script.
type story struct {
	models    map[string]*model
	signalled *exec.Cmd
}

type storyKeyType struct{}

var storyKey storyKeyType

func of(ts *testscript.TestScript) *story { return ts.Value(storyKey).(*story) }

// commands are the words of the scripts beyond testscript's own:
//
//	model FILE [NAME]            start a fake model server; $URL (or $NAME_URL) is its base URL. Without a name the
//	                             program is pointed at it by TALARIA_BASE_URL and TALARIA_MODEL
//	code N PROGRAM ARGS...       run it to its end; it must exit with N
//	json FILE PATH OP [VALUE]    look into a JSON file, or stdout: == ~ len absent paired
//	events FILE                  each line is an event with at and type, the last the result, which goes to result.json
//	request N PATH OP [VALUE]    as json, in the body of the Nth request; [NAME:]N
//	header N NAME OP [VALUE]     a header of the Nth request: == ~ absent
//	requests N [NAME]            the server has had exactly N requests
//	paths PATH N                 N of them went to this path
//	await requests N | sessions N | file F | gone PIDFILE
//	reap PIDFILE                 end the process with the script: kill -9 leaves a command behind
//	send SIGNAL                  signal the newest background command; "exited N" after wait checks its code
//	unread N PROGRAM ARGS...     run it with a stdout that nobody reads; it must exit with N
//	nowhere TEXT DIR             no file below DIR holds TEXT
//	private DIR                  files below it are 0600, directories 0700
//	equal N M PATH               the same stands there, byte for byte, in two requests
//	session VAR                  $VAR is the session_id of the JSON on stdout
var commands = map[string]func(*testscript.TestScript, bool, []string){
	"model": startModel, "code": runCode, "json": checkJSON, "events": checkEvents, "request": checkRequest, "header": checkHeader,
	"requests": countRequests, "await": await, "send": sendSignal, "exited": exited, "unread": unread, "nowhere": nowhere,
	"private": private, "session": takeSession, "equal": equalRequests, "paths": countPaths, "reap": reap,
}

func need(ts *testscript.TestScript, neg bool, args []string, least int) {
	if neg || len(args) < least {
		ts.Fatalf("wrong use: %d arguments at least, and no !", least)
	}
}

func number(ts *testscript.TestScript, s string) int {
	n, err := strconv.Atoi(s)
	ts.Check(err)
	return n
}

func startModel(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 1)
	text := os.Expand(ts.ReadFile(args[0]), func(name string) string {
		if v := ts.Getenv(name); name == "WORK" {
			return v
		}
		return "$" + name
	})
	m, err := newModel(text)
	ts.Check(err)
	ts.Defer(func() { m.CloseClientConnections(); m.Close() })
	if len(args) > 1 {
		of(ts).models[args[1]] = m
		ts.Setenv(strings.ToUpper(args[1])+"_URL", m.URL)
		return
	}
	of(ts).models[""] = m
	ts.Setenv("URL", m.URL)
	ts.Setenv("TALARIA_BASE_URL", m.URL)
	ts.Setenv("TALARIA_MODEL", "scripted")
}

func exitCode(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	return -1
}

func runCode(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2)
	want, err := number(ts, args[0]), ts.Exec(args[1], args[2:]...)
	if got := exitCode(err); got != want {
		ts.Fatalf("exit code %d, want %d (%v)", got, want, err)
	}
}

// holds compares what is at a path of v. OP is == or ~ with a value, len with a number, absent, or paired.
func holds(ts *testscript.TestScript, v any, args []string) {
	need(ts, false, args, 2)
	got, there := dig(v, args[0])
	value := strings.Join(args[2:], " ")
	list, _ := got.([]any)
	switch op := args[1]; {
	case op == "absent":
		if there {
			ts.Fatalf("%s is there: %s", args[0], plain(got))
		}
	case !there:
		ts.Fatalf("there is no %s in %s", args[0], plain(v))
	case op == "==" && plain(got) != value:
		ts.Fatalf("%s is %q, want %q", args[0], plain(got), value)
	case (op == "~" || op == "!~") && regexp.MustCompile(value).MatchString(plain(got)) != (op == "~"):
		ts.Fatalf("%s is %q; %s %s", args[0], plain(got), op, value)
	case op == "len" && len(list) != number(ts, value):
		ts.Fatalf("%s has %d entries, want %s: %s", args[0], len(list), value, plain(got))
	case op == "paired" && unpaired(list) != "":
		ts.Fatalf("%s: %s", args[0], unpaired(list))
	case op != "==" && op != "~" && op != "!~" && op != "len" && op != "paired":
		ts.Fatalf("there is no comparison %q", op)
	}
}

func checkJSON(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 3)
	holds(ts, decode(ts, ts.ReadFile(args[0])), args[1:])
}

func decode(ts *testscript.TestScript, text string) any {
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		ts.Fatalf("not one JSON value: %v in %q", err, text)
	}
	return v
}

func checkEvents(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 1)
	lines := bufio.NewScanner(strings.NewReader(ts.ReadFile(args[0])))
	lines.Buffer(nil, 32<<20)
	last, count := "", 0
	for ; lines.Scan(); count++ {
		if last != "" {
			holds(ts, decode(ts, last), []string{"at", "~", `^\d{4}-\d\d-\d\dT`})
			holds(ts, decode(ts, last), []string{"type", "~", `^[a-z_]+$`})
		}
		last = lines.Text()
	}
	ts.Check(lines.Err())
	holds(ts, decode(ts, last), []string{"type", "==", "result"})
	ts.Check(os.WriteFile(ts.MkAbs("result.json"), []byte(last), 0o600))
}

// asked returns the request that "[NAME:]N" means.
func asked(ts *testscript.TestScript, which string) request {
	name, n, named := strings.Cut(which, ":")
	if !named {
		name, n = "", which
	}
	all := modelOf(ts, name).requests()
	i := number(ts, n)
	if i < 0 {
		i += len(all) + 1
	}
	if i < 1 || i > len(all) {
		ts.Fatalf("there were %d requests", len(all))
	}
	return all[i-1]
}

func modelOf(ts *testscript.TestScript, name string) *model {
	m := of(ts).models[name]
	if m == nil {
		ts.Fatalf("no model %q was started", name)
	}
	return m
}

func checkRequest(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 3)
	holds(ts, asked(ts, args[0]).body, args[1:])
}

// equalRequests: the same path holds the same, byte for byte, in two requests.
func equalRequests(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 3)
	a, okA := dig(asked(ts, args[0]).body, args[2])
	b, okB := dig(asked(ts, args[1]).body, args[2])
	if !okA || !okB || plain(a) != plain(b) {
		ts.Fatalf("%s differs:\n%s\n%s", args[2], plain(a), plain(b))
	}
}

func checkHeader(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 3)
	head := map[string]any{}
	for name, values := range asked(ts, args[0]).header {
		head[strings.ToLower(name)] = strings.Join(values, ", ")
	}
	args[1] = strings.ToLower(args[1])
	holds(ts, head, args[1:])
}

func countRequests(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 1)
	name := ""
	if len(args) > 1 {
		name = args[1]
	}
	if n := len(modelOf(ts, name).requests()); n != number(ts, args[0]) {
		ts.Fatalf("%d requests, want %s", n, args[0])
	}
}

func countPaths(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2)
	var all []string
	n := 0
	for _, r := range modelOf(ts, "").requests() {
		if all = append(all, r.path); r.path == args[0] {
			n++
		}
	}
	if n != number(ts, args[1]) {
		ts.Fatalf("%d requests to %s, want %s: %v", n, args[0], args[1], all)
	}
}

func await(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2)
	switch args[0] {
	case "requests":
		m, n := modelOf(ts, ""), number(ts, args[1])
		ts.Check(soon(args[1]+" requests", func() bool { return len(m.requests()) >= n }))
	case "file":
		ts.Check(soon("the file "+args[1], func() bool {
			info, err := os.Stat(ts.MkAbs(args[1]))
			return err == nil && info.Size() > 0
		}))
	case "sessions":
		n := number(ts, args[1])
		ts.Check(soon(args[1]+" sessions in the list", func() bool {
			ts.Check(ts.Exec("talaria", "sessions", "list", "--json"))
			list, _ := decode(ts, ts.ReadFile("stdout")).([]any)
			return len(list) == n
		}))
	case "gone":
		pid := number(ts, strings.TrimSpace(ts.ReadFile(args[1])))
		ts.Check(soon("the end of process "+strconv.Itoa(pid), func() bool { return !alive(pid) }))
	default:
		ts.Fatalf("await what? %q", args[0])
	}
}

func reap(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 1)
	pid := number(ts, strings.TrimSpace(ts.ReadFile(args[0])))
	ts.Defer(func() { _ = syscall.Kill(pid, syscall.SIGKILL) })
}

// alive reports whether a process runs; a zombie does not.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return !errors.Is(err, os.ErrNotExist) || !exists("/proc/self/stat")
	}
	_, rest, _ := bytes.Cut(stat, []byte(") "))
	return !bytes.HasPrefix(rest, []byte("Z")) && !bytes.HasPrefix(rest, []byte("X"))
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func sendSignal(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 1)
	sig, ok := map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP, "STOP": syscall.SIGSTOP,
		"CONT": syscall.SIGCONT, "KILL": syscall.SIGKILL}[args[0]]
	all := ts.BackgroundCmds()
	if !ok || len(all) == 0 {
		ts.Fatalf("no signal %q, or nothing runs in the background", args[0])
	}
	cmd := all[len(all)-1]
	of(ts).signalled = cmd
	if sig == syscall.SIGSTOP {
		ts.Defer(func() { _ = cmd.Process.Signal(syscall.SIGCONT) }) // a stopped process would keep the script's end waiting
	}
	ts.Check(cmd.Process.Signal(sig))
}

func exited(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 1)
	cmd := of(ts).signalled
	if cmd == nil || cmd.ProcessState == nil {
		ts.Fatalf("nothing was signalled and waited for")
	}
	if got := cmd.ProcessState.ExitCode(); got != number(ts, args[0]) {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}

// unread runs a program whose stdout is a pipe that nobody reads any more, as "talaria ... | head -0" gives it.
func unread(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2)
	r, w, err := os.Pipe()
	ts.Check(err)
	ts.Check(r.Close())
	defer w.Close()
	cmd := exec.Command(filepath.Join(binary, args[1]), args[2:]...)
	for _, name := range []string{"HOME", "TALARIA_HOME", "PATH", "TALARIA_BASE_URL", "TALARIA_MODEL"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	var errs bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = ts.MkAbs("."), w, &errs
	if got := exitCode(cmd.Run()); got != number(ts, args[0]) {
		ts.Fatalf("exit code %d, want %s; stderr %q", got, args[0], errs.String())
	}
	if errs.Len() > 0 {
		ts.Fatalf("not quiet: %q", errs.String())
	}
}

func walk(ts *testscript.TestScript, dir string, each func(path string, d fs.DirEntry)) {
	n := 0
	ts.Check(filepath.WalkDir(ts.MkAbs(dir), func(path string, d fs.DirEntry, err error) error {
		if err == nil {
			n++
			each(path, d)
		}
		return err
	}))
	if n < 2 {
		ts.Fatalf("%s is empty", dir)
	}
}

func nowhere(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2)
	walk(ts, args[1], func(path string, d fs.DirEntry) {
		if !d.Type().IsRegular() {
			return
		}
		data, err := os.ReadFile(path)
		ts.Check(err)
		if bytes.Contains(data, []byte(args[0])) {
			ts.Fatalf("%s holds %q", path, args[0])
		}
	})
}

func private(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 1)
	walk(ts, args[0], func(path string, d fs.DirEntry) {
		info, err := d.Info()
		ts.Check(err)
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		}
		if info.Mode().Perm() != want {
			ts.Fatalf("%s has mode %o, want %o", path, info.Mode().Perm(), want)
		}
	})
}

func takeSession(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 1)
	id, _ := dig(decode(ts, ts.ReadFile("stdout")), "session_id")
	if !regexp.MustCompile(`^\d{8}_\d{6}_[0-9a-f]{6}$`).MatchString(plain(id)) {
		ts.Fatalf("session_id is %v", id)
	}
	ts.Setenv(args[0], plain(id))
}
