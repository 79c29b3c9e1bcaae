package messages

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

	blocks map[int]*open // by the server's index
	calls  []*open       // in order of first appearance
	usage  *usage
	model  string
	stop   string // stop_reason, as the server calls it
	some   bool   // any part of a reply came
	ended  bool   // message_stop, or a whole reply
	left   bool   // the consumer wants no more, or has its error
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
		d.whole(r)
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
	page, _ := io.ReadAll(io.LimitReader(r, maxError))
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
	var e event
	switch {
	case string(data) == "[DONE]": // no part of the protocol, but some gateways end every stream so
		d.ended = d.stop != ""
	case f.Event == "error":
		d.failInBand(data)
	case data[0] == '{' && lenient(data, &e) == nil:
		d.event(e, data)
	case strings.Contains(f.Data, "\n"): // events that were not parted by a blank line
		for line := range strings.Lines(f.Data) {
			if line = strings.TrimSpace(line); line != "" && !d.left && !d.ended {
				d.frame(provider.Frame{Event: f.Event, Data: line})
			}
		}
	case f.Event == "ping":
	default:
		d.fail(d.broken("a piece of the stream is not valid JSON", nil))
	}
}

// whole reads a reply that is no stream, or an error.
func (d *decoder) whole(r io.Reader) {
	var raw json.RawMessage
	err := json.NewDecoder(io.LimitReader(r, provider.MaxLine)).Decode(&raw)
	var syntax *json.SyntaxError
	switch {
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
	var e event
	if raw[0] == '{' && lenient(raw, &e) == nil && (e.Type == "message" || e.Content != nil) && !present(e.Error) {
		d.message(e.reply, e.Usage)
		d.ended = true
		d.end(io.EOF)
		return
	}
	d.failInBand(raw)
}

// event takes one event. Kinds that this version does not know are passed over.
func (d *decoder) event(e event, raw []byte) {
	if present(e.Error) {
		d.failInBand(raw)
		return
	}
	switch e.Type {
	case "message_start":
		if e.Message != nil {
			d.message(*e.Message, nil)
		}
	case "message": // a gateway that streams nothing, though it was asked to
		d.message(e.reply, e.Usage)
		d.ended = true
	case "content_block_start":
		d.begin(e.Index, e.Block)
	case "content_block_delta":
		d.piece(e, raw)
	case "content_block_stop":
		d.close(e.Index)
	case "message_delta":
		d.some = true
		if e.Delta.StopReason != "" {
			d.stop = e.Delta.StopReason
		}
		d.count(e.Usage)
	case "message_stop":
		d.ended, d.some = true, true
	case "error":
		d.failInBand(raw)
	}
}

// message takes a reply, or as much of it as stands at the start of a stream.
func (d *decoder) message(m reply, told *usage) {
	d.some, d.model = true, m.Model
	if m.StopReason != "" {
		d.stop = m.StopReason
	}
	d.count(m.Usage)
	d.count(told)
	for i, raw := range m.Content {
		d.begin(i, raw)
		d.close(i)
	}
}

func (d *decoder) count(u *usage) {
	if u == nil {
		return
	}
	if d.usage == nil {
		d.usage = &usage{}
	}
	d.usage.restate(*u)
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

// present reports whether a raw field holds anything: not absent, null or empty.
func present(raw json.RawMessage) bool {
	switch string(bytes.TrimSpace(raw)) {
	case "", "null", `""`, "{}", "[]", "false":
		return false
	}
	return true
}
