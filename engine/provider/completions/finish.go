package completions

import (
	"strings"

	"talaria/engine"
	"talaria/engine/provider"
)

// stops maps finish_reason, in lower case. What is not in it is StopUnknown.
var stops = map[string]engine.Stop{
	"": engine.StopEnd, "stop": engine.StopEnd, "eos": engine.StopEnd, "end_turn": engine.StopEnd, "stop_sequence": engine.StopEnd, "completed": engine.StopEnd,
	"tool_calls": engine.StopCalls, "tool_call": engine.StopCalls, "function_call": engine.StopCalls, "tool_use": engine.StopCalls,
	"length": engine.StopLength, "max_tokens": engine.StopLength, "max_output_tokens": engine.StopLength, "model_length": engine.StopLength,
	"content_filter": engine.StopContentFilter, "safety": engine.StopContentFilter, "prohibited_content": engine.StopContentFilter,
	"recitation": engine.StopContentFilter, "blocklist": engine.StopContentFilter, "sensitive": engine.StopContentFilter,
	"refusal": engine.StopRefusal, "pause_turn": engine.StopPause,
}

// End decides what the end of the body means (S15): a finish_reason or [DONE] ends a reply, whatever happens to the
// connection then; without either it was cut.
func (d *decoder) End(err error) {
	if d.Left {
		return
	}
	if stopped := d.Stopped(); stopped != nil && !d.Ended {
		d.Fail(stopped)
		return
	}
	calls, cut := d.calls.calls()
	switch {
	case strings.EqualFold(d.finish, "error"):
		d.Fail(d.Failure("the provider ended the reply with an error and did not say which"))
	case !d.some:
		d.Fail(d.Nothing(err))
	case d.finish == "" && (!d.Ended || cut > 0):
		d.Fail(d.CutOff(err))
	default:
		d.done(calls, cut)
	}
}

// done ends a complete reply.
func (d *decoder) done(calls, cut int) {
	for _, delta := range d.calls.tell() {
		d.Emit(delta)
	}
	stop := provider.StopOf(stops, d.finish, calls, cut)
	if text := d.refusal.String(); text != "" && !d.spoken && calls == 0 {
		d.Emit(engine.TextDelta{Text: text}) // the refusal is the answer (BEHAVIOUR 3.4)
		if stop == engine.StopEnd {
			stop = engine.StopRefusal
		}
	}
	if o, ok := d.details.opaque(); ok {
		d.Emit(engine.OpaqueDelta{Opaque: o})
	}
	d.Emit(engine.Done{Stop: stop, Usage: d.Usage, Model: d.Model})
}

// InBand ends the reply with an error that came inside it. After a finish_reason "length" such an error only repeats
// that the output was used up: the reply stands.
func (d *decoder) InBand(raw []byte) {
	if stops[strings.ToLower(d.finish)] == engine.StopLength {
		d.Ended = true
		return
	}
	d.Fail(d.Said(raw, "the provider sent an error without words in the middle of the reply"))
}
