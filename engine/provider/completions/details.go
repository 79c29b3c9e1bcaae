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
	list []*detail
}

// detail is one object. texts are those of its fields that came in several pieces.
type detail struct {
	fields map[string]json.RawMessage
	texts  map[string]*strings.Builder
}

// detailTexts are the fields that come in pieces.
var detailTexts = []string{"text", "summary", "data"}

// add takes a list of pieces and returns about how many bytes are kept of it.
func (d *details) add(raw json.RawMessage) (kept int) {
	if !provider.Present(raw) {
		return 0
	}
	var pieces []map[string]json.RawMessage
	if json.Unmarshal(raw, &pieces) != nil {
		return 0
	}
	for _, p := range pieces {
		if len(p) == 0 {
			continue
		}
		if n := len(d.list); n > 0 && sameDetail(d.list[n-1], p) {
			kept += d.list[n-1].join(p)
			continue
		}
		d.list, kept = append(d.list, &detail{fields: p}), kept+len(raw)+provider.HeldPiece
	}
	return kept
}

// sameDetail reports whether q goes on with p. What is sealed comes whole.
func sameDetail(p *detail, q map[string]json.RawMessage) bool {
	return string(p.fields["type"]) == string(q["type"]) && string(p.fields["index"]) == string(q["index"]) && textOf(q["data"]) == "" && p.text("data") == ""
}

// join adds a piece and returns about how many bytes are kept of it.
func (p *detail) join(q map[string]json.RawMessage) (kept int) {
	for field, v := range q {
		switch {
		case slices.Contains(detailTexts, field):
			b := p.texts[field]
			if b == nil {
				b = &strings.Builder{}
				b.WriteString(textOf(p.fields[field]))
				if p.texts == nil {
					p.texts = map[string]*strings.Builder{}
				}
				p.texts[field] = b
			}
			b.WriteString(textOf(v))
			kept += len(v)
		case provider.Present(v):
			p.fields[field] = v
		}
	}
	return kept
}

func (p *detail) text(field string) string {
	if b := p.texts[field]; b != nil {
		return b.String()
	}
	return textOf(p.fields[field])
}

// opaque returns what has to go back; nothing when no piece is sealed, since plain reasoning need not.
func (d *details) opaque() (engine.Opaque, bool) {
	sealed := func(p *detail) bool { return p.text("data") != "" || p.text("signature") != "" }
	if !slices.ContainsFunc(d.list, sealed) {
		return engine.Opaque{}, false
	}
	all := make([]map[string]json.RawMessage, len(d.list))
	for i, p := range d.list {
		for field := range p.texts {
			joined, err := engine.Marshal(p.text(field))
			if err != nil {
				return engine.Opaque{}, false
			}
			p.fields[field] = joined
		}
		all[i] = p.fields
	}
	data, err := engine.Marshal(all)
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
