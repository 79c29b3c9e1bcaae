package messages_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"talaria/engine"
	"talaria/engine/provider"
	"talaria/engine/provider/messages"
	pt "talaria/engine/provider/providertest"
)

var update = flag.Bool("update", false, "write the golden files")

const direct = "https://api.anthropic.com"

// sent asks ep and returns what it sent, checked against the protocol's schema.
func sent(t *testing.T, ep provider.Endpoint, req engine.Request) ([]byte, *http.Request) {
	t.Helper()
	body, r := posted(t, ep, req)
	valid(t, body, !strings.Contains(ep.BaseURL, "deepseek") && !strings.Contains(ep.BaseURL, "moonshot"))
	return body, r
}

// posted asks ep and returns what it sent.
func posted(t *testing.T, ep provider.Endpoint, req engine.Request) ([]byte, *http.Request) {
	t.Helper()
	wire := &tap{next: pt.Replay(pt.SSE(opening, words(0, "ok"), fin("end_turn", told), over)).Transport}
	ep.HTTP = &http.Client{Transport: wire}
	if r := pt.Collect(t.Context(), messages.New(ep), req); r.Err != nil {
		t.Fatal(r.Err)
	}
	return wire.body, wire.request
}

// tap keeps what goes over it.
type tap struct {
	next    http.RoundTripper
	request *http.Request
	body    []byte
}

func (w *tap) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	w.request, w.body = r, body
	return w.next.RoundTrip(r)
}

var requestSchema = sync.OnceValues(func() (*jsonschema.Resolved, error) {
	b, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "shared", "schemas", "MessagesRequest.json"))
	if err != nil {
		return nil, err
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(b, &s); err != nil {
		return nil, err
	}
	return s.Resolve(nil)
})

// valid checks what the server's schema and its unwritten rules demand of every request. Servers that are not Anthropic's
// leave its schema behind.
func valid(t *testing.T, body []byte, strict bool) {
	t.Helper()
	if !utf8.Valid(body) {
		t.Errorf("the body is not UTF-8: %q", body)
	}
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	if s, err := requestSchema(); err == nil && strict {
		if err := s.Validate(v); err != nil {
			t.Errorf("the schema refuses the body: %v\n%s", err, body)
		}
	} else if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	b := read(t, body)
	var open []string
	used := map[string]bool{}
	for i, m := range b.Messages {
		if want := []string{"user", "assistant"}[i%2]; m.Role != want || len(m.Content) == 0 {
			t.Errorf("message %d is of role %s with %d blocks: %s", i, m.Role, len(m.Content), body)
		}
		var answered, asked []string
		for _, c := range m.Content {
			switch c.Type {
			case "text":
				if strings.TrimSpace(c.Text) == "" {
					t.Errorf("message %d has a blank text: %s", i, body)
				}
			case "tool_result":
				answered = append(answered, c.ToolUseID)
			case "tool_use":
				if asked = append(asked, c.ID); used[c.ID] {
					t.Errorf("the id %s stands twice", c.ID)
				}
				used[c.ID] = true
			}
		}
		if strings.Join(answered, " ") != strings.Join(open, " ") {
			t.Errorf("message %d answers %q, asked was %q", i, answered, open)
		}
		open = asked
	}
	if len(open) > 0 {
		t.Errorf("calls %q are not answered", open)
	}
}

type wire struct {
	Model     string
	MaxTokens int `json:"max_tokens"`
	System    []wireBlock
	Tools     []struct {
		Name   string
		Schema map[string]any `json:"input_schema"`
		Cache  any            `json:"cache_control"`
	}
	Messages []struct {
		Role    string
		Content []wireBlock
	}
	Thinking map[string]any
	Output   map[string]any `json:"output_config"`
}

type wireBlock struct {
	Type, Text, Thinking, Signature, ID, Name, Data string
	Content                                         any
	Input                                           json.RawMessage
	ToolUseID                                       string `json:"tool_use_id"`
	IsError                                         bool   `json:"is_error"`
	Cache                                           any    `json:"cache_control"`
}

func read(t *testing.T, body []byte) wire {
	t.Helper()
	var w wire
	if err := json.Unmarshal(body, &w); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	return w
}

