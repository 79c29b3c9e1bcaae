package probe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"talaria/engine/provider"
	pt "talaria/engine/provider/providertest"
)

// server answers each "METHOD /path" with its JSON and everything else with 404; it notes who asked for what.
type server struct {
	mu      sync.Mutex
	answers map[string]string
	asked   []string
	bodies  []string
	keys    []string
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, _ := io.ReadAll(r.Body)
	s.asked = append(s.asked, r.Method+" "+r.URL.Path)
	s.bodies, s.keys = append(s.bodies, string(b)), append(s.keys, r.Header.Get("Authorization"))
	answer, ok := s.answers[r.Method+" "+r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	io.WriteString(w, answer)
}

func TestEachServerIsAskedInItsOwnWay(t *testing.T) {
	const show = `{"parameters":"stop \"<|im_end|>\"\nnum_ctx                        16384\ntemperature 0.7","model_info":{"general.architecture":"qwen3","qwen3.context_length":40960,"qwen3.rope.scaling.original_context_length":32768}}`
	for name, c := range map[string]struct {
		provider, base, model string
		answers               map[string]string
		tokens                int
		how                   string
	}{
		"Ollama runs the model": {"ollama", "http://127.0.0.1:11434/v1", "qwen3", map[string]string{
			"GET /api/ps":    `{"models":[{"name":"other:1b","context_length":2048},{"name":"qwen3:latest","model":"qwen3:latest","context_length":8192}]}`,
			"POST /api/show": show}, 8192, OllamaRunning},
		"Ollama has the model with num_ctx": {"ollama", "http://127.0.0.1:11434/v1", "qwen3:8b", map[string]string{
			"GET /api/ps": `{"models":[]}`, "POST /api/show": show}, 16384, OllamaParameter},
		"Ollama has the model without num_ctx": {"ollama", "http://127.0.0.1:11434", "llama3", map[string]string{
			"GET /api/ps":    `{"models":[{"name":"llama3:70b","context_length":2048}]}`,
			"POST /api/show": `{"parameters":"num_keep 24","model_info":{"llama.context_length":131072}}`}, 131072, ModelMaximum},
		"Ollama under a name of the user's own": {"homebox", "http://192.168.1.9:11434/v1/", "llama3", map[string]string{
			"GET /api/ps": `{"models":[{"name":"llama3:latest","context_length":4096}]}`}, 4096, OllamaRunning},
		"an old Ollama, whose list of running models has no context": {"ollama", "http://127.0.0.1:11434/v1", "qwen3", map[string]string{
			"GET /api/ps": `{"models":[{"name":"qwen3:latest"}]}`, "POST /api/show": show}, 16384, OllamaParameter},
		"llama.cpp": {"llamacpp", "http://127.0.0.1:8080/v1", "whatever", map[string]string{
			"GET /props": `{"default_generation_settings":{"id":0,"n_ctx":123904,"params":{}},"total_slots":1}`}, 123904, LlamaCpp},
		"llama.cpp behind a path": {"llamacpp", "http://127.0.0.1:8080/llm/v1", "whatever", map[string]string{
			"GET /llm/props": `{"default_generation_settings":{"n_ctx":4096}}`}, 4096, LlamaCpp},
		"llama.cpp as a router has no context of its own": {"llamacpp", "http://127.0.0.1:8080/v1", "b", map[string]string{
			"GET /props":     `{"role":"router","default_generation_settings":{"n_ctx":0}}`,
			"GET /v1/models": `{"data":[{"id":"a"},{"id":"b","meta":{"n_ctx":32768,"n_ctx_train":131072}}],"models":[{"name":"b"}]}`}, 32768, ListOfTheServers},
		"LM Studio with the model loaded": {"lmstudio", "http://127.0.0.1:1234/v1", "qwen/qwen3-8b", map[string]string{
			"GET /api/v0/models": `{"object":"list","data":[{"id":"x"},{"id":"qwen/qwen3-8b","state":"loaded","max_context_length":40960,"loaded_context_length":8192}]}`}, 8192, LMStudioLoaded},
		"LM Studio before the model is loaded": {"lmstudio", "http://127.0.0.1:1234/v1", "qwen/qwen3-8b", map[string]string{
			"GET /api/v0/models": `{"data":[{"id":"qwen/qwen3-8b","state":"not-loaded","max_context_length":40960}]}`}, 40960, NotLoaded},
		"LM Studio with the new protocol only": {"lmstudio", "http://127.0.0.1:1234/v1", "qwen/qwen3-8b", map[string]string{
			"GET /api/v1/models": `{"models":[{"key":"qwen/qwen3-8b","max_context_length":40960,"loaded_instances":[{"id":"qwen/qwen3-8b","config":{"context_length":16000}}]}]}`}, 16000, LMStudioLoaded},
		"vLLM": {"", "http://10.0.0.5:8000/v1", "Qwen/Qwen3-32B", map[string]string{
			"GET /v1/models": `{"object":"list","data":[{"id":"lora","max_model_len":1024},{"id":"Qwen/Qwen3-32B","owned_by":"vllm","max_model_len":65536}]}`}, 65536, ListOfTheServers},
		"vLLM on a port of its own": {"gpu", "http://gpu.lan:9999/v1", "m", map[string]string{
			"GET /v1/models": `{"data":[{"id":"m","max_model_len":65536}]}`}, 65536, ListOfTheServers},
		"one model under another name": {"gpu", "http://gpu.lan:9999/v1", "gpt-4", map[string]string{
			"GET /v1/models": `{"data":[{"id":"/models/q.gguf","max_model_len":65536}]}`}, 65536, ListOfTheServers},
		"OpenRouter": {"openrouter", "https://openrouter.ai/api/v1", "z-ai/glm-5.1", map[string]string{
			"GET /api/v1/models": `{"data":[{"id":"z-ai/glm-5","context_length":80000},{"id":"z-ai/glm-5.1","context_length":202752,"top_provider":{"context_length":131072}}]}`}, 202752, ListOfTheServers},
		"OpenRouter with a way to route": {"openrouter", "https://openrouter.ai/api/v1", "z-ai/glm-5.1:nitro", map[string]string{
			"GET /api/v1/models": `{"data":[{"id":"x","context_length":1000},{"id":"z-ai/glm-5.1","context_length":202752}]}`}, 202752, ListOfTheServers},
		"Groq": {"groq", "https://api.groq.com/openai/v1", "m", map[string]string{
			"GET /openai/v1/models": `{"data":[{"id":"m","context_window":131072,"max_completion_tokens":8192}]}`}, 131072, ListOfTheServers},
		"Together's bare list": {"together", "https://api.together.xyz/v1", "m", map[string]string{
			"GET /v1/models": `[{"id":"n","context_length":1},{"id":"m","context_length":131072}]`}, 131072, ListOfTheServers},
		"DeepInfra, in metadata": {"deepinfra", "https://api.deepinfra.com/v1/openai", "m", map[string]string{
			"GET /v1/openai/models": `{"data":[{"id":"m","metadata":{"context_length":163840,"max_tokens":16384}}]}`}, 163840, ListOfTheServers},
		"a server nobody knows, that is llama.cpp": {"box", "http://box:5000/v1", "m", map[string]string{
			"GET /v1/models": `{"data":[{"id":"m"}]}`, "GET /props": `{"default_generation_settings":{"n_ctx":8192}}`}, 8192, LlamaCpp},
		"a server that does not know":      {"box", "http://box:5000/v1", "m", map[string]string{"GET /v1/models": `{"data":[{"id":"m"}]}`}, 0, ""},
		"a server that knows other models": {"", "https://far.test/v1", "m", map[string]string{"GET /v1/models": `{"data":[{"id":"a","context_length":9000},{"id":"b","context_length":9000}]}`}, 0, ""},
		"a server that says nonsense":      {"ollama", "http://127.0.0.1:11434", "m", map[string]string{"GET /api/ps": `[]`, "POST /api/show": `"no"`, "GET /v1/models": `{"data":[{"id":"m","max_model_len":-1,"context_length":"big"}]}`}, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := &server{answers: c.answers}
			ep := provider.Endpoint{Provider: c.provider, BaseURL: c.base, Key: "k-123", HTTP: pt.Client(s)}
			tokens, how, err := Window(t.Context(), ep, c.model)
			if tokens != c.tokens || how != c.how || err != nil {
				t.Errorf("got %d, %q, %v; want %d, %q (asked %v)", tokens, how, err, c.tokens, c.how, s.asked)
			}
			for i, asked := range s.asked {
				if s.keys[i] != "Bearer k-123" {
					t.Errorf("%s: without the key", asked)
				}
				if asked == "POST /api/show" && !strings.Contains(s.bodies[i], fmt.Sprintf("%q", c.model)) {
					t.Errorf("%s: body %s", asked, s.bodies[i])
				}
			}
		})
	}
}

