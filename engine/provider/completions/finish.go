package completions

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"talaria/engine"
	"talaria/engine/provider"
)

// stops maps finish_reason, in lower case. What is not in it is StopUnknown.
var stops = map[string]engine.Stop{
	"stop": engine.StopEnd, "eos": engine.StopEnd, "end_turn": engine.StopEnd, "stop_sequence": engine.StopEnd, "completed": engine.StopEnd,
	"tool_calls": engine.StopCalls, "tool_call": engine.StopCalls, "function_call": engine.StopCalls, "tool_use": engine.StopCalls,
	"length": engine.StopLength, "max_tokens": engine.StopLength, "max_output_tokens": engine.StopLength, "model_length": engine.StopLength,
	"content_filter": engine.StopContentFilter, "safety": engine.StopContentFilter, "prohibited_content": engine.StopContentFilter,
	"recitation": engine.StopContentFilter, "blocklist": engine.StopContentFilter, "sensitive": engine.StopContentFilter,
	"refusal": engine.StopRefusal, "pause_turn": engine.StopPause,
}

// end decides what the end of the body means (S15): a finish_reason or [DONE] ends a reply, whatever happens to the
// connection then; without either it was cut.
func (d *decoder) end(err error) {
	if d.left {
		return
	}
	if ctxErr := d.ctx.Err(); ctxErr != nil && !d.ended {
		d.fail(ctxErr)
		return
	}
	calls, cut := d.calls.calls()
	switch {
	case strings.EqualFold(d.finish, "error"):
		d.fail(d.failure("the provider ended the reply with an error and did not say which"))
	case !d.some:
		d.fail(d.nothing(err))
	case d.finish == "" && (!d.ended || cut > 0):
		d.fail(d.broken(why(err), err))
	default:
		d.done(calls, cut)
	}
}

// done ends a complete reply.
func (d *decoder) done(calls, cut int) {
	for _, delta := range d.calls.tell() {
		d.emit(delta)
	}
	stop := d.stop(calls, cut)
	if text := d.refusal.String(); text != "" && !d.spoken && calls == 0 {
		d.emit(engine.TextDelta{Text: text}) // the refusal is the answer (BEHAVIOUR 3.4)
		if stop == engine.StopEnd {
			stop = engine.StopRefusal
		}
	}
	if o, ok := d.details.opaque(); ok {
		d.emit(engine.OpaqueDelta{Opaque: o})
	}
	d.emit(engine.Done{Stop: stop, Usage: d.usage, Model: d.model})
}

// stop is why the reply ended. The calls decide, not the label (S19), except that arguments which broke off mean the
// reply was cut short by its length even where a router says otherwise (BEHAVIOUR 4.8).
func (d *decoder) stop(calls, cut int) engine.Stop {
	stop, known := stops[strings.ToLower(strings.TrimSpace(d.finish))]
	if !known {
		stop = engine.StopUnknown
	}
	if d.finish == "" {
		stop = engine.StopEnd
	}
	switch stop {
	case engine.StopEnd, engine.StopCalls, engine.StopUnknown:
		switch {
		case cut > 0:
			return engine.StopLength
		case calls > 0:
			return engine.StopCalls
		case stop == engine.StopCalls:
			return engine.StopEnd
		}
	}
	return stop
}

// failInBand ends the reply with an error that came inside it. After a finish_reason "length" such an error only repeats
// that the output was used up: the reply stands.
func (d *decoder) failInBand(raw []byte) {
	if stops[strings.ToLower(d.finish)] == engine.StopLength {
		d.ended = true
		return
	}
	said := provider.ReadError(raw)
	f := d.failure(said.Message)
	f.Code, f.Type, f.Body = said.Code, said.Type, trimmed(raw)
	if f.Message == "" {
		f.Message = "the provider sent an error without words in the middle of the reply"
	}
	d.fail(f)
}

// nothing is the failure of an answer that held no reply.
func (d *decoder) nothing(err error) *provider.Failure {
	f := d.failure("provider sent no data")
	f.NoData = true
	if kind := f.ContentType; kind != "" && !strings.Contains(kind, "event-stream") {
		f.Message += fmt.Sprintf(" (%s answered with content type %s)", f.URL, kind)
	}
	if err != io.EOF {
		f.Err, f.Message = err, f.Message+": "+err.Error()
		f.Cut = !errors.Is(err, provider.ErrLineTooLong)
	}
	return f
}

// broken is the failure of a reply that stopped before its end.
func (d *decoder) broken(what string, err error) *provider.Failure {
	f := d.failure("the reply broke off before its end: " + what)
	if err != io.EOF {
		f.Err = err
	}
	f.Cut = !errors.Is(err, provider.ErrLineTooLong)
	return f
}

func why(err error) string {
	switch {
	case err == io.EOF:
		return "the server closed the connection"
	case errors.Is(err, context.DeadlineExceeded):
		return "it took too long"
	}
	return err.Error()
}

// failure is a Failure with what is known of the attempt.
func (d *decoder) failure(message string) *provider.Failure {
	f := &provider.Failure{Status: d.resp.StatusCode, Header: d.resp.Header, ContentType: d.resp.Header.Get("Content-Type"), Message: message}
	if d.resp.Request != nil {
		f.URL = provider.PublicURL(d.resp.Request.URL)
	}
	if d.usage != nil {
		f.Usage = *d.usage
	}
	calls, _ := d.calls.calls()
	f.InCall = calls > 0
	return f
}
