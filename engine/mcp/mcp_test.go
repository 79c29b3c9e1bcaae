package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"talaria/engine"
)

// world is a host over test servers, with what it told and logged.
type world struct {
	*testing.T
	*Host
	mu    sync.Mutex
	notes []string
	log   []string
}

func own(kind string, s Server) Server {
	exe, err := os.Executable()
	if err != nil {
		panic(err)
	}
	if s.Name == "" {
		s.Name = kind
	}
	s.Command, s.Env = exe, append(os.Environ(), serverVar+"="+kind)
	return s
}

func start(t *testing.T, servers ...Server) *world {
	w := &world{T: t}
	w.Host = New(Options{Servers: servers, Note: func(s string) { w.mu.Lock(); w.notes = append(w.notes, s); w.mu.Unlock() },
		Log: func(server, line string) { w.mu.Lock(); w.log = append(w.log, server+": "+line); w.mu.Unlock() }})
	t.Cleanup(w.Close)
	w.Start()
	return w
}

func (w *world) ready() *world {
	w.Helper()
	ctx, cancel := context.WithTimeout(w.Context(), 20*time.Second)
	defer cancel()
	w.Wait(ctx)
	if ctx.Err() != nil {
		w.Fatalf("servers did not come up: %+v", w.Status())
	}
	return w
}

func (w *world) tool(name string) engine.Tool {
	w.Helper()
	for _, t := range w.Tools() {
		if t.Spec().Name == name {
			return t
		}
	}
	w.Fatalf("no tool %q in %+v", name, w.Status())
	return nil
}

func (w *world) call(name, args string) engine.Result {
	w.Helper()
	var out bytes.Buffer
	return w.callTo(w.Context(), name, args, &out)
}

func (w *world) callTo(ctx context.Context, name, args string, out engine.Output) engine.Result {
	w.Helper()
	r, err := w.tool(name).Run(ctx, engine.Call{ID: "c1", Name: name, Args: args}, out)
	if err != nil && !errors.Is(err, context.Canceled) {
		w.Fatal(err)
	}
	return r
}

func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(60 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}

func (w *world) said() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Join(w.notes, "\n")
}

func TestAToolOfARealServerIsCalled(t *testing.T) {
	w := start(t, own("greeter", Server{})).ready()
	r := w.call("mcp_greeter_greet", `{"name":"Ada"}`)
	if r.Status != engine.StatusDone || !strings.Contains(r.Text, "Hi Ada") || !strings.Contains(r.Text, "<untrusted-data") {
		t.Fatalf("%+v", r)
	}
	spec := w.tool("mcp_greeter_greet").Spec()
	if spec.Effect != engine.Executes || spec.Toolset != "mcp" || !strings.Contains(string(spec.Schema), `"required":["name"]`) || !strings.Contains(spec.Doc, "say hi") {
		t.Fatalf("%+v %s", spec, spec.Schema)
	}
	if st := w.Status()[0]; st.State != Ready || st.Says != "greeter 1" || len(st.Tools) != 7 {
		t.Fatalf("%+v", st)
	}
}

// M01: servers that never answer, are not there, exit at once, or stop answering after the greeting.
func TestM01DeadServersKeepNobodyWaiting(t *testing.T) {
	w := start(t,
		Server{Name: "asleep", Command: "sleep", Args: []string{"1000"}, Timeout: 3 * time.Second},
		Server{Name: "missing", Command: "/no/such/binary"},
		Server{Name: "exits", Command: "sh", Args: []string{"-c", "exit 1"}},
		own("mute", Server{Timeout: 600 * time.Millisecond}),
		own("greeter", Server{}))
	if st := w.Status()[0]; st.Name != "asleep" || st.State != Starting {
		t.Fatalf("the start waited for one that sleeps: %+v", st)
	}
	w.ready()
	if r := w.call("mcp_greeter_greet", `{"name":"Bo"}`); !strings.Contains(r.Text, "Hi Bo") {
		t.Fatalf("%+v", r)
	}
	want := map[string]string{"asleep": "did not answer within", "missing": "no such file", "exits": "exit status 1", "mute": "did not answer within"}
	for _, st := range w.Status() {
		if reason, bad := want[st.Name]; bad && (st.State != Failed || !strings.Contains(st.Reason, reason)) {
			t.Errorf("%+v, want a reason with %q", st, reason)
		}
	}
	for name := range want {
		if n := strings.Count(w.said(), fmt.Sprintf("MCP server %q", name)); n != 1 {
			t.Errorf("%s was told of %d times:\n%s", name, n, w.said())
		}
	}
	w.Close()
	until(t, "every server is gone", func() bool { return len(children(t)) == 0 })
}

