package responses

import (
	"encoding/json"

	"talaria/engine"
)

// The kinds of Opaque that go back. What else a server adds (searches it made, calls of custom tools) is kept under its
// own type for the record, and never sent: with store false no server knows it any more.
const (
	kindReasoning = "reasoning"
	kindMessage   = "message"
)

// origin says who made an item: the address that answered, without scheme and query, and the model that was asked for.
type origin struct {
	From  string `json:"from"`
	Model string `json:"model"`
}

// kept is the Data of an Opaque of this mode.
type kept struct {
	origin
	Item json.RawMessage `json:"item"`
}

// keep returns an item as an Opaque; item is the server's JSON or a value of ours.
func (o origin) keep(kind string, item any) (engine.Opaque, bool) {
	raw, err := engine.Marshal(item)
	if err != nil {
		return engine.Opaque{}, false
	}
	data, err := engine.Marshal(kept{o, raw})
	if err != nil {
		return engine.Opaque{}, false
	}
	return engine.Opaque{Mode: engine.CodexResponses, Kind: kind, Data: data}, true
}

// open reads the item of p into v; false when another mode, server or model made it.
func (o origin) open(p engine.Opaque, v any) bool {
	var k kept
	if p.Mode != engine.CodexResponses || json.Unmarshal(p.Data, &k) != nil || k.origin != o {
		return false
	}
	return json.Unmarshal(k.Item, v) == nil
}

// label is what of a message item its text does not say. Phase tells a remark on the way ("commentary") from the
// answer; models that know it work worse when it does not come back.
type label struct {
	ID    string `json:"id,omitempty"`
	Phase string `json:"phase,omitempty"`
}

const phaseCommentary = "commentary"

// maxPauses is how often in a row a reply that only remarked on the work may be taken for a pause.
const maxPauses = 3

// pauses counts the remarks at the end of the history: those that nobody and no tool has answered.
func pauses(r engine.Request) int {
	n := len(r.Messages)
	if n == 0 || r.Messages[n-1].Role != engine.RoleAssistant {
		return 0
	}
	count := 0
	for _, p := range r.Messages[n-1].Parts {
		var k kept
		var l label
		if o, ok := p.(engine.Opaque); ok && o.Kind == kindMessage && json.Unmarshal(o.Data, &k) == nil && json.Unmarshal(k.Item, &l) == nil && l.Phase == phaseCommentary {
			count++
		}
	}
	return count
}
