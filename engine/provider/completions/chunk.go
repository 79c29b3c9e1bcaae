package completions

import (
	"encoding/json"

	"talaria/engine"
	"talaria/engine/provider"
)

// chunk is one event of a stream, or a whole completion: that has message where a chunk has delta.
type chunk struct {
	Model   string          `json:"model"`
	Choices []choice        `json:"choices"`
	Usage   *usage          `json:"usage"`
	Error   json.RawMessage `json:"error"`
	Groq    struct {
		Usage *usage `json:"usage"`
	} `json:"x_groq"`
}

type choice struct {
	Index   int             `json:"index"`
	Delta   *piece          `json:"delta"`
	Message *piece          `json:"message"`
	Finish  string          `json:"finish_reason"`
	Error   json.RawMessage `json:"error"`
	Usage   *usage          `json:"usage"` // Moonshot puts it here
}

// piece is what a choice says. Fields that come in more than one type stay raw.
type piece struct {
	Content          json.RawMessage `json:"content"`
	ReasoningContent json.RawMessage `json:"reasoning_content"`
	Reasoning        json.RawMessage `json:"reasoning"`
	ReasoningText    json.RawMessage `json:"reasoning_text"`
	Thinking         json.RawMessage `json:"thinking"`
	Details          json.RawMessage `json:"reasoning_details"`
	Refusal          string          `json:"refusal"`
	ToolCalls        []fragment      `json:"tool_calls"`
	FunctionCall     *function       `json:"function_call"` // before there were tool_calls
}

type fragment struct {
	Index    *int            `json:"index"`
	ID       string          `json:"id"`
	Function function        `json:"function"`
	Extra    json.RawMessage `json:"extra_content"`
}

type function struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// usage counts tokens, in the fields of all the servers that have their own.
type usage struct {
	Prompt     provider.Count `json:"prompt_tokens"`
	Completion provider.Count `json:"completion_tokens"`
	Cached     provider.Count `json:"cached_tokens"`           // Moonshot
	CacheHit   provider.Count `json:"prompt_cache_hit_tokens"` // DeepSeek
	Created    provider.Count `json:"cache_creation_input_tokens"`
	Reasoning  provider.Count `json:"reasoning_tokens"`
	PromptIn   struct {
		Cached  provider.Count `json:"cached_tokens"`
		Written provider.Count `json:"cache_write_tokens"`
	} `json:"prompt_tokens_details"`
	Out struct {
		Reasoning provider.Count `json:"reasoning_tokens"`
	} `json:"completion_tokens_details"`
}

func (u usage) engine() *engine.Usage {
	return &engine.Usage{
		Input: int(u.Prompt), Output: int(u.Completion),
		CacheRead:  int(max(u.PromptIn.Cached, u.CacheHit, u.Cached)), // the same number under several names
		CacheWrite: int(max(u.PromptIn.Written, u.Created)),
		Reasoning:  int(max(u.Out.Reasoning, u.Reasoning)),
	}
}
