package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"talaria/engine"
)

// turn is one message of a request in the words that all modes share. Results are those that stand directly in it.
type turn struct {
	Role    string // user, assistant or tool
	Text    string
	Calls   []engine.Call
	Results []engine.Result
	Seals   []string // signatures, encrypted and hidden reasoning that go back
}

// thread is a request as it was read. Faults are what its own wire forbids.
type thread struct {
	System string
	Tools  int
	Stream bool
	Turns  []turn
	Faults []string
}

func (t *thread) fault(format string, args ...any) {
	t.Faults = append(t.Faults, fmt.Sprintf(format, args...))
}

// text joins everything that somebody said, called or answered.
func (t thread) text() string {
	var b strings.Builder
	for _, m := range t.Turns {
		fmt.Fprintln(&b, m.Role, m.Text)
		for _, c := range m.Calls {
			fmt.Fprintln(&b, c.Name, c.Args)
		}
		for _, r := range m.Results {
			fmt.Fprintln(&b, r.Text)
		}
	}
	return b.String()
}

func (t thread) seals() (all []string) {
	for _, m := range t.Turns {
		all = append(all, m.Seals...)
	}
	return all
}

// wrong names what breaks law 3, whatever the wire: the user begins, users and assistants alternate, every call is
// answered directly, in order and once, nothing is answered that was not called, nothing is empty, and the assistant
// never has the last word.
func (t thread) wrong() []string {
	faults := slices.Clone(t.Faults)
	say := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	if strings.TrimSpace(t.System) == "" {
		say("there is no system prompt")
	}
	var open []string
	used := map[string]bool{}
	before := ""
	for i, m := range t.Turns {
		switch {
		case i == 0 && m.Role != "user":
			say("the history begins with %s", m.Role)
		case m.Role == before:
			say("message %d: %s follows %s", i, m.Role, before)
		case m.Role == "tool" && before != "assistant":
			say("message %d: results follow %s", i, before)
		}
		before = m.Role
		if m.Role != "tool" && len(open) > 0 {
			say("message %d comes while %q wait for their results", i, open)
		}
		if strings.TrimSpace(m.Text) == "" && len(m.Calls) == 0 && len(m.Results) == 0 {
			say("message %d is empty", i)
		}
		for _, r := range m.Results {
			switch {
			case len(open) == 0 || open[0] != r.CallID:
				say("message %d answers %q, and %q wait", i, r.CallID, open)
			default:
				open = open[1:]
			}
			if strings.TrimSpace(r.Text) == "" {
				say("message %d has an empty result", i)
			}
		}
		for _, c := range m.Calls {
			var object map[string]any
			if json.Unmarshal([]byte(c.Args), &object) != nil {
				say("message %d: the arguments of %s are no object: %s", i, c.Name, c.Args)
			}
			if c.ID == "" || used[c.ID] || c.Name == "" {
				say("message %d: the call %q %q has no name, or no id of its own", i, c.ID, c.Name)
			}
			used[c.ID] = true
			open = append(open, c.ID)
		}
	}
	if len(open) > 0 {
		say("%q are not answered", open)
	}
	if before == "assistant" || before == "" {
		say("the last word is %q's", before)
	}
	return faults
}

// schemas are the published schemas of requests that are there.
var schemas = sync.OnceValues(func() (map[string]*jsonschema.Resolved, error) {
	found := map[string]*jsonschema.Resolved{}
	for _, s := range speakers {
		b, err := os.ReadFile(filepath.Join("..", "shared", "schemas", s.schema))
		if s.schema == "" || errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		var one jsonschema.Schema
		if err := json.Unmarshal(b, &one); err != nil {
			return nil, err
		}
		if found[s.schema], err = one.Resolve(nil); err != nil {
			return nil, err
		}
	}
	return found, nil
})

