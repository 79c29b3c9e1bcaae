package completions

import (
	"encoding/json"
	"errors"

	openai "github.com/sashabaranov/go-openai"

	"talaria/engine"
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
	out := request{Model: r.Route.Model, Messages: messages(r, q), Stream: true}
	for _, s := range r.Tools {
		schema, err := schemaObject(s.Schema)
		if err != nil {
			return nil, err
		}
		out.Tools = append(out.Tools, tool{openai.ToolTypeFunction, openai.FunctionDefinition{Name: s.Name, Description: s.Doc, Parameters: schema}})
	}
	if q.completion || isFamily(r.Route.Model, completionFamilies) {
		out.MaxCompletion = r.MaxTokens
	} else {
		out.MaxTokens = r.MaxTokens
	}
	if !q.noUsageFlag {
		out.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
	}
	switch {
	case r.Route.Effort == "" || q.effort == effortNone:
	case q.effort == effortObject:
		out.Reasoning = &effort{r.Route.Effort}
	default:
		out.ReasoningEffort = r.Route.Effort
	}
	return engine.Marshal(out)
}

// schemaObject returns the schema with what strict servers demand of every tool: type object, properties, and required
// as a list (E18). Its keys are sorted.
func schemaObject(raw json.RawMessage) (json.RawMessage, error) {
	schema := map[string]json.RawMessage{}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &schema); err != nil {
			return nil, errors.New("a tool's schema is no JSON object: " + err.Error())
		}
	}
	if schema == nil {
		schema = map[string]json.RawMessage{}
	}
	schema["type"] = json.RawMessage(`"object"`)
	for key, none := range map[string]string{"properties": "{}", "required": "[]"} {
		if v, ok := schema[key]; !ok || string(v) == "null" {
			schema[key] = json.RawMessage(none)
		}
	}
	return engine.Marshal(schema)
}
