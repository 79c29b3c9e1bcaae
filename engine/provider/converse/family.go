package converse

import (
	"strings"

	"talaria/engine"
)

func familyOf(model string) family {
	model = strings.ToLower(model)
	for _, row := range families {
		if strings.Contains(model, row.has) {
			return row.family
		}
	}
	return family{}
}

// reason puts into out what makes the model think as hard as was asked.
func (f family) reason(out *request, r engine.Request) {
	effort := strings.ToLower(r.Route.Effort)
	word := efforts[f.think][effort]
	switch f.think {
	case thinkNone:
	case thinkBudget:
		budget := budgets[effort]
		if out.Inference != nil {
			budget = min(budget, out.Inference.MaxTokens-answerRoom) // the cap is the user's or the server's: thinking gives way
		}
		if budget >= leastBudget && !resumesWithoutThought(out.Messages) {
			out.More = map[string]any{"thinking": map[string]any{"type": "enabled", "budget_tokens": budget}}
		}
	case thinkAdaptive, thinkAdaptiveX:
		if word != "" {
			out.More = map[string]any{
				"thinking":      map[string]any{"type": "adaptive", "display": "summarized"},
				"output_config": map[string]any{"effort": word},
			}
		}
	case thinkNova:
		if word == "high" && r.HardCap {
			word = "medium"
		}
		if word == "high" {
			out.Inference = nil // Nova 2 refuses an output cap beside its highest effort
		}
		if word != "" {
			out.More = map[string]any{"reasoningConfig": map[string]any{"type": "enabled", "maxReasoningEffort": word}}
		}
	case thinkFlat:
		if word != "" {
			out.More = map[string]any{"reasoning_effort": word}
		}
	}
}

// resumesWithoutThought reports whether the last message answers calls of a message that does not begin with reasoning:
// another model made them, or thinking was off. Claude refuses to think on from there.
func resumesWithoutThought(ms []message) bool {
	if len(ms) < 2 || len(ms[len(ms)-1].Content) == 0 || ms[len(ms)-1].Content[0].ToolResult == nil {
		return false
	}
	before := ms[len(ms)-2].Content
	return len(before) > 0 && before[0].Reasoning == nil
}
