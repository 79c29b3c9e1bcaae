package converse

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"

	"talaria/engine"
	"talaria/engine/provider"
)

// decoder reads one reply and yields its deltas. Nothing of it outlives the attempt, so a repeated request starts clean.
type decoder struct {
	yield func(engine.Delta, error) bool
	ctx   context.Context
	resp  *http.Response
	model string

	open    map[int]*openBlock // by the index on the wire
	calls   []*strings.Builder // the arguments of each call
	usage   *engine.Usage
	counted bool // the metadata came
	reason  string
	some    bool // any part of a reply came
	ended   bool // messageStop, or a whole reply
	left    bool // the consumer wants no more, or has its error
}

// run decodes the body to its end. It looks at the first byte rather than the content type: a gateway may answer at once
// where a stream was asked for. A frame begins with a zero, since none is longer than 16 MiB.
func (d *decoder) run() {
	r := bufio.NewReaderSize(d.resp.Body, 32<<10)
	first, err := r.Peek(1)
	switch {
	case err != nil:
		d.end(err)
	case first[0] <= 1:
		d.frames(r)
	default:
		d.text(r)
	}
}

func (d *decoder) frames(r *bufio.Reader) {
	frames := frameReader{r: r}
	for !d.left && !(d.ended && d.counted) {
		f, err := frames.next()
		if err != nil {
			d.end(err)
			return
		}
		d.frame(f)
	}
	d.end(io.EOF)
}

// event is the payload of any event or exception; fields that are not known are left out.
type event struct {
	Index int `json:"contentBlockIndex"`
	Start struct {
		ToolUse *toolUseStart `json:"toolUse"`
	} `json:"start"`
	Delta      deltaBlock `json:"delta"`
	StopReason string     `json:"stopReason"`
	Usage      *usage     `json:"usage"`

	Message         string `json:"message"`
	OriginalMessage string `json:"originalMessage"`
	OriginalStatus  int    `json:"originalStatusCode"`
}

type toolUseStart struct {
	ID   string `json:"toolUseId"`
	Name string `json:"name"`
	Type string `json:"type"` // server_tool_use: run by Amazon
}

type deltaBlock struct {
	Text      string        `json:"text"`
	ToolUse   *inputDelta   `json:"toolUse"`
	Reasoning *thoughtDelta `json:"reasoningContent"`
}

// inputDelta is a piece of a call's arguments: a string in a stream, an object in a reply that came at once.
type inputDelta struct {
	Input json.RawMessage `json:"input"`
}

type thoughtDelta struct {
	Text      string `json:"text"`
	Signature string `json:"signature"`
	Redacted  []byte `json:"redactedContent"`
}

type usage struct {
	Input      int `json:"inputTokens"`
	Output     int `json:"outputTokens"`
	CacheRead  int `json:"cacheReadInputTokens"`
	CacheWrite int `json:"cacheWriteInputTokens"`
}

// engine counts cache reads and writes as input, which Amazon leaves out of it (K02).
func (u usage) engine() *engine.Usage {
	in, read, write := max(u.Input, 0), max(u.CacheRead, 0), max(u.CacheWrite, 0)
	return &engine.Usage{Input: in + read + write, Output: max(u.Output, 0), CacheRead: read, CacheWrite: write}
}

// lenient decodes raw into v; a field of another type than expected is left out rather than failing the whole.
func lenient(raw []byte, v any) error {
	err := json.Unmarshal(raw, v)
	var typ *json.UnmarshalTypeError
	if errors.As(err, &typ) {
		return nil
	}
	return err
}

func (d *decoder) frame(f frame) {
	if f.kind == "exception" || f.kind == "error" {
		d.failInBand(f)
		return
	}
	var e event
	switch f.name {
	case "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop", "metadata":
		if err := lenient(f.payload, &e); err != nil {
			d.fail(d.broken("a piece of the stream is not valid: "+err.Error(), nil))
			return
		}
	}
	switch f.name {
	case "contentBlockStart":
		d.start(e.Index, e.Start.ToolUse)
	case "contentBlockDelta":
		d.delta(e.Index, e.Delta)
	case "contentBlockStop":
		d.close(e.Index)
	case "messageStop":
		d.reason, d.ended, d.some = e.StopReason, true, true
	case "metadata":
		d.counted = true
		d.count(e.Usage)
	}
	// messageStart says nothing that was not asked for; what comes with later versions is passed over
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

// failInBand ends the reply with an exception that came inside it. After messageStop all was said, and the reply stands.
func (d *decoder) failInBand(f frame) {
	if d.ended {
		d.counted = true
		return
	}
	var e event
	_ = lenient(f.payload, &e) // a payload that cannot be read has no words
	said := e.Message
	if said == "" {
		said = f.message
	}
	if said == "" {
		said = provider.ReadError(f.payload).Message
	}
	if inner := e.OriginalMessage; inner != "" && !strings.Contains(said, inner) {
		said = strings.TrimSpace(said + ": " + inner)
	}
	if said == "" {
		said = "the provider sent " + f.name + " in the middle of the reply, without words"
	}
	bad := d.failure(said)
	bad.Type, bad.Body = f.name, append([]byte(nil), f.payload[:min(len(f.payload), 64<<10)]...)
	if e.OriginalStatus >= 400 {
		bad.Code = strconv.Itoa(e.OriginalStatus)
	}
	d.fail(bad)
}
