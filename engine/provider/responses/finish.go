package responses

import (
	"encoding/json"
	"io"
	"strconv"

	"talaria/engine"
	"talaria/engine/provider"
)

// End decides what the end of the body means: only a terminal event ends a reply (S15); without one it was cut.
func (d *decoder) End(err error) {
	stopped := d.Stopped()
	switch {
	case d.Left:
	case d.final != nil:
		d.finish()
	case stopped != nil:
		d.Fail(stopped)
	case len(d.items.all) == 0:
		d.Fail(d.Nothing(err))
	default:
		d.Fail(d.CutOff(err))
	}
}

// finish ends a reply that has its terminal event.
func (d *decoder) finish() {
	r := d.final
	switch {
	case provider.Present(r.Error) || r.Status == "failed" || r.Status == "error":
		d.Fail(d.said(r.Error, "the provider failed to answer and did not say why"))
	case r.Status == "cancelled":
		d.Fail(d.said(r.Error, "the provider cancelled the reply"))
	case r.Status == "in_progress" || r.Status == "queued":
		d.Fail(d.Broken("the server answered before it had one", nil))
	case len(d.items.all) == 0 && r.OutputText == "" && r.Status != "incomplete":
		d.Fail(d.Nothing(io.EOF))
	default:
		d.done()
	}
}

func (d *decoder) done() {
	cut := d.lastWords()
	stop := d.stop(cut)
	if d.Left {
		return
	}
	d.Emit(engine.Done{Stop: stop, Usage: d.Usage, Model: d.Model})
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
		d.Emit(engine.TextDelta{Text: refusal}) // the refusal is the answer (BEHAVIOUR 3.4)
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

// InBand ends the reply with an error that came inside it.
func (d *decoder) InBand(raw []byte) {
	d.Fail(d.said(raw, "the provider sent an error without words in the middle of the reply"))
}

// said is the failure that an error object tells of; wordless is its message when it has none.
func (d *decoder) said(raw []byte, wordless string) *provider.Failure {
	f := d.Said(raw, wordless)
	if f.Type == "error" { // the event's type, not the error's
		f.Type = ""
	}
	var status struct {
		Status     json.Number `json:"status"`
		StatusCode json.Number `json:"status_code"`
	}
	if provider.Lenient(raw, &status) == nil && f.Code == "" {
		for _, n := range []json.Number{status.Status, status.StatusCode} {
			if code, err := strconv.Atoi(n.String()); err == nil && code >= 400 {
				f.Code = n.String()
			}
		}
	}
	return f
}
