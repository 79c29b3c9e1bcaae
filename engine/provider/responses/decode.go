package responses

import (
	"bytes"
	"encoding/json"
	"strings"

	"talaria/engine"
	"talaria/engine/provider"
)

// decoder reads one reply and yields its deltas.
type decoder struct {
	provider.Reply
	from     origin
	mayPause bool // a reply that only remarks on the work is a pause

	items    items
	thinking bool      // the last delta was reasoning
	unsealed bool      // reasoning came that cannot go back
	final    *response // the terminal event
	plain    event     // the newest that was read the fast way
}

// Marked adds nothing: some gateways end a stream so; the terminal event is what counts.
func (d *decoder) Marked() {}

// InCall reports whether a call came.
func (d *decoder) InCall() bool { return d.items.calls > 0 }

// Value takes an event, or a whole response, or an error; name is that of the event, for servers that say the type
// nowhere else.
func (d *decoder) Value(raw []byte, name string) bool {
	if d.plain.read(raw) {
		d.event(&d.plain, raw)
		return true
	}
	var ev event
	switch {
	case raw[0] != '{':
		if !json.Valid(raw) {
			return false
		}
		if provider.ReadError(raw).Found {
			d.InBand(raw)
		}
		return true
	case provider.Lenient(raw, &ev) != nil:
		return false
	case ev.Type == "":
		ev.Type = name
	}
	switch {
	case strings.HasPrefix(ev.Type, "response."):
		d.event(&ev, raw)
	case ev.Type == "error" || provider.Present(ev.Error) && !isResponse(raw):
		d.InBand(raw)
	case isResponse(raw):
		d.whole(raw, "")
	case ev.Type == "" && provider.ReadError(raw).Found:
		d.InBand(raw)
	}
	return true
}

// isResponse reports whether raw is a response that stands alone.
func isResponse(raw []byte) bool {
	var r struct {
		Object string          `json:"object"`
		Output json.RawMessage `json:"output"`
	}
	return provider.Lenient(raw, &r) == nil && (r.Object == "response" || bytes.HasPrefix(bytes.TrimSpace(r.Output), []byte("[")))
}

// event takes one event. Those that are not named here add nothing: they open and close parts, repeat what streamed, or
// tell of tools that the server runs.
func (d *decoder) event(ev *event, raw []byte) {
	if len(d.items.all) > maxItems {
		d.Fail(d.Broken("it has too many items", provider.ErrLineTooLong))
		return
	}
	switch ev.Type {
	case "response.created", "response.queued", "response.in_progress":
		d.started(ev.Response)
	case "response.completed", "response.incomplete", "response.failed", "response.cancelled", "response.done":
		d.whole(ev.Response, strings.TrimPrefix(ev.Type, "response."))
	case "response.error":
		d.InBand(raw)
	case "response.output_item.added":
		if o, ok := readOutput(ev.Item); ok {
			d.begin(o, ev.Index)
		}
	case "response.output_item.done":
		if o, ok := readOutput(ev.Item); ok {
			d.complete(d.items.finished(o, ev.Index), o)
		}
	default:
		d.piece(ev)
	}
}

// piece takes an event that belongs to one item.
func (d *decoder) piece(ev *event) {
	switch ev.Type {
	case "response.output_text.delta":
		d.say(d.items.of(typeMessage, ev), ev.ContentIndex, ev.Delta)
	case "response.output_text.done":
		if it := d.items.of(typeMessage, ev); it.textPart < ev.ContentIndex {
			d.say(it, ev.ContentIndex, ev.Text)
		}
	case "response.refusal.delta":
		if d.Hold(len(ev.Delta)) {
			d.items.of(typeMessage, ev).refusal.WriteString(ev.Delta)
		}
	case "response.refusal.done":
		if it := d.items.of(typeMessage, ev); it.refusal.Len() == 0 {
			it.refusal.WriteString(ev.Refusal)
		}
	case "response.reasoning_summary_text.delta":
		d.think(d.items.of(typeReasoning, ev), thoughtSummary, ev.SummaryIndex, ev.Delta)
	case "response.reasoning_summary_text.done":
		d.thinkOnce(d.items.of(typeReasoning, ev), thoughtSummary, ev.SummaryIndex, ev.Text)
	case "response.reasoning_text.delta":
		d.think(d.items.of(typeReasoning, ev), thoughtText, ev.ContentIndex, ev.Delta)
	case "response.reasoning_text.done":
		d.thinkOnce(d.items.of(typeReasoning, ev), thoughtText, ev.ContentIndex, ev.Text)
	case "response.function_call_arguments.delta":
		d.argue(d.items.of(typeCall, ev), ev.Delta)
	case "response.function_call_arguments.done":
		it := d.items.of(typeCall, ev)
		it.argued = true
		d.settle(it, provider.Arguments(ev.Arguments))
	}
}

func (d *decoder) started(raw json.RawMessage) {
	var r response
	if provider.Lenient(raw, &r) == nil {
		d.note(&r)
	}
}

func (d *decoder) note(r *response) {
	if r.Model != "" {
		d.Model = r.Model
	}
	if r.Usage != nil {
		d.Usage = r.Usage.engine()
	}
}

// whole takes the terminal event, or a response that stands alone (status ""): what of its items did not stream is told
// now. A status of its own that ends it wins over the event's.
func (d *decoder) whole(raw json.RawMessage, status string) {
	var r response
	if len(raw) > 0 && provider.Lenient(raw, &r) != nil {
		return
	}
	if status != "" && (r.Status == "" || r.Status == "in_progress" || r.Status == "queued") {
		r.Status = status // it was copied before the end
	}
	d.note(&r)
	var all []output
	for _, one := range r.Output {
		if o, ok := readOutput(one); ok {
			all = append(all, o)
		}
	}
	for i, it := range d.items.pair(all) {
		if !d.Left {
			d.complete(it, all[i])
		}
	}
	d.final, d.Ended = &r, true
}

// Emit notes whether the newest delta is reasoning.
func (d *decoder) Emit(delta engine.Delta) {
	_, d.thinking = delta.(engine.ThoughtDelta)
	d.Reply.Emit(delta)
}
