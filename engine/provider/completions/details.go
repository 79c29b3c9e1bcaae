package completions

import (
	"encoding/json"
	"slices"
	"strings"

	"talaria/engine"
	"talaria/engine/provider"
)

// details gathers reasoning_details (OpenRouter, Vercel): objects that come in pieces, some sealed, which have to go
// back as they came or the model forgets what it thought.
type details struct {
	list []map[string]json.RawMessage
}

// detailTexts are the fields that come in pieces.
var detailTexts = []string{"text", "summary", "data"}

func (d *details) add(raw json.RawMessage) {
	if !provider.Present(raw) {
		return
	}
	var pieces []map[string]json.RawMessage
	if json.Unmarshal(raw, &pieces) != nil {
		return
	}
	for _, p := range pieces {
		if len(p) == 0 {
			continue
		}
		if n := len(d.list); n > 0 && sameDetail(d.list[n-1], p) {
			joinDetail(d.list[n-1], p)
			continue
		}
		d.list = append(d.list, p)
	}
}

// sameDetail reports whether q goes on with p. What is sealed comes whole.
func sameDetail(p, q map[string]json.RawMessage) bool {
	return string(p["type"]) == string(q["type"]) && string(p["index"]) == string(q["index"]) && textOf(q["data"]) == "" && textOf(p["data"]) == ""
}

func joinDetail(p, q map[string]json.RawMessage) {
	for field, v := range q {
		if slices.Contains(detailTexts, field) {
			if joined, err := engine.Marshal(textOf(p[field]) + textOf(v)); err == nil {
				p[field] = joined
			}
		} else if provider.Present(v) {
			p[field] = v
		}
	}
}

// opaque returns what has to go back; nothing when no piece is sealed, since plain reasoning need not.
func (d *details) opaque() (engine.Opaque, bool) {
	sealed := func(p map[string]json.RawMessage) bool {
		return textOf(p["data"]) != "" || textOf(p["signature"]) != ""
	}
	if !slices.ContainsFunc(d.list, sealed) {
		return engine.Opaque{}, false
	}
	data, err := engine.Marshal(d.list)
	if err != nil {
		return engine.Opaque{}, false
	}
	return engine.Opaque{Mode: engine.ChatCompletions, Kind: kindDetails, Data: data}, true
}

// detailsText is the reasoning that can be read in reasoning_details.
func detailsText(raw json.RawMessage) string {
	if !provider.Present(raw) {
		return ""
	}
	var list []struct {
		Text    json.RawMessage `json:"text"`
		Summary json.RawMessage `json:"summary"`
	}
	if provider.Lenient(raw, &list) != nil {
		return ""
	}
	var b strings.Builder
	for _, p := range list {
		if text := textOf(p.Text); text != "" {
			b.WriteString(text)
		} else {
			b.WriteString(textOf(p.Summary))
		}
	}
	return b.String()
}
