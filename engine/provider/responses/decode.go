package responses

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
	yield    func(engine.Delta, error) bool
	ctx      context.Context
	resp     *http.Response
	from     origin
	mayPause bool // a reply that only remarks on the work is a pause

	items    items
	usage    *engine.Usage
	model    string
	thinking bool      // the last delta was reasoning
	unsealed bool      // reasoning came that cannot go back
	final    *response // the terminal event
	left     bool      // the consumer wants no more, or has its error
}

// run decodes the body to its terminal event. It looks at the first byte rather than the content type, which servers get
// wrong.
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
		if d.final != nil {
			break
		}
	}
	d.end(io.EOF)
}

func (d *decoder) frame(f provider.Frame) {
	data := []byte(strings.TrimSpace(f.Data))
	switch {
	case string(data) == "[DONE]": // some gateways add it; the terminal event is what counts
	case f.Event == "error":
		d.failInBand(data)
	case json.Valid(data):
		d.value(data, f.Event)
	case strings.Contains(f.Data, "\n"): // events that were not parted by a blank line
		for line := range strings.Lines(f.Data) {
			if line = strings.TrimSpace(line); line != "" && !d.left && d.final == nil {
				d.frame(provider.Frame{Data: line})
			}
		}
	case f.Event == "ping" || f.Event == "heartbeat" || f.Event == "keepalive":
	default:
		d.fail(d.broken("a piece of the stream is not valid JSON", nil))
	}
}

// values reads JSON that stands alone: a whole response, an error, or events one after the other.
func (d *decoder) values(r io.Reader) {
	dec := json.NewDecoder(io.LimitReader(r, provider.MaxLine))
	for !d.left && d.final == nil {
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
		d.value(raw, "")
	}
	d.end(io.EOF)
}

// value takes one JSON value; name is that of its event, for servers that say the type nowhere else.
func (d *decoder) value(raw []byte, name string) {
	var ev event
	if raw[0] != '{' || lenient(raw, &ev) != nil {
		if provider.ReadError(raw).Found {
			d.failInBand(raw)
		}
		return
	}
	if ev.Type == "" {
		ev.Type = name
	}
	switch {
	case strings.HasPrefix(ev.Type, "response."):
		d.event(&ev, raw)
	case ev.Type == "error" || present(ev.Error) && !isResponse(raw):
		d.failInBand(raw)
	case isResponse(raw):
		d.whole(raw, "")
	case ev.Type == "" && provider.ReadError(raw).Found:
		d.failInBand(raw)
	}
}

// isResponse reports whether raw is a response that stands alone.
func isResponse(raw []byte) bool {
	var r struct {
		Object string          `json:"object"`
		Output json.RawMessage `json:"output"`
	}
	return lenient(raw, &r) == nil && (r.Object == "response" || bytes.HasPrefix(bytes.TrimSpace(r.Output), []byte("[")))
}

// event takes one event. Those that are not named here add nothing: they open and close parts, repeat what streamed, or
// tell of tools that the server runs.
func (d *decoder) event(ev *event, raw []byte) {
	switch ev.Type {
	case "response.created", "response.queued", "response.in_progress":
		d.started(ev.Response)
	case "response.completed", "response.incomplete", "response.failed", "response.cancelled", "response.done":
		d.whole(ev.Response, strings.TrimPrefix(ev.Type, "response."))
	case "response.error":
		d.failInBand(raw)
	case "response.output_item.added":
		if o, ok := readOutput(ev.Item); ok {
			d.begin(o, ev.Index)
		}
	case "response.output_item.done":
		if o, ok := readOutput(ev.Item); ok {
			d.complete(d.items.finished(o, ev.Index), o)
		}
	default:
		d.piece(ev)
	}
}

// piece takes an event that belongs to one item.
func (d *decoder) piece(ev *event) {
	switch ev.Type {
	case "response.output_text.delta":
		d.say(d.items.of(typeMessage, ev), ev.ContentIndex, ev.Delta)
	case "response.output_text.done":
		if it := d.items.of(typeMessage, ev); it.textPart < ev.ContentIndex {
			d.say(it, ev.ContentIndex, ev.Text)
		}
	case "response.refusal.delta":
		d.items.of(typeMessage, ev).refusal.WriteString(ev.Delta)
	case "response.refusal.done":
		if it := d.items.of(typeMessage, ev); it.refusal.Len() == 0 {
			it.refusal.WriteString(ev.Refusal)
		}
	case "response.reasoning_summary_text.delta":
		d.think(d.items.of(typeReasoning, ev), thoughtSummary, ev.SummaryIndex, ev.Delta)
	case "response.reasoning_summary_text.done":
		d.thinkOnce(d.items.of(typeReasoning, ev), thoughtSummary, ev.SummaryIndex, ev.Text)
	case "response.reasoning_text.delta":
		d.think(d.items.of(typeReasoning, ev), thoughtText, ev.ContentIndex, ev.Delta)
	case "response.reasoning_text.done":
		d.thinkOnce(d.items.of(typeReasoning, ev), thoughtText, ev.ContentIndex, ev.Text)
	case "response.function_call_arguments.delta":
		d.argue(d.items.of(typeCall, ev), ev.Delta)
	case "response.function_call_arguments.done":
		it := d.items.of(typeCall, ev)
		it.argued = true
		d.settle(it, arguments(ev.Arguments))
	}
}

func (d *decoder) started(raw json.RawMessage) {
	var r response
	if lenient(raw, &r) == nil {
		d.note(&r)
	}
}

func (d *decoder) note(r *response) {
	if r.Model != "" {
		d.model = r.Model
	}
	if r.Usage != nil {
		d.usage = r.Usage.engine()
	}
}

// whole takes the terminal event, or a response that stands alone (status ""): what of its items did not stream is told
// now. A status of its own that ends it wins over the event's.
func (d *decoder) whole(raw json.RawMessage, status string) {
	var r response
	if len(raw) > 0 && lenient(raw, &r) != nil {
		return
	}
	if status != "" && (r.Status == "" || r.Status == "in_progress" || r.Status == "queued") {
		r.Status = status // it was copied before the end
	}
	d.note(&r)
	var all []output
	for _, one := range r.Output {
		if o, ok := readOutput(one); ok {
			all = append(all, o)
		}
	}
	for i, it := range d.items.pair(all) {
		if !d.left {
			d.complete(it, all[i])
		}
	}
	d.final = &r
}

func (d *decoder) emit(delta engine.Delta) {
	_, d.thinking = delta.(engine.ThoughtDelta)
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
