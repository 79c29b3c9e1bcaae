package responses

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"talaria/engine"
	"talaria/engine/provider"
)

// lostResult stands in for a result that was lost, which the server refuses.
const lostResult = "no result was recorded for this call; it may have run in part"

// The items of "input".
type (
	// message is what somebody said. Content is a string or a list of parts. Id and status are the assistant's only.
	message struct {
		Type    string `json:"type"`
		ID      string `json:"id,omitempty"`
		Role    string `json:"role"`
		Status  string `json:"status,omitempty"`
		Phase   string `json:"phase,omitempty"`
		Content any    `json:"content"`
	}
	outputText struct {
		Type        string   `json:"type"`
		Text        string   `json:"text"`
		Annotations []string `json:"annotations"`
	}
	functionCall struct {
		Type      string `json:"type"`
		CallID    string `json:"call_id"`
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	}
	// thinking is sealed reasoning. It goes back without its id: with store false no server could look it up.
	thinking struct {
		Type      string        `json:"type"`
		Encrypted string        `json:"encrypted_content"`
		Summary   []summaryText `json:"summary"`
	}
	summaryText struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
)

// inputs makes the list. Every entry depends only on what stands before it, so the list of a longer history begins with
// that of a shorter one.
type inputs struct {
	from   origin
	items  []any
	used   map[string]bool // ids of calls and messages, and seals, that stand in items
	open   []openCall      // calls of the newest assistant message without a result
	steers []string        // the user's words that came with the results
}

type openCall struct{ id, wire string }

func input(msgs []engine.Message, from origin) []any {
	b := &inputs{from: from, items: []any{}, used: map[string]bool{}}
	for _, m := range msgs {
		if m.Aside {
			continue
		}
		if m.Role != engine.RoleTool {
			b.settle()
		}
		switch m.Role {
		case engine.RoleSystem:
			b.add(message{Type: "message", Role: "system", Content: m.Text()})
		case engine.RoleUser:
			b.user(m)
		case engine.RoleAssistant:
			b.assistant(m)
		case engine.RoleTool:
			b.results(m)
		}
	}
	b.settle()
	return b.items
}

func (b *inputs) add(item any) { b.items = append(b.items, item) }

// settle closes a run of results: a call without one gets one, and the user's words follow them all.
func (b *inputs) settle() {
	for _, c := range b.open {
		b.output(c.wire, lostResult)
	}
	for _, word := range b.steers {
		b.add(message{Type: "message", Role: "user", Content: []any{inputText(provider.Steer(word))}})
	}
	b.open, b.steers = nil, nil
}

func (b *inputs) output(id, text string) {
	b.add(openai.ResponseFunctionCallOutput{Type: "function_call_output", CallID: id, Output: text})
}

func inputText(text string) openai.ResponseInputText {
	return openai.ResponseInputText{Type: "input_text", Text: text}
}

func (b *inputs) user(m engine.Message) {
	parts := []any{}
	for _, p := range m.Parts {
		switch p := p.(type) {
		case engine.Text:
			if strings.TrimSpace(p.Text) != "" {
				parts = append(parts, inputText(p.Text))
			}
		case engine.Image:
			parts = append(parts, openai.ResponseInputImage{Type: "input_image", Detail: "auto", ImageURL: provider.DataURL(p)})
		case engine.Thought, engine.Call, engine.Result, engine.Opaque, engine.Unknown:
			// no user says these
		}
	}
	if len(parts) == 0 {
		parts = append(parts, inputText(provider.EmptyUser))
	}
	b.add(message{Type: "message", Role: "user", Content: parts})
}

// assistant adds the items of a reply in the order in which they came. A message's label stands after its text.
func (b *inputs) assistant(m engine.Message) {
	var text strings.Builder
	begin := len(b.items)
	say := func(l label) {
		if strings.TrimSpace(text.String()) != "" {
			b.say(text.String(), l)
		}
		text.Reset()
	}
	for _, p := range m.Parts {
		switch p := p.(type) {
		case engine.Text:
			text.WriteString(p.Text)
		case engine.Call:
			say(label{})
			b.call(p)
		case engine.Opaque:
			var l label
			var r thinking
			switch {
			case p.Kind == kindMessage && b.from.open(p, &l):
				say(l)
			case p.Kind == kindReasoning && b.from.open(p, &r):
				say(label{})
				b.think(r)
			}
		case engine.Thought, engine.Image, engine.Result, engine.Unknown:
			// open reasoning is not taken back; no assistant says the others
		}
	}
	say(label{})
	if n := len(b.items); n > begin {
		if _, alone := b.items[n-1].(thinking); alone {
			b.add(message{Type: "message", Role: "assistant", Content: ""}) // reasoning without what it led to is refused
		}
	}
}

// say adds a message of the assistant. Without an id of the server's it gets one from its place, since the protocol
// wants one.
func (b *inputs) say(text string, l label) {
	if l.ID == "" || len(l.ID) > maxID || b.used[l.ID] {
		l.ID = fmt.Sprintf("msg_%d", len(b.items))
	}
	b.used[l.ID] = true
	b.add(message{Type: "message", ID: l.ID, Role: "assistant", Status: "completed", Phase: l.Phase,
		Content: []outputText{{"output_text", text, []string{}}}})
}

func (b *inputs) think(r thinking) {
	if r.Encrypted == "" || b.used[r.Encrypted] {
		return
	}
	b.used[r.Encrypted] = true
	if r.Summary == nil {
		r.Summary = []summaryText{}
	}
	r.Type = kindReasoning
	b.add(r)
}

func (b *inputs) call(c engine.Call) {
	id := b.callID(c)
	b.open = append(b.open, openCall{c.ID, id})
	b.add(functionCall{"function_call", id, c.Name, provider.ValidArgs(c.Args)})
}

// callID is the id of c as this protocol takes it: of "call|item" the call's, the characters it allows, 64 of them at
// most, and once in a request. What cannot be kept becomes a hash, the same each time.
func (b *inputs) callID(c engine.Call) string {
	id, _, _ := strings.Cut(c.ID, "|")
	if rest, ok := strings.CutPrefix(id, "fc_"); ok {
		id = "call_" + rest // an item's id in the place of the call's
	}
	id = provider.Word(id)
	if id == "" || len(id) > maxID || b.used[id] {
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%d", c.ID, c.Name, c.Args, len(b.items)))
		id = "call_" + hex.EncodeToString(sum[:12])
	}
	b.used[id] = true
	return id
}

// results answers the open calls. A result that answers none, or one twice, is left out.
func (b *inputs) results(m engine.Message) {
	for _, r := range m.Results() {
		for i, c := range b.open {
			if c.id != r.CallID {
				continue
			}
			b.output(c.wire, provider.Unmarked(provider.ResultText(r.Text)))
			b.open = append(b.open[:i:i], b.open[i+1:]...)
			break
		}
	}
	if word := strings.TrimSpace(m.Text()); word != "" {
		b.steers = append(b.steers, word)
	}
}
