package responses

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"talaria/engine"
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
	if len(raw) == 0 || lenient(raw, &o) != nil || o.Type == "" {
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
	case len(raw) == 0 || lenient(raw, &parts) == nil && parts != nil:
		return parts
	case json.Unmarshal(raw, &text) == nil && text != "":
		return []content{{Type: "output_text", Text: text}}
	}
	return nil
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

// truncated reports whether args are JSON that broke off: a string, object or list is still open at the end. What is
// wrong otherwise is for the tool layer to refuse.
func truncated(args string) bool {
	if strings.TrimSpace(args) == "" || json.Valid([]byte(args)) {
		return false
	}
	depth, inString := 0, false
	for i := 0; i < len(args); i++ {
		switch c := args[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
	}
	return inString || depth > 0
}

// usage counts tokens. Input includes what the cache gave, output what was reasoned (K01).
type usage struct {
	Input  count `json:"input_tokens"`
	Output count `json:"output_tokens"`
	In     struct {
		Cached  count `json:"cached_tokens"`
		Written count `json:"cache_write_tokens"`
	} `json:"input_tokens_details"`
	Out struct {
		Reasoning count `json:"reasoning_tokens"`
	} `json:"output_tokens_details"`
}

func (u usage) engine() *engine.Usage {
	return &engine.Usage{Input: int(u.Input), Output: int(u.Output), CacheRead: int(u.In.Cached), CacheWrite: int(u.In.Written), Reasoning: int(u.Out.Reasoning)}
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