func TestAServerWhoseListHoldsNamesOnlyIsNotAsked(t *testing.T) {
	s := &server{}
	for _, ep := range []provider.Endpoint{
		{Provider: "openai", BaseURL: "https://api.openai.com/v1"},
		{Provider: "mine", BaseURL: "https://api.anthropic.com"},
		{Provider: "bedrock"},
		{Provider: "x", BaseURL: "https://bedrock-runtime.eu-west-1.amazonaws.com"},
	} {
		ep.HTTP = pt.Client(s)
		if n, how, err := Window(t.Context(), ep, "m"); n != 0 || how != "" || err != nil || len(s.asked) > 0 {
			t.Errorf("%s: %d, %q, %v; asked %v", ep.Provider, n, how, err, s.asked)
		}
	}
}

func TestAServerThatIsNotThereIsNoErrorAndAskedOnce(t *testing.T) {
	n := 0
	client := &http.Client{Transport: counting{&n, pt.Fails(errors.New("connection refused")).Transport}}
	if tokens, how, err := Window(t.Context(), provider.Endpoint{Provider: "ollama", BaseURL: "http://127.0.0.1:11434/v1", HTTP: client}, "m"); tokens != 0 || how != "" || err != nil || n != 1 {
		t.Errorf("%d, %q, %v after %d questions", tokens, how, err, n)
	}
}