// valid checks every request that a server got, and returns them as they were read.
func (s speaker) valid(t testing.TB, model string, requests []posted) (all []thread) {
	t.Helper()
	known, err := schemas()
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range requests {
		if want := strings.ReplaceAll(s.path, "MODEL", model); !strings.HasSuffix(r.path, want) {
			t.Errorf("%s: request %d went to %s", s.mode, i+1, r.path)
		}
		if !utf8.Valid(r.body) {
			t.Errorf("%s: request %d is not UTF-8", s.mode, i+1)
		}
		if schema := known[s.schema]; schema != nil {
			if err := schema.Validate(loosened(t, r.body)); err != nil {
				t.Errorf("%s: the schema refuses request %d: %.2000v\n%s", s.mode, i+1, err, r.body)
			}
		}
		read := s.read(r.body)
		if faults := read.wrong(); len(faults) > 0 {
			t.Errorf("%s: request %d is not valid: %s\n%s", s.mode, i+1, strings.Join(faults, "; "), r.body)
		}
		if !read.Stream && s.mode != engine.BedrockConverse || read.Tools == 0 {
			t.Errorf("%s: request %d has stream %v and %d tools", s.mode, i+1, read.Stream, read.Tools)
		}
		all = append(all, read)
	}
	return all
}

// loosened is a body for its schema. Responses: reasoning wants an id there, which servers take without (BEHAVIOUR 3.6).
// Chat: extra_content is Google's, the reasoning fields are DeepSeek's and OpenRouter's, and the schema is OpenAI's.
func loosened(t testing.TB, body []byte) any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal(body, &v); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	items, _ := v["input"].([]any)
	for _, one := range items {
		if item, _ := one.(map[string]any); item["type"] == "reasoning" {
			if id, has := item["id"]; has {
				t.Errorf("reasoning went back with its id %v", id)
			}
			item["id"] = "rs_1"
		}
	}
	messages, chat := v["messages"].([]any)
	if chat {
		delete(v, "reasoning") // OpenRouter's; Responses has one of its own, and no messages
	}
	for _, one := range messages {
		m, _ := one.(map[string]any)
		delete(m, "reasoning_content")
		delete(m, "reasoning_details")
		calls, _ := m["tool_calls"].([]any)
		for _, c := range calls {
			delete(c.(map[string]any), "extra_content")
		}
	}
	return v
}

// chatText is a content, a string or a list of texts; there is false for null.
func chatText(raw json.RawMessage) (text string, there bool) {
	if json.Unmarshal(raw, &text) == nil {
		return text, string(raw) != "null"
	}
	var parts []struct{ Text string }
	_ = json.Unmarshal(raw, &parts) // what is neither is no content
	for _, p := range parts {
		text += p.Text
	}
	return text, true
}

// readChat reads a request of chat completions.
func readChat(body []byte) (t thread) {
	var r struct {
		Stream   bool
		Tools    []json.RawMessage
		Messages []struct {
			Role      string
			Content   json.RawMessage
			CallID    string                  `json:"tool_call_id"`
			Reasoning *string                 `json:"reasoning_content"`
			Details   []struct{ Data string } `json:"reasoning_details"`
			ToolCalls []struct {
				ID, Type string
				Function struct{ Name, Arguments string }
				Extra    struct {
					Google struct {
						Signature string `json:"thought_signature"`
					}
				} `json:"extra_content"`
			} `json:"tool_calls"`
		}
	}
	if err := json.Unmarshal(body, &r); err != nil {
		t.fault("%v", err)
	}
	t.Stream, t.Tools = r.Stream, len(r.Tools)
	for i, m := range r.Messages {
		content, there := chatText(m.Content)
		if !there && len(m.ToolCalls) == 0 {
			t.fault("message %d has no content", i)
		}
		if there && strings.TrimSpace(content) == "" {
			t.fault("message %d has blank content", i)
		}
		one := turn{Role: m.Role, Text: content}
		if m.Reasoning != nil {
			one.Seals = append(one.Seals, *m.Reasoning)
		}
		for _, c := range m.ToolCalls {
			one.Calls = append(one.Calls, engine.Call{ID: c.ID, Name: c.Function.Name, Args: c.Function.Arguments})
			if c.Type != "function" {
				t.fault("message %d has a call of type %q", i, c.Type)
			}
			if s := c.Extra.Google.Signature; s != "" {
				one.Seals = append(one.Seals, s)
			}
		}
		for _, d := range m.Details {
			one.Seals = append(one.Seals, d.Data)
		}
		switch n := len(t.Turns); {
		case m.Role == "system" && i == 0:
			t.System = content
		case m.Role == "tool":
			result := engine.Result{CallID: m.CallID, Text: content}
			if n > 0 && t.Turns[n-1].Role == "tool" {
				t.Turns[n-1].Results = append(t.Turns[n-1].Results, result)
				continue
			}
			t.Turns = append(t.Turns, turn{Role: "tool", Results: []engine.Result{result}})
		default:
			t.Turns = append(t.Turns, one)
		}
	}
	return t
}

