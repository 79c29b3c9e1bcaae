package messages

import (
	"encoding/json"

	"talaria/engine/provider"
)

// decoder reads one reply and yields its deltas.
type decoder struct {
	provider.Reply
	blocks map[int]*open // by the server's index
	calls  []*open       // in order of first appearance
	told   usage
	stop   string // stop_reason, as the server calls it
	some   bool   // any part of a reply came
	plain  event  // the newest that was read the fast way
}

// Marked is no part of the protocol, but some gateways end every stream so.
func (d *decoder) Marked() { d.Ended = d.stop != "" }

// InCall reports whether a call came.
func (d *decoder) InCall() bool { return len(d.calls) > 0 }

// Value takes an event, or a whole reply, or an error that stands alone.
func (d *decoder) Value(raw []byte, name string) bool {
	if d.Alone {
		d.whole(raw)
		return true
	}
	if d.plain.read(raw) {
		d.event(&d.plain, raw)
		return true
	}
	var e event
	switch {
	case raw[0] == '{':
		if provider.Lenient(raw, &e) != nil {
			return false
		}
		d.event(&e, raw)
	case !json.Valid(raw):
		return false
	case name == "ping":
	default:
		d.Fail(d.Broken("a piece of the stream is not valid JSON", nil))
	}
	return true
}

// whole takes a reply that is no stream, or an error.
func (d *decoder) whole(raw []byte) {
	var e event
	if raw[0] == '{' && provider.Lenient(raw, &e) == nil && (e.Type == "message" || e.Content != nil) && !provider.Present(e.Error) {
		d.message(e.reply, e.Usage)
		d.Ended = true
		return
	}
	d.InBand(raw)
}

// event takes one event. Kinds that this version does not know are passed over.
func (d *decoder) event(e *event, raw []byte) {
	if provider.Present(e.Error) {
		d.InBand(raw)
		return
	}
	switch e.Type {
	case "message_start":
		if e.Message != nil {
			d.message(*e.Message, nil)
		}
	case "message": // a gateway that streams nothing, though it was asked to
		d.message(e.reply, e.Usage)
		d.Ended = true
	case "content_block_start":
		d.begin(e.Index, e.Block)
	case "content_block_delta":
		d.piece(e, raw)
	case "content_block_stop":
		d.close(e.Index)
	case "message_delta":
		d.some = true
		if e.Delta.StopReason != "" {
			d.stop = e.Delta.StopReason
		}
		d.count(e.Usage)
	case "message_stop":
		d.Ended, d.some = true, true
	case "error":
		d.InBand(raw)
	}
}

// message takes a reply, or as much of it as stands at the start of a stream.
func (d *decoder) message(m reply, told *usage) {
	d.some, d.Model = true, m.Model
	if m.StopReason != "" {
		d.stop = m.StopReason
	}
	d.count(m.Usage)
	d.count(told)
	for i, raw := range m.Content {
		d.begin(i, raw)
		d.close(i)
	}
}

func (d *decoder) count(u *usage) {
	if u != nil {
		d.told.restate(*u)
		d.Usage = d.told.engine()
	}
}
