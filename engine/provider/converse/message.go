package converse

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"mime"
	"slices"
	"strings"

	"talaria/engine"
	"talaria/engine/provider"
)

//go:embed called.md
var calledText string

//go:embed answered.md
var answeredText string

type message struct {
	Role    string  `json:"role"`
	Content []block `json:"content"`
}

const (
	roleUser      = "user"
	roleAssistant = "assistant"
)

// block is one piece of a message, or of the system prompt: exactly one field is set.
type block struct {
	Text       string      `json:"text,omitempty"`
	Image      *image      `json:"image,omitempty"`
	Reasoning  *reasoning  `json:"reasoningContent,omitempty"`
	ToolUse    *toolUse    `json:"toolUse,omitempty"`
	ToolResult *toolResult `json:"toolResult,omitempty"`
	CachePoint *cachePoint `json:"cachePoint,omitempty"`
}

type image struct {
	Format string      `json:"format"`
	Source imageSource `json:"source"`
}

type imageSource struct {
	Bytes []byte `json:"bytes"`
}

type reasoning struct {
	Text     *reasoningText  `json:"reasoningText,omitempty"`
	Redacted json.RawMessage `json:"redactedContent,omitempty"`
}

type reasoningText struct {
	Text      string `json:"text"`
	Signature string `json:"signature"`
}

type toolUse struct {
	ID    string          `json:"toolUseId"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

type toolResult struct {
	ID      string  `json:"toolUseId"`
	Content []block `json:"content"`
	Status  string  `json:"status,omitempty"`
}

// cachePoint ends a prefix that the server keeps, for five minutes when TTL is "".
type cachePoint struct {
	Type string `json:"type"`
	TTL  string `json:"ttl,omitempty"`
}

// kindRedacted names the Opaque that holds redactedContent: a JSON string of base64.
const kindRedacted = "redacted_content"

// history gathers messages so that user and assistant alternate. Plain: the request has no tools, and calls and results
// are told as text, since Bedrock refuses their blocks then.
type history struct {
	model string
	plain bool
	out   []message
}

func (h *history) add(m engine.Message) {
	switch m.Role {
	case engine.RoleSystem:
		// stands with the system prompt
	case engine.RoleUser:
		content := h.userBlocks(m)
		if len(content) == 0 {
			content = []block{{Text: provider.EmptyUser}}
		}
		h.put(roleUser, content)
	case engine.RoleAssistant:
		h.put(roleAssistant, h.assistantBlocks(m))
	case engine.RoleTool:
		h.put(roleUser, h.userBlocks(m))
	}
}

// put appends a message, or adds to the last when that has the same role. Nothing to say is no message.
func (h *history) put(role string, content []block) {
	if len(content) == 0 {
		return
	}
	n := len(h.out) - 1
	if n < 0 || h.out[n].Role != role {
		h.out = append(h.out, message{role, content})
		return
	}
	if role == roleAssistant { // reasoning is valid only where its own message began
		content = slices.DeleteFunc(content, func(b block) bool { return b.Reasoning != nil })
	}
	h.out[n].Content = append(h.out[n].Content, content...)
}

// settled returns the messages, results before all else in theirs: they answer the calls, then the user speaks.
func (h *history) settled() []message {
	for i, m := range h.out {
		slices.SortStableFunc(h.out[i].Content, func(a, b block) int {
			if m.Role != roleUser || (a.ToolResult != nil) == (b.ToolResult != nil) {
				return 0
			}
			if a.ToolResult != nil {
				return -1
			}
			return 1
		})
	}
	return h.out
}

func (h *history) userBlocks(m engine.Message) []block {
	var out []block
	for _, p := range m.Parts {
		switch p := p.(type) {
		case engine.Text:
			if text := strings.TrimSpace(p.Text); text != "" && m.Role == engine.RoleTool {
				out = append(out, block{Text: provider.Steer(text)}) // a word that rides on the results
			} else if text != "" {
				out = append(out, block{Text: p.Text})
			}
		case engine.Image:
			out = append(out, imageBlock(p))
		case engine.Result:
			out = append(out, h.resultBlock(p))
		case engine.Thought, engine.Call, engine.Opaque, engine.Unknown:
			// no user says these
		}
	}
	return out
}

func imageBlock(p engine.Image) block {
	kind, _, err := mime.ParseMediaType(p.MIME)
	format := imageFormats[kind]
	if err != nil || format == "" || len(p.Data) == 0 {
		return block{Text: fmt.Sprintf("(an image of type %q, which this model cannot be sent)", p.MIME)}
	}
	return block{Image: &image{format, imageSource{p.Data}}}
}

func (h *history) resultBlock(r engine.Result) block {
	text := provider.Unmarked(provider.ResultText(r.Text))
	if h.plain {
		text = strings.ReplaceAll(text, "(end of the answer)", "[end of the answer]") // what a file holds must not pose as the user
		return block{Text: fmt.Sprintf(strings.TrimSuffix(answeredText, "\n"), r.Name, text)}
	}
	out := toolResult{ID: safeID(r.CallID), Content: []block{{Text: text}}}
	if provider.Failed(r.Status) {
		out.Status = "error"
	}
	return block{ToolResult: &out}
}

// assistantBlocks keeps the order in which the model spoke. Reasoning goes back to the model that sealed it, and only
// with its seal; without calls that it belongs to it need not go back at all.
func (h *history) assistantBlocks(m engine.Message) []block {
	own := m.Model == h.model && !h.plain
	var out []block
	for _, p := range m.Parts {
		switch p := p.(type) {
		case engine.Text:
			if strings.TrimSpace(p.Text) != "" {
				out = append(out, block{Text: p.Text})
			}
		case engine.Thought:
			if own && p.Signature != "" && strings.TrimSpace(p.Text) != "" {
				out = append(out, block{Reasoning: &reasoning{Text: &reasoningText{p.Text, p.Signature}}})
			}
		case engine.Opaque:
			if own && p.Mode == engine.BedrockConverse && p.Kind == kindRedacted && json.Valid(p.Data) {
				out = append(out, block{Reasoning: &reasoning{Redacted: p.Data}})
			}
		case engine.Call:
			out = append(out, h.callBlock(p))
		case engine.Image, engine.Result, engine.Unknown:
			// no assistant says these
		}
	}
	if !slices.ContainsFunc(out, func(b block) bool { return b.Reasoning == nil }) {
		return nil // a message of reasoning alone is none
	}
	return out
}

func (h *history) callBlock(c engine.Call) block {
	if h.plain {
		return block{Text: fmt.Sprintf(strings.TrimSuffix(calledText, "\n"), c.Name, input(c.Args))}
	}
	return block{ToolUse: &toolUse{safeID(c.ID), safeName(c.Name), input(c.Args)}}
}