var callID = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

func readResponses(body []byte) (t thread) {
	var r struct {
		Stream, Store bool
		Instructions  string
		Tools         []json.RawMessage
		Input         []struct {
			Type, Role, ID, Status, Name, Arguments, Output string
			CallID                                          string `json:"call_id"`
			Encrypted                                       string `json:"encrypted_content"`
			Content                                         json.RawMessage
		}
	}
	if err := json.Unmarshal(body, &r); err != nil {
		t.fault("%v", err)
	}
	if t.Stream, t.Tools, t.System = r.Stream, len(r.Tools), r.Instructions; r.Store {
		t.fault("the server is told to store")
	}
	// of is the turn that an item belongs to: the last one when that has its role
	of := func(role string) *turn {
		if n := len(t.Turns); n == 0 || t.Turns[n-1].Role != role {
			t.Turns = append(t.Turns, turn{Role: role})
		}
		return &t.Turns[len(t.Turns)-1]
	}
	ids := map[string]bool{}
	for i, it := range r.Input {
		switch it.Type {
		case "message":
			var parts []struct{ Type, Text string }
			if err := json.Unmarshal(it.Content, &parts); err != nil {
				t.fault("item %d: %v", i, err)
			}
			m := of(it.Role)
			if m.Text != "" {
				t.fault("item %d: two messages of %s in a row", i, it.Role)
			}
			for _, p := range parts {
				if want := map[string]string{"user": "input_text", "assistant": "output_text"}[it.Role]; p.Type != want {
					t.fault("item %d: %s says %s", i, it.Role, p.Type)
				}
				m.Text += p.Text
			}
			if it.Role == "assistant" && (it.ID == "" || ids[it.ID]) {
				t.fault("item %d: the id %q of a message is no own one", i, it.ID)
			}
			ids[it.ID] = true
		case "reasoning":
			m := of("assistant")
			m.Seals = append(m.Seals, it.Encrypted)
		case "function_call":
			m := of("assistant")
			m.Calls = append(m.Calls, engine.Call{ID: it.CallID, Name: it.Name, Args: it.Arguments})
			if !callID.MatchString(it.CallID) {
				t.fault("item %d: the server refuses the id %q", i, it.CallID)
			}
		case "function_call_output":
			m := of("tool")
			m.Results = append(m.Results, engine.Result{CallID: it.CallID, Text: it.Output})
		default:
			t.fault("item %d is of type %q", i, it.Type)
		}
	}
	return t
}

