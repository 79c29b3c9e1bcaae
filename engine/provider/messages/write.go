package messages

import (
	"encoding/json"
	"slices"
	"strings"

	"talaria/engine"
	"talaria/engine/provider"
)

// writer makes the wire's messages of a history. Roles alternate there, and one user message directly after a reply
// holds the results of all its calls, then what the user said.
type writer struct {
	asked  string // the model the request is for
	host   host
	recall recallWay
	ran    map[string]bool // the server's tools that have a result

	out   []message
	ids   ids
	calls []string          // of the last reply, as the wire calls them, in order
	wire  map[string]string // their ids in the history, to those
	done  map[string]block  // their results
	said  []block           // what the user said since
	open  bool              // a user message is being gathered
}

func (w *writer) write(history []engine.Message) []message {
	turn := lastUser(history)
	w.ran = ran(history)
	for i, m := range history {
		if m.Aside {
			continue
		}
		switch m.Role {
		case engine.RoleAssistant:
			w.assistant(m, i > turn || w.recall == recallAll, i == len(history)-1)
		case engine.RoleTool:
			w.results(m)
		case engine.RoleUser, engine.RoleSystem:
			w.user(m)
		}
	}
	w.flush()
	return w.out
}

// lastUser is where the present turn began.
func lastUser(history []engine.Message) int {
	for i := len(history) - 1; i >= 0; i-- {
		if m := history[i]; m.Role == engine.RoleUser && !m.Aside {
			return i
		}
	}
	return -1
}

func (w *writer) user(m engine.Message) {
	w.open = true
	for _, p := range m.Parts {
		switch p := p.(type) {
		case engine.Text:
			if b, ok := textBlock(p.Text); ok {
				w.said = append(w.said, b)
			}
		case engine.Image:
			w.said = append(w.said, imageBlock(p))
		case engine.Thought, engine.Call, engine.Result, engine.Opaque, engine.Unknown:
			// no user says these
		}
	}
}

// results takes up the results of the last reply's calls, each once; others are orphans, which the server refuses (H02).
func (w *writer) results(m engine.Message) {
	for _, r := range m.Results() {
		id, ours := w.wire[r.CallID]
		if _, twice := w.done[id]; ours && !twice {
			w.done[id] = resultBlock(r, id)
		}
	}
	if word := strings.TrimSpace(m.Text()); word != "" {
		w.open, w.said = true, append(w.said, block{Type: "text", Text: provider.Steer(word)})
	}
}

// flush ends the user message that answers the last reply. A call without a result gets one that says so (H01).
func (w *writer) flush() {
	var content []block
	for _, id := range w.calls {
		b, ok := w.done[id]
		if !ok {
			b = resultBlock(engine.Result{Text: noResult, Status: engine.StatusStopped}, id)
		}
		content = append(content, b)
	}
	content = append(content, w.said...)
	if len(content) == 0 && w.open {
		content = []block{{Type: "text", Text: provider.EmptyUser}}
	}
	w.add(engine.RoleUser, content)
	w.calls, w.wire, w.done, w.said, w.open = nil, nil, nil, nil, false
}

// add appends content, to the last message when that has the same role.
func (w *writer) add(r engine.Role, content []block) {
	n := len(w.out)
	switch {
	case len(content) == 0:
	case n > 0 && w.out[n-1].Role == r:
		w.out[n-1].Content = append(w.out[n-1].Content, content...)
	default:
		w.out = append(w.out, message{r, content})
	}
}

// assistant writes a reply in the order it was made. recalled: its thinking is still to be sent. last: it is the end of
// the history, so that the server goes on with it.
func (w *writer) assistant(m engine.Message, recalled, last bool) {
	w.flush()
	same := sameModel(m.Model, w.asked)
	recalled = recalled && !hollow(m.Parts)
	var content []block
	speaks := false
	for _, p := range m.Parts {
		b, ok := block{}, false
		switch p := p.(type) {
		case engine.Text:
			b, ok = textBlock(p.Text)
		case engine.Thought:
			b, ok = w.thought(p, same && recalled)
		case engine.Call:
			b, ok = w.call(p), true
		case engine.Opaque:
			b, ok = w.opaque(p, m, same, recalled)
			ok = ok && (last || !w.unanswered(p))
		case engine.Image, engine.Result, engine.Unknown:
			// no assistant says these
		}
		if ok {
			content = append(content, b)
			speaks = speaks || b.Type != "thinking" && b.Type != kindRedacted
		}
	}
	if speaks { // the server refuses a message without content, and thinking is none
		w.add(engine.RoleAssistant, content)
	}
}

// hollow reports whether a reply holds a sealed thought without its text. That is never sent (H08); and since the server
// refuses a reply of whose thinking only a part comes back, the rest is not sent either.
func hollow(parts engine.Parts) bool {
	return slices.ContainsFunc(parts, func(p engine.Part) bool {
		t, ok := p.(engine.Thought)
		return ok && t.Text == "" && t.Signature != ""
	})
}

// thought is thinking as the host takes it back.
func (w *writer) thought(p engine.Thought, replay bool) (block, bool) {
	if w.host.unsigned {
		return block{Type: "thinking", Thinking: p.Text}, replay && p.Text != "" && p.Signature == ""
	}
	return block{Type: "thinking", Thinking: p.Text, Signature: p.Signature}, replay && p.Text != "" && p.Signature != ""
}

func (w *writer) call(p engine.Call) block {
	if w.wire == nil {
		w.wire, w.done = map[string]string{}, map[string]block{}
	}
	id := w.ids.wire(p.ID)
	w.calls, w.wire[p.ID] = append(w.calls, id), id
	return block{Type: "tool_use", ID: id, Name: toolName(p.Name), Input: input(p.Args)}
}

// opaque is a block of the server's own: sealed thinking, or a tool that it ran itself. Only the model that made it
// gets it back.
func (w *writer) opaque(p engine.Opaque, m engine.Message, same, recalled bool) (block, bool) {
	if p.Mode != engine.AnthropicMessages || !same || !isObject(p.Data) || p.Kind == kindRedacted && (!recalled || w.host.unsigned) {
		return block{}, false
	}
	return block{Type: p.Kind, raw: provider.Paired(p.Data)}, true
}

func isObject(raw []byte) bool { return len(raw) > 0 && raw[0] == '{' && json.Valid(raw) }

// ref is how a server's tool and its result name one another.
type ref struct {
	ID        string `json:"id"`
	ToolUseID string `json:"tool_use_id"`
}

// ran returns the ids of the server's tools that have a result in the history.
func ran(history []engine.Message) map[string]bool {
	found := map[string]bool{}
	for _, m := range history {
		for _, p := range m.Parts {
			var r ref
			if o, ok := p.(engine.Opaque); ok && json.Unmarshal(o.Data, &r) == nil && r.ToolUseID != "" {
				found[r.ToolUseID] = true
			}
		}
	}
	return found
}

// unanswered reports whether p is a call of a server's tool that has no result, which the server only takes while the
// reply is paused.
func (w *writer) unanswered(p engine.Opaque) bool {
	var call ref
	return p.Kind == "server_tool_use" && json.Unmarshal(p.Data, &call) == nil && !w.ran[call.ID]
}
