package provider

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"talaria/engine"
)

// Reply is one answer while it is decoded, and what the decoders of all modes have in common; each embeds it. Nothing of
// it outlives the attempt, so a repeated request starts clean.
//
// Usage is the newest count that the server told, nil before one. Model is what the server calls the model. Ended: the
// reply is complete, whatever happens to the connection then. Left: the consumer wants no more, or has its error. Alone:
// the body is JSON and no stream of events.
type Reply struct {
	Usage *engine.Usage
	Model string
	Ended bool
	Left  bool
	Alone bool

	last  bool // the piece at hand is what the body ended in, without a line end
	ctx   context.Context
	resp  *http.Response
	yield func(engine.Delta, error) bool
	calls Caller
	held  int // bytes that are kept until the end
}

// Caller knows whether a tool call has begun.
type Caller interface{ InCall() bool }

// Decoder is what a mode adds to a Reply: the meaning of the pieces.
type Decoder interface {
	Caller
	// Value takes one JSON value, which is valid only until it returns; event is the name of the frame it came in, "" for
	// a value that stands alone. It returns false for what is no JSON at all, and has done nothing then.
	Value(raw []byte, event string) bool
	// InBand takes an error that came in the place of a piece.
	InBand(raw []byte)
	// Marked takes the "[DONE]" that ends the streams of many servers.
	Marked()
	// End decides what the end of the body means; err is io.EOF, or why no more can be read.
	End(err error)
}

// NewReply returns the reply that resp holds. Its deltas go to yield.
func NewReply(ctx context.Context, resp *http.Response, yield func(engine.Delta, error) bool) Reply {
	return Reply{ctx: ctx, resp: resp, yield: yield}
}

// ReadText decodes a body of text to its end and closes it. It looks at the first byte rather than the content type,
// which servers get wrong: a web page, JSON that stands alone, or a stream of events.
func (r *Reply) ReadText(mode Decoder) {
	r.Read(mode, func(body *bufio.Reader) {
		first, err := firstByte(body)
		switch {
		case err != nil:
			mode.End(err)
		case first == '<':
			page, _ := io.ReadAll(io.LimitReader(body, maxErrorBody))
			r.Fail(r.Page(page))
		case first == '{' || first == '[':
			r.values(body, mode)
		default:
			r.events(body, mode)
		}
	})
}

