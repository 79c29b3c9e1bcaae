package completions

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"talaria/engine"
	"talaria/engine/provider"
)

// decoder reads one reply and yields its deltas. Nothing of it outlives the attempt, so a repeated request starts clean.
type decoder struct {
	yield func(engine.Delta, error) bool
	ctx   context.Context
	resp  *http.Response

	calls   slots
	details details
	usage   *engine.Usage
	model   string
	finish  string // the last finish_reason that said anything
	refusal strings.Builder
	spoken  bool // visible text came
	some    bool // any part of a reply came
	ended   bool // [DONE], or a whole completion
	left    bool // the consumer wants no more, or has its error
}

// run decodes the body to its end. It looks at the first byte rather than the content type, which servers get wrong.
func (d *decoder) run() {
	r := bufio.NewReaderSize(d.resp.Body, 32<<10)
	first, err := firstByte(r)
	switch {
	case err != nil:
		d.end(err)
	case first == '<':
		d.fail(d.page(r))
	case first == '{' || first == '[':
		d.values(r)
	default:
		d.events(r)
	}
}

// firstByte skips a byte order mark and white space, and leaves the reader before the first byte that means anything.
func firstByte(r *bufio.Reader) (byte, error) {
	for {
		b, err := r.ReadByte()
		if err != nil {
			return 0, err
		}
		switch b {
		case ' ', '\t', '\r', '\n', 0xEF, 0xBB, 0xBF:
			continue
		}
		return b, r.UnreadByte()
	}
}

func (d *decoder) page(r io.Reader) *provider.Failure {
	f := d.failure("")
	page, _ := io.ReadAll(io.LimitReader(r, 64<<10))
	f.Message = provider.DescribeHTML(d.resp.StatusCode, f.URL, page)
	return f
}

// events reads a stream of server-sent events.
func (d *decoder) events(r io.Reader) {
	for frame, err := range provider.ReadSSE(r, 0) {
		if err != nil {
			d.end(err)
			return
		}
		d.frame(frame)
		if d.left {
			return
		}
		if d.ended {
			break
		}
	}
	d.end(io.EOF)
}

func (d *decoder) frame(f provider.Frame) {
	data := []byte(strings.TrimSpace(f.Data))
	switch {
	case string(data) == "[DONE]":
		d.ended = true
	case f.Event == "error":
		d.failInBand(data)
	case json.Valid(data):
		d.chunk(data)
	case strings.Contains(f.Data, "\n"): // events that were not parted by a blank line
		for line := range strings.Lines(f.Data) {
			if line = strings.TrimSpace(line); line != "" && !d.left && !d.ended {
				d.frame(provider.Frame{Event: f.Event, Data: line})
			}
		}
	case f.Event == "ping" || f.Event == "heartbeat" || f.Event == "keepalive":
	default:
		d.fail(d.broken("a piece of the stream is not valid JSON", nil))
	}
}

// values reads JSON that stands alone: a whole completion, an error, or chunks one after the other.
func (d *decoder) values(r io.Reader) {
	dec := json.NewDecoder(io.LimitReader(r, provider.MaxLine))
	for !d.left && !d.ended {
		var raw json.RawMessage
		err := dec.Decode(&raw)
		var syntax *json.SyntaxError
		switch {
		case err == io.EOF:
			d.end(io.EOF)
			return
		case errors.As(err, &syntax):
			d.fail(d.broken("it is not valid JSON", nil))
			return
		case errors.Is(err, io.ErrUnexpectedEOF):
			d.fail(d.broken("its JSON has no end", err))
			return
		case err != nil:
			d.end(err)
			return
		}
		if d.chunk(raw); d.ended {
			d.end(io.EOF)
		}
	}
}

// chunk takes one JSON value of the reply.
func (d *decoder) chunk(raw []byte) {
	var c chunk
	if raw[0] != '{' || lenient(raw, &c) != nil {
		d.failInBand(raw)
		return
	}
	if c.Model != "" {
		d.model = c.Model
	}
	d.count(c.Usage)
	d.count(c.Groq.Usage)
	if present(c.Error) || len(c.Choices) == 0 && c.Usage == nil && provider.ReadError(raw).Found {
		d.failInBand(raw)
		return
	}
	for i := range c.Choices {
		if one := &c.Choices[i]; one.Index == 0 && !d.left {
			d.choice(one)
		}
	}
}

func (d *decoder) choice(c *choice) {
	d.count(c.Usage)
	if present(c.Error) {
		d.failInBand(c.Error)
		return
	}
	switch {
	case c.Delta != nil:
		d.piece(c.Delta) // Perplexity adds a message with all that was said so far
	case c.Message != nil:
		d.ended = true
		d.piece(c.Message)
	}
	if c.Finish != "" {
		d.finish = c.Finish
		d.some = true
	}
}

func (d *decoder) piece(p *piece) {
	for _, w := range p.words() {
		d.some = true
		if w.thought {
			d.emit(engine.ThoughtDelta{Text: w.text})
		} else {
			d.spoken = true
			d.emit(engine.TextDelta{Text: w.text})
		}
	}
	d.details.add(p.Details)
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
		d.emit(delta)
	}
	d.some = d.some || len(d.calls.all) > 0
}

func (d *decoder) count(u *usage) {
	if u != nil {
		d.usage = u.engine()
	}
}

func (d *decoder) emit(delta engine.Delta) {
	if !d.left && !d.yield(delta, nil) {
		d.left = true
	}
}

func (d *decoder) fail(err error) {
	if !d.left {
		d.left = true
		d.yield(nil, err)
	}
}

// trimmed bounds what is kept of an error object.
func trimmed(raw []byte) []byte { return bytes.Clone(raw[:min(len(raw), 64<<10)]) }
