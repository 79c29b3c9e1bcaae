//go:build unix

package code

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"talaria/engine"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// bench is the tool with two functions: `read` gives its path back, `shout` is denied.
type bench struct {
	*testing.T
	tool   *Tool
	mu     sync.Mutex
	calls  []engine.Call
	screen bytes.Buffer
}

func newBench(t *testing.T) *bench {
	b := &bench{T: t}
	specs := []engine.Spec{
		{Name: "clarify"},
		{Name: "read", Schema: json.RawMessage(`{"type":"object","properties":{"path":{},"limit":{},"at":{}},"required":["path"]}`)},
		{Name: "shout"}, {Name: "slow"},
	}
	b.tool = New(Options{Tools: func() []engine.Spec { return specs }, Call: b.call, Cap: func(c engine.Call, text string, limit int) engine.Result {
		if len(text) > limit {
			text = text[:limit]
		}
		return engine.Succeeded(c, text)
	}})
	return b
}

func (b *bench) call(ctx context.Context, c engine.Call) engine.Result {
	b.mu.Lock()
	b.calls = append(b.calls, c)
	b.mu.Unlock()
	switch c.Name {
	case "shout":
		r := engine.Failed(c, "denied by the user: not so loud")
		r.Status = engine.StatusDenied
		return r
	case "slow":
		<-ctx.Done()
		return engine.Result{Status: engine.StatusStopped, Text: "stopped"}
	}
	var in struct{ Path string }
	json.Unmarshal([]byte(c.Args), &in)
	r := engine.Succeeded(c, "text of "+in.Path)
	r.Changed = []string{"/" + in.Path}
	return r
}

func (b *bench) run(code string) engine.Result {
	b.Helper()
	return b.runCtx(context.Background(), code)
}

func (b *bench) runCtx(ctx context.Context, code string) engine.Result {
	b.Helper()
	args, _ := json.Marshal(map[string]string{"code": code})
	r, err := b.tool.Run(ctx, engine.Call{ID: "call_1", Name: "execute_code", Args: string(args)}, &b.screen)
	if err != nil {
		b.Fatal(err)
	}
	return r
}

func (b *bench) want(r engine.Result, status engine.Status, text string) {
	b.Helper()
	if r.Status != status || r.Text != text {
		b.Errorf("got %s %q\nwant %s %q", r.Status, r.Text, status, text)
	}
}

func (b *bench) has(r engine.Result, status engine.Status, words ...string) {
	b.Helper()
	for _, w := range words {
		if r.Status != status || !strings.Contains(r.Text, w) {
			b.Errorf("got %s %q, want %s with %q", r.Status, r.Text, status, w)
		}
	}
}

func TestProgramCallsToolsAndOnlyItsOwnWordsComeBack(t *testing.T) {
	b := newBench(t)
	r := b.run(`let n = 0
for (const p of ["a", "b"]) n += read({path: p, limit: 2}).length
console.log("sum", n, {deep: [1, undefined]}, undefined, null)
const later = await Promise.all([1, 2].map(async x => x * 2))
return {n, later}`)
	b.want(r, engine.StatusDone, "sum 18 {\"deep\":[1,null]} undefined null\n{\"n\":18,\"later\":[2,4]}\n[done; 2 calls]")
	if len(b.calls) != 2 || b.calls[0].Args != `{"path":"a","limit":2}` || b.calls[0].ID == b.calls[1].ID {
		t.Errorf("called %+v", b.calls)
	}
	if got := strings.Join(r.Changed, " "); got != "/a /b" {
		t.Errorf("changed %q", got)
	}
	if s := b.screen.String(); !strings.HasPrefix(s, "› ") || strings.Count(s, "› ") != 2 {
		t.Errorf("the screen was told %q", s)
	}
}

func TestDeniedCallIsAnExceptionWithItsText(t *testing.T) {
	b := newBench(t)
	b.want(b.run(`try { shout({}) } catch (e) { return [e instanceof Error, e.status, e.message] }`), engine.StatusDone,
		"[true,\"denied\",\"denied by the user: not so loud\"]\n[done; 1 call]")
	b.has(b.run(`read({path: "x"}); shout()`), engine.StatusFailed, "[the program failed: Error: denied by the user: not so loud", "2 calls]")
}

func TestProgramHasNoPowersButItsTools(t *testing.T) {
	b := newBench(t)
	b.want(b.run(`const names = ["require", "process", "fetch", "Deno", "Bun", "setTimeout", "setInterval", "XMLHttpRequest", "WebAssembly", "importScripts", "clarify",
"execute_code", "delegate_task", "ArrayBuffer", "Uint8Array", "SharedArrayBuffer"]
return names.filter(n => typeof globalThis[n] !== "undefined")`), engine.StatusDone, "[]\n[done; 0 calls]")
	b.has(b.run(`import fs from "fs"`), engine.StatusFailed, "SyntaxError")
	b.has(b.run(`return new Function("return typeof process")()`), engine.StatusDone, "undefined\n")
	b.has(b.run(`return await import("fs")`), engine.StatusFailed, "failed")
}

