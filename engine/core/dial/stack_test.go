package dial

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"talaria/engine"
	"talaria/engine/config"
	"talaria/engine/provider/providertest"
)

// exchange is a server that answers what is said for a key, and notes who asked for which model.
type exchange struct {
	mu      sync.Mutex
	refuses map[string]int // a status by key
	body    string         // of a refusal; "" for one that quotes the key
	asked   []string
}

func (e *exchange) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	_, model, _ := strings.Cut(string(body), `"model":"`)
	model, _, _ = strings.Cut(model, `"`)
	e.mu.Lock()
	e.asked = append(e.asked, key+" "+model)
	status := e.refuses[key]
	e.mu.Unlock()
	if status != 0 {
		providertest.JSON(status, cmp.Or(e.body, fmt.Sprintf(`{"error":{"message":"no, %s"}}`, key))).ServeHTTP(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	io.WriteString(w, providertest.TXT("yes")+providertest.FIN("stop")+providertest.DONE)
}

func (e *exchange) took() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	took := e.asked
	e.asked = nil
	return took
}

// dialled is a dialer over these settings, with keys A to D in the environment.
func dialled(t *testing.T, url, more string) (*Dialer, config.Resolver) {
	t.Helper()
	cat := Catalogue()
	path := filepath.Join(t.TempDir(), "config.yaml")
	text := fmt.Sprintf(`model: {provider: main, name: m}
providers: {main: {base_url: "%[1]s", api_keys_env: [A, B]}, other: {base_url: "%[1]s/other", api_key_env: C}}
retry: {base_seconds: 0.001, max_seconds: 0.001}
`, url) + more
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, origins, _, err := config.Load(config.UserFile(path, true, cat))
	if err != nil {
		t.Fatal(err)
	}
	getenv := func(n string) string { return map[string]string{"A": "key-A", "B": "key-B", "C": "key-C"}[n] }
	r := config.Resolver{Config: cfg, Origins: origins, Catalogue: cat, Getenv: getenv}
	return New(r, Options{}), r
}

func TestEachSideTaskGoesToItsOwnModelWithItsOwnKeyAndChain(t *testing.T) {
	server := &exchange{refuses: map[string]int{}}
	s := httptest.NewServer(server)
	defer s.Close()
	d, r := dialled(t, s.URL, `auxiliary: {title: {provider: other, model: small, fallback: [{provider: main, model: last}]}, vision: {model: eyes}}
fallback_providers: [{provider: other, model: spare}]
`)
	main, err := r.ResolveRoute()
	if err != nil {
		t.Fatal(err)
	}
	ask := func(task string) providertest.Reply {
		stack, route, err := d.Auxiliary(task, main)
		if err != nil || route.Model == "" {
			t.Fatal(task, route, err)
		}
		return providertest.Collect(t.Context(), stack, engine.Request{Messages: []engine.Message{{Role: engine.RoleUser, Parts: engine.Parts{engine.Text{Text: "q"}}}}})
	}
	for task, want := range map[string]string{engine.TaskTitle: "key-C small", engine.TaskVision: "key-A eyes", engine.TaskCompression: "key-A m"} {
		if got := ask(task); got.Err != nil || got.Message.Text() != "yes" {
			t.Errorf("%s: %v", task, got.Err)
		}
		if took := server.took(); !slices.Equal(took, []string{want}) {
			t.Errorf("%s asked %v, want %s", task, took, want)
		}
	}
	server.refuses = map[string]int{"key-C": 402}
	ask(engine.TaskTitle)
	if took := server.took(); !slices.Equal(took, []string{"key-C small", "key-A last"}) {
		t.Errorf("the title's own fallback: %v", took)
	}
	server.refuses = map[string]int{"key-A": 402, "key-B": 402}
	ask(engine.TaskCompression)
	if took := server.took(); !slices.Equal(took, []string{"key-A m", "key-B m", "key-C spare"}) {
		t.Errorf("without one the conversation's: %v", took)
	}
	server.refuses["key-C"] = 401
	if got := ask(engine.TaskCompression); got.Err == nil || strings.Contains(got.Err.Error(), "key-C") {
		t.Errorf("%v", got.Err)
	}
	if _, _, err := d.Auxiliary(engine.TaskTitle, config.Resolved{Route: engine.Route{Provider: DemoProvider}}); err != nil {
		t.Errorf("a task with its own model needs no other: %v", err)
	}
	if _, _, err := d.Auxiliary(engine.TaskReview, config.Resolved{Route: engine.Route{Provider: DemoProvider}}); engine.AsError(err).Reason != engine.ReasonModelNotFound {
		t.Errorf("the demo has side tasks: %v", err)
	}
}

