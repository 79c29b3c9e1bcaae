package completions

import (
	"errors"

	openai "github.com/sashabaranov/go-openai"

	"talaria/engine"
	"talaria/engine/provider"
)

// request is the body. It is our own struct around the library's types, because theirs leave out an empty content and
// escape HTML; the order of the fields is the order on the wire, so equal requests have equal bytes.
type request struct {
	Model           string                `json:"model"`
	Messages        []message             `json:"messages"`
	Tools           []tool                `json:"tools,omitempty"`
	MaxTokens       int                   `json:"max_tokens,omitempty"`
	MaxCompletion   int                   `json:"max_completion_tokens,omitempty"`
	ReasoningEffort string                `json:"reasoning_effort,omitempty"`
	Reasoning       *effort               `json:"reasoning,omitempty"`
	Stream          bool                  `json:"stream"`
	StreamOptions   *openai.StreamOptions `json:"stream_options,omitempty"`
}

type effort struct {
	Effort string `json:"effort"`
}

type tool struct {
	Type     openai.ToolType           `json:"type"`
	Function openai.FunctionDefinition `json:"function"`
}

// encode returns the body for r; the same r and q give the same bytes.
func encode(r engine.Request, q quirks) ([]byte, error) {
	if r.Route.Model == "" {
		return nil, errors.New("no model is chosen")
	}
	out := request{Model: r.Route.Model, Messages: messages(r, q), Stream: !r.NoStream}
	for _, s := range r.Tools {
		schema, err := provider.ToolSchema(s.Schema)
		if err != nil {
			return nil, err
		}
		out.Tools = append(out.Tools, tool{openai.ToolTypeFunction, openai.FunctionDefinition{Name: s.Name, Description: s.Doc, Parameters: schema}})
	}
	if q.completion || provider.IsFamily(provider.BareModel(r.Route.Model), completionFamilies) {
		out.MaxCompletion = r.MaxTokens
	} else {
		out.MaxTokens = r.MaxTokens
	}
	if !q.noUsageFlag && out.Stream {
		out.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
	}
	switch {
	case r.Route.Effort == "" || q.effort == effortNone:
	case q.effort == effortObject && r.Route.Effort == provider.EffortOff:
		out.Reasoning = &effort{"none"}
	case q.effort == effortObject:
		out.Reasoning = &effort{r.Route.Effort}
	case r.Route.Effort != provider.EffortOff: // no word for it that all of them know
		out.ReasoningEffort = r.Route.Effort
	}
	if here := markOf(r, q); here != nil {
		mark(out.Messages, here)
	}
	return engine.Marshal(out)
}
