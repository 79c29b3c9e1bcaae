package responses_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/provider"
	"talaria/engine/provider/providertest"
	"talaria/engine/provider/responses"
)

type recorded struct {
	ID           string
	APIMode      string `json:"api_mode"`
	Provider     string
	Status       int
	Headers      map[string]string
	Body         string
	BodyEncoding string `json:"body_encoding"`
}

type expected struct {
	Kind, Content, Reasoning string
	Status                   int
	FinishReason             *string   `json:"finish_reason"`
	FinishAcceptable         []*string `json:"finish_acceptable"`
	Refusal                  *string
	ServerCalls              []any `json:"server_tool_calls"`
	Encrypted                int   `json:"encrypted_reasoning"`
	ToolCalls                []struct {
		ID, Name, Arguments string
		Valid               bool `json:"arguments_valid"`
	} `json:"tool_calls"`
	Usage *struct {
		Input, Output int
		Cached        *int
		CacheWrite    *int `json:"cache_write"`
		Reasoning     *int
	}
	StreamError *struct{ Message string } `json:"stream_error"`
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

func answerOf(t *testing.T, r recorded, sizes ...int) providertest.Answer {
	t.Helper()
	body := []byte(r.Body)
	if r.BodyEncoding == "base64" {
		b, err := base64.StdEncoding.DecodeString(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		body = b
	}
	h := http.Header{}
	for k, v := range r.Headers {
		h.Set(k, v)
	}
	return providertest.Answer{Status: r.Status, Type: r.Headers["content-type"], Header: h, Body: body, Sizes: sizes}
}

// ask makes a provider of a server that answers so, and asks it. Servers with connections are in the conformance suite.
func ask(t *testing.T, a providertest.Answer) providertest.Reply {
	t.Helper()
	p := responses.New(provider.Endpoint{BaseURL: "https://h.test/v1", Key: "sk-test", HTTP: providertest.Replay(a)})
	return providertest.Collect(t.Context(), p, hello())
}

func hello() engine.Request {
	return engine.Request{Route: engine.Route{Model: "m"}, Messages: []engine.Message{{Role: engine.RoleUser, Parts: engine.Parts{engine.Text{Text: "hi"}}}}}
}

func TestRecordedRepliesDecodeAsExpectedHoweverTheyAreCut(t *testing.T) {
	dir := fixtures(t)
	var want map[string]expected
	readJSON(t, filepath.Join(dir, "expected.json"), &want)
	ran := 0
	for id, exp := range want {
		if !strings.HasPrefix(id, "resp-") {
			continue
		}
		var rec recorded
		readJSON(t, filepath.Join(dir, "recorded", id+".json"), &rec)
		ran++
		t.Run(id, func(t *testing.T) {
			whole := ask(t, answerOf(t, rec))
			compare(t, exp, whole)
			for _, size := range providertest.Cuts {
				cut := ask(t, answerOf(t, rec, size))
				if a, b := summary(whole), summary(cut); a != b {
					t.Fatalf("cut at %d bytes:\n%s\nwhole:\n%s", size, b, a)
				}
			}
		})
	}
	if ran != 25 {
		t.Errorf("ran %d fixtures, want 25", ran)
	}
}

// summary is all of a reply that must not depend on how it was cut.
func summary(r providertest.Reply) string {
	parts, err := json.Marshal(r.Message)
	return fmt.Sprintf("%s %+v %v %v", parts, r.Done != nil, r.Err, err)
}

func compare(t *testing.T, want expected, got providertest.Reply) {
	t.Helper()
	if want.Kind == "error" {
		compareError(t, want, got)
		return
	}
	m := got.Message
	content := want.Content
	if content == "" && want.Refusal != nil && got.Done != nil {
		content = *want.Refusal // shown as the answer
	}
	if m.Text() != content {
		t.Errorf("text\n got %q\nwant %q", m.Text(), content)
	}
	if m.Reasoning() != want.Reasoning {
		t.Errorf("reasoning\n got %q\nwant %q", m.Reasoning(), want.Reasoning)
	}
	compareCalls(t, want, m)
	compareUsage(t, want, got)
	if want.StreamError != nil {
		compareStreamError(t, want, got)
		return
	}
	if got.Err != nil {
		t.Fatalf("failed: %v", got.Err)
	}
	compareStop(t, want, got)
	seals, byServer := 0, 0
	for _, p := range m.Parts {
		o, ok := p.(engine.Opaque)
		switch {
		case !ok || o.Kind == "message":
		case o.Kind == "reasoning":
			seals++
		default:
			byServer++
		}
	}
	if seals != want.Encrypted || byServer != len(want.ServerCalls) {
		t.Errorf("%d seals and %d calls of the server kept, want %d and %d", seals, byServer, want.Encrypted, len(want.ServerCalls))
	}
}

func compareError(t *testing.T, want expected, got providertest.Reply) {
	t.Helper()
	var f *provider.Failure
	if !errors.As(got.Err, &f) {
		t.Fatalf("error is %v, want a Failure", got.Err)
	}
	if f.Status != want.Status || f.Message == "" {
		t.Errorf("got status %d, message %q; want status %d", f.Status, f.Message, want.Status)
	}
}

func compareCalls(t *testing.T, want expected, m engine.Message) {
	t.Helper()
	calls := m.Calls()
	if len(calls) != len(want.ToolCalls) {
		t.Fatalf("%d calls, want %d: %+v", len(calls), len(want.ToolCalls), calls)
	}
	for i, w := range want.ToolCalls {
		args := w.Arguments
		if args == "" {
			args = "{}" // Fold's form of no arguments
		}
		if c := calls[i]; c.ID != w.ID || c.Name != w.Name || c.Args != strings.TrimSpace(args) {
			t.Errorf("call %d is %+v, want %+v", i, c, w)
		}
	}
}

func compareUsage(t *testing.T, want expected, got providertest.Reply) {
	t.Helper()
	var u engine.Usage
	var f *provider.Failure
	switch {
	case errors.As(got.Err, &f):
		u = f.Usage
	case got.Done.Usage != nil:
		u = *got.Done.Usage
	}
	if want.Usage == nil {
		if u != (engine.Usage{}) {
			t.Errorf("usage %+v, want none", u)
		}
		return
	}
	n := func(p *int) int {
		if p == nil {
			return 0
		}
		return *p
	}
	w := engine.Usage{Input: want.Usage.Input, Output: want.Usage.Output, CacheRead: n(want.Usage.Cached), CacheWrite: n(want.Usage.CacheWrite), Reasoning: n(want.Usage.Reasoning)}
	if u != w {
		t.Errorf("usage %+v, want %+v", u, w)
	}
}

func compareStreamError(t *testing.T, want expected, got providertest.Reply) {
	t.Helper()
	if got.Done != nil && got.Done.Stop == engine.StopLength && slices.ContainsFunc(want.FinishAcceptable, func(s *string) bool { return s != nil && *s == "length" }) {
		return
	}
	var f *provider.Failure
	if !errors.As(got.Err, &f) || !strings.Contains(f.Message, want.StreamError.Message) {
		t.Errorf("error is %v, want a Failure that says %q", got.Err, want.StreamError.Message)
	}
}

func compareStop(t *testing.T, want expected, got providertest.Reply) {
	t.Helper()
	stop := string(got.Done.Stop)
	for _, ok := range append(want.FinishAcceptable, want.FinishReason) {
		if ok != nil && *ok == stop {
			return
		}
	}
	b, _ := json.Marshal(want.FinishAcceptable)
	t.Errorf("stop %q, want one of %s", stop, b)
}
