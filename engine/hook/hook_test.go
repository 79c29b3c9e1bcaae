package hook

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"talaria/engine"
)

// yard is a runner whose hooks the user agreed to, unless they are asked.
type yard struct {
	*Runner
	dir    string
	mu     sync.Mutex
	notes  []string
	log    []string
	asked  []engine.Question
	agreed map[Hook]bool
}

func newYard(t *testing.T, hooks ...Hook) *yard {
	y := &yard{dir: t.TempDir(), agreed: map[Hook]bool{}}
	for _, h := range hooks {
		h.Match, h.Timeout = "", 0
		y.agreed[h] = true
	}
	y.Runner = New(Options{Hooks: hooks, Dir: func() string { return y.dir }, Session: func() string { return "s1" }, Env: []string{"PATH=" + os.Getenv("PATH")},
		Agreed: func(h Hook) bool { return y.agreed[h] }, Agree: func(h Hook) error { y.agreed[h] = true; return nil },
		Note: func(s string) { y.mu.Lock(); y.notes = append(y.notes, s); y.mu.Unlock() }, Log: func(s string) { y.mu.Lock(); y.log = append(y.log, s); y.mu.Unlock() }})
	t.Cleanup(y.Close)
	return y
}

func (y *yard) read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(y.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

var (
	call = engine.Call{ID: "c1", Name: "terminal", Args: `{"command":"npm publish"}`}
	spec = engine.Spec{Name: "terminal", Effect: engine.Executes, Toolset: "terminal"}
)

func TestAHookBlocksACallWithItsText(t *testing.T) {
	for _, command := range []string{`echo "not on a Friday" >&2; exit 2`, `echo '{"block":"not on a Friday"}'`} {
		y := newYard(t, Hook{Point: PreToolCall, Command: "cat > seen; " + command})
		v, err := y.Gate(t.Context(), call, spec)
		if err != nil || v.Decision != engine.Deny || !v.Policy || !strings.HasSuffix(v.Reason, "blocked this call: not on a Friday") {
			t.Fatalf("%s: %+v, %v", command, v, err)
		}
		var in struct {
			Hook, Tool, CWD string
			Session         string `json:"session_id"`
			Args            map[string]string
		}
		if err := json.Unmarshal([]byte(y.read(t, "seen")), &in); err != nil || in.Hook != "pre_tool_call" || in.Tool != "terminal" || in.CWD != y.dir || in.Session != "s1" || in.Args["command"] != "npm publish" {
			t.Fatalf("the hook read %s (%v)", y.read(t, "seen"), err)
		}
	}
}

func TestACrashingOrHangingHookChangesNothing(t *testing.T) {
	for name, command := range map[string]string{"crash": "echo boom >&2; exit 1", "missing": "/no/such/program", "nonsense": "echo hello", "a list": "echo '[1]'",
		"killed": "kill -9 $$", "closes stdin": "exec 0<&-; exit 3", "hang": "sleep 1000"} {
		h := Hook{Point: PreToolCall, Command: command}
		if name == "hang" {
			h.Timeout = 100 * time.Millisecond
		}
		y := newYard(t, h)
		for range 2 {
			if v, err := y.Gate(t.Context(), call, spec); err != nil || v.Decision != engine.Pass {
				t.Errorf("%s: %+v, %v", name, v, err)
			}
		}
		if len(y.log) != 2 || len(y.notes) != 1 || !strings.Contains(y.notes[0], "It changed nothing") {
			t.Errorf("%s: logged %q, told %q", name, y.log, y.notes)
		}
	}
}

func TestAHookThatHangsIsEndedWithItsChildren(t *testing.T) {
	y := newYard(t, Hook{Point: PreToolCall, Command: "sleep 1000 & echo $! > pid; wait", Timeout: 300 * time.Millisecond})
	y.Gate(t.Context(), call, spec)
	var pid int
	if err := json.Unmarshal([]byte(y.read(t, "pid")), &pid); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(60 * time.Second); alive(pid); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the child of the hook still runs")
		}
	}
}

func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + json.Number(itoa(pid)).String() + "/stat")
	return err != nil || !strings.Contains(string(stat), ") Z")
}

func itoa(n int) string { b, _ := json.Marshal(n); return string(b) }

