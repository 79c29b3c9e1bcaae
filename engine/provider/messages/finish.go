package messages

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"talaria/engine"
	"talaria/engine/provider"
)

// maxError bounds what is kept of a page or an error.
const maxError = 64 << 10

// stops maps stop_reason. What is not in it is StopUnknown.
var stops = map[string]engine.Stop{
	"": engine.StopEnd, "end_turn": engine.StopEnd, "stop_sequence": engine.StopEnd, "tool_use": engine.StopCalls,
	"max_tokens": engine.StopLength, "model_context_window_exceeded": engine.StopLength,
	"refusal": engine.StopRefusal, "pause_turn": engine.StopPause,
}

// end decides what the end of the body means: only message_stop ends a reply, whatever happens to the connection then.
func (d *decoder) end(err error) {
	if d.left {
		return
	}
	if d.ended {
		d.done()
		return
	}
	if ctxErr := d.ctx.Err(); ctxErr != nil {
		d.fail(ctxErr)
		return
	}
	if !d.some {
		d.fail(d.nothing(err))
		return
	}
	d.fail(d.broken(why(err), err))
}

// done ends a complete reply. One without any content is complete, too: the model had nothing to add.
func (d *decoder) done() {
	for _, i := range slices.Sorted(maps.Keys(d.blocks)) {
		d.close(i) // a reply that was cut by its length leaves its last block open
	}
	done := engine.Done{Stop: d.why(), Model: d.model}
	if d.usage != nil {
		done.Usage = d.usage.engine()
	}
	d.emit(done)
}

// why is why the reply ended. The calls decide, not the label (S19), except that arguments which broke off mean the
// reply was cut short by its length even where a router says otherwise (BEHAVIOUR 4.8).
func (d *decoder) why() engine.Stop {
	stop, known := stops[strings.ToLower(d.stop)]
	if !known {
		stop = engine.StopUnknown
	}
	cut := slices.ContainsFunc(d.calls, func(b *open) bool { return truncated(b.args.String()) })
	switch stop {
	case engine.StopEnd, engine.StopCalls, engine.StopUnknown:
		switch {
		case cut:
			return engine.StopLength
		case len(d.calls) > 0:
			return engine.StopCalls
		case stop == engine.StopCalls:
			return engine.StopEnd
		}
	}
	return stop
}

// failInBand ends the reply with an error that came inside it, or in place of it.
func (d *decoder) failInBand(raw []byte) {
	said := provider.ReadError(raw)
	f := d.failure(said.Message)
	f.Code, f.Type, f.Body = said.Code, said.Type, bytes.Clone(raw[:min(len(raw), maxError)])
	switch {
	case f.Message == "" && f.Type != "":
		f.Message = "the provider sent an error of type " + f.Type
	case f.Message == "" && d.some:
		f.Message = "the provider sent an error without words in the middle of the reply"
	case f.Message == "":
		f.Message = fmt.Sprintf("%s answered with JSON that is no reply", f.URL)
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
		f.Usage = *d.usage.engine()
	}
	f.InCall = len(d.calls) > 0
	return f
}
