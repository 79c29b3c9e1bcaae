package messages

import (
	"errors"
	"fmt"
	"strings"

	"talaria/engine"
)

// request is the body. The order of the fields is the order on the wire: what stays the same from one request of a
// session to the next comes first, and equal requests have equal bytes.
type request struct {
	Model     string        `json:"model"`
	MaxTokens int           `json:"max_tokens"`
	Stream    bool          `json:"stream"`
	Thinking  *think        `json:"thinking,omitempty"`
	Output    *outputConfig `json:"output_config,omitempty"`
	Tools     []tool        `json:"tools,omitempty"`
	System    []block       `json:"system,omitempty"`
	Messages  []message     `json:"messages"`
}

// encode returns the body for r; the same r and h give the same bytes.
func encode(r engine.Request, h host) ([]byte, error) {
	switch {
	case r.Route.Model == "":
		return nil, errors.New("no model is chosen")
	case r.MaxTokens < 0:
		return nil, fmt.Errorf("the output cap must be positive, not %d", r.MaxTokens)
	}
	m := modelOf(r.Route.Model)
	out := request{Model: r.Route.Model, Stream: !r.NoStream}
	var err error
	if out.Tools, err = tools(r.Tools); err != nil {
		return nil, err
	}
	if strings.TrimSpace(r.System) != "" {
		out.System = []block{{Type: "text", Text: r.System}}
	}
	out.Messages = (&writer{asked: r.Route.Model, host: h, recall: m.recall}).write(r.Messages)
	if len(out.Messages) == 0 {
		return nil, errors.New("there is no message to send")
	}
	m.reasoning(&out, r, mayBudget(out.Messages))
	if r.Cache != engine.CacheOff {
		mark(&out, &cacheControl{"ephemeral", string(r.Cache)})
	}
	return engine.Marshal(out)
}

// mayBudget reports whether a thinking budget may be asked for: in the middle of a round of tools the server demands
// that the round began with thinking, which is gone after a change of model or effort.
func mayBudget(msgs []message) bool {
	first := ""
	for i := len(msgs) - 1; i > 0 && msgs[i].Content[0].Type == "tool_result"; i -= 2 {
		first = msgs[i-1].Content[0].Type
	}
	return first == "" || first == "thinking" || first == kindRedacted
}

// mark sets the cache breakpoints of BEHAVIOUR 11: after the system prompt, which covers the tools before it, and after
// each of the last three messages.
func mark(out *request, here *cacheControl) {
	switch {
	case len(out.System) > 0:
		out.System[0].Cache = here
	case len(out.Tools) > 0:
		out.Tools[len(out.Tools)-1].Cache = here
	}
	for i := max(0, len(out.Messages)-3); i < len(out.Messages); i++ {
		blocks := out.Messages[i].Content
		for j := len(blocks) - 1; j >= 0; j-- {
			if blocks[j].markable() {
				blocks[j].Cache = here
				break
			}
		}
	}
}
