package probe

import (
	"context"
	"slices"
	"strings"
	"time"

	"talaria/engine/provider"
)

// The clocks: askTime for one question, allTime for all of a server. A server on this machine answers in milliseconds;
// one far away that takes longer is not worth waiting for before a turn.
const askTime, allTime = 2 * time.Second, 4 * time.Second

// What Window says in how. ModelMaximum and NotLoaded are the most the model can do: what the server gives it, once it
// runs, may be less, so it is worth asking again after the first reply.
const (
	OllamaRunning    = "Ollama, as the model runs now"
	OllamaParameter  = "Ollama, num_ctx of the model"
	ModelMaximum     = "Ollama, the most the model can do; the server may run it with less"
	LlamaCpp         = "llama.cpp, n_ctx of the running server"
	LMStudioLoaded   = "LM Studio, as the model is loaded"
	NotLoaded        = "LM Studio, the most the model can do; it is not loaded"
	ListOfTheServers = "the server's list of models"
)

// Firm reports whether how is what the server runs the model with, not the most that the model could do.
func Firm(how string) bool { return how != "" && how != ModelMaximum && how != NotLoaded }

// way is one question that some kind of server understands. It returns 0 when the answer does not tell.
type way func(context.Context, asker, string) (tokens int, how string)

// ways: which questions are asked of whom, in order. The first row whose provider name or host fits, else the first whose
// port does, where the server is on this machine or network. A host that begins with a dot fits every host below it.
var ways = []struct {
	names, hosts, ports []string
	ask                 []way
}{
	{[]string{"ollama"}, nil, []string{"11434"}, []way{ollamaRunning, ollamaModel, listed}},
	{[]string{"lmstudio", "lm-studio"}, nil, []string{"1234"}, []way{lmStudio, lmStudioNew, listed}},
	{[]string{"llamacpp", "llama.cpp", "llama-cpp"}, nil, []string{"8080"}, []way{llamaCpp, listed, ollamaRunning, ollamaModel}},
	{[]string{"vllm", "sglang"}, nil, []string{"8000", "30000"}, []way{listed, llamaCpp}},
	// their lists hold names only; a question would cost the time of a round trip and tell nothing
	{[]string{"openai", "anthropic", "gemini", "deepseek", "bedrock", "demo"},
		[]string{"api.openai.com", "api.anthropic.com", "generativelanguage.googleapis.com", "api.deepseek.com", ".amazonaws.com"}, nil, nil},
}

// Where no row fits: all questions for a server near by, its list of models for any other.
var (
	askNear = []way{listed, llamaCpp, ollamaRunning, ollamaModel, lmStudio}
	askFar  = []way{listed}
)

// Window asks the server of ep how many tokens of context model has, and how that is known. A server that cannot be
// reached, refuses, or does not know gives 0, "" and no error. The error is ctx's own, or says why the base URL is none.
func Window(ctx context.Context, ep provider.Endpoint, model string) (tokens int, how string, err error) {
	if strings.TrimSpace(model) == "" {
		return 0, "", nil
	}
	questions := questionsFor(ep)
	if len(questions) == 0 {
		return 0, "", nil
	}
	own := ep.HTTP == nil
	ep = ep.WithClient()
	if own {
		defer ep.HTTP.CloseIdleConnections()
	}
	a, err := newAsker(ep)
	if err != nil {
		return 0, "", err
	}
	inner, cancel := context.WithTimeout(ctx, allTime)
	defer cancel()
	for _, ask := range questions {
		n, how := ask(inner, a, model)
		if ctx.Err() != nil {
			return 0, "", ctx.Err()
		}
		if believable(n) {
			return n, how, nil
		}
		if inner.Err() != nil || a.gone() {
			break
		}
	}
	return 0, "", nil
}

func questionsFor(ep provider.Endpoint) []way {
	name := strings.ToLower(strings.TrimSpace(ep.Provider))
	host, port := hostPort(ep.BaseURL)
	for _, row := range ways {
		if slices.Contains(row.names, name) || slices.ContainsFunc(row.hosts, func(h string) bool { return fits(h, host) }) {
			return row.ask
		}
	}
	if !provider.IsLocal(ep.BaseURL) {
		return askFar
	}
	for _, row := range ways {
		if slices.Contains(row.ports, port) {
			return row.ask
		}
	}
	return askNear
}

func fits(pattern, host string) bool {
	return host == pattern || strings.HasPrefix(pattern, ".") && strings.HasSuffix(host, pattern)
}

// believable keeps out what is no window: 0 and -1 for "the model's own", and numbers that stand for "no limit".
func believable(n int) bool { return n >= 256 && n <= 100_000_000 }
