package responses

import (
	"encoding/json"

	"talaria/engine"
	"talaria/engine/provider"
)

// event is one event of a stream; which fields it has depends on Type.
type event struct {
	Type         string          `json:"type"`
	Response     json.RawMessage `json:"response"`
	Item         json.RawMessage `json:"item"`
	Index        *int            `json:"output_index"`
	ItemID       string          `json:"item_id"`
	ContentIndex int             `json:"content_index"`
	SummaryIndex int             `json:"summary_index"`
	Delta        string          `json:"delta"`
	Text         string          `json:"text"`
	Refusal      string          `json:"refusal"`
	Arguments    json.RawMessage `json:"arguments"`
	Error        json.RawMessage `json:"error"`
}

// response is the whole of a reply, as the last event and a server that does not stream send it.
type response struct {
	Object     string            `json:"object"`
	Model      string            `json:"model"`
	Status     string            `json:"status"`
	Output     []json.RawMessage `json:"output"`
	OutputText string            `json:"output_text"`
	Usage      *usage            `json:"usage"`
	Error      json.RawMessage   `json:"error"`
	Incomplete struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
}

// output is one item of a reply.
type output struct {
	ID        string          `json:"id"`
	Type      string          `json:"type"`
	Status    string          `json:"status"`
	Phase     string          `json:"phase"`
	CallID    string          `json:"call_id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Content   json.RawMessage `json:"content"`
	Summary   json.RawMessage `json:"summary"`
	Encrypted string          `json:"encrypted_content"`
	raw       json.RawMessage
}

func readOutput(raw json.RawMessage) (output, bool) {
	var o output
	if len(raw) == 0 || provider.Lenient(raw, &o) != nil || o.Type == "" {
		return o, false
	}
	o.raw = raw
	return o, true
}

// content is one part of a message or of reasoning.
type content struct {
	Type    string `json:"type"`
	Text    string `json:"text"`
	Refusal string `json:"refusal"`
}

// contents reads a list of parts; a bare string is one part.
func contents(raw json.RawMessage) []content {
	var parts []content
	var text string
	switch {
	case len(raw) == 0 || provider.Lenient(raw, &parts) == nil && parts != nil:
		return parts
	case json.Unmarshal(raw, &text) == nil && text != "":
		return []content{{Type: "output_text", Text: text}}
	}
	return nil
}

// usage counts tokens. Input includes what the cache gave, output what was reasoned (K01).
type usage struct {
	Input  provider.Count `json:"input_tokens"`
	Output provider.Count `json:"output_tokens"`
	In     struct {
		Cached  provider.Count `json:"cached_tokens"`
		Written provider.Count `json:"cache_write_tokens"`
	} `json:"input_tokens_details"`
	Out struct {
		Reasoning provider.Count `json:"reasoning_tokens"`
	} `json:"output_tokens_details"`
}

func (u usage) engine() *engine.Usage {
	return &engine.Usage{Input: int(u.Input), Output: int(u.Output), CacheRead: int(u.In.Cached), CacheWrite: int(u.In.Written), Reasoning: int(u.Out.Reasoning)}
}
