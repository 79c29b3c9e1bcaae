package messages_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/provider"
	"talaria/engine/provider/messages"
	pt "talaria/engine/provider/providertest"
)

type recorded struct {
	Status  int
	Headers map[string]string
	Body    string
}

type expected struct {
	Kind, Content    string
	Reasoning        string
	Stream           bool
	Status           int
	Message          string
	FinishReason     string   `json:"finish_reason"`
	FinishAcceptable []string `json:"finish_acceptable"`
	Signatures       int
	Redacted         int       `json:"redacted_reasoning"`
	ToolCalls        []askedOf `json:"tool_calls"`
	ServerCalls      []askedOf `json:"server_tool_calls"`
	Usage            *struct {
		Input      int `json:"input_total"`
		Output     int
		Cached     int
		CacheWrite int `json:"cache_write"`
		Reasoning  int
	}
}

type askedOf struct {
	ID, Name, Arguments string
	JSON                any `json:"arguments_json"`
}

// shared returns a path below the folder of shared material, or skips.
func shared(t testing.TB, path ...string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			at := filepath.Join(append([]string{dir, "..", "shared"}, path...)...)
			if _, err := os.Stat(at); err != nil {
				t.Skipf("../shared/%s is not here", strings.Join(path, "/"))
			}
			return at
		}
	}
	t.Fatal("no go.mod above the test")
	return ""
}

func readJSON(t testing.TB, path string, v any) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, v)
	}
	if err != nil {
		t.Fatalf("read %s: %v", path, err)
	}
}

func answerOf(r recorded, sizes ...int) pt.Answer {
	h := http.Header{}
	for k, v := range r.Headers {
		h.Set(k, v)
	}
	return pt.Answer{Status: r.Status, Type: r.Headers["content-type"], Header: h, Body: []byte(r.Body), Sizes: sizes}
}

// ask makes a provider of a server that answers so, and asks it. Servers with connections are in the conformance suite.
func ask(t testing.TB, a pt.Answer) pt.Reply {
	t.Helper()
	p := messages.New(provider.Endpoint{BaseURL: "https://h.test/v1", Key: "sk-test", HTTP: pt.Replay(a)})
	return pt.Collect(t.Context(), p, hello())
}

func hello() engine.Request {
	return engine.Request{Route: engine.Route{Model: "m"}, Messages: []engine.Message{{Role: engine.RoleUser, Parts: engine.Parts{engine.Text{Text: "hi"}}}}}
}

func TestRecordedRepliesDecodeAsExpectedHoweverTheyAreCut(t *testing.T) {
	dir := shared(t, "fixtures")
	var want map[string]expected
	readJSON(t, filepath.Join(dir, "expected.json"), &want)
	ran := 0
	for id, exp := range want {
		if !strings.HasPrefix(id, "anth-") {
			continue
		}
		var rec recorded
		readJSON(t, filepath.Join(dir, "recorded", id+".json"), &rec)
		ran++
		t.Run(id, func(t *testing.T) {
			whole := ask(t, answerOf(rec))
			compare(t, exp, whole)
			for _, size := range pt.Cuts {
				if a, b := summary(whole), summary(ask(t, answerOf(rec, size))); a != b {
					t.Fatalf("cut at %d bytes:\n%s\nwhole:\n%s", size, b, a)
				}
			}
		})
	}
	if ran != 22 {
		t.Errorf("ran %d fixtures, want 22", ran)
	}
}

// summary is all of a reply that must not depend on how it was cut.
func summary(r pt.Reply) string {
	parts, err := json.Marshal(r.Message)
	return fmt.Sprintf("%s %+v %v %v", parts, r.Done != nil, r.Err, err)
}

func compare(t *testing.T, want expected, got pt.Reply) {
	t.Helper()
	if want.Kind == "error" {
		var f *provider.Failure
		if !errors.As(got.Err, &f) || f.Status != want.Status || !strings.Contains(f.Message, want.Message) {
			t.Errorf("got %v, want status %d, %q", got.Err, want.Status, want.Message)
		}
		return
	}
	if got.Err != nil {
		t.Fatalf("failed: %v", got.Err)
	}
	m := got.Message
	if m.Text() != want.Content {
		t.Errorf("text\n got %q\nwant %q", m.Text(), want.Content)
	}
	var said []string
	signed, redacted, ran := 0, 0, []engine.Opaque(nil)
	for _, p := range m.Parts {
		if th, ok := p.(engine.Thought); ok {
			said = append(said, th.Text)
			if th.Signature != "" {
				signed++
			}
		}
		if o, ok := p.(engine.Opaque); ok && o.Kind == "redacted_thinking" {
			redacted++
		} else if ok && o.Kind == "server_tool_use" {
			ran = append(ran, o)
		}
	}
	if reasoning := strings.Join(said, "\n\n"); reasoning != want.Reasoning {
		t.Errorf("reasoning\n got %q\nwant %q", reasoning, want.Reasoning)
	}
	if signed != want.Signatures || redacted != want.Redacted {
		t.Errorf("%d signed and %d sealed thoughts, want %d and %d", signed, redacted, want.Signatures, want.Redacted)
	}
	compareCalls(t, want, m)
	compareServerCalls(t, want.ServerCalls, ran)
	compareUsage(t, want, got)
	if s := string(got.Done.Stop); s != want.FinishReason {
		t.Errorf("stop %q, want %q", s, want.FinishReason)
	}
}

func compareCalls(t *testing.T, want expected, m engine.Message) {
	t.Helper()
	calls := m.Calls()
	if len(calls) != len(want.ToolCalls) {
		t.Fatalf("%d calls, want %d: %+v", len(calls), len(want.ToolCalls), calls)
	}
	for i, w := range want.ToolCalls {
		if c := calls[i]; c.ID != w.ID || c.Name != w.Name || want.Stream && c.Args != w.Arguments {
			t.Errorf("call %d is %+v, want %+v", i, c, w)
		}
	}
}

func compareServerCalls(t *testing.T, want []askedOf, got []engine.Opaque) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d calls of the server's tools, want %d", len(got), len(want))
	}
	for i, o := range got {
		var b struct {
			ID, Name string
			Input    any
		}
		if err := json.Unmarshal(o.Data, &b); err != nil || b.ID != want[i].ID || b.Name != want[i].Name || !reflect.DeepEqual(b.Input, want[i].JSON) {
			t.Errorf("server call %d is %s, want %+v (%v)", i, o.Data, want[i], err)
		}
	}
}

func compareUsage(t *testing.T, want expected, got pt.Reply) {
	t.Helper()
	w := engine.Usage{Input: want.Usage.Input, Output: want.Usage.Output, CacheRead: want.Usage.Cached, CacheWrite: want.Usage.CacheWrite, Reasoning: want.Usage.Reasoning}
	if got.Done.Usage == nil || *got.Done.Usage != w {
		t.Errorf("usage %+v, want %+v", got.Done.Usage, w)
	}
}
