package messages

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"

	"talaria/engine"
	"talaria/engine/provider"
)

// message is one entry of "messages".
type message struct {
	Role    engine.Role `json:"role"`
	Content []block     `json:"content"`
}

// block is one piece of a message, of the kind Type names. raw is a block of the server's own, sent back as it came.
type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text,omitempty"`
	Thinking  string          `json:"thinking,omitempty"`
	Signature string          `json:"signature,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
	ToolUseID string          `json:"tool_use_id,omitempty"`
	Content   string          `json:"content,omitempty"`
	IsError   bool            `json:"is_error,omitempty"`
	Source    *source         `json:"source,omitempty"`
	Cache     *cacheControl   `json:"cache_control,omitempty"`
	raw       json.RawMessage
}

type source struct {
	Type      string `json:"type"`
	MediaType string `json:"media_type"`
	Data      string `json:"data"`
}

// cacheControl ends a prefix that the server keeps, for five minutes when TTL is "".
type cacheControl struct {
	Type string `json:"type"`
	TTL  string `json:"ttl,omitempty"`
}

// MarshalJSON writes raw where there is one.
func (b block) MarshalJSON() ([]byte, error) {
	if b.raw != nil {
		return b.raw, nil
	}
	type plain block
	return engine.Marshal(plain(b))
}

// markable reports whether a cache breakpoint may stand on b: not on thinking, and what is the server's own stays as it is.
func (b block) markable() bool { return b.raw == nil && b.Type != "thinking" }

// noResult stands in for the result of a call that has none, which the server refuses.
const noResult = "no result was recorded: the call was interrupted. It may have run in part."

// kindRedacted names the Opaque that holds sealed thinking.
const kindRedacted = "redacted_thinking"

// textBlock is a text block; ok is false for a text without anything to read, which the server refuses.
func textBlock(text string) (b block, ok bool) {
	return block{Type: "text", Text: text}, strings.TrimSpace(text) != ""
}

// imageTypes are the pictures the server reads (its schema, Base64ImageSource).
var imageTypes = []string{"image/jpeg", "image/png", "image/gif", "image/webp"}

// imageBlock is a picture, or a line that says why it is not shown.
func imageBlock(p engine.Image) block {
	if !slices.Contains(imageTypes, p.MIME) || len(p.Data) == 0 {
		return block{Type: "text", Text: "[the picture " + p.Name + " is of type " + p.MIME + ", which cannot be shown]"}
	}
	return block{Type: "image", Source: &source{"base64", p.MIME, base64.StdEncoding.EncodeToString(p.Data)}}
}

// resultBlock answers the call that is called id on the wire.
func resultBlock(r engine.Result, id string) block {
	text := provider.Unmarked(provider.ResultText(r.Text))
	return block{Type: "tool_result", ToolUseID: id, Content: text, IsError: provider.Failed(r.Status)}
}

// input is the arguments of a call as the object the server demands. Broken ones are {}: the result says what was wrong.
func input(args string) json.RawMessage {
	args = strings.TrimSpace(args)
	if !strings.HasPrefix(args, "{") || !json.Valid([]byte(args)) {
		return json.RawMessage("{}")
	}
	return provider.Paired([]byte(args))
}