func TestAHookThatLeavesAProcessBehindKeepsNobody(t *testing.T) {
	y := newYard(t, Hook{Point: PreToolCall, Command: "sleep 60 & exit 0"})
	began := time.Now()
	if v, _ := y.Gate(t.Context(), call, spec); v.Decision != engine.Pass || time.Since(began) > 30*time.Second || len(y.log) != 0 {
		t.Fatalf("%+v after %s, %q", v, time.Since(began), y.log)
	}
}

func TestMatchIsTheWholeNameOfTheTool(t *testing.T) {
	for match, fits := range map[string]bool{"": true, "*": true, "terminal": true, "term": false, "term.*": true, "patch|terminal": true, "patch": false, "[": true} {
		y := newYard(t, Hook{Point: PreToolCall, Match: match, Command: "exit 2"})
		if v, _ := y.Gate(t.Context(), call, spec); (v.Decision == engine.Deny) != fits {
			t.Errorf("match %q: %+v", match, v)
		}
	}
}

func TestANewHookIsShownAndAgreedToOnce(t *testing.T) {
	h := Hook{Point: PreToolCall, Command: "exit 2"}
	y := newYard(t)
	y.o.Hooks = []Hook{h}
	choice := engine.ChoiceNo
	y.o.Ask = func(_ context.Context, q engine.Question) (engine.Answer, error) {
		y.asked = append(y.asked, q)
		return engine.Answer{Choice: choice}, nil
	}
	for range 2 { // a no holds for this run
		if v, _ := y.Gate(t.Context(), call, spec); v.Decision != engine.Pass || len(y.asked) != 1 {
			t.Fatalf("%+v, asked %d times", v, len(y.asked))
		}
	}
	if q := y.asked[0]; q.Body != "exit 2" || !strings.Contains(q.Why, "pre_tool_call") {
		t.Fatalf("%+v", q)
	}
	choice = engine.ChoiceYes
	again := New(y.o)
	for range 2 {
		if v, _ := again.Gate(t.Context(), call, spec); v.Decision != engine.Deny || len(y.asked) != 2 {
			t.Fatalf("%+v, asked %d times", v, len(y.asked))
		}
	}
	third := New(y.o)
	if v, _ := third.Gate(t.Context(), call, spec); v.Decision != engine.Deny || len(y.asked) != 2 {
		t.Fatal("a hook that was agreed to is asked about again")
	}
	y.o.Hooks = []Hook{{Point: PreToolCall, Command: "exit 2 # changed"}}
	fourth := New(y.o)
	if fourth.Gate(t.Context(), call, spec); len(y.asked) != 3 {
		t.Fatal("a changed hook is not asked about")
	}
}

func TestAnUnseenHookIsLeftOutWhereNobodyCanBeAsked(t *testing.T) {
	y := newYard(t)
	y.o.Hooks = []Hook{{Point: PreToolCall, Command: "touch ran; exit 2"}}
	r := New(y.o)
	for range 2 {
		if v, _ := r.Gate(t.Context(), call, spec); v.Decision != engine.Pass {
			t.Fatalf("%+v", v)
		}
	}
	if _, err := os.Stat(filepath.Join(y.dir, "ran")); err == nil || len(y.notes) != 1 || !strings.Contains(y.notes[0], "touch ran") {
		t.Fatalf("it ran, or was not told of once: %q", y.notes)
	}
}

// echo is a tool that can say more of itself.
type echo struct{ engine.Tool }

func (echo) Spec() engine.Spec { return engine.Spec{Name: "echo"} }
func (echo) Run(_ context.Context, c engine.Call, _ engine.Output) (engine.Result, error) {
	return engine.Succeeded(c, "the result"), nil
}
func (echo) Touches(engine.Call) []string { return []string{"a"} }
func (echo) Beside() bool                 { return true }
func (echo) Available() bool              { return false }

