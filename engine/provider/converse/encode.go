package converse

import (
	"encoding/json"
	"errors"
	"strings"

	"talaria/engine"
	"talaria/engine/provider"
)

// request is the body. The order of the fields is the order on the wire, so equal requests have equal bytes.
type request struct {
	Messages  []message      `json:"messages"`
	System    []block        `json:"system,omitempty"`
	Tools     *toolConfig    `json:"toolConfig,omitempty"`
	Inference *inference     `json:"inferenceConfig,omitempty"`
	More      map[string]any `json:"additionalModelRequestFields,omitempty"`
}

type inference struct {
	MaxTokens int `json:"maxTokens"`
}

type toolConfig struct {
	Tools []tool `json:"tools"`
}

type tool struct {
	Spec toolSpec `json:"toolSpec"`
}

type toolSpec struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Schema      struct {
		JSON json.RawMessage `json:"json"`
	} `json:"inputSchema"`
}

// encode returns the body for r; the same r gives the same bytes.
func encode(r engine.Request) ([]byte, error) {
	if r.Route.Model == "" {
		return nil, errors.New("no model is chosen")
	}
	fam := familyOf(r.Route.Model)
	h := history{model: r.Route.Model, plain: len(r.Tools) == 0}
	for _, m := range r.Messages {
		if !m.Aside {
			h.add(m)
		}
	}
	out := request{Messages: h.settled(), System: system(r)}
	if len(out.Messages) == 0 {
		return nil, errors.New("there is no message to send")
	}
	var err error
	if out.Tools, err = tools(r.Tools); err != nil {
		return nil, err
	}
	if r.MaxTokens > 0 {
		out.Inference = &inference{r.MaxTokens}
	}
	fam.reason(&out, r)
	if fam.cache != cacheNone && r.Cache != engine.CacheOff {
		point := cachePoint{Type: "default"}
		if fam.cache == cacheHour {
			point.TTL = string(r.Cache)
		}
		out.mark(block{CachePoint: &point})
	}
	return engine.Marshal(out)
}

func system(r engine.Request) []block {
	var out []block
	if strings.TrimSpace(r.System) != "" {
		out = append(out, block{Text: r.System})
	}
	for _, m := range r.Messages {
		if text := m.Text(); m.Role == engine.RoleSystem && !m.Aside && strings.TrimSpace(text) != "" {
			out = append(out, block{Text: text})
		}
	}
	return out
}

// mark sets the cache points: after the system prompt, which covers the tools before it, and after the last two messages
// of the user, so that each request finds what the one before it has written. Claude takes at most four.
func (r *request) mark(point block) {
	if len(r.System) > 0 {
		r.System = append(r.System, point)
	}
	for i, left := len(r.Messages)-1, 2; i >= 0 && left > 0; i-- {
		if r.Messages[i].Role == roleUser {
			r.Messages[i].Content = append(r.Messages[i].Content, point)
			left--
		}
	}
}

func tools(specs []engine.Spec) (*toolConfig, error) {
	var out toolConfig
	seen := map[string]bool{}
	for _, s := range specs {
		if seen[s.Name] {
			continue // a name that comes twice makes the request invalid
		}
		seen[s.Name] = true
		t := tool{toolSpec{Name: s.Name, Description: strings.TrimSpace(s.Doc)}}
		schema, err := provider.ToolSchema(s.Schema, notAtRoot...)
		if err != nil {
			return nil, err
		}
		t.Spec.Schema.JSON = schema
		out.Tools = append(out.Tools, t)
	}
	if len(out.Tools) == 0 {
		return nil, nil
	}
	return &out, nil
}

// notAtRoot are the words that one family or another refuses at the root of a schema (Nova: all but type, properties and
// required; Claude: the unions).
var notAtRoot = []string{"$schema", "$id", "title", "additionalProperties", "oneOf", "anyOf", "allOf"}
