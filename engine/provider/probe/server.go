package probe

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
)

// ollamaRunning asks what is loaded now, and with how much context (docs.ollama.com, list running models).
func ollamaRunning(ctx context.Context, a asker, model string) (int, string) {
	var said struct {
		Models []struct {
			Name, Model   string
			ContextLength int `json:"context_length"`
		}
	}
	if !a.get(ctx, "/api/ps", &said) {
		return 0, ""
	}
	for _, m := range said.Models {
		if sameTag(m.Name, model) || sameTag(m.Model, model) {
			return m.ContextLength, OllamaRunning
		}
	}
	return 0, ""
}

// ollamaModel asks for the model's description. num_ctx in its parameters is what it will be run with; without one the
// server decides by its memory, up to what the model can do (docs.ollama.com, context length).
func ollamaModel(ctx context.Context, a asker, model string) (int, string) {
	var said struct {
		Parameters string
		Info       map[string]json.RawMessage `json:"model_info"`
	}
	if !a.post(ctx, "/api/show", map[string]string{"model": model, "name": model}, &said) {
		return 0, ""
	}
	for line := range strings.Lines(said.Parameters) {
		if f := strings.Fields(line); len(f) == 2 && f[0] == "num_ctx" {
			if n, err := strconv.Atoi(strings.Trim(f[1], `"`)); err == nil && believable(n) {
				return n, OllamaParameter
			}
		}
	}
	for key, value := range said.Info { // "llama.context_length": the part before the dot is the architecture
		var n int
		if strings.HasSuffix(key, ".context_length") && json.Unmarshal(value, &n) == nil {
			return n, ModelMaximum
		}
	}
	return 0, ""
}

// sameTag compares names as Ollama does: without a tag, "latest" is meant.
func sameTag(have, want string) bool {
	return have != "" && strings.TrimSuffix(strings.ToLower(have), ":latest") == strings.TrimSuffix(strings.ToLower(want), ":latest")
}

// llamaCpp asks for the running server's settings; n_ctx there is the share of one slot (llama.cpp, tools/server).
func llamaCpp(ctx context.Context, a asker, _ string) (int, string) {
	var said struct {
		Settings struct {
			Context int `json:"n_ctx"`
		} `json:"default_generation_settings"`
	}
	if !a.get(ctx, "/props", &said) {
		return 0, ""
	}
	return said.Settings.Context, LlamaCpp
}

// lmStudio asks for the list of LM Studio's first REST API, which knows how a model is loaded.
func lmStudio(ctx context.Context, a asker, model string) (int, string) {
	var said struct {
		Data []struct {
			ID     string
			Loaded int `json:"loaded_context_length"`
			Most   int `json:"max_context_length"`
		}
	}
	if !a.get(ctx, "/api/v0/models", &said) {
		return 0, ""
	}
	for _, m := range said.Data {
		if strings.EqualFold(m.ID, model) {
			if m.Loaded > 0 {
				return m.Loaded, LMStudioLoaded
			}
			return m.Most, NotLoaded
		}
	}
	return 0, ""
}

// lmStudioNew asks for the list of LM Studio's second REST API, since 0.4. A model is asked for by its key, or by the id
// of one of its loaded instances.
func lmStudioNew(ctx context.Context, a asker, model string) (int, string) {
	var said struct {
		Models []struct {
			Key    string
			Most   int `json:"max_context_length"`
			Loaded []struct {
				ID     string
				Config struct {
					Context int `json:"context_length"`
				}
			} `json:"loaded_instances"`
		}
	}
	if !a.get(ctx, "/api/v1/models", &said) {
		return 0, ""
	}
	for _, m := range said.Models {
		for _, instance := range m.Loaded {
			if strings.EqualFold(instance.ID, model) || strings.EqualFold(m.Key, model) {
				return instance.Config.Context, LMStudioLoaded
			}
		}
		if strings.EqualFold(m.Key, model) {
			return m.Most, NotLoaded
		}
	}
	return 0, ""
}