func TestAHookAfterAToolReadsItsResultAndMayAddToIt(t *testing.T) {
	y := newYard(t, Hook{Point: PostToolCall, Command: `cat > seen; echo '{"context":"run gofmt"}'`})
	w := y.Wrap(echo{})
	res, err := w.Run(t.Context(), engine.Call{ID: "c", Name: "echo", Args: "{}"}, nil)
	if err != nil || !strings.HasPrefix(res.Text, "the result") || !strings.Contains(res.Text, "says: run gofmt") {
		t.Fatalf("%+v %v", res, err)
	}
	if in := y.read(t, "seen"); !strings.Contains(in, `"result":"the result"`) || !strings.Contains(in, `"status":"done"`) {
		t.Fatal(in)
	}
	if w.(engine.Toucher).Touches(call)[0] != "a" || !w.(engine.Companion).Beside() || w.(interface{ Available() bool }).Available() {
		t.Fatal("the wrapper hides what the tool says of itself")
	}
	if plain := newYard(t).Wrap(echo{}); plain != engine.Tool(echo{}) {
		t.Fatal("a tool without hooks is wrapped")
	}
}

func TestContextOfASessionAndOfATurn(t *testing.T) {
	y := newYard(t, Hook{Point: SessionStart, Command: `echo '{"context":"welcome"}'`}, Hook{Point: PreLLMCall, Command: `grep -q '"text":"hi"' && echo '{"context":"the build is red"}'`})
	if err := y.Write(time.Now(), engine.Opened{Session: engine.Session{ID: "s9"}}); err != nil {
		t.Fatal(err)
	}
	said, err := y.Context(t.Context(), "hi", engine.Route{Model: "m"})
	if err != nil || said != "welcome\n\nthe build is red" {
		t.Fatalf("%q %v", said, err)
	}
	if said, _ = y.Context(t.Context(), "hi", engine.Route{}); said != "the build is red" {
		t.Fatalf("the second turn: %q", said)
	}
	y = newYard(t, Hook{Point: PreLLMCall, Command: "echo closed >&2; exit 2"})
	if _, err := y.Context(t.Context(), "hi", engine.Route{}); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Fatalf("%v", err)
	}
}

// model is a provider of one word.
type model struct{ err error }

func (m model) Stream(context.Context, engine.Request) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		if m.err != nil {
			yield(nil, m.err)
			return
		}
		_ = yield(engine.TextDelta{Text: "hello"}, nil) && yield(engine.Done{Stop: engine.StopEnd, Usage: &engine.Usage{Input: 5, Output: 1}}, nil)
	}
}

func TestHooksAroundARequest(t *testing.T) {
	y := newYard(t, Hook{Point: PreRequest, Command: "cat > before"}, Hook{Point: PostRequest, Command: "cat > after"})
	var text string
	for d, err := range y.Provider(model{}).Stream(t.Context(), engine.Request{Route: engine.Route{Model: "m1"}}) {
		if err != nil {
			t.Fatal(err)
		}
		if x, ok := d.(engine.TextDelta); ok {
			text += x.Text
		}
	}
	if text != "hello" || !strings.Contains(y.read(t, "before"), `"model":"m1"`) || !strings.Contains(y.read(t, "after"), `"input_tokens":5`) {
		t.Fatalf("%q\n%s\n%s", text, y.read(t, "before"), y.read(t, "after"))
	}
	for _, err := range y.Provider(model{&engine.Error{Reason: engine.ReasonBilling, Message: "no money"}}).Stream(t.Context(), engine.Request{}) {
		if err == nil {
			t.Fatal("no error")
		}
	}
	if !strings.Contains(y.read(t, "after"), `"reason":"billing"`) {
		t.Fatal(y.read(t, "after"))
	}
	y = newYard(t, Hook{Point: PreRequest, Command: "echo over budget >&2; exit 2"})
	for _, err := range y.Provider(model{}).Stream(t.Context(), engine.Request{}) {
		var e *engine.Error
		if !errors.As(err, &e) || e.Reason != engine.ReasonProviderPolicy || !strings.Contains(e.Message, "over budget") {
			t.Fatalf("%v", err)
		}
	}
}

func TestAStoppedTurnDoesNotWaitForAHook(t *testing.T) {
	y := newYard(t, Hook{Point: PreToolCall, Command: "touch begun; sleep 1000"})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for {
			if _, err := os.Stat(filepath.Join(y.dir, "begun")); err == nil {
				cancel()
				return
			}
			time.Sleep(2 * time.Millisecond)
		}
	}()
	if v, err := y.Gate(ctx, call, spec); err == nil || v.Decision != engine.Deny || len(y.log) != 0 {
		t.Fatalf("%+v %v %q", v, err, y.log)
	}
}
