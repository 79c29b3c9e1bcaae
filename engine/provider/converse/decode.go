package converse

import (
	"bufio"
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"talaria/engine"
	"talaria/engine/provider"
)

// decoder reads one reply and yields its deltas.
type decoder struct {
	provider.Reply
	open    map[int]*openBlock // by the index on the wire
	calls   []*strings.Builder // the arguments of each call
	counted bool               // the metadata came
	plain   event              // the newest that was read the fast way
	reason  string
	some    bool // any part of a reply came
}

// InCall reports whether a call came.
func (d *decoder) InCall() bool { return len(d.calls) > 0 }

// body decodes a body to its end. It looks at the first byte rather than the content type: a gateway may answer at once
// where a stream was asked for. A frame begins with a zero, since none is longer than 16 MiB.
func (d *decoder) body(r *bufio.Reader) {
	first, err := r.Peek(1)
	switch {
	case err != nil:
		d.End(err)
	case first[0] <= 1:
		d.frames(r)
	default:
		d.text(r)
	}
}

func (d *decoder) frames(r *bufio.Reader) {
	frames := frameReader{r: r}
	for !d.Left && !(d.Ended && d.counted) {
		f, err := frames.next()
		if err != nil {
			d.End(err)
			return
		}
		d.frame(f)
	}
	d.End(io.EOF)
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

func (d *decoder) frame(f frame) {
	if f.kind == "exception" || f.kind == "error" {
		d.failInBand(f)
		return
	}
	if f.name == "contentBlockDelta" && d.plain.read(f.payload) {
		d.delta(d.plain.Index, d.plain.Delta)
		return
	}
	var e event
	switch f.name {
	case "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop", "metadata":
		if err := provider.Lenient(f.payload, &e); err != nil {
			d.Fail(d.Broken("a piece of the stream is not valid: "+err.Error(), nil))
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
		d.reason, d.Ended, d.some = e.StopReason, true, true
	case "metadata":
		d.counted = true
		d.count(e.Usage)
	}
	// messageStart says nothing that was not asked for; what comes with later versions is passed over
}

func (d *decoder) count(u *usage) {
	if u != nil {
		d.Usage = u.engine()
	}
}

// failInBand ends the reply with an exception that came inside it. After messageStop all was said, and the reply stands.
func (d *decoder) failInBand(f frame) {
	if d.Ended {
		d.counted = true
		return
	}
	var e event
	_ = provider.Lenient(f.payload, &e) // a payload that cannot be read has no words
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
	bad := d.Failure(said)
	bad.Type, bad.Body = f.name, provider.Bounded(f.payload)
	if e.OriginalStatus >= 400 {
		bad.Code = strconv.Itoa(e.OriginalStatus)
	}
	d.Fail(bad)
}