// Read has decode read the body, and closes it.
func (r *Reply) Read(calls Caller, decode func(*bufio.Reader)) {
	r.calls = calls
	defer r.resp.Body.Close()
	decode(bufio.NewReaderSize(r.resp.Body, readSize))
	r.drain()
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

// events reads a stream of server-sent events.
func (r *Reply) events(body *bufio.Reader, mode Decoder) {
	in := newEvents(body, MaxLine)
	for !r.Left && !r.Ended {
		name, data, err := in.next()
		if err != nil {
			mode.End(err)
			return
		}
		r.last = in.ended
		if !r.frame(mode, name, bytes.TrimSpace(data)) {
			mode.End(io.ErrUnexpectedEOF)
			return
		}
	}
	mode.End(io.EOF)
}

// frame takes a piece; it returns false for one that the end of the body cut off, whose end is the mode's to judge.
func (r *Reply) frame(mode Decoder, name string, data []byte) bool {
	switch {
	case string(data) == "[DONE]":
		mode.Marked()
	case name == "error":
		mode.InBand(data)
	case mode.Value(data, name):
	case bytes.IndexByte(data, '\n') >= 0: // events that were not parted by a blank line
		for line := range bytes.Lines(data) {
			if line = bytes.TrimSpace(line); len(line) > 0 && !r.Left && !r.Ended && !r.frame(mode, name, line) {
				return false
			}
		}
	case name == "ping" || name == "heartbeat" || name == "keepalive":
	case r.last:
		return false
	default:
		r.Fail(r.Broken("a piece of the stream is not valid JSON", nil))
	}
	return true
}

// values reads JSON that stands alone: a whole reply, an error, or pieces one after the other.
func (r *Reply) values(body io.Reader, mode Decoder) {
	r.Alone = true
	dec := json.NewDecoder(io.LimitReader(body, MaxLine))
	for !r.Left && !r.Ended {
		var raw json.RawMessage
		err := dec.Decode(&raw)
		var syntax *json.SyntaxError
		switch {
		case errors.As(err, &syntax):
			r.Fail(r.Broken("it is not valid JSON", nil))
			return
		case errors.Is(err, io.ErrUnexpectedEOF):
			r.Fail(r.Broken("its JSON has no end", err))
			return
		case err != nil:
			mode.End(err)
			return
		}
		mode.Value(raw, "")
	}
	mode.End(io.EOF)
}

// Limits of what is read after the end of a reply, so that its connection can serve the next request. A server that
// holds the connection open costs that time and no more.
const (
	maxDrain  = 64 << 10
	drainTime = 50 * time.Millisecond
)

// drain reads what is left of a complete reply. Newer protocols than HTTP/1 keep their connection anyway.
func (r *Reply) drain() {
	if !r.Ended || r.resp.ProtoMajor != 1 || r.resp.Close || r.ctx.Err() != nil {
		return
	}
	body := r.resp.Body
	clock := time.AfterFunc(drainTime, func() { body.Close() }) // the only way to end a Read that hangs in the network
	defer clock.Stop()
	io.CopyN(io.Discard, body, maxDrain) // whatever goes wrong here, the reply was whole
}

// MaxCalls is how many calls one reply may make: a model that loops makes them without an end.
const MaxCalls = 512

// maxHeld is how many bytes a reply may need kept until its end: the longest output of any model is a part of it.
const maxHeld = 8 << 20

// HeldPiece is what a piece that is kept takes beside its own bytes, about.
const HeldPiece = 256

// Hold notes that n bytes of the reply are kept until its end: arguments, seals, items. It returns false, and the reply has
// failed, when that are more than any honest reply has.
func (r *Reply) Hold(n int) bool {
	if r.held += n; r.held > maxHeld {
		r.Fail(r.Broken(fmt.Sprintf("calls and reasoning of more than %d bytes", maxHeld), ErrLineTooLong))
	}
	return !r.Left
}

// Emit hands a delta to the consumer, unless it has left.
func (r *Reply) Emit(d engine.Delta) {
	if c, ok := d.(engine.CallDelta); ok {
		if c.Index >= MaxCalls {
			r.Fail(r.Broken(fmt.Sprintf("it makes more than %d calls", MaxCalls), ErrLineTooLong))
		}
		r.Hold(len(c.Args) + len(c.Extra))
	}
	if !r.Left && !r.yield(d, nil) {
		r.Left = true
	}
}

// Fail ends the reply with err.
func (r *Reply) Fail(err error) {
	if !r.Left {
		r.Left = true
		r.yield(nil, err)
	}
}

// Stopped returns the error of the request's context once that is done.
func (r *Reply) Stopped() error { return r.ctx.Err() }

// Failure is a Failure with what is known of the attempt.
func (r *Reply) Failure(message string) *Failure {
	f := &Failure{Status: r.resp.StatusCode, Header: r.resp.Header, ContentType: r.resp.Header.Get("Content-Type"), Message: message, InCall: r.calls.InCall()}
	if r.resp.Request != nil {
		f.URL = PublicURL(r.resp.Request.URL)
	}
	if r.Usage != nil {
		f.Usage = *r.Usage
	}
	return f
}

// Page is the failure of a web page in the place of a reply.
func (r *Reply) Page(page []byte) *Failure {
	f := r.Failure("")
	f.Message = DescribeHTML(f.Status, f.URL, page[:min(len(page), maxErrorBody)])
	return f
}

// Nothing is the failure of an answer that held no reply; err is how its body ended.
func (r *Reply) Nothing(err error) *Failure {
	f := r.Failure("provider sent no data")
	f.NoData = true
	if kind := f.ContentType; kind != "" && !strings.Contains(kind, "event-stream") && !strings.Contains(kind, "eventstream") {
		f.Message += fmt.Sprintf(" (%s answered with content type %s)", f.URL, kind)
	}
	if err != io.EOF {
		f.Err, f.Message = err, f.Message+": "+why(err)
		f.Cut = !errors.Is(err, ErrLineTooLong)
	}
	return f
}

// CutOff is the failure of a reply whose body ended, with err, before the reply did.
func (r *Reply) CutOff(err error) *Failure { return r.Broken(why(err), err) }

// Broken is the failure of a reply that stopped before its end; what says how, err why, if there is more to say.
func (r *Reply) Broken(what string, err error) *Failure {
	f := r.Failure("the reply broke off before its end: " + what)
	if err != io.EOF {
		f.Err = err
	}
	f.Cut = !errors.Is(err, ErrLineTooLong)
	return f
}

// Said is the failure that an error object tells of; wordless is its message when it has none.
func (r *Reply) Said(raw []byte, wordless string) *Failure {
	said := ReadError(raw)
	f := r.Failure(first(said.Message, wordless))
	f.Code, f.Type, f.Body = said.Code, said.Type, Bounded(raw)
	return f
}

// Bounded is a copy of as much of an error object as a Failure may keep.
func Bounded(raw []byte) []byte { return bytes.Clone(raw[:min(len(raw), maxErrorBody)]) }

// why says in words how a body ended.
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
