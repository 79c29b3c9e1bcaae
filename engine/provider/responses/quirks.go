package responses

import (
	"slices"
	"strings"

	"talaria/engine/provider"
)

// reasons reports whether a model is known to reason before it answers.
func reasons(model string) bool {
	return !isPlain(model) && provider.IsFamily(bare(model), reasoningFamilies)
}

// isPlain reports whether a model is known not to reason.
func isPlain(model string) bool {
	name := bare(model)
	return provider.IsFamily(name, plainFamilies) || slices.ContainsFunc(plainWords, func(w string) bool { return strings.Contains(name, w) })
}

// bare is a model's name in lower case, without the maker that stands before a slash ("openai/gpt-5") or, on Bedrock,
// before a dot ("openai.gpt-5.6").
func bare(model string) string {
	name := provider.BareModel(model)
	if _, rest, ok := strings.Cut(name, "openai."); ok {
		return rest
	}
	return name
}