func readMessages(body []byte) (t thread) {
	var r struct {
		Stream    bool
		MaxTokens int `json:"max_tokens"`
		Tools     []json.RawMessage
		System    []struct{ Text string }
		Messages  []struct {
			Role    string
			Content []struct {
				Type, Text, Thinking, Signature, Data, ID, Name string
				CallID                                          string `json:"tool_use_id"`
				Input                                           json.RawMessage
				Content                                         json.RawMessage
			}
		}
	}
	if err := json.Unmarshal(body, &r); err != nil {
		t.fault("%v", err)
	}
	if t.Stream, t.Tools = r.Stream, len(r.Tools); r.MaxTokens <= 0 {
		t.fault("max_tokens is %d", r.MaxTokens)
	}
	for _, b := range r.System {
		t.System += b.Text
	}
	for i, m := range r.Messages {
		one := turn{Role: m.Role}
		for j, b := range m.Content {
			switch b.Type {
			case "text":
				if strings.TrimSpace(b.Text) == "" {
					t.fault("message %d has a blank text", i)
				}
				one.Text += b.Text
			case "thinking":
				if j > 0 && one.Text != "" || b.Thinking == "" || b.Signature == "" {
					t.fault("message %d has thinking after text, or without text or signature", i)
				}
				one.Seals = append(one.Seals, b.Thinking, b.Signature)
			case "redacted_thinking":
				one.Seals = append(one.Seals, b.Data)
			case "tool_use":
				one.Calls = append(one.Calls, engine.Call{ID: b.ID, Name: b.Name, Args: string(b.Input)})
				if !callID.MatchString(b.ID) {
					t.fault("message %d: the server refuses the id %q", i, b.ID)
				}
			case "tool_result":
				if one.Text != "" {
					t.fault("message %d has a result after text", i)
				}
				one.Results = append(one.Results, engine.Result{CallID: b.CallID, Text: resultText(b.Content)})
			default:
				t.fault("message %d has a block of type %q", i, b.Type)
			}
		}
		t.blocks(one)
	}
	return t
}

// blocks adds a message of a wire where results stand at the head of the user's message.
func (t *thread) blocks(one turn) {
	if one.Role == "user" && len(one.Results) > 0 {
		t.Turns = append(t.Turns, turn{Role: "tool", Results: one.Results})
		if one.Results = nil; one.Text == "" {
			return
		}
	}
	t.Turns = append(t.Turns, one)
}

// resultText is the content of a result: a string, or a list of texts.
func resultText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var parts []struct{ Text string }
	if json.Unmarshal(raw, &parts) != nil {
		return ""
	}
	for _, p := range parts {
		text += p.Text
	}
	return text
}

func readConverse(body []byte) (t thread) {
	type block struct {
		Text      string
		Reasoning *struct {
			Text     *struct{ Text, Signature string } `json:"reasoningText"`
			Redacted string                            `json:"redactedContent"`
		} `json:"reasoningContent"`
		Use *struct {
			ID    string `json:"toolUseId"`
			Name  string
			Input json.RawMessage
		} `json:"toolUse"`
		Result *struct {
			ID      string `json:"toolUseId"`
			Content json.RawMessage
		} `json:"toolResult"`
		CachePoint *struct{ Type string } `json:"cachePoint"`
	}
	var r struct {
		Messages []struct {
			Role    string
			Content []block
		}
		System []block
		Tools  struct{ Tools []json.RawMessage } `json:"toolConfig"`
	}
	if err := json.Unmarshal(body, &r); err != nil {
		t.fault("%v", err)
	}
	for _, b := range r.System {
		t.System += b.Text
	}
	t.Tools = len(r.Tools.Tools)
	for i, m := range r.Messages {
		one := turn{Role: m.Role}
		for _, b := range m.Content {
			switch {
			case b.Use != nil:
				one.Calls = append(one.Calls, engine.Call{ID: b.Use.ID, Name: b.Use.Name, Args: string(b.Use.Input)})
				if !callID.MatchString(b.Use.ID) {
					t.fault("message %d: the server refuses the id %q", i, b.Use.ID)
				}
			case b.Result != nil:
				if one.Text != "" {
					t.fault("message %d has a result after text", i)
				}
				one.Results = append(one.Results, engine.Result{CallID: b.Result.ID, Text: resultText(b.Result.Content)})
			case b.Reasoning != nil && b.Reasoning.Text != nil:
				one.Seals = append(one.Seals, b.Reasoning.Text.Text, b.Reasoning.Text.Signature)
				if one.Text != "" {
					t.fault("message %d has reasoning after text", i)
				}
			case b.Reasoning != nil:
				one.Seals = append(one.Seals, b.Reasoning.Redacted)
			case b.CachePoint != nil:
			case strings.TrimSpace(b.Text) == "":
				t.fault("message %d has a blank text", i)
			default:
				one.Text += b.Text
			}
		}
		t.blocks(one)
	}
	return t
}
