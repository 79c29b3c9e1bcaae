package completions

import (
	"bytes"
	"encoding/json"
	"strings"

	"talaria/engine/provider"
)

// word is a bit of a reply: visible text or reasoning.
type word struct {
	text    string
	thought bool
}

// words adds to out what p says, in order. Servers double the reasoning in several fields; it is taken from the first that
// holds any: reasoning_content, reasoning, reasoning_text, thinking, reasoning_details, thinking parts of the content.
func (p *piece) words(out []word) []word {
	for _, raw := range []json.RawMessage{p.ReasoningContent, p.Reasoning, p.ReasoningText, p.Thinking} {
		if text := textOf(raw); text != "" {
			out = append(out, word{text, true})
			break
		}
	}
	if len(out) == 0 {
		if text := detailsText(p.Details); text != "" {
			out = append(out, word{text, true})
		}
	}
	return contentWords(out, p.Content)
}

// contentPart is one part of a content that is a list. Thinking is a string or again a list (Mistral).
type contentPart struct {
	Type     string          `json:"type"`
	Text     json.RawMessage `json:"text"`
	Thinking json.RawMessage `json:"thinking"`
}

// contentWords adds to out what a content says; its reasoning only where out holds none yet.
func contentWords(out []word, raw json.RawMessage) []word {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || raw[0] == 'n' {
		return out
	}
	if raw[0] != '[' {
		if text := textOf(raw); text != "" {
			out = append(out, word{text, false})
		}
		return out
	}
	var parts []json.RawMessage
	if json.Unmarshal(raw, &parts) != nil {
		return out
	}
	doubled := len(out) > 0
	for _, p := range parts {
		var c contentPart
		if provider.Lenient(p, &c) != nil || c.Type == "" && len(c.Text) == 0 {
			c = contentPart{Text: p}
		}
		if text := textOf(c.Thinking); text != "" && !doubled {
			out = append(out, word{text, true})
		}
		thought := c.Type == "thinking" || c.Type == "reasoning"
		if text := textOf(c.Text); text != "" && !(thought && doubled) {
			out = append(out, word{text, thought})
		}
	}
	return out
}

// textOf is the text of a JSON string, of an object's "text", or of a list of those; "" of anything else.
func textOf(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return ""
	}
	switch raw[0] {
	case '"':
		if text, ok := provider.Unquote(raw); ok {
			return text
		}
		var text string
		_ = json.Unmarshal(raw, &text) // the whole chunk was valid JSON
		return text
	case '{':
		var box struct {
			Text json.RawMessage `json:"text"`
		}
		if provider.Lenient(raw, &box) != nil {
			return ""
		}
		return textOf(box.Text)
	case '[':
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil {
			return ""
		}
		var b strings.Builder
		for _, one := range list {
			b.WriteString(textOf(one))
		}
		return b.String()
	}
	return ""
}
