package completions_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/provider"
	"talaria/engine/provider/completions"
	pt "talaria/engine/provider/providertest"
)

var update = flag.Bool("update", false, "write the golden files")

// sent asks ep and returns what it sent.
func sent(t *testing.T, ep provider.Endpoint, req engine.Request) (body []byte, h http.Header) {
	t.Helper()
	ep.HTTP = pt.Client(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ = io.ReadAll(r.Body)
		h = r.Header
		pt.SSE(pt.TXT("ok"), pt.FIN("stop"), pt.DONE).ServeHTTP(w, r)
	}))
	if r := pt.Collect(t.Context(), completions.New(ep), req); r.Err != nil {
		t.Fatal(r.Err)
	}
	return body, h
}

func conversation() engine.Request {
	say := func(r engine.Role, parts ...engine.Part) engine.Message { return engine.Message{Role: r, Parts: parts} }
	return engine.Request{
		Route:     engine.Route{Model: "m-1", Effort: "high"},
		System:    "You are <Talaria> & co.",
		MaxTokens: 4096,
		Tools: []engine.Spec{
			{Name: "read_file", Doc: "Read a file.", Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`)},
			{Name: "todo", Doc: "List.", Schema: json.RawMessage(`{"properties":null,"required":null}`)},
			{Name: "now"},
		},
		Messages: []engine.Message{
			say(engine.RoleUser, engine.Text{Text: "Look at this: <b>"}, engine.Image{MIME: "image/png", Data: []byte{1, 2, 3}}),
			say(engine.RoleAssistant, engine.Thought{Text: "I should look."},
				engine.Call{ID: "c1", Name: "read_file", Args: `{"path":"a.go"}`, Extra: json.RawMessage(`{"google":{"thought_signature":"SIG"}}`)},
				engine.Call{ID: "c2", Name: "now"}, engine.Call{ID: "c3", Name: "now", Args: `{"broken`},
				engine.Opaque{Mode: engine.ChatCompletions, Kind: "reasoning_details", Data: json.RawMessage(`[{"type":"reasoning.encrypted","data":"SEAL"}]`)}),
			say(engine.RoleTool, engine.Result{CallID: "c1", Name: "read_file", Text: "package a\n"}),
			say(engine.RoleTool, engine.Result{CallID: "c2", Name: "now", Text: " "}),
			say(engine.RoleTool, engine.Result{CallID: "c3", Name: "now", Text: "refused: bad arguments"}, engine.Text{Text: "Only a.go, please."}),
			{Role: engine.RoleAssistant, Parts: engine.Parts{engine.Text{Text: "half a"}}, Aside: true},
			say(engine.RoleAssistant, engine.Thought{Text: "Nothing to say."}, engine.Text{Text: "Done."}),
			say(engine.RoleUser, engine.Text{Text: ""}),
			say(engine.RoleAssistant),
			say(engine.RoleTool, engine.Text{Text: "a word with no result to ride on"}),
			say(engine.RoleUser, engine.Text{Text: "bad \xff byte"}),
		},
	}
}

// The requests to servers of different kinds, whole. A change here is a change of what every user's prompt cache holds.
func TestRequestGolden(t *testing.T) {
	for name, base := range map[string]string{
		"plain":      "https://h.test/v1",
		"openai":     "https://api.openai.com/v1",
		"openrouter": "https://openrouter.ai/api/v1",
		"deepseek":   "https://api.deepseek.com",
		"moonshot":   "https://api.moonshot.ai/v1",
		"mistral":    "https://api.mistral.ai/v1",
	} {
		t.Run(name, func(t *testing.T) {
			req := conversation()
			if name == "openai" {
				req.Route.Model = "gpt-5.1"
			}
			body, h := sent(t, provider.Endpoint{BaseURL: base, Key: " sk-test\n"}, req)
			if h.Get("Authorization") != "Bearer sk-test" || h.Get("Content-Type") != "application/json" {
				t.Errorf("headers %v", h)
			}
			var pretty bytes.Buffer
			if err := json.Indent(&pretty, body, "", "  "); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", name+".json")
			if *update {
				if err := errors.Join(os.MkdirAll("testdata", 0o755), os.WriteFile(path, append(pretty.Bytes(), '\n'), 0o644)); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got := pretty.String() + "\n"; got != string(want) {
				t.Errorf("%s has changed (go test -update writes it):\n%s", path, got)
			}
		})
	}
}

func TestE18EveryToolHasAnObjectSchema(t *testing.T) {
	body, _ := sent(t, provider.Endpoint{BaseURL: "https://h.test"}, conversation())
	var got struct {
		Tools []struct {
			Function struct {
				Parameters struct {
					Type       string
					Properties map[string]any
					Required   []string
				}
			}
		}
	}
	if err := json.Unmarshal(body, &got); err != nil || len(got.Tools) != 3 {
		t.Fatalf("%v in %s", err, body)
	}
	for i, tool := range got.Tools {
		if p := tool.Function.Parameters; p.Type != "object" || p.Properties == nil || p.Required == nil {
			t.Errorf("tool %d: %+v", i, p)
		}
	}
}

func TestAnEffortIsSaidTheWayTheServerTakesIt(t *testing.T) {
	for _, c := range []struct{ base, effort, want string }{
		{"https://h.test/v1", "high", `"reasoning_effort":"high"`},
		{"https://h.test/v1", "off", ""}, // no server knows the word
		{"https://openrouter.ai/api/v1", "high", `"reasoning":{"effort":"high"}`},
		{"https://openrouter.ai/api/v1", "off", `"reasoning":{"effort":"none"}`},
		{"https://api.mistral.ai/v1", "high", ""},
	} {
		body, _ := sent(t, provider.Endpoint{BaseURL: c.base}, engine.Request{Route: engine.Route{Model: "m", Effort: c.effort},
			Messages: []engine.Message{{Role: engine.RoleUser, Parts: engine.Parts{engine.Text{Text: "hi"}}}}})
		if c.want == "" && bytes.Contains(body, []byte("reasoning")) || !bytes.Contains(body, []byte(c.want)) {
			t.Errorf("%s %q sends %s", c.base, c.effort, body)
		}
	}
}

func TestTheOutputCapIsCalledWhatTheServerCallsIt(t *testing.T) {
	for _, c := range []struct{ base, model, field string }{
		{"https://h.test/v1", "qwen3", "max_tokens"},
		{"https://h.test/v1", "openai/gpt-5-mini", "max_completion_tokens"},
		{"https://h.test/v1", "o3", "max_completion_tokens"},
		{"https://h.test/v1", "o3ish", "max_tokens"},
		{"https://api.openai.com/v1", "gpt-4o", "max_completion_tokens"},
		{"https://me.openai.azure.com/openai/v1", "x", "max_completion_tokens"},
		{"https://evil.test/api.openai.com", "gpt-4o", "max_tokens"},
	} {
		req := conversation()
		req.Route.Model = c.model
		body, _ := sent(t, provider.Endpoint{BaseURL: c.base}, req)
		var got map[string]any
		if err := json.Unmarshal(body, &got); err != nil || got[c.field] != 4096.0 || (got["max_tokens"] != nil) == (got["max_completion_tokens"] != nil) {
			t.Errorf("%s %s: %v, %v", c.base, c.model, got["max_tokens"], got["max_completion_tokens"])
		}
	}
}

func TestHeadersOfTheEndpointWinAndAzureHasItsOwnKeyHeader(t *testing.T) {
	_, h := sent(t, provider.Endpoint{BaseURL: "https://me.openai.azure.com/openai/v1?api-version=preview", Key: "k1", Headers: map[string]string{"User-Agent": "mine", "X-Org": "o"}}, hello())
	if h.Get("Api-Key") != "k1" || h.Get("Authorization") != "" || h.Get("User-Agent") != "mine" || h.Get("X-Org") != "o" {
		t.Errorf("headers %v", h)
	}
}

func TestModelsInEveryShape(t *testing.T) {
	for body, want := range map[string]string{
		`{"object":"list","data":[{"id":"b"},{"id":"a"},{"id":"b"},{}]}`: "b a",
		`{"models":[{"name":"llama3:8b"}]}`:                              "llama3:8b",
		`[{"id":"x","type":"chat"}]`:                                     "x",
		`{"data":[]}`:                                                    "",
	} {
		ep := provider.Endpoint{BaseURL: "https://h.test", HTTP: pt.Client(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/v1/models" || r.Method != http.MethodGet {
				t.Errorf("%s %s", r.Method, r.URL)
			}
			pt.JSON(200, body).ServeHTTP(w, r)
		}))}
		if got, err := completions.Models(t.Context(), ep); err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s gives %q, %v", body, got, err)
		}
	}
	for _, a := range []pt.Answer{pt.JSON(401, `{"error":{"message":"no"}}`), pt.JSON(200, `{"error":"no"}`), {Type: "text/html", Body: []byte("<html><title>no</title>")}} {
		_, err := completions.Models(context.Background(), provider.Endpoint{BaseURL: "https://h.test", HTTP: pt.Client(a)})
		if f := new(provider.Failure); !errors.As(err, &f) || !strings.Contains(f.Message, "no") {
			t.Errorf("%d %s gives %v", a.Status, a.Body, err)
		}
	}
}

func TestWhatCannotBeSentIsSaid(t *testing.T) {
	for base, words := range map[string]string{"": "empty", "localhost:11434": "scheme", "ftp://h": "http", "https://": "no host"} {
		p := completions.New(provider.Endpoint{BaseURL: base, HTTP: pt.Client(http.NotFoundHandler())})
		failure(t, pt.Collect(t.Context(), p, hello()), words)
	}
	p := completions.New(provider.Endpoint{BaseURL: "https://h.test", HTTP: pt.Client(http.NotFoundHandler())})
	failure(t, pt.Collect(t.Context(), p, engine.Request{}), "no model")
}