type counting struct {
	n     *int
	inner http.RoundTripper
}

func (c counting) RoundTrip(r *http.Request) (*http.Response, error) {
	*c.n++
	return c.inner.RoundTrip(r)
}

func TestAServerThatHangsCostsTwoSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		start := time.Now()
		n, _, err := Window(t.Context(), provider.Endpoint{Provider: "lmstudio", BaseURL: "http://127.0.0.1:1234/v1", HTTP: pt.Client(hang)}, "m")
		if took := time.Since(start); n != 0 || err != nil || took != askTime {
			t.Errorf("%d, %v after %v", n, err, took)
		}
	})
}

func TestLeavingEndsTheQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		hang := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		_, _, err := Window(ctx, provider.Endpoint{Provider: "vllm", BaseURL: "http://127.0.0.1:8000/v1", HTTP: pt.Client(hang)}, "m")
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}

func TestAnAddressThatIsNoneIsSaid(t *testing.T) {
	if _, _, err := Window(t.Context(), provider.Endpoint{Provider: "x", BaseURL: "not an address"}, "m"); err == nil {
		t.Error("no error")
	}
	if n, _, err := Window(t.Context(), provider.Endpoint{Provider: "x", BaseURL: "https://h.test"}, " "); n != 0 || err != nil {
		t.Errorf("without a model: %d, %v", n, err)
	}
}

func TestARedirectIsNotFollowedWithTheKey(t *testing.T) {
	var hosts []string
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hosts = append(hosts, r.Host)
		http.Redirect(w, r, "https://elsewhere.test"+r.URL.Path, http.StatusFound)
	})
	n, _, err := Window(t.Context(), provider.Endpoint{Provider: "x", BaseURL: "https://h.test/v1", Key: "k", HTTP: pt.Client(h)}, "m")
	if n != 0 || err != nil || slices.Contains(hosts, "elsewhere.test") {
		t.Errorf("%d, %v, asked %v", n, err, hosts)
	}
}

func TestOnlyWhatTheServerRunsWithIsFirm(t *testing.T) {
	for how, firm := range map[string]bool{OllamaRunning: true, OllamaParameter: true, LlamaCpp: true, LMStudioLoaded: true, ListOfTheServers: true, ModelMaximum: false, NotLoaded: false, "": false} {
		if Firm(how) != firm {
			t.Errorf("Firm(%q) = %v", how, !firm)
		}
	}
}