func TestMistakesOfTheProgramAreSaid(t *testing.T) {
	b := newBench(t)
	for code, want := range map[string]string{
		"let x = ;":                         "SyntaxError",
		"null.x":                            "TypeError",
		"\nthrow new Error('mine')":         "Error: mine",
		"throw 'plain'":                     "the program failed: plain",
		"await new Promise(() => {})":       "it waits for something that never comes",
		"(function f() { f() })()":          "the program failed",
		"read('a')":                         "read takes one object",
		"read({path: 'a'}, 2)":              "read takes one object",
		"const a = {}; a.a = a; read(a)":    "cannot be written as JSON",
		"console.log('before'); undefined_": "before\n",
	} {
		if r := b.run(code); r.Status != engine.StatusFailed || !strings.Contains(r.Text, want) {
			t.Errorf("%q: %s %q, want %q", code, r.Status, r.Text, want)
		}
	}
	b.has(b.run("  "), engine.StatusRefused, "the code is empty")
	b.want(b.run("1 + 1"), engine.StatusDone, "[done; 0 calls]")
}

func TestLimitsOfAProgram(t *testing.T) {
	b := newBench(t)
	b.want(b.run(`let denied = ""; for (let i = 0; i < 60; i++) { try { read({path: "" + i}) } catch (e) { denied = e.message; break } } return denied`), engine.StatusDone,
		"a program may make 50 calls; this one is not run\n[done; 51 calls]")
	b.has(b.run(`for (;;) console.log("x".repeat(100000))`), engine.StatusFailed, "[ended: it printed more than 4 MB; 0 calls]")
	if raced {
		t.Skip("the detector's own memory is above the limit")
	}
	b.has(b.run(`return "x".repeat(3e9).length`), engine.StatusFailed, "256 MB of memory")
	b.has(b.run(`let s = "x"; for (;;) s += s`), engine.StatusFailed, "256 MB of memory")
	if os.Getenv("TALARIA_SOAK") == "" {
		return
	}
	for _, code := range []string{
		`const all = []; for (;;) all.push({n: all.length, s: "x" + all.length})`,
		`return Array.from({length: 4e9}, (_, i) => i).length`,
		`return new Array(1e9).fill("x").join("").length`,
	} {
		b.has(b.run(code), engine.StatusFailed, "256 MB of memory")
	}
}

// A stop ends a program at once, also where the interpreter itself does not look up: in one long step.
func TestStopEndsAProgramAtOnce(t *testing.T) {
	for name, code := range map[string]string{
		"loop":   `console.log("begun"); for (;;);`,
		"step":   `console.log("begun"); /^(?=(a+)+$)(a+)+$/.test("a".repeat(200) + "b")`,
		"call":   `console.log("begun"); slow({})`,
		"caught": `console.log("begun"); for (;;) try { for (;;); } catch (e) {} finally { for (;;); }`,
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			ctx, cancel := context.WithCancel(context.Background())
			screen := make(chan struct{})
			args, _ := json.Marshal(map[string]string{"code": code})
			done := make(chan engine.Result)
			go func() {
				r, _ := b.tool.Run(ctx, engine.Call{ID: "c", Name: "execute_code", Args: string(args)}, signal(screen))
				done <- r
			}()
			<-screen
			began := time.Now()
			cancel()
			r := <-done
			if took := time.Since(began); took > 20*time.Second {
				t.Errorf("took %s", took)
			}
			if r.Status != engine.StatusStopped || !strings.HasPrefix(r.Text, "begun\n[stopped by the user") {
				t.Errorf("got %s %q", r.Status, r.Text)
			}
			left(t)
		})
	}
}

// signal is a screen that closes with the first word on it.
type signal chan struct{}

func (s signal) Write(p []byte) (int, error) {
	select {
	case <-s:
	default:
		close(s)
	}
	return len(p), nil
}

// left fails when an interpreter of this process still runs.
func left(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		return
	}
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		line, _ := os.ReadFile(dir + "/cmdline")
		stat, _ := os.ReadFile(dir + "/stat")
		if strings.HasPrefix(string(line), scriptName) && strings.Contains(string(stat), fmt.Sprintf(" %d ", os.Getpid())) {
			t.Errorf("an interpreter is left: %s", dir)
		}
	}
}

func TestModelIsToldTheFunctionsInTheSameWordsEachTime(t *testing.T) {
	b := newBench(t)
	doc := b.tool.Spec().Doc
	if !strings.Contains(doc, "The functions: `read({path, at?, limit?})`, `shout({})`, `slow({})`") || strings.Contains(doc, "clarify") || strings.Contains(doc, "{{") {
		t.Errorf("told %s", doc)
	}
	if b.tool.Spec().Doc != doc {
		t.Error("told in other words the second time")
	}
}
