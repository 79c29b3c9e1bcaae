package converse

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

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

// end decides what the end of the body means: messageStop ends a reply, whatever happens to the connection then; without
// it the reply was cut.
func (d *decoder) end(err error) {
	if d.left {
		return
	}
	if ctxErr := d.ctx.Err(); ctxErr != nil && !d.ended {
		d.fail(ctxErr)
		return
	}
	switch {
	case d.ended:
		d.done()
	case !d.some:
		d.fail(d.nothing(err))
	default:
		d.fail(d.broken(why(err), err))
	}
}

// done ends a complete reply. Converse never names the model: the one that was asked has spoken.
func (d *decoder) done() {
	d.closeAll()
	d.emit(engine.Done{Stop: d.stop(), Usage: d.usage, Model: d.model})
}

// stop is why the reply ended. The calls decide, not the label (S19), except that arguments which broke off mean the
// reply was cut short by its length (BEHAVIOUR 4.8).
func (d *decoder) stop() engine.Stop {
	stop, known := stops[strings.ToLower(strings.TrimSpace(d.reason))]
	if !known {
		stop = engine.StopUnknown
	}
	switch stop {
	case engine.StopEnd, engine.StopCalls, engine.StopUnknown:
		for _, args := range d.calls {
			if truncated(args.String()) {
				return engine.StopLength
			}
		}
		if len(d.calls) > 0 {
			return engine.StopCalls
		}
		if stop == engine.StopCalls {
			return engine.StopEnd // the calls were all Amazon's own
		}
	}
	return stop
}

// truncated reports whether args are JSON that broke off. What is wrong otherwise is for the tool layer to refuse; no
// arguments at all are none, not cut ones.
func truncated(args string) bool {
	dec := json.NewDecoder(strings.NewReader(args))
	for {
		var one json.RawMessage
		if err := dec.Decode(&one); err != nil {
			return errors.Is(err, io.ErrUnexpectedEOF)
		}
	}
}

// nothing is the failure of an answer that held no reply.
func (d *decoder) nothing(err error) *provider.Failure {
	f := d.failure("provider sent no data")
	f.NoData = true
	if kind := f.ContentType; kind != "" && !strings.Contains(kind, "eventstream") {
		f.Message += fmt.Sprintf(" (%s answered with content type %s)", f.URL, kind)
	}
	if err != io.EOF {
		f.Err, f.Message = err, f.Message+": "+why(err)
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
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "the connection ended in the middle of a piece"
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
	f.InCall = len(d.calls) > 0
	return f
}