// shape is the kinds of the blocks of every message, for short comparisons.
func (w wire) shape() string {
	var all []string
	for _, m := range w.Messages {
		var kinds []string
		for _, c := range m.Content {
			kinds = append(kinds, c.Type)
		}
		all = append(all, m.Role[:1]+":"+strings.Join(kinds, "+"))
	}
	return strings.Join(all, " ")
}

func say(r engine.Role, parts ...engine.Part) engine.Message {
	return engine.Message{Role: r, Parts: parts}
}

// said is what the model itself said.
func said(model string, parts ...engine.Part) engine.Message {
	return engine.Message{Role: engine.RoleAssistant, Model: model, Parts: parts}
}

func user(text string) engine.Message { return say(engine.RoleUser, engine.Text{Text: text}) }

func result(id, text string) engine.Message {
	return say(engine.RoleTool, engine.Result{CallID: id, Text: text, Status: engine.StatusDone})
}

func call(id string) engine.Call { return engine.Call{ID: id, Name: "ls", Args: "{}"} }

func asking(model string, msgs ...engine.Message) engine.Request {
	return engine.Request{Route: engine.Route{Model: model}, System: "Be brief.", Messages: msgs}
}

func redacted(data string) engine.Opaque {
	return engine.Opaque{Mode: engine.AnthropicMessages, Kind: "redacted_thinking", Data: json.RawMessage(`{"type":"redacted_thinking","data":"` + data + `"}`)}
}

