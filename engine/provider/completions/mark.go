package completions

import (
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"talaria/engine"
	"talaria/engine/provider"
)

// cacheControl ends a prefix that the server keeps, for five minutes when TTL is "".
type cacheControl struct {
	Type string `json:"type"`
	TTL  string `json:"ttl,omitempty"`
}

// part is a piece of content that can carry a mark.
type part struct {
	openai.ChatMessagePart
	Cache *cacheControl `json:"cache_control,omitempty"`
}

// markOf is the mark that the request's model wants, nil for one that wants none.
func markOf(r engine.Request, q quirks) *cacheControl {
	if !q.marks || r.Cache == engine.CacheOff {
		return nil
	}
	for _, f := range markFamilies {
		if !strings.HasPrefix(provider.BareModel(r.Route.Model), f.begins) {
			continue
		}
		if f.hour {
			return &cacheControl{"ephemeral", string(r.Cache)}
		}
		return &cacheControl{Type: "ephemeral"}
	}
	return nil
}

// mark sets the cache breakpoints of BEHAVIOUR 11: at the end of the system prompt and of the last three messages, a run
// of results counting as one, since the server makes one of it. All content becomes a list, marked or not, so that a
// message keeps its bytes when the marks move on.
func mark(msgs []message, here *cacheControl) {
	left := 3
	for i := len(msgs) - 1; i >= 0; i-- {
		m := &msgs[i]
		parts := partsOf(m.Content)
		if len(parts) == 0 {
			continue // calls alone: the results after them are marked
		}
		m.Content = parts
		run := m.Role == openai.ChatMessageRoleTool && i+1 < len(msgs) && msgs[i+1].Role == openai.ChatMessageRoleTool
		switch {
		case i == 0 && (m.Role == openai.ChatMessageRoleSystem || m.Role == openai.ChatMessageRoleDeveloper):
		case run || left == 0:
			continue
		default:
			left--
		}
		parts[len(parts)-1].Cache = here
	}
}

// partsOf is content as a list; nil for none.
func partsOf(content any) []part {
	switch c := content.(type) {
	case string:
		return []part{{ChatMessagePart: openai.ChatMessagePart{Type: openai.ChatMessagePartTypeText, Text: c}}}
	case []openai.ChatMessagePart:
		out := make([]part, len(c))
		for i, p := range c {
			out[i].ChatMessagePart = p
		}
		return out
	}
	return nil
}
