package think

import (
	"strings"

	"talaria/engine"
)

// Message returns a finished message as it would have come through Wrap: reasoning in the text of an assistant is told as
// thoughts. It is for what was stored by another program, and changes nothing that went through Wrap; signed thoughts,
// calls and opaque state stay as they are. A message without a tag is returned as it is.
func Message(m engine.Message) engine.Message {
	if m.Role != engine.RoleAssistant {
		return m
	}
	var parts engine.Parts
	changed := false
	for _, p := range m.Parts {
		t, ok := p.(engine.Text)
		if !ok || !strings.Contains(t.Text, "<") {
			parts = append(parts, p)
			continue
		}
		visible, reasoning := Clean(t.Text)
		if visible == t.Text {
			parts = append(parts, p)
			continue
		}
		changed = true
		if reasoning != "" {
			parts = append(parts, engine.Thought{Text: reasoning})
		}
		if visible != "" {
			parts = append(parts, engine.Text{Text: visible})
		}
	}
	if changed {
		m.Parts = parts
	}
	return m
}

// Messages is Message of each.
func Messages(list []engine.Message) []engine.Message {
	out := make([]engine.Message, len(list))
	for i, m := range list {
		out[i] = Message(m)
	}
	return out
}

// Record is Message of what a record appended; other records stay as they are.
func Record(r engine.Record) engine.Record {
	if a, ok := r.Event.(engine.Appended); ok {
		r.Event = engine.Appended{Message: Message(a.Message)}
	}
	return r
}
