package responses

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"

	openai "github.com/sashabaranov/go-openai"

	"talaria/engine"
	"talaria/engine/provider"
)

// request is the body. It is our own struct around the library's types, because theirs leave out false values and escape
// HTML; the order of the fields is the order on the wire, so equal requests have equal bytes.
type request struct {
	Model        string                    `json:"model"`
	Instructions string                    `json:"instructions,omitempty"`
	Tools        []tool                    `json:"tools,omitempty"`
	ToolChoice   string                    `json:"tool_choice,omitempty"`
	Parallel     bool                      `json:"parallel_tool_calls,omitempty"`
	Reasoning    *openai.ResponseReasoning `json:"reasoning,omitempty"`
	Include      []openai.ResponseInclude  `json:"include,omitempty"`
	CacheKey     string                    `json:"prompt_cache_key,omitempty"`
	MaxOutput    int                       `json:"max_output_tokens,omitempty"`
	Store        bool                      `json:"store"`
	Stream       bool                      `json:"stream"`
	Input        []any                     `json:"input"`
}

type tool struct {
	Type        openai.ToolType `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters"`
	Strict      bool            `json:"strict"`
}

// maxID is how long ids and cache keys may be (platform.openai.com/docs/api-reference/responses).
const maxID = 64

// minOutput is the smallest output cap that is not refused (same source).
const minOutput = 16

// encode returns the body for r; the same arguments give the same bytes.
func encode(r engine.Request, q quirks, from origin) ([]byte, error) {
	if r.Route.Model == "" {
		return nil, errors.New("no model is chosen")
	}
	out := request{Model: r.Route.Model, Instructions: r.System, Stream: !r.NoStream, CacheKey: cacheKey(r.SessionID), Input: input(r.Messages, from)}
	for _, s := range r.Tools {
		schema, err := provider.ToolSchema(s.Schema)
		if err != nil {
			return nil, err
		}
		out.Tools = append(out.Tools, tool{Type: openai.ToolTypeFunction, Name: s.Name, Description: s.Doc, Parameters: schema})
	}
	if len(out.Tools) > 0 {
		out.ToolChoice, out.Parallel = "auto", true // some servers refuse these beside no tools
	}
	if !q.noCap && r.MaxTokens > 0 {
		out.MaxOutput = max(r.MaxTokens, minOutput)
	}
	if out.Reasoning = reasoning(r.Route, q); out.Reasoning != nil || reasons(r.Route.Model) {
		out.Include = []openai.ResponseInclude{openai.ResponseIncludeReasoningEncryptedContent}
	}
	return engine.Marshal(out)
}

// reasoning is what is asked of the model's reasoning; nil when the model has none, or nothing is known and nothing was
// said: a model that does not reason refuses the field.
func reasoning(r engine.Route, q quirks) *openai.ResponseReasoning {
	var out openai.ResponseReasoning
	switch {
	case isPlain(r.Model), r.Effort == provider.EffortOff:
		return nil
	case reasons(r.Model) && !q.noSummary:
		out.Summary = "auto"
	}
	out.Effort = r.Effort
	if out == (openai.ResponseReasoning{}) {
		return nil
	}
	return &out
}

// cacheKey is the session's id, which keeps its requests on the machine that has their prefix.
func cacheKey(session string) string {
	if len(session) <= maxID {
		return session
	}
	sum := sha256.Sum256([]byte(session))
	return hex.EncodeToString(sum[:16])
}