func conversation(model string) engine.Request {
	return engine.Request{
		Route:  engine.Route{Model: model, Effort: "high"},
		System: "You are <Talaria> & co.",
		Tools: []engine.Spec{
			{Name: "read_file", Doc: "Read a file.", Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"},"limit":{"type":["integer","null"]},"deep":{"anyOf":[{"type":"object","properties":{}},{"type":"null"}],"description":"d"}},"required":["path"],"oneOf":[{}]}`)},
			{Name: "todo", Doc: "List.", Schema: json.RawMessage(`{"properties":null,"required":null}`)},
			{Name: "now"}, {Name: "now", Doc: "Again."},
		},
		Messages: []engine.Message{
			say(engine.RoleUser, engine.Text{Text: "Look at this: <b>"}, engine.Image{MIME: "image/png", Data: []byte{1, 2, 3}}, engine.Image{Name: "a.tiff", MIME: "image/tiff", Data: []byte{1}}),
			said(model, engine.Thought{Text: "I should look.", Signature: "c2ln"}, redacted("SEAL"), engine.Text{Text: "Looking."},
				engine.Call{ID: "c1", Name: "read_file", Args: `{"path":"a.go"}`, Extra: json.RawMessage(`{"google":{"thought_signature":"SIG"}}`)},
				engine.Call{ID: "functions.now:1", Name: "now"}, engine.Call{ID: "c3", Name: "now", Args: `{"broken`}),
			result("c1", "package a\n"),
			say(engine.RoleTool, engine.Result{CallID: "functions.now:1", Text: " ", Status: engine.StatusDone}, engine.Text{Text: "Only a.go, please."}),
			say(engine.RoleTool, engine.Result{CallID: "c3", Text: "refused: bad arguments", Status: engine.StatusRefused}),
			{Role: engine.RoleAssistant, Parts: engine.Parts{engine.Text{Text: "half a"}}, Aside: true},
			said(model, engine.Thought{Text: "unsigned"}, engine.Text{Text: "Done."}),
			user(""),
			said(model),
			user("bad \xff byte"),
			said(model, engine.Thought{Text: "Now.", Signature: "c2lnMg=="}, engine.Call{ID: "c1", Name: "now", Args: "null"}),
			result("c1", "12:00"),
		},
	}
}

// The requests to servers and models of different kinds, whole. A change here is a change of what every user's prompt
// cache holds.
func TestRequestGolden(t *testing.T) {
	for _, c := range []struct{ name, base, model string }{
		{"opus-4-6", direct, "claude-opus-4-6"},
		{"sonnet-4-5", direct, "claude-sonnet-4-5"},
		{"deepseek", "https://api.deepseek.com/anthropic", "deepseek-chat"},
		{"gateway", "http://127.0.0.1:4000", "house-model"},
	} {
		t.Run(c.name, func(t *testing.T) {
			body, _ := sent(t, provider.Endpoint{BaseURL: c.base, Key: " sk-test\n"}, conversation(c.model))
			var pretty bytes.Buffer
			if err := json.Indent(&pretty, body, "", "  "); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", c.name+".json")
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

func TestTheSchemaThatTheRequestsAreCheckedAgainstIsThere(t *testing.T) {
	shared(t, "schemas", "MessagesRequest.json")
	s, err := requestSchema()
	if err != nil {
		t.Fatal(err)
	}
	var bad any
	if err := json.Unmarshal([]byte(`{"model":"m","max_tokens":1,"stream":true,"messages":[{"role":"user","content":[{"type":"text"}]}]}`), &bad); err != nil {
		t.Fatal(err)
	}
	if s.Validate(bad) == nil {
		t.Error("the check takes a text block without text")
	}
}

func TestG01TheAddressIsRightHoweverTheBaseURLIsSpelled(t *testing.T) {
	for base, want := range map[string]string{
		"https://api.anthropic.com":             "/v1/messages",
		"https://api.anthropic.com/":            "/v1/messages",
		"https://api.anthropic.com/v1":          "/v1/messages",
		" https://api.anthropic.com/v1/// ":     "/v1/messages",
		"https://api.anthropic.com/v1/messages": "/v1/messages",
		"https://h.test/anthropic":              "/anthropic/v1/messages",
		"https://h.test/anthropic/v1":           "/anthropic/v1/messages",
		"https://openrouter.ai/api/v1":          "/api/v1/messages",
		"http://127.0.0.1:4000":                 "/v1/messages",
	} {
		if _, r := sent(t, provider.Endpoint{BaseURL: base}, hello()); r.URL.Path != want {
			t.Errorf("%q is called at %s, want %s", base, r.URL.Path, want)
		}
	}
}

func TestTheKeyGoesInTheHeaderThatTheServerWants(t *testing.T) {
	for base, bearer := range map[string]bool{
		direct: false, "https://proxy.corp.test/anthropic": false, "https://api.deepseek.com/anthropic": false,
		"https://openrouter.ai/api/v1": true, "https://api.moonshot.ai/anthropic": true, "https://evil.test/openrouter.ai": false,
	} {
		_, r := sent(t, provider.Endpoint{BaseURL: base, Key: " k1\n", Headers: map[string]string{"User-Agent": "mine"}}, hello())
		key, auth := r.Header.Get("X-Api-Key"), r.Header.Get("Authorization")
		if bearer && (auth != "Bearer k1" || key != "") || !bearer && (key != "k1" || auth != "") {
			t.Errorf("%s: x-api-key %q, authorization %q", base, key, auth)
		}
		if r.Header.Get("Anthropic-Version") != "2023-06-01" || r.Header.Get("User-Agent") != "mine" || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("headers %v", r.Header)
		}
	}
}

func TestTheOutputCapIsTheModelsUnlessOneIsSet(t *testing.T) {
	for model, want := range map[string]int{
		"claude-opus-5": 128_000, "claude-opus-4-8": 128_000, "claude-opus-4-6": 128_000, "anthropic/claude-opus-4.6": 128_000,
		"claude-opus-4-5-20251101": 64_000, "claude-opus-4-1-20250805": 32_000, "claude-opus-4-20250514": 32_000, "claude-opus-4@20250514": 32_000,
		"claude-sonnet-4-6": 64_000, "claude-sonnet-4-5": 64_000, "claude-sonnet-4-20250514": 64_000, "claude-sonnet-5": 128_000,
		"claude-3-7-sonnet-latest": 64_000, "claude-3-5-sonnet-20241022": 8_192, "claude-3-5-haiku-latest": 8_192,
		"claude-3-haiku-20240307": 4_096, "claude-3-opus-20240229": 4_096, "claude-2.1": 4_096, "claude-haiku-4-5-20251001": 64_000,
		"claude-fable-5": 128_000, "claude-sonnet-latest": 128_000, "us.anthropic.claude-opus-4-6-v1": 128_000, "minimax-m2": 128_000,
	} {
		body, _ := sent(t, provider.Endpoint{BaseURL: direct}, asking(model, user("hi")))
		if got := read(t, body).MaxTokens; got != want {
			t.Errorf("%s: %d, want %d", model, got, want)
		}
	}
	req := asking("claude-opus-4-6", user("hi"))
	req.MaxTokens = 1234
	body, _ := sent(t, provider.Endpoint{BaseURL: direct}, req)
	if got := read(t, body).MaxTokens; got != 1234 {
		t.Errorf("what was set became %d", got)
	}
}

func TestEveryModelIsToldToThinkInItsOwnWay(t *testing.T) {
	for _, c := range []struct {
		model, effort, thinking, output string
		most                            int
	}{
		{"claude-opus-4-6", "xhigh", `{"display":"summarized","type":"adaptive"}`, `{"effort":"max"}`, 128_000},
		{"claude-opus-4-7", "xhigh", `{"display":"summarized","type":"adaptive"}`, `{"effort":"xhigh"}`, 128_000},
		{"claude-opus-5-5", "minimal", `{"display":"summarized","type":"adaptive"}`, `{"effort":"low"}`, 128_000},
		{"claude-sonnet-4-6", "", `{"display":"summarized","type":"adaptive"}`, `null`, 64_000},
		{"claude-sonnet-4-6", "off", `null`, `null`, 64_000},
		{"claude-sonnet-4-5", "low", `{"budget_tokens":4000,"type":"enabled"}`, `null`, 64_000},
		{"claude-opus-4-1", "max", `{"budget_tokens":27904,"type":"enabled"}`, `null`, 32_000},
		{"claude-sonnet-4-5", "", `null`, `null`, 64_000},
		{"claude-haiku-4-5", "high", `null`, `null`, 64_000},
		{"claude-3-5-sonnet-latest", "high", `null`, `null`, 8_192},
		{"kimi-k2", "high", `null`, `null`, 128_000},
	} {
		req := asking(c.model, user("hi"))
		req.Route.Effort = c.effort
		body, _ := sent(t, provider.Endpoint{BaseURL: direct}, req)
		w := read(t, body)
		thinking, _ := json.Marshal(w.Thinking)
		output, _ := json.Marshal(w.Output)
		if string(thinking) != c.thinking || string(output) != c.output || w.MaxTokens != c.most {
			t.Errorf("%s:%s sends %s, %s, %d", c.model, c.effort, thinking, output, w.MaxTokens)
		}
		if bytes.Contains(body, []byte("temperature")) {
			t.Errorf("%s: a temperature in %s", c.model, body)
		}
	}
	req := asking("claude-sonnet-4-5", user("hi"))
	req.Route.Effort, req.MaxTokens = "medium", 2000
	body, _ := sent(t, provider.Endpoint{BaseURL: direct}, req)
	if got := read(t, body).MaxTokens; got != 8_000+4_096 {
		t.Errorf("a cap below the budget became %d", got)
	}
	for most, thinking := range map[int]string{2000: `null`, 6000: `{"budget_tokens":1904,"type":"enabled"}`, 20_000: `{"budget_tokens":8000,"type":"enabled"}`} {
		req.MaxTokens, req.HardCap = most, true // what the server allows
		body, _ := sent(t, provider.Endpoint{BaseURL: direct}, req)
		w := read(t, body)
		if got, _ := json.Marshal(w.Thinking); w.MaxTokens != most || string(got) != thinking {
			t.Errorf("a cap of %d that the server set became %d, with %s", most, w.MaxTokens, got)
		}
	}
}

func TestABudgetIsLeftOutWhereTheRoundDidNotBeginWithThinking(t *testing.T) {
	const model = "claude-sonnet-4-5"
	for name, c := range map[string]struct {
		first engine.Message
		want  bool
	}{
		"thought":       {said(model, engine.Thought{Text: "hm", Signature: "c2ln"}, call("a")), true},
		"sealed":        {said(model, redacted("SEAL"), call("a")), true},
		"another model": {said("claude-opus-4-5", engine.Thought{Text: "hm", Signature: "c2ln"}, call("a")), false},
		"none":          {said(model, call("a")), false},
	} {
		req := asking(model, user("go"), c.first, result("a", "1"), said(model, call("b")), result("b", "2"))
		req.Route.Effort = "low"
		body, _ := sent(t, provider.Endpoint{BaseURL: direct}, req)
		if got := read(t, body).Thinking != nil; got != c.want {
			t.Errorf("%s: thinking %v, want %v", name, got, c.want)
		}
	}
}

func TestE18EveryToolHasAnObjectSchemaThatTheServerTakes(t *testing.T) {
	body, _ := sent(t, provider.Endpoint{BaseURL: direct}, conversation("claude-opus-4-6"))
	w := read(t, body)
	if len(w.Tools) != 3 {
		t.Fatalf("%d tools, want 3: the name now stands twice", len(w.Tools))
	}
	for _, tool := range w.Tools {
		if tool.Schema["type"] != "object" || tool.Schema["properties"] == nil || tool.Schema["oneOf"] != nil {
			t.Errorf("%s: %v", tool.Name, tool.Schema)
		}
	}
	props := w.Tools[0].Schema["properties"].(map[string]any)
	if props["limit"].(map[string]any)["type"] != "integer" {
		t.Errorf("limit is %v", props["limit"])
	}
	if deep := props["deep"].(map[string]any); deep["type"] != "object" || deep["description"] != "d" || deep["anyOf"] != nil {
		t.Errorf("deep is %v", deep)
	}
	_, err := messagesOf(t, engine.Request{Route: engine.Route{Model: "m"}, Messages: []engine.Message{user("x")}, Tools: []engine.Spec{{Name: "bad", Schema: json.RawMessage(`[1]`)}}})
	if err == nil || !strings.Contains(err.Error(), "bad") {
		t.Errorf("a schema that is none: %v", err)
	}
}

// messagesOf asks a server that never answers well, for what fails before it is sent.
func messagesOf(t *testing.T, req engine.Request) (pt.Reply, error) {
	t.Helper()
	r := pt.Collect(t.Context(), messages.New(provider.Endpoint{BaseURL: direct, HTTP: pt.Client(http.NotFoundHandler())}), req)
	return r, r.Err
}

func TestWhatCannotBeSentIsSaid(t *testing.T) {
	for base, word := range map[string]string{"": "empty", "localhost:11434": "scheme", "ftp://h": "http", "https://": "no host"} {
		p := messages.New(provider.Endpoint{BaseURL: base, HTTP: pt.Client(http.NotFoundHandler())})
		failure(t, pt.Collect(t.Context(), p, hello()), word)
	}
	for word, req := range map[string]engine.Request{
		"no model":   {Messages: []engine.Message{user("x")}},
		"no message": {Route: engine.Route{Model: "m"}},
		"positive":   {Route: engine.Route{Model: "m"}, MaxTokens: -1, Messages: []engine.Message{user("x")}},
	} {
		r, _ := messagesOf(t, req)
		failure(t, r, word)
	}
}

func TestModelsAreListedInOnePage(t *testing.T) {
	ep := provider.Endpoint{BaseURL: direct + "/v1", Key: "k", HTTP: pt.Client(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/models" || r.URL.Query().Get("limit") != "1000" || r.Method != http.MethodGet || r.Header.Get("X-Api-Key") != "k" || r.Header.Get("Anthropic-Version") == "" {
			t.Errorf("%s %s %v", r.Method, r.URL, r.Header)
		}
		pt.JSON(200, `{"data":[{"type":"model","id":"b"},{"id":"a"},{"id":"b"},{}],"has_more":false}`).ServeHTTP(w, r)
	}))}
	if got, err := messages.Models(t.Context(), ep); err != nil || strings.Join(got, " ") != "b a" {
		t.Errorf("%q, %v", got, err)
	}
	for _, a := range []pt.Answer{pt.JSON(401, `{"type":"error","error":{"type":"authentication_error","message":"no"}}`), pt.JSON(200, `{"error":"no"}`), {Type: "text/html", Body: []byte("<html><title>no</title>")}} {
		_, err := messages.Models(t.Context(), provider.Endpoint{BaseURL: direct, HTTP: pt.Client(a)})
		if f := new(provider.Failure); !errors.As(err, &f) || !strings.Contains(f.Message, "no") {
			t.Errorf("%d %s gives %v", a.Status, a.Body, err)
		}
	}
}
