package converse_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/provider"
	"talaria/engine/provider/classify"
	"talaria/engine/provider/converse"
	pt "talaria/engine/provider/providertest"
)

type recorded struct {
	ID, Body     string
	Status       int
	Headers      map[string]string
	BodyEncoding string `json:"body_encoding"`
}

type expected struct {
	Kind, Content, Reasoning, Message string
	ErrorClass                        string `json:"error_class"`
	Acceptable                        []string
	Status                            int
	FinishAcceptable                  []string `json:"finish_acceptable"`
	Signatures                        int
	Redacted                          int `json:"redacted_reasoning"`
	ToolCalls                         []struct {
		ID, Name  string
		Arguments json.RawMessage `json:"arguments_json"`
	} `json:"tool_calls"`
	Usage *struct {
		InputTotal int `json:"input_total"`
		Output     int
		Cached     *int
		CacheWrite *int `json:"cache_write"`
	}
}

// fixtures returns the folder of recorded replies, or skips.
func fixtures(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			at := filepath.Join(dir, "..", "shared", "fixtures")
			if _, err := os.Stat(at); err != nil {
				t.Skip("the recorded replies (../shared/fixtures) are not here")
			}
			return at
		}
	}
	t.Fatal("no go.mod above the test")
	return ""
}

func readJSON(t *testing.T, path string, v any) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, v)
	}
	if err != nil {
		t.Fatalf("read %s: %v", path, err)
	}
}

func answerOf(t *testing.T, r recorded) pt.Answer {
	t.Helper()
	body := []byte(r.Body)
	if r.BodyEncoding == "base64" {
		var err error
		if body, err = base64.StdEncoding.DecodeString(r.Body); err != nil {
			t.Fatal(err)
		}
	}
	h := http.Header{}
	for k, v := range r.Headers {
		h.Set(k, v)
	}
	return pt.Answer{Status: r.Status, Type: r.Headers["content-type"], Header: h, Body: body}
}

// ask asks a server that answers so.
func ask(t testing.TB, a pt.Answer) pt.Reply {
	t.Helper()
	p := converse.New(provider.Endpoint{BaseURL: "https://h.test", Key: "k", HTTP: pt.Replay(a)})
	return pt.Collect(t.Context(), p, hello())
}

func hello() engine.Request {
	return engine.Request{Route: engine.Route{Model: "m"}, Messages: []engine.Message{{Role: engine.RoleUser, Parts: engine.Parts{engine.Text{Text: "hi"}}}}}
}

// summary is all of a reply that must not depend on how it was cut.
func summary(r pt.Reply) string {
	parts, err := json.Marshal(r.Message)
	return fmt.Sprintf("%s %+v %v %v", parts, r.Done != nil, r.Err, err)
}

// cutAnyHow asks for the whole answer, and checks that every way to cut it gives the same.
func cutAnyHow(t *testing.T, a pt.Answer) pt.Reply {
	t.Helper()
	whole := ask(t, a)
	for _, size := range pt.Cuts {
		a.Sizes = []int{size}
		if x, y := summary(whole), summary(ask(t, a)); x != y {
			t.Fatalf("cut at %d bytes:\n%s\nwhole:\n%s", size, y, x)
		}
	}
	return whole
}

func TestRecordedRepliesDecodeAsExpectedHoweverTheyAreCut(t *testing.T) {
	dir := fixtures(t)
	var want map[string]expected
	readJSON(t, filepath.Join(dir, "expected.json"), &want)
	ran := 0
	for id, exp := range want {
		if !strings.HasPrefix(id, "bed-") {
			continue
		}
		ran++
		t.Run(id, func(t *testing.T) {
			var rec recorded
			readJSON(t, filepath.Join(dir, "recorded", id+".json"), &rec)
			got := cutAnyHow(t, answerOf(t, rec))
			if exp.Kind == "error" {
				compareError(t, exp, got)
				return
			}
			compare(t, exp, got)
		})
	}
	if ran != 16 {
		t.Errorf("ran %d fixtures, want 16", ran)
	}
}

func compareError(t *testing.T, want expected, got pt.Reply) {
	t.Helper()
	f := failure(t, got)
	if f.Status != want.Status || f.Message != want.Message {
		t.Errorf("got status %d, message %q; want %d, %q", f.Status, f.Message, want.Status, want.Message)
	}
	reason := string(classify.Error(f).Reason)
	for _, ok := range append(want.Acceptable, want.ErrorClass) {
		if ok == reason {
			return
		}
	}
	t.Errorf("taken for %s, want %s", reason, want.ErrorClass)
}

func compare(t *testing.T, want expected, got pt.Reply) {
	t.Helper()
	if got.Err != nil || got.Done == nil {
		t.Fatalf("failed: %v", got.Err)
	}
	m, signatures, sealed := got.Message, 0, 0
	for _, p := range m.Parts {
		if th, ok := p.(engine.Thought); ok && th.Signature != "" {
			signatures++
		}
		if _, ok := p.(engine.Opaque); ok {
			sealed++
		}
	}
	if m.Text() != want.Content || m.Reasoning() != want.Reasoning {
		t.Errorf("text %q\nwant %q\nreasoning %q\nwant %q", m.Text(), want.Content, m.Reasoning(), want.Reasoning)
	}
	if signatures != want.Signatures || sealed != want.Redacted {
		t.Errorf("%d signatures, %d sealed; want %d, %d", signatures, sealed, want.Signatures, want.Redacted)
	}
	if ok := strings.Contains(strings.Join(want.FinishAcceptable, " "), string(got.Done.Stop)); !ok {
		t.Errorf("stop %s, want one of %v", got.Done.Stop, want.FinishAcceptable)
	}
	calls := m.Calls()
	if len(calls) != len(want.ToolCalls) {
		t.Fatalf("%d calls, want %d: %+v", len(calls), len(want.ToolCalls), calls)
	}
	for i, w := range want.ToolCalls {
		if c := calls[i]; c.ID != w.ID || c.Name != w.Name || !sameJSON(t, c.Args, string(w.Arguments)) {
			t.Errorf("call %d is %+v, want %s %s %s", i, c, w.ID, w.Name, w.Arguments)
		}
	}
	n := func(p *int) int {
		if p == nil {
			return 0
		}
		return *p
	}
	u := engine.Usage{Input: want.Usage.InputTotal, Output: want.Usage.Output, CacheRead: n(want.Usage.Cached), CacheWrite: n(want.Usage.CacheWrite)}
	if got.Done.Usage == nil || *got.Done.Usage != u {
		t.Errorf("usage %+v, want %+v", got.Done.Usage, u)
	}
}

func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var x, y any
	if err := errors.Join(json.Unmarshal([]byte(a), &x), json.Unmarshal([]byte(b), &y)); err != nil {
		t.Fatal(err)
	}
	p, _ := json.Marshal(x)
	q, _ := json.Marshal(y)
	return string(p) == string(q)
}

func failure(t testing.TB, r pt.Reply, words ...string) *provider.Failure {
	t.Helper()
	var f *provider.Failure
	if !errors.As(r.Err, &f) {
		t.Fatalf("got %v (done %+v), want a Failure", r.Err, r.Done)
	}
	for _, w := range words {
		if !strings.Contains(f.Error(), w) {
			t.Errorf("%q does not say %q", f.Error(), w)
		}
	}
	return f
}