func TestWhatIsKnownOfKeysOutlivesTheStackThatLearntIt(t *testing.T) {
	server := &exchange{refuses: map[string]int{"key-A": 402}}
	s := httptest.NewServer(server)
	defer s.Close()
	d, r := dialled(t, s.URL, "")
	main, err := r.ResolveRoute()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]string{{"key-A m", "key-B m"}, {"key-B m"}} {
		stack, err := d.Build(main)
		if err != nil {
			t.Fatal(err)
		}
		got := providertest.Collect(t.Context(), stack, engine.Request{Messages: []engine.Message{{Role: engine.RoleUser, Parts: engine.Parts{engine.Text{Text: "q"}}}}})
		if took := server.took(); got.Err != nil || !slices.Equal(took, want) {
			t.Errorf("stack %d: %v, %v", i+1, took, got.Err)
		}
	}
}

func TestAFallbackThatCannotBeAskedIsLeftOutAndTold(t *testing.T) {
	d, r := dialled(t, "http://127.0.0.1:1", "fallback_providers: [{provider: anthropic, model: x}, {provider: main, model: m}]\n")
	skipped := d.Skipped()
	if len(skipped) != 1 || !strings.Contains(skipped[0].Error(), "fallback_providers.0 is left out") || !strings.Contains(skipped[0].Error(), "ANTHROPIC_API_KEY") {
		t.Errorf("%v", skipped)
	}
	main, _ := r.ResolveRoute()
	if _, err := d.Build(main); err != nil { // and the second, which is the same model with the same key, is no fallback
		t.Error(err)
	}
}

func TestASideTaskWhoseModelCannotBeAskedIsToldAtTheStart(t *testing.T) {
	d, _ := dialled(t, "http://127.0.0.1:1", "auxiliary: {review: {provider: anthropic, model: x}, title: {model: small}}\n")
	skipped := d.Skipped()
	if len(skipped) != 1 || !strings.Contains(skipped[0].Error(), "auxiliary.review") || !strings.Contains(skipped[0].Error(), "ANTHROPIC_API_KEY") {
		t.Errorf("%v", skipped)
	}
}

// The bodies are those of the cases: neither is repeated, and the fallback answers.
func TestE09E15WhatNoRepeatHelpsGoesToTheFallbackAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
	}{
		"E09 a spend limit":   {402, `{"error":"API key USD spend limit exceeded. Your account may still have USD balance, but this API key has reached its configured USD spending limit."}`},
		"E15 no tool support": {404, `{"error":{"message":"No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing","code":404}}`},
	} {
		server := &exchange{refuses: map[string]int{"key-A": c.status, "key-B": c.status}, body: c.body}
		s := httptest.NewServer(server)
		_, r := dialled(t, s.URL, "fallback_providers: [{provider: other, model: spare}]\n")
		main, err := r.ResolveRoute()
		if err != nil {
			t.Fatal(err)
		}
		main.More = nil
		stack, err := New(r, Options{}).Build(main)
		if err != nil {
			t.Fatal(err)
		}
		got := providertest.Collect(t.Context(), stack, engine.Request{Messages: []engine.Message{{Role: engine.RoleUser, Parts: engine.Parts{engine.Text{Text: "q"}}}}})
		if took := server.took(); got.Err != nil || !slices.Equal(took, []string{"key-A m", "key-C spare"}) {
			t.Errorf("%s: %v, %v", name, took, got.Err)
		}
		s.Close()
	}
}
