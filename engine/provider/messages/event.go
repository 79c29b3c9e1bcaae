package messages

import (
	"encoding/json"

	"talaria/engine"
	"talaria/engine/provider"
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

// usage counts tokens. Input leaves out what the cache served or took, the opposite of what others mean by it (K02).
type usage struct {
	Input   provider.Count `json:"input_tokens"`
	Output  provider.Count `json:"output_tokens"`
	Read    provider.Count `json:"cache_read_input_tokens"`
	Written provider.Count `json:"cache_creation_input_tokens"`
	Out     struct {
		Thinking provider.Count `json:"thinking_tokens"`
	} `json:"output_tokens_details"`
}

// restate takes what a later event says of the same request. A 0 or null says nothing: some servers leave out there
// what they told at the start.
func (u *usage) restate(later usage) {
	for _, f := range []struct{ mine, theirs *provider.Count }{
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
