package completions

import (
	"encoding/json"
	"slices"
	"strings"

	"talaria/engine"
	"talaria/engine/provider"
)

// decoder reads one reply and yields its deltas.
type decoder struct {
	provider.Reply
	calls   slots
	details details
	finish  string // the last finish_reason that said anything
	refusal strings.Builder
	spoken  bool // visible text came
	some    bool // any part of a reply came
	plain   plain
	said    []word // of the newest piece
}

// Marked ends the reply.
func (d *decoder) Marked() { d.Ended = true }

// InCall reports whether a call came.
func (d *decoder) InCall() bool { return slices.ContainsFunc(d.calls.all, (*slot).real) }

// Value takes a chunk, or a whole completion.
func (d *decoder) Value(raw []byte, _ string) bool {
	if c := d.plain.read(raw, d.Model); c != nil {
		d.chunk(c, raw)
		return true
	}
	var c chunk
	switch {
	case raw[0] != '{':
		if !json.Valid(raw) {
			return false
		}
		d.InBand(raw)
	case provider.Lenient(raw, &c) != nil:
		return false
	default:
		d.chunk(&c, raw)
	}
	return true
}

func (d *decoder) chunk(c *chunk, raw []byte) {
	if c.Model != "" {
		d.Model = c.Model
	}
	d.count(c.Usage)
	d.count(c.Groq.Usage)
	if provider.Present(c.Error) || len(c.Choices) == 0 && c.Usage == nil && provider.ReadError(raw).Found {
		d.InBand(raw)
		return
	}
	for i := range c.Choices {
		if one := &c.Choices[i]; one.Index == 0 && !d.Left {
			d.choice(one)
		}
	}
}

func (d *decoder) choice(c *choice) {
	d.count(c.Usage)
	if provider.Present(c.Error) {
		d.InBand(c.Error)
		return
	}
	switch {
	case c.Delta != nil:
		d.piece(c.Delta) // Perplexity adds a message with all that was said so far
	case c.Message != nil:
		d.Ended = true
		d.piece(c.Message)
	}
	if c.Finish != "" {
		d.finish = c.Finish
		d.some = true
	}
}

func (d *decoder) piece(p *piece) {
	d.said = p.words(d.said[:0])
	for _, w := range d.said {
		d.some = true
		if w.thought {
			d.Emit(engine.ThoughtDelta{Text: w.text})
		} else {
			d.spoken = true
			d.Emit(engine.TextDelta{Text: w.text})
		}
	}
	if !d.Hold(d.details.add(p.Details) + len(p.Refusal)) {
		return
	}
	d.refusal.WriteString(p.Refusal)
	d.some = d.some || p.Refusal != ""
	fragments := p.ToolCalls
	if f := p.FunctionCall; f != nil && len(fragments) == 0 {
		fragments = []fragment{{Function: *f}}
	}
	if len(fragments) == 0 {
		return
	}
	for _, delta := range d.calls.chunk(fragments) {
		d.Emit(delta)
	}
	d.some = d.some || len(d.calls.all) > 0
}

func (d *decoder) count(u *usage) {
	if u != nil {
		d.Usage = u.engine()
	}
}
