package converse

import (
	"talaria/engine"
	"talaria/engine/provider"
)

// stops maps stopReason. What is not in it is StopUnknown, such as malformed_tool_use.
var stops = map[string]engine.Stop{
	"end_turn": engine.StopEnd, "stop_sequence": engine.StopEnd, "tool_use": engine.StopCalls,
	"max_tokens": engine.StopLength, "model_context_window_exceeded": engine.StopLength,
	"guardrail_intervened": engine.StopContentFilter, "content_filtered": engine.StopContentFilter,
	"refusal": engine.StopRefusal, "pause_turn": engine.StopPause,
}

// End decides what the end of the body means: messageStop ends a reply, whatever happens to the connection then; without
// it the reply was cut.
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

// done ends a complete reply. Converse never names the model: the one that was asked has spoken.
func (d *decoder) done() {
	d.closeAll()
	cut := 0
	for _, args := range d.calls {
		if provider.Truncated(args.String()) {
			cut++
		}
	}
	d.Emit(engine.Done{Stop: provider.StopOf(stops, d.reason, len(d.calls), cut), Usage: d.Usage, Model: d.Model})
}
