package engine

import (
	"context"
	"encoding/json"
	"iter"
	"time"
)

// APIMode names a wire protocol (CONTRACT 2).
type APIMode string

// The four API modes.
const (
	ChatCompletions   APIMode = "chat_completions"
	CodexResponses    APIMode = "codex_responses"
	AnthropicMessages APIMode = "anthropic_messages"
	BedrockConverse   APIMode = "bedrock_converse"
)

// Route says which model is asked and where. It never holds a key: KeyEnv names the variable or stored entry.
type Route struct {
	Provider string  `json:"provider,omitempty"`
	Model    string  `json:"model,omitempty"`
	BaseURL  string  `json:"base_url,omitempty"`
	APIMode  APIMode `json:"api_mode,omitempty"`
	KeyEnv   string  `json:"key_env,omitempty"`
	Effort   string  `json:"effort,omitempty"`
}

// Maker names who is asked over r. Reasoning and provider state go back to their maker only.
func (r Route) Maker() string {
	if r == (Route{}) {
		return ""
	}
	return string(r.APIMode) + " " + r.Provider + "/" + r.Model
}

// Provider asks a model.
type Provider interface {
	// Stream yields one reply. It ends after Done, or after the first non-nil error, which is an *Error once the
	// provider is wrapped for the loop. The consumer may stop early; the connection is then closed.
	Stream(ctx context.Context, req Request) iter.Seq2[Delta, error]
}

// Request is one model call. Messages are valid (roles alternate, every call answered) and hold no system message.
// MaxTokens 0 leaves the output cap to the provider. Wait sleeps for d or until the user cuts it short (nil: plain sleep).
// Offer asks the user whether a wait of d, longer than is made unasked, is to be made because of e (nil: nobody to ask).
type Request struct {
	Route      Route
	System     string
	Messages   []Message
	Tools      []Spec
	MaxTokens  int
	SessionID  string
	HardCap    bool  // MaxTokens is what the server allows: nothing raises it, and a thinking budget gives way to it
	Cache      Cache // how long the provider keeps the prompt's marked prefix
	MayBeEmpty bool  // nothing has to be added to what was said: an empty reply is none that failed
	NoStream   bool  // the reply is to come in one piece: for a server that refuses to stream
	Estimate   int   // input tokens, estimated; scales the clocks
	Window     int   // the model's context in tokens, 0 when unknown
	Wait       func(ctx context.Context, d time.Duration) error
	Offer      func(ctx context.Context, e *Error, d time.Duration) bool
}

// Cache says how long a provider keeps the marked prefix of a prompt, where it wants marks. The zero value is its usual
// five minutes.
type Cache string

// The lives of a cached prefix. CacheOff sets no marks; what a provider caches unasked it still caches.
const (
	CacheMinutes Cache = ""
	CacheHour    Cache = "1h"
	CacheOff     Cache = "off"
)

// Delta is one piece of a streaming reply: TextDelta, ThoughtDelta, CallDelta, OpaqueDelta, Retry or Done.
type Delta interface{ delta() }

// TextDelta is visible text.
type TextDelta struct {
	Text string `json:"text"`
}

// ThoughtDelta is reasoning text, its signature, or both.
type ThoughtDelta struct {
	Text      string `json:"text,omitempty"`
	Signature string `json:"signature,omitempty"`
}

// CallDelta is a fragment of the call in slot Index (order of first appearance, from 0). ID and Name come whole, once;
// Args is appended.
type CallDelta struct {
	Index int             `json:"index"`
	ID    string          `json:"id,omitempty"`
	Name  string          `json:"name,omitempty"`
	Args  string          `json:"args,omitempty"`
	Extra json.RawMessage `json:"extra,omitempty"`
}

// OpaqueDelta is provider state to keep for replay.
type OpaqueDelta struct {
	Opaque Opaque `json:"opaque"`
}

// Retry says that the request is repeated. What streamed so far is dropped, unless Keep: then a continuation follows.
// Usage is what the failed attempt reported. Provider and Model name who is asked next; Key is where the key for that
// comes from, after a rotation; Route is who is asked from now on, after a fallback. Neither ever holds a key.
type Retry struct {
	Err      *Error        `json:"error,omitempty"`
	Action   Action        `json:"action"`
	Try      int           `json:"try"`
	Of       int           `json:"of"`
	After    time.Duration `json:"after_ns"`
	Provider string        `json:"provider,omitempty"`
	Model    string        `json:"model,omitempty"`
	Usage    Usage         `json:"usage"`
	Keep     bool          `json:"keep,omitempty"`
	Key      string        `json:"key,omitempty"`
	Route    *Route        `json:"route,omitempty"`
}

// Done ends a reply. Model is the name the server gave, "" when it gave none.
type Done struct {
	Stop  Stop   `json:"stop"`
	Usage *Usage `json:"usage,omitempty"`
	Model string `json:"model,omitempty"`
}

// Stop is why a reply ended.
type Stop string
