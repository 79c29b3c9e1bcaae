package messages

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"talaria/engine"
)

// event is one event of a stream, or a whole reply: that has its own fields where message_start has message.
type event struct {
	Type    string          `json:"type"`
	Index   int             `json:"index"`
	Message *reply          `json:"message"`
	Block   json.RawMessage `json:"content_block"`
	Delta   delta           `json:"delta"`
	Usage   *usage          `json:"usage"`
	Error   json.RawMessage `json:"error"`
	reply
}

// reply is a message of the assistant: the head of a stream, or all of it.
type reply struct {
	Model      string            `json:"model"`
	Content    []json.RawMessage `json:"content"`
	StopReason string            `json:"stop_reason"`
	Usage      *usage            `json:"usage"`
}

// delta is a piece of a block, or, in message_delta, how the reply ended.
type delta struct {
	Type        string `json:"type"`
	Text        string `json:"text"`
	Thinking    string `json:"thinking"`
	Signature   string `json:"signature"`
	PartialJSON string `json:"partial_json"`
	StopReason  string `json:"stop_reason"`
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

// usage counts tokens. Input leaves out what the cache served or took, the opposite of what others mean by it (K02).
type usage struct {
	Input   count `json:"input_tokens"`
	Output  count `json:"output_tokens"`
	Read    count `json:"cache_read_input_tokens"`
	Written count `json:"cache_creation_input_tokens"`
	Out     struct {
		Thinking count `json:"thinking_tokens"`
	} `json:"output_tokens_details"`
}

// restate takes what a later event says of the same request. A 0 or null says nothing: some servers leave out there
// what they told at the start.
func (u *usage) restate(later usage) {
	for _, f := range []struct{ mine, theirs *count }{
		{&u.Input, &later.Input}, {&u.Output, &later.Output}, {&u.Read, &later.Read}, {&u.Written, &later.Written},
		{&u.Out.Thinking, &later.Out.Thinking},
	} {
		if *f.theirs > 0 {
			*f.mine = *f.theirs
		}
	}
}

func (u usage) engine() *engine.Usage {
	return &engine.Usage{
		Input: int(u.Input + u.Read + u.Written), Output: int(u.Output),
		CacheRead: int(u.Read), CacheWrite: int(u.Written), Reasoning: int(u.Out.Thinking),
	}
}

// count takes a number in any spelling: 3, 3.0, "3"; anything else is 0.
type count int

func (c *count) UnmarshalJSON(b []byte) error {
	f, err := strconv.ParseFloat(strings.Trim(string(b), `"`), 64)
	if err == nil && f > 0 && f < 1e15 {
		*c = count(f)
	}
	return nil
}
