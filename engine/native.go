package engine

import "slices"

// Native is history without the reasoning and the provider state of everybody but maker (Route.Maker): both are good for
// the model that made them only. What has no From is left as it is. History itself is not changed.
func Native(history []Message, maker string) []Message {
	out := slices.Clone(history)
	for i, m := range out {
		if m.From != "" && m.From != maker {
			out[i].Parts = m.Parts.Plain()
		}
	}
	return out
}

// Plain returns parts without reasoning and provider state.
func (parts Parts) Plain() Parts {
	var out Parts
	for _, p := range parts {
		_, thought := p.(Thought)
		_, opaque := p.(Opaque)
		if c, ok := p.(Call); ok {
			c.Extra = nil
			p = c
		}
		if !thought && !opaque {
			out = append(out, p)
		}
	}
	return out
}
