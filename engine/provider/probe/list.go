package probe

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
)

// entry is one model of a list, with its fields as they come.
type entry map[string]json.RawMessage

// windowFields are the names a list gives the window under, the most exact first.
var windowFields = []string{
	"max_model_len",      // vLLM, SGLang
	"n_ctx",              // llama.cpp, in meta
	"context_length",     // OpenRouter, Together, Fireworks, Moonshot
	"context_window",     // Groq
	"max_context_length", // Mistral
	"context_size",       // Novita
	"max_input_tokens",   // LiteLLM
}

// innerFields are where a list may keep them instead: llama.cpp; DeepInfra; OpenRouter; LiteLLM.
var innerFields = []string{"meta", "metadata", "top_provider", "model_info"}

// listed asks for the list of models of the OpenAI protocol. A server that serves one model answers to any name, so its
// only entry counts whatever it is called.
func listed(ctx context.Context, a asker, model string) (int, string) {
	var raw json.RawMessage
	if !a.ask(ctx, http.MethodGet, a.list.String(), nil, &raw) {
		return 0, ""
	}
	list := entries(raw)
	if m := find(list, model); m != nil {
		return m.window(), ListOfTheServers
	}
	if base, _, ok := cutLast(model, ":"); ok { // OpenRouter's ":nitro" and the like name a way to route, no model
		if m := find(list, base); m != nil {
			return m.window(), ListOfTheServers
		}
	}
	if len(list) == 1 {
		return list[0].window(), ListOfTheServers
	}
	return 0, ""
}

// entries reads {"data":[..]}, {"models":[..]} or a bare list. llama.cpp sends both boxes; data holds the numbers.
func entries(raw json.RawMessage) []entry {
	var box struct{ Data, Models []entry }
	var bare []entry
	switch {
	case json.Unmarshal(raw, &box) == nil && box.Data != nil:
		return box.Data
	case box.Models != nil:
		return box.Models
	case json.Unmarshal(raw, &bare) == nil:
		return bare
	}
	return nil
}

func find(list []entry, model string) entry {
	for _, m := range list {
		for _, field := range []string{"id", "model", "name"} {
			var name string
			if json.Unmarshal(m[field], &name) == nil && strings.EqualFold(name, model) {
				return m
			}
		}
	}
	return nil
}

func (m entry) window() int {
	for _, field := range windowFields {
		var n float64
		if json.Unmarshal(m[field], &n) == nil && believable(int(n)) {
			return int(n)
		}
	}
	for _, field := range innerFields {
		var inner entry
		if json.Unmarshal(m[field], &inner) == nil && inner != nil {
			if n := inner.window(); n > 0 {
				return n
			}
		}
	}
	return 0
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
