package responses

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"talaria/engine"
	"talaria/engine/provider"
)

// end decides what the end of the body means: only a terminal event ends a reply (S15); without one it was cut.
func (d *decoder) end(err error) {
	switch {
	case d.left:
	case d.final != nil:
		d.finish()
	case d.ctx.Err() != nil:
		d.fail(d.ctx.Err())
	case len(d.items.all) == 0:
		d.fail(d.nothing(err))
	default:
		d.fail(d.broken(why(err), err))
	}
}

// finish ends a reply that has its terminal event.
func (d *decoder) finish() {
	r := d.final
	switch {
	case present(r.Error) || r.Status == "failed" || r.Status == "error":
		d.fail(d.said(r.Error, "the provider failed to answer and did not say why"))
	case r.Status == "cancelled":
		d.fail(d.said(r.Error, "the provider cancelled the reply"))
	case r.Status == "in_progress" || r.Status == "queued":
		d.fail(d.broken("the server answered before it had one", nil))
	case len(d.items.all) == 0 && r.OutputText == "" && r.Status != "incomplete":
		d.fail(d.nothing(io.EOF))
	default:
		d.done()
	}
}

func (d *decoder) done() {
	cut := d.lastWords()
	stop := d.stop(cut)
	if d.left {
		return
	}
	d.emit(engine.Done{Stop: stop, Usage: d.usage, Model: d.model})
}

// lastWords tells what is only known at the end: arguments that came with a call's opening, a text that stands beside
// the items, a refusal. It returns how many calls were not finished.
func (d *decoder) lastWords() (cut int) {
	spoken, refusal := false, ""
	for _, it := range d.items.all {
		if it.kind == typeCall && !it.done && it.args.Len() == 0 {
			d.argue(it, it.begun)
		}
		if it.cut() {
			cut++
		}
		spoken = spoken || it.text.Len() > 0
		refusal += it.refusal.String()
	}
	if !spoken && d.final.OutputText != "" {
		d.say(d.items.open(typeMessage, "", nil), 0, d.final.OutputText)
		spoken = true
	}
	if refusal != "" && d.items.calls == 0 {
		if spoken {
			refusal = "\n\n" + refusal
		}
		d.emit(engine.TextDelta{Text: refusal}) // the refusal is the answer (BEHAVIOUR 3.4)
	}
	return cut
}

// stop is why the reply ended. A call that was not finished means that it was cut short, whatever the server says of it
// (BEHAVIOUR 4.8); finished ones decide over the label (S19).
func (d *decoder) stop(cut int) engine.Stop {
	switch d.final.Status {
	case "incomplete":
		if d.final.Incomplete.Reason == "content_filter" {
			return engine.StopContentFilter
		}
		return engine.StopLength
	case "completed", "done", "":
	default:
		if d.items.calls == 0 {
			return engine.StopUnknown
		}
	}
	switch {
	case cut > 0:
		return engine.StopLength
	case d.items.calls > 0:
		return engine.StopCalls
	case d.refused():
		return engine.StopRefusal
	case d.mayPause && d.remarked():
		return engine.StopPause
	}
	return engine.StopEnd
}

func (d *decoder) refused() bool {
	return d.items.newest(func(it *item) bool { return it.refusal.Len() > 0 }) != nil
}

// remarked reports whether the model only remarked on its work: its answer is still to come (BEHAVIOUR 3.6).
func (d *decoder) remarked() bool {
	last := d.items.newest(func(it *item) bool { return it.text.Len() > 0 })
	return last != nil && last.phase == phaseCommentary
}

// failInBand ends the reply with an error that came inside it.
func (d *decoder) failInBand(raw []byte) {
	d.fail(d.said(raw, "the provider sent an error without words in the middle of the reply"))
}

// said is the failure that an error object tells of; wordless is its message when it has none.
func (d *decoder) said(raw []byte, wordless string) *provider.Failure {
	e := provider.ReadError(raw)
	f := d.failure(e.Message)
	f.Code, f.Type, f.Body = e.Code, e.Type, bytes.Clone(raw[:min(len(raw), 64<<10)])
	if f.Type == "error" { // the event's type, not the error's
		f.Type = ""
	}
	var status struct {
		Status     json.Number `json:"status"`
		StatusCode json.Number `json:"status_code"`
	}
	if lenient(raw, &status) == nil && f.Code == "" {
		for _, n := range []json.Number{status.Status, status.StatusCode} {
			if code, err := strconv.Atoi(n.String()); err == nil && code >= 400 {
				f.Code = n.String()
			}
		}
	}
	if f.Message == "" {
		f.Message = wordless
	}
	return f
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
	f.InCall = d.items.calls > 0
	return f
}
