package dial

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"talaria/engine"
	"talaria/engine/catalog"
	"talaria/engine/config"
)

func paths(t *testing.T) config.Paths {
	home := t.TempDir()
	return config.PathsFor(func(k string) string { return map[string]string{"TALARIA_HOME": home}[k] }, home)
}

func TestTheWindowIsTheUsersThenTheServersThenTheLearnedThenTheCatalogues(t *testing.T) {
	p := paths(t)
	w, r := NewWindows(p), config.Resolved{Route: engine.Route{Provider: "ollama", Model: "qwen3", BaseURL: "http://127.0.0.1:1/v1"}}
	known := catalog.ModelInfo{Window: 40_000}
	if got := w.Of(r, catalog.ModelInfo{}); got != 0 {
		t.Errorf("nobody knows it, and it is %d", got)
	}
	if got := w.Of(r, known); got != 40_000 {
		t.Errorf("catalogue: %d", got)
	}
	w.Learn(r.Route, 40_000, &engine.Error{Reason: engine.ReasonContextOverflow, Window: 50_000})
	w.Learn(r.Route, 40_000, nil)
	if got := w.Of(r, known); got != 40_000 {
		t.Errorf("a limit above what is believed was taken: %d", got)
	}
	w.Learn(r.Route, 40_000, &engine.Error{Reason: engine.ReasonContextOverflow, Window: 8192})
	if got := w.Of(r, known); got != 8192 {
		t.Errorf("learned: %d", got)
	}
	if got := NewWindows(p).Of(r, known); got != 8192 {
		t.Errorf("the next program does not know it: %d", got)
	}
	r.Window = 4096
	if got := w.Of(r, known); got != 4096 {
		t.Errorf("the user's: %d", got)
	}
}

func TestAServerIsAskedBesideTheTurnAndOnce(t *testing.T) {
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/ps" {
			http.NotFound(w, r)
			return
		}
		asked.Add(1)
		io.WriteString(w, `{"models":[{"name":"qwen3:latest","context_length":8192}]}`)
	}))
	defer server.Close()
	w := NewWindows(paths(t))
	r := config.Resolved{Route: engine.Route{Provider: "ollama", Model: "qwen3", BaseURL: server.URL + "/v1"}}
	w.Ask(t.Context(), r)
	deadline := time.Now().Add(60 * time.Second)
	for w.Of(r, catalog.ModelInfo{}) == 0 && time.Now().Before(deadline) {
		time.Sleep(time.Millisecond)
	}
	if got := w.Of(r, catalog.ModelInfo{Window: 40_000}); got != 8192 {
		t.Fatalf("the server said 8192, it is %d", got)
	}
	before := asked.Load()
	w.Ask(t.Context(), r) // what the running server said is firm
	typed := r
	typed.Route.Provider, typed.Route.BaseURL = "custom", server.URL+"/v2"
	w.Ask(t.Context(), typed)
	typed.Route.Provider, typed.Window = "ollama", 1000
	w.Ask(t.Context(), typed) // the user decided
	w.mu.Lock()
	asking := len(w.asked)
	w.mu.Unlock()
	if asking != 1 || asked.Load() != before {
		t.Errorf("%d addresses are asked, %d times after the first", asking, asked.Load()-before)
	}
}
