package messages

import (
	"fmt"
	"maps"
	"slices"

	"talaria/engine"
	"talaria/engine/provider"
)

// stops maps stop_reason. What is not in it is StopUnknown.
var stops = map[string]engine.Stop{
	"": engine.StopEnd, "end_turn": engine.StopEnd, "stop_sequence": engine.StopEnd, "tool_use": engine.StopCalls,
	"max_tokens": engine.StopLength, "model_context_window_exceeded": engine.StopLength,
	"refusal": engine.StopRefusal, "pause_turn": engine.StopPause,
}

// End decides what the end of the body means: only message_stop ends a reply, whatever happens to the connection then.
func (d *decoder) End(err error) {
	stopped := d.Stopped()
	switch {
	case d.Left:
	case d.Ended:
		d.done()
	case stopped != nil:
		d.Fail(stopped)
	case !d.some:
		d.Fail(d.Nothing(err))
	default:
		d.Fail(d.CutOff(err))
	}
}

// done ends a complete reply. One without any content is complete, too: the model had nothing to add.
func (d *decoder) done() {
	for _, i := range slices.Sorted(maps.Keys(d.blocks)) {
		d.close(i) // a reply that was cut by its length leaves its last block open
	}
	cut := 0
	for _, call := range d.calls {
		if provider.Truncated(call.args.String()) {
			cut++
		}
	}
	d.Emit(engine.Done{Stop: provider.StopOf(stops, d.stop, len(d.calls), cut), Usage: d.Usage, Model: d.Model})
}

// InBand ends the reply with an error that came inside it, or in place of it.
func (d *decoder) InBand(raw []byte) {
	f := d.Said(raw, "")
	switch {
	case f.Message == "" && f.Type != "":
		f.Message = "the provider sent an error of type " + f.Type
	case f.Message == "" && d.some:
		f.Message = "the provider sent an error without words in the middle of the reply"
	case f.Message == "":
		f.Message = fmt.Sprintf("%s answered with JSON that is no reply", f.URL)
	}
	d.Fail(f)
}
