package catalog

import (
	"slices"
	"strings"
)

// Efforts are the words that may end a model's name after a colon, from none to the most.
var Efforts = []string{"off", "minimal", "low", "medium", "high", "xhigh", "max"}

// ParseModel splits "[PROVIDER/]MODEL[:EFFORT]". The last ":x" is an effort only when x is one of Efforts, so
// "qwen3:8b" stays whole; the first "x/" is a provider only when known says so, so "meta-llama/llama-4" stays whole.
func ParseModel(s string, known func(string) bool) (provider, model, effort string) {
	model = strings.TrimSpace(s)
	if i := strings.LastIndexByte(model, ':'); i >= 0 && slices.Contains(Efforts, model[i+1:]) {
		model, effort = model[:i], model[i+1:]
	}
	if head, rest, ok := strings.Cut(model, "/"); ok && known(head) {
		provider, model = head, rest
	}
	return provider, model, effort
}
