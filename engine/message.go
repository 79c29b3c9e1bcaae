package engine

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"strings"
	"time"
)

// Role says whose words a message holds.
type Role string

// The roles of a history. A tool message answers one call of the assistant message before it.
const (
	RoleSystem    Role = "system"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// Message is one entry of a conversation's history. It is written once and never changed: what a provider needs
// otherwise is made on the copy that is sent.
type Message struct {
	ID    string    `json:"id"`
	Role  Role      `json:"role"`
	Parts Parts     `json:"parts"`
	Usage *Usage    `json:"usage,omitempty"` // of the request that gave this reply; nil when the server told none
	Model string    `json:"model,omitempty"` // the model that spoke; reasoning is only replayed to it
	From  string    `json:"from,omitempty"`  // who was asked for it: provider, model and API mode of the route
	Stop  Stop      `json:"stop,omitempty"`
	At    time.Time `json:"at"`
	Aside bool      `json:"aside,omitempty"` // shown and stored, never sent: a partial reply that was interrupted
	Steer bool      `json:"steer,omitempty"` // a user's word during the turn; rides on the newest tool result when sent
	// Summary marks what stands for older turns that were summarised: the assistant's, and background only.
	Summary bool `json:"summary,omitempty"`
}

// Part is one piece of a message: Text, Thought, Image, Call, Result, Opaque, or Unknown from a later version.
type Part interface{ part() }

// Parts is a list of Part with its JSON: each part an object with its "type".
type Parts []Part

// Text is visible text, UTF-8.
type Text struct {
	Text string `json:"text"`
}

// Thought is reasoning. Signature is the provider's seal over Text and is replayed byte for byte, or not at all.
type Thought struct {
	Text      string `json:"text"`
	Signature string `json:"signature,omitempty"`
}

// Image is a picture the user attached. Data is the encoded file, MIME its type; Name is what the screen calls it.
type Image struct {
	Name string `json:"name,omitempty"`
	MIME string `json:"mime"`
	Data []byte `json:"data"`
}

// Call is a tool call as the model made it. Args is its exact JSON text, "{}" when there is none.
// Extra is provider state that must come back with this call (Gemini's thought signature), untouched.
type Call struct {
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Args  string          `json:"args"`
	Extra json.RawMessage `json:"extra,omitempty"`
}

// Status says how a call ended.
type Status string

// How a call can end. Refused: the arguments or the name were not usable. Denied: a gate or the user said no.
const (
	StatusDone    Status = "done"
	StatusFailed  Status = "failed"
	StatusRefused Status = "refused"
	StatusDenied  Status = "denied"
	StatusStopped Status = "stopped"
	StatusTimeout Status = "timeout"
)

// Result answers one Call. Text is what the model reads, never empty. Note is one short line for the screen
// ("7 matches in 3 files"); Diff a unified diff; Changed absolute paths that now differ on disk; Spill the file that
// holds the whole output when Text holds a part of it.
type Result struct {
	CallID  string   `json:"call_id"`
	Name    string   `json:"name"`
	Text    string   `json:"text"`
	Status  Status   `json:"status"`
	Note    string   `json:"note,omitempty"`
	Diff    string   `json:"diff,omitempty"`
	Changed []string `json:"changed,omitempty"`
	Spill   string   `json:"spill,omitempty"`
}

// Opaque is provider state that is replayed to the same API mode and model only, and never read or redacted.
type Opaque struct {
	Mode APIMode         `json:"mode"`
	Kind string          `json:"kind"`
	Data json.RawMessage `json:"data"`
}

// Unknown is a part, event or op of a type this version does not know. Raw is the whole object, kept as it was.
type Unknown struct {
	Type string
	Raw  json.RawMessage
}

// Usage counts tokens. Input includes cache reads and writes; Reasoning is a part of Output where the server says so.
type Usage struct {
	Input      int `json:"input_tokens"`
	Output     int `json:"output_tokens"`
	CacheRead  int `json:"cache_read_tokens"`
	CacheWrite int `json:"cache_write_tokens"`
	Reasoning  int `json:"reasoning_tokens"`
}

// Add returns the sum of u and v.
func (u Usage) Add(v Usage) Usage {
	return Usage{u.Input + v.Input, u.Output + v.Output, u.CacheRead + v.CacheRead, u.CacheWrite + v.CacheWrite, u.Reasoning + v.Reasoning}
}

// Text joins the visible text parts of m.
func (m Message) Text() string {
	var b strings.Builder
	for _, p := range m.Parts {
		if t, ok := p.(Text); ok {
			b.WriteString(t.Text)
		}
	}
	return b.String()
}

// Reasoning joins the thoughts of m with a blank line between them.
func (m Message) Reasoning() string {
	var all []string
	for _, p := range m.Parts {
		if t, ok := p.(Thought); ok && t.Text != "" {
			all = append(all, t.Text)
		}
	}
	return strings.Join(all, "\n\n")
}

// Calls returns the tool calls of m in the order the model made them.
func (m Message) Calls() []Call {
	var calls []Call
	for _, p := range m.Parts {
		if c, ok := p.(Call); ok {
			calls = append(calls, c)
		}
	}
	return calls
}

// Results returns the tool results of m.
func (m Message) Results() []Result {
	var results []Result
	for _, p := range m.Parts {
		if r, ok := p.(Result); ok {
			results = append(results, r)
		}
	}
	return results
}

// NewID returns prefix and 12 random hex digits.
func NewID(prefix string) string { return prefix + random(6) }

// NewSessionID returns an id of the form YYYYMMDD_HHMMSS_<6 hex> (CONTRACT 3).
func NewSessionID(at time.Time) string { return at.Format("20060102_150405_") + random(3) }

func random(n int) string {
	b := make([]byte, n)
	rand.Read(b) // never fails: crypto/rand ends the program instead
	return hex.EncodeToString(b)
}

// UserMessage returns a new user message of one text part.
func UserMessage(text string, at time.Time) Message {
	return Message{ID: NewID("msg_"), Role: RoleUser, Parts: Parts{Text{text}}, At: at}
}

// ToolMessage returns a new tool message that holds one result.
func ToolMessage(r Result, at time.Time) Message {
	return Message{ID: NewID("msg_"), Role: RoleTool, Parts: Parts{r}, At: at}
}