// M02: log lines, blank lines and CRLF on stdout are no protocol.
func TestM02LogLinesOnStdoutAreIgnored(t *testing.T) {
	w := start(t, own("noisy", Server{})).ready()
	if r := w.call("mcp_noisy_greet", `{"name":"Cy"}`); !strings.Contains(r.Text, "Hi Cy") {
		t.Fatalf("%+v %+v", r, w.Status())
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	log := strings.Join(w.log, "\n")
	for _, line := range []string{"noisy: stdout: level=info msg=mem.init", `{"level":"info","msg":"json log"}`, "[1,2]"} {
		if !strings.Contains(log, line) {
			t.Errorf("the log lacks %q:\n%s", line, log)
		}
	}
}

// M04: a crash at start is explained with the server's last words, and is not tried for ever.
func TestM04ACrashAtStartIsExplainedAndGivenUp(t *testing.T) {
	w := start(t, own("crash", Server{}), own("greeter", Server{})).ready()
	if !strings.Contains(w.said(), `"crash"`) || !strings.Contains(w.said(), "No module named 'yaml'") {
		t.Fatalf("told %q", w.said())
	}
	l := w.links[0]
	until(t, "it was tried as often as it may", func() bool {
		w.Again()
		l.mu.Lock()
		defer l.mu.Unlock()
		return l.starts >= maxStarts
	})
	for range 5 {
		w.Again()
	}
	if _, err := l.up(t.Context()); err == nil || !strings.Contains(err.Error(), "3 times") {
		t.Fatalf("%v", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	if n := strings.Count(strings.Join(w.log, "\n"), "ModuleNotFoundError"); n != maxStarts || l.starts != maxStarts {
		t.Fatalf("started %d times, counted %d", n, l.starts)
	}
	if len(w.notes) != 1 {
		t.Fatalf("told %q", w.notes)
	}
}

func TestM04ALargeResultArrivesWhole(t *testing.T) {
	w := start(t, own("greeter", Server{})).ready()
	if r := w.call("mcp_greeter_big", `{"name":""}`); len(r.Text) < 200_000 || !strings.Contains(r.Text, "xEND") {
		t.Fatalf("%d bytes: %.200s", len(r.Text), r.Text)
	}
}

func TestWhatAToolAnswersBesideText(t *testing.T) {
	w := start(t, own("greeter", Server{})).ready()
	if r := w.call("mcp_greeter_picture", `{"name":""}`); !strings.Contains(r.Text, "[a picture, image/png, 5 bytes: not shown]\na cat") {
		t.Errorf("%+v", r)
	}
	if r := w.call("mcp_greeter_fail", `{"name":""}`); r.Status != engine.StatusFailed || !strings.Contains(r.Text, "disk is full") {
		t.Errorf("%+v", r)
	}
	if r := w.call("mcp_greeter_greet", `{"wrong":1}`); r.Status != engine.StatusFailed {
		t.Errorf("bad arguments: %+v", r)
	}
	var out bytes.Buffer
	if r := w.callTo(t.Context(), "mcp_greeter_steps", `{"name":""}`, &out); !strings.Contains(r.Text, "done") {
		t.Errorf("%+v", r)
	}
	if out.String() != "1/3 step\n2/3 step\n3/3 step\n" {
		t.Errorf("progress shown: %q", out.String())
	}
}

// A server that dies during a call: the call says so, and the next one starts it again, three times in all.
func TestAServerThatDiesIsStartedAgain(t *testing.T) {
	w := start(t, own("greeter", Server{})).ready()
	for i := range maxStarts {
		r := w.call("mcp_greeter_die", `{"name":""}`)
		if r.Status != engine.StatusFailed || !strings.Contains(r.Text, "out of luck") || !strings.Contains(r.Text, "look before you repeat") {
			t.Fatalf("death %d: %+v", i+1, r)
		}
		if i == 0 {
			if r := w.call("mcp_greeter_greet", `{"name":"Di"}`); !strings.Contains(r.Text, "Hi Di") {
				t.Fatalf("%+v", r)
			}
		}
	}
	if r := w.call("mcp_greeter_greet", `{"name":"Di"}`); r.Status != engine.StatusFailed || !strings.Contains(r.Text, "3 times") {
		t.Fatalf("%+v", r)
	}
}

func TestACallHasATimeLimitAndCanBeStopped(t *testing.T) {
	w := start(t, own("greeter", Server{})).ready()
	w.links[0].s.Timeout = 200 * time.Millisecond
	if r := w.call("mcp_greeter_hang", `{"name":""}`); r.Status != engine.StatusTimeout || !strings.Contains(r.Text, "200ms") {
		t.Fatalf("%+v", r)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r := w.callTo(ctx, "mcp_greeter_hang", `{"name":""}`, &bytes.Buffer{}); r.Text != "" {
		t.Fatalf("a stopped call has a result of its own: %+v", r)
	}
	w.links[0].s.Timeout = 0
	if r := w.call("mcp_greeter_greet", `{"name":"Ed"}`); !strings.Contains(r.Text, "Hi Ed") {
		t.Fatalf("the server does not go on after a stopped call: %+v", r)
	}
}

// Quitting leaves no child, not even one that ignores SIGTERM, nor what that one started.
func TestAStubbornServerAndItsChildAreEnded(t *testing.T) {
	w := start(t, own("stubborn", Server{})).ready()
	var child int
	until(t, "the server says who its child is", func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		for _, line := range w.log {
			if n, _ := fmt.Sscanf(line, "stubborn: child %d", &child); n == 1 {
				return true
			}
		}
		return false
	})
	began := time.Now()
	w.Close()
	if d := time.Since(began); d > 30*time.Second {
		t.Errorf("closing took %s", d)
	}
	until(t, "the child is gone", func() bool { return syscall.Kill(child, 0) != nil || zombie(child) })
}

// Quitting while servers still start leaves no child either.
func TestM01QuittingDuringAStartLeavesNoChild(t *testing.T) {
	w := start(t, Server{Name: "asleep", Command: "sleep", Args: []string{"1000"}}, own("mute", Server{}))
	until(t, "both run", func() bool { return len(children(t)) == 2 || runtime.GOOS != "linux" })
	w.Close()
	if left := children(t); len(left) > 0 {
		t.Fatalf("still there: %v", left)
	}
	if w.said() != "" {
		t.Errorf("told at the end: %s", w.said())
	}
}

func TestIncludeAndExcludeNarrowTheTools(t *testing.T) {
	w := start(t, own("greeter", Server{Include: []string{"g*", "big"}, Exclude: []string{"big"}})).ready()
	if st := w.Status()[0]; !slices.Equal(st.Tools, []string{"mcp_greeter_greet"}) {
		t.Fatalf("%+v", st)
	}
}

func TestNamesFitEveryProviderAndNeverClash(t *testing.T) {
	servers := []string{"a", "a_b", "a b", "docs", "docs.v2", strings.Repeat("long", 20)}
	seen := map[string]string{}
	for _, s := range servers {
		for _, tool := range []string{"find", "b_find", "find!", "find?", "найти", "v2_find", strings.Repeat("x", 80), strings.Repeat("x", 81)} {
			name := toolName(s, tool, servers)
			if len(name) > 64 || plain(name) != name || !strings.HasPrefix(name, "mcp_") {
				t.Errorf("%q of %q is %q", tool, s, name)
			}
			if other, ok := seen[name]; ok {
				t.Errorf("%q is both %s and %s", name, other, s+"/"+tool)
			}
			seen[name] = s + "/" + tool
		}
	}
	if got := toolName("docs", "find", servers); got != "mcp_docs_find" {
		t.Errorf("an ordinary name is %q", got)
	}
}

func TestSchemasAreObjectsWhateverTheServerGives(t *testing.T) {
	for _, given := range []any{nil, "text", map[string]any{}, map[string]any{"type": "string"}, map[string]any{"properties": nil, "required": nil, "$schema": "x"}} {
		if got := string(schema(given)); got != `{"properties":{},"required":[],"type":"object"}` {
			t.Errorf("%v gives %s", given, got)
		}
	}
}

func TestAServerAtAnAddress(t *testing.T) {
	var mu sync.Mutex
	var keys []string
	handler := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return greeter() }, nil)
	srv := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		mu.Lock()
		keys = append(keys, r.Header.Get("X-Key"))
		mu.Unlock()
		if r.Header.Get("X-Key") != "k1" {
			http.Error(rw, "who are you", http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(rw, r)
	}))
	defer srv.Close()
	w := start(t, Server{Name: "web", URL: srv.URL, Headers: map[string]string{"X-Key": "k1"}}, Server{Name: "nokey", URL: srv.URL},
		Server{Name: "nobody", URL: "http://127.0.0.1:1/mcp", Timeout: 5 * time.Second}).ready()
	if r := w.call("mcp_web_greet", `{"name":"Fay"}`); !strings.Contains(r.Text, "Hi Fay") {
		t.Fatalf("%+v", r)
	}
	if !strings.Contains(w.said(), "Unauthorized") || !strings.Contains(w.said(), "refused") {
		t.Errorf("told %q", w.said())
	}
	w.Close()
}

// A redirect would carry the headers, and the key in them, to another place.
func TestAServerAtAnAddressIsNotFollowedElsewhere(t *testing.T) {
	var hits int
	var mu sync.Mutex
	thief := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { mu.Lock(); hits++; mu.Unlock() }))
	defer thief.Close()
	srv := httptest.NewServer(http.RedirectHandler(thief.URL, http.StatusTemporaryRedirect))
	defer srv.Close()
	w := start(t, Server{Name: "moved", URL: srv.URL, Headers: map[string]string{"Authorization": "Bearer k"}, Timeout: 5 * time.Second}).ready()
	mu.Lock()
	defer mu.Unlock()
	if hits != 0 || w.Status()[0].State != Failed {
		t.Fatalf("%d requests went elsewhere, %+v", hits, w.Status())
	}
}

func TestAFaultOfTheConfigurationIsToldWithoutATry(t *testing.T) {
	w := start(t, Server{Name: "x", Command: "true", Fault: "its env refers to $TOKEN, which is not set"}).ready()
	if !strings.Contains(w.said(), "$TOKEN") {
		t.Fatalf("%q", w.said())
	}
}
