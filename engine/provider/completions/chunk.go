package completions

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"talaria/engine"
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

// lenient decodes raw into v; a field of another type than expected is left out rather than failing the whole.
func lenient(raw []byte, v any) error {
	err := json.Unmarshal(raw, v)
	var typ *json.UnmarshalTypeError
	if errors.As(err, &typ) {
		return nil
	}
	return err
}

// present reports whether a raw field holds anything: not absent, null or empty.
func present(raw json.RawMessage) bool {
	switch string(bytes.TrimSpace(raw)) {
	case "", "null", `""`, "{}", "[]", "false":
		return false
	}
	return true
}

// arguments is the text of a call's arguments: a string, or an object as compact JSON.
func arguments(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var b bytes.Buffer
	if !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) || json.Compact(&b, raw) != nil {
		return ""
	}
	return b.String()
}

// usage counts tokens, in the fields of all the servers that have their own.
type usage struct {
	Prompt     count `json:"prompt_tokens"`
	Completion count `json:"completion_tokens"`
	Cached     count `json:"cached_tokens"`           // Moonshot
	CacheHit   count `json:"prompt_cache_hit_tokens"` // DeepSeek
	Created    count `json:"cache_creation_input_tokens"`
	Reasoning  count `json:"reasoning_tokens"`
	PromptIn   struct {
		Cached  count `json:"cached_tokens"`
		Written count `json:"cache_write_tokens"`
	} `json:"prompt_tokens_details"`
	Out struct {
		Reasoning count `json:"reasoning_tokens"`
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

// count takes a number in any spelling: 3, 3.0, "3"; anything else is 0.
type count int

func (c *count) UnmarshalJSON(b []byte) error {
	f, err := strconv.ParseFloat(strings.Trim(string(b), `"`), 64)
	if err == nil && f > 0 && f < 1e15 {
		*c = count(f)
	}
	return nil
}
