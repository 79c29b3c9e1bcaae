package messages

import (
	"bytes"
	"encoding/json"
	"strings"

	"talaria/engine"
	"talaria/engine/provider"
)

// open is a block of the reply while it comes in.
type open struct {
	kind      string
	place     int // of a call: its slot
	input     json.RawMessage
	args      strings.Builder // input in pieces
	signature strings.Builder
	raw       map[string]json.RawMessage // all fields, of a block that is kept as it is
	whole     json.RawMessage            // the same, as it came; nil once a piece changed it
}

// start is how a block begins. Only non-streaming replies hold more than its head.
type start struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	Thinking  string          `json:"thinking"`
	Signature string          `json:"signature"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
}

// begin opens the block at the server's index i. What is neither text, thinking nor a call of ours is kept as it is: a
// tool that the server ran by itself must never be run here.
func (d *decoder) begin(i int, raw json.RawMessage) {
	d.close(i)
	var s start
	if !d.Hold(len(raw)+provider.HeldPiece) || len(raw) == 0 || raw[0] != '{' || provider.Lenient(raw, &s) != nil {
		return
	}
	d.some = true
	b := &open{kind: s.Type, input: s.Input}
	if d.blocks == nil {
		d.blocks = map[int]*open{}
	}
	d.blocks[i] = b
	switch s.Type {
	case "text":
		d.say(s.Text)
	case "thinking":
		b.signature.WriteString(s.Signature)
		d.muse(s.Thinking)
	case "tool_use":
		b.place = len(d.calls)
		d.calls = append(d.calls, b)
		d.Emit(engine.CallDelta{Index: b.place, ID: s.ID, Name: s.Name})
	default:
		b.whole = bytes.Clone(raw)
		if json.Unmarshal(raw, &b.raw) != nil {
			delete(d.blocks, i)
		}
	}
}

func (d *decoder) say(text string) {
	if text != "" {
		d.Emit(engine.TextDelta{Text: text})
	}
}

func (d *decoder) muse(text string) {
	if text != "" {
		d.Emit(engine.ThoughtDelta{Text: text})
	}
}

// piece takes a content_block_delta. Text and thinking need no open block: some gateways leave its start out.
func (d *decoder) piece(e *event, raw []byte) {
	d.some = true
	b := d.blocks[e.Index]
	switch {
	case b != nil && b.raw != nil && d.Hold(len(raw)):
		b.grow(e.Delta, raw)
	case e.Delta.Type == "text_delta":
		d.say(e.Delta.Text)
	case e.Delta.Type == "thinking_delta":
		d.muse(e.Delta.Thinking)
	case b == nil:
	case e.Delta.Type == "signature_delta" && d.Hold(len(e.Delta.Signature)):
		b.signature.WriteString(e.Delta.Signature)
	case e.Delta.Type == "input_json_delta" && b.kind == "tool_use" && e.Delta.PartialJSON != "":
		b.args.WriteString(e.Delta.PartialJSON)
		d.Emit(engine.CallDelta{Index: b.place, Args: e.Delta.PartialJSON})
	}
}

// grow adds a piece to a block that is kept as it is: partial JSON to its input, text to the field of the piece's name.
func (b *open) grow(piece delta, raw []byte) {
	b.args.WriteString(piece.PartialJSON)
	if piece.Type == "input_json_delta" {
		return
	}
	var e struct {
		Delta map[string]json.RawMessage `json:"delta"`
	}
	if json.Unmarshal(raw, &e) != nil {
		return
	}
	for field, v := range e.Delta {
		if field == "type" {
			continue
		}
		var had, more string
		if json.Unmarshal(b.raw[field], &had) == nil && json.Unmarshal(v, &more) == nil {
			if joined, err := engine.Marshal(had + more); err == nil {
				v = joined
			}
		}
		b.raw[field], b.whole = bytes.Clone(v), nil
	}
}

// close ends the block at index i, if one is open there.
func (d *decoder) close(i int) {
	b := d.blocks[i]
	if b == nil {
		return
	}
	delete(d.blocks, i)
	switch {
	case b.raw != nil:
		if o, ok := b.opaque(); ok {
			d.Emit(engine.OpaqueDelta{Opaque: o})
		}
	case b.kind == "thinking" && b.signature.Len() > 0:
		d.Emit(engine.ThoughtDelta{Signature: b.signature.String()})
	case b.kind == "tool_use" && b.args.Len() == 0 && provider.Present(b.input):
		var compact bytes.Buffer
		if json.Compact(&compact, b.input) == nil {
			b.args.Write(compact.Bytes())
			d.Emit(engine.CallDelta{Index: b.place, Args: compact.String()})
		}
	}
}

// opaque is the block as it goes back to the server.
func (b *open) opaque() (engine.Opaque, bool) {
	if args := strings.TrimSpace(b.args.String()); args != "" {
		if !json.Valid([]byte(args)) {
			args = "{}"
		}
		b.raw["input"], b.whole = json.RawMessage(args), nil
	}
	data := b.whole
	if data == nil {
		joined, err := engine.Marshal(b.raw)
		if err != nil {
			return engine.Opaque{}, false
		}
		data = joined
	}
	return engine.Opaque{Mode: engine.AnthropicMessages, Kind: b.kind, Data: data}, true
}
