package converse

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"talaria/engine"
	"talaria/engine/provider"
)

// openBlock is a content block while it comes in. A signature and sealed reasoning are told when it closes: both may
// come in pieces, and are worth nothing in part.
type openBlock struct {
	call      int  // its slot, -1 for a block that is no call
	server    bool // a tool that Amazon runs: nothing to do, nothing to show
	signature strings.Builder
	sealed    []byte
}

// block returns the open block under an index; text and reasoning begin without being announced.
func (d *decoder) block(index int) *openBlock {
	b := d.open[index]
	if b == nil {
		b = &openBlock{call: -1}
		d.Hold(provider.HeldPiece)
		if d.open == nil {
			d.open = map[int]*openBlock{}
		}
		d.open[index] = b
	}
	return b
}

func (d *decoder) start(index int, call *toolUseStart) {
	d.close(index) // a server that counts wrongly begins another block, not the same once more
	b := d.block(index)
	if call == nil {
		return
	}
	if b.server = call.Type == "server_tool_use"; !b.server {
		d.openCall(b, call.ID, call.Name)
	}
}

func (d *decoder) openCall(b *openBlock, id, name string) {
	b.call, d.some = len(d.calls), true
	d.calls = append(d.calls, &strings.Builder{})
	d.Emit(engine.CallDelta{Index: b.call, ID: id, Name: name})
}

func (d *decoder) delta(index int, in deltaBlock) {
	b := d.block(index)
	if in.Text != "" {
		d.some = true
		d.Emit(engine.TextDelta{Text: in.Text})
	}
	if r := in.Reasoning; r != nil {
		d.some = true
		if r.Text != "" {
			d.Emit(engine.ThoughtDelta{Text: r.Text})
		}
		if !d.Hold(len(r.Signature) + len(r.Redacted)) {
			return
		}
		b.signature.WriteString(r.Signature)
		b.sealed = append(b.sealed, r.Redacted...)
	}
	if in.ToolUse == nil || b.server {
		return
	}
	if b.call < 0 {
		d.openCall(b, "", "") // arguments of a call that was never announced: the loop refuses it by its missing name
	}
	if args := provider.Arguments(in.ToolUse.Input); args != "" {
		d.calls[b.call].WriteString(args)
		d.Emit(engine.CallDelta{Index: b.call, Args: args})
	}
}

// close tells what a block keeps for its end.
func (d *decoder) close(index int) {
	b := d.open[index]
	if b == nil {
		return
	}
	delete(d.open, index)
	if b.signature.Len() > 0 {
		d.Emit(engine.ThoughtDelta{Signature: b.signature.String()})
	}
	if len(b.sealed) > 0 {
		data, err := json.Marshal(b.sealed) // base64, as on the wire
		if err == nil {
			d.Emit(engine.OpaqueDelta{Opaque: engine.Opaque{Mode: engine.BedrockConverse, Kind: kindRedacted, Data: data}})
		}
	}
}

func (d *decoder) closeAll() {
	for _, index := range slices.Sorted(maps.Keys(d.open)) {
		d.close(index)
	}
}
