package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"

	"talaria/engine"
	"talaria/engine/provider/providertest"
)

// said is what a fake model says in one reply, whatever the wire. Seal is a signature or encrypted reasoning, Hidden
// reasoning that cannot be read, Tag provider state on every call; a wire leaves out what it has no place for.
type said struct {
	Thought, Seal, Hidden, Text, Tag string
	Calls                            []engine.Call
	Usage                            engine.Usage
}

// speaker is one API mode: how its servers answer, and how their requests are read.
type speaker struct {
	mode   engine.APIMode
	path   string // how the address of a call ends; MODEL stands for the model
	kind   string // content type of a stream
	schema string // of its requests, in ../shared/schemas; "" where there is none
	tail   int    // how many pieces of a reply may be missing at its end
	reply  func(name string, s said) []string
	read   func(body []byte) thread
}

var speakers = []speaker{
	{engine.ChatCompletions, "/v1/chat/completions", "text/event-stream", "ChatRequest.json", 2, sayChat, readChat},
	{engine.CodexResponses, "/v1/responses", "text/event-stream", "ResponsesRequest.json", 0, sayResponses, readResponses},
	{engine.AnthropicMessages, "/v1/messages", "text/event-stream", "MessagesRequest.json", 0, sayMessages, readMessages},
	{engine.BedrockConverse, "/model/MODEL/converse-stream", "application/vnd.amazon.eventstream", "", 1, sayConverse, readConverse},
}

// answer is a whole reply.
func (s speaker) answer(name string, x said) providertest.Answer {
	return providertest.Answer{Type: s.kind, Body: providertest.Bytes(s.reply(name, x)...)}
}

// tokens cuts text as models send it: a few bytes at a time, never inside a character.
func tokens(text string) (all []string) {
	const size = 5
	from := 0
	for i := range text {
		if i-from >= size {
			all, from = append(all, text[from:i]), i
		}
	}
	if from < len(text) {
		all = append(all, text[from:])
	}
	return all
}

// js is v as JSON.
func js(v any) string {
	b, err := engine.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

type obj = map[string]any

// event is a server-sent event with a name.
func event(name string, data any) string {
	return "event: " + name + "\n" + providertest.DATA(js(data))
}

func sayChat(name string, s said) (out []string) {
	chunk := func(delta any, finish any) {
		out = append(out, providertest.DATA(js(obj{"id": "c1", "object": "chat.completion.chunk", "model": name,
			"choices": []any{obj{"index": 0, "delta": delta, "finish_reason": finish}}})))
	}
	for _, piece := range tokens(s.Thought) {
		chunk(obj{"reasoning_content": piece}, nil)
	}
	if s.Hidden != "" {
		chunk(obj{"reasoning_details": []any{obj{"type": "reasoning.encrypted", "index": 0, "data": s.Hidden}}}, nil)
	}
	for _, piece := range tokens(s.Text) {
		chunk(obj{"content": piece}, nil)
	}
	why := "stop"
	for i, c := range s.Calls {
		why = "tool_calls"
		head := obj{"index": i, "id": c.ID, "type": "function", "function": obj{"name": c.Name, "arguments": ""}}
		if s.Tag != "" {
			head["extra_content"] = obj{"google": obj{"thought_signature": s.Tag}}
		}
		chunk(obj{"tool_calls": []any{head}}, nil)
		for _, piece := range tokens(c.Args) {
			chunk(obj{"tool_calls": []any{obj{"index": i, "function": obj{"arguments": piece}}}}, nil)
		}
	}
	chunk(obj{}, why)
	u := s.Usage
	out = append(out, providertest.DATA(js(obj{"id": "c1", "object": "chat.completion.chunk", "model": name, "choices": []any{},
		"usage": obj{"prompt_tokens": u.Input, "completion_tokens": u.Output, "total_tokens": u.Input + u.Output,
			"prompt_tokens_details": obj{"cached_tokens": u.CacheRead}, "completion_tokens_details": obj{"reasoning_tokens": u.Reasoning}}})))
	return append(out, providertest.DONE)
}

func sayResponses(name string, s said) []string {
	var out []string
	ev := func(kind string, fields obj) {
		fields["type"] = "response." + kind
		out = append(out, event("response."+kind, fields))
	}
	n, items := 0, []any{}
	add := func(open, whole obj, deltas func()) {
		ev("output_item.added", obj{"output_index": n, "item": open})
		deltas()
		ev("output_item.done", obj{"output_index": n, "item": whole})
		items = append(items, whole)
		n++
	}
	ev("created", obj{"response": obj{"object": "response", "model": name, "status": "in_progress", "output": []any{}}})
	if s.Thought != "" {
		id := fmt.Sprintf("rs_%d", len(s.Thought))
		add(obj{"type": "reasoning", "id": id, "summary": []any{}},
			obj{"type": "reasoning", "id": id, "summary": []any{obj{"type": "summary_text", "text": s.Thought}}, "encrypted_content": s.Seal}, func() {
				for _, piece := range tokens(s.Thought) {
					ev("reasoning_summary_text.delta", obj{"output_index": n, "item_id": id, "summary_index": 0, "delta": piece})
				}
			})
	}
	if s.Text != "" {
		id := fmt.Sprintf("msg_srv%d", len(s.Text))
		add(obj{"type": "message", "id": id, "role": "assistant", "content": []any{}, "status": "in_progress"},
			obj{"type": "message", "id": id, "role": "assistant", "status": "completed", "content": []any{obj{"type": "output_text", "text": s.Text, "annotations": []any{}}}}, func() {
				for _, piece := range tokens(s.Text) {
					ev("output_text.delta", obj{"output_index": n, "item_id": id, "content_index": 0, "delta": piece})
				}
			})
	}
	for _, c := range s.Calls {
		id := "fc_" + c.ID
		add(obj{"type": "function_call", "id": id, "call_id": c.ID, "name": c.Name, "arguments": "", "status": "in_progress"},
			obj{"type": "function_call", "id": id, "call_id": c.ID, "name": c.Name, "arguments": c.Args, "status": "completed"}, func() {
				for _, piece := range tokens(c.Args) {
					ev("function_call_arguments.delta", obj{"output_index": n, "item_id": id, "delta": piece})
				}
			})
	}
	u := s.Usage
	ev("completed", obj{"response": obj{"object": "response", "model": name, "status": "completed", "output": items,
		"usage": obj{"input_tokens": u.Input, "output_tokens": u.Output, "total_tokens": u.Input + u.Output,
			"input_tokens_details": obj{"cached_tokens": u.CacheRead}, "output_tokens_details": obj{"reasoning_tokens": u.Reasoning}}}})
	return out
}

func sayMessages(name string, s said) []string {
	var out []string
	ev := func(kind string, fields obj) {
		fields["type"] = kind
		out = append(out, event(kind, fields))
	}
	u, i := s.Usage, 0
	block := func(open obj, kind, field, text string) {
		ev("content_block_start", obj{"index": i, "content_block": open})
		for _, piece := range tokens(text) {
			ev("content_block_delta", obj{"index": i, "delta": obj{"type": kind, field: piece}})
		}
	}
	end := func() {
		ev("content_block_stop", obj{"index": i})
		i++
	}
	ev("message_start", obj{"message": obj{"id": "msg_srv", "type": "message", "role": "assistant", "model": name, "content": []any{}, "stop_reason": nil,
		"usage": obj{"input_tokens": u.Input - u.CacheRead - u.CacheWrite, "cache_read_input_tokens": u.CacheRead,
			"cache_creation_input_tokens": u.CacheWrite, "output_tokens": 1}}})
	if s.Thought != "" {
		block(obj{"type": "thinking", "thinking": "", "signature": ""}, "thinking_delta", "thinking", s.Thought)
		ev("content_block_delta", obj{"index": i, "delta": obj{"type": "signature_delta", "signature": s.Seal}})
		end()
	}
	if s.Hidden != "" {
		block(obj{"type": "redacted_thinking", "data": s.Hidden}, "", "", "")
		end()
	}
	if s.Text != "" {
		block(obj{"type": "text", "text": ""}, "text_delta", "text", s.Text)
		end()
	}
	why := "end_turn"
	for _, c := range s.Calls {
		why = "tool_use"
		block(obj{"type": "tool_use", "id": c.ID, "name": c.Name, "input": obj{}}, "input_json_delta", "partial_json", c.Args)
		end()
	}
	ev("message_delta", obj{"delta": obj{"stop_reason": why, "stop_sequence": nil}, "usage": obj{"output_tokens": u.Output}})
	ev("message_stop", obj{})
	return out
}

// frame is a message of Amazon's event stream.
func frame(kind string, payload any) string {
	m := eventstream.Message{Payload: []byte(js(payload))}
	m.Headers.Set(":event-type", eventstream.StringValue(kind))
	m.Headers.Set(":content-type", eventstream.StringValue("application/json"))
	m.Headers.Set(":message-type", eventstream.StringValue("event"))
	var b bytes.Buffer
	if err := eventstream.NewEncoder().Encode(&b, m); err != nil {
		panic(err)
	}
	return b.String()
}

func sayConverse(_ string, s said) []string {
	out, i := []string{frame("messageStart", obj{"role": "assistant"})}, 0
	delta := func(d obj) { out = append(out, frame("contentBlockDelta", obj{"contentBlockIndex": i, "delta": d})) }
	end := func() {
		out = append(out, frame("contentBlockStop", obj{"contentBlockIndex": i}))
		i++
	}
	if s.Thought != "" {
		for _, piece := range tokens(s.Thought) {
			delta(obj{"reasoningContent": obj{"text": piece}})
		}
		delta(obj{"reasoningContent": obj{"signature": s.Seal}})
		end()
	}
	if s.Hidden != "" {
		delta(obj{"reasoningContent": obj{"redactedContent": s.Hidden}})
		end()
	}
	if s.Text != "" {
		for _, piece := range tokens(s.Text) {
			delta(obj{"text": piece})
		}
		end()
	}
	why := "end_turn"
	for _, c := range s.Calls {
		why = "tool_use"
		out = append(out, frame("contentBlockStart", obj{"contentBlockIndex": i, "start": obj{"toolUse": obj{"toolUseId": c.ID, "name": c.Name}}}))
		for _, piece := range tokens(c.Args) {
			delta(obj{"toolUse": obj{"input": piece}})
		}
		end()
	}
	u := s.Usage
	return append(out, frame("messageStop", obj{"stopReason": why}),
		frame("metadata", obj{"usage": obj{"inputTokens": u.Input - u.CacheRead - u.CacheWrite, "outputTokens": u.Output, "totalTokens": u.Input + u.Output,
			"cacheReadInputTokens": u.CacheRead, "cacheWriteInputTokens": u.CacheWrite}, "metrics": obj{"latencyMs": 1}}))
}

// station is a fake server of one mode. Next says what answers the request of this number, from 0, with this body.
type station struct {
	*httptest.Server
	mu     sync.Mutex
	next   func(n int, body []byte) http.Handler
	asked  []posted
	forget bool // keeps no bodies: for tests that make thousands of requests
}

type posted struct {
	path string
	body []byte
}

func newStation(t testing.TB, next func(n int, body []byte) http.Handler) *station {
	s := &station{next: next}
	s.Server = httptest.NewServer(s)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s
}

// playing answers with these replies in turn, and anything after them with an error that says so.
func (s speaker) playing(name string, replies ...said) func(int, []byte) http.Handler {
	return func(n int, _ []byte) http.Handler {
		if n < len(replies) {
			return s.answer(name, replies[n])
		}
		return providertest.JSON(400, `{"error":{"message":"the story has no reply for this request"}}`)
	}
}

func (s *station) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body) // what could not be read fails the validators
	s.mu.Lock()
	n := len(s.asked)
	if !s.forget {
		s.asked = append(s.asked, posted{r.URL.Path, body})
	}
	h := s.next(n, body)
	s.mu.Unlock()
	h.ServeHTTP(w, r)
}

func (s *station) requests() []posted {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]posted(nil), s.asked...)
}

// place is where a program runs: a project, a home and a configuration of its own.
type place struct {
	t                  testing.TB
	project, home, own string
}

func newPlace(t testing.TB, configuration string) place {
	root := t.TempDir()
	p := place{t, filepath.Join(root, "project"), filepath.Join(root, "home"), filepath.Join(root, "talaria")}
	for _, dir := range []string{p.project, p.home, p.own} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	p.write(filepath.Join(p.own, "config.yaml"), configuration)
	return p
}

func (p place) write(path, text string) {
	p.t.Helper()
	if !filepath.IsAbs(path) {
		path = filepath.Join(p.project, path)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// run starts the program and waits for its end; a program that hangs is ended and fails the test.
func (p place) run(args ...string) (code int, stdout, stderr string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(binary, "talaria"), args...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = p.project, clean(p.home, p.own), &out, &errs
	err := cmd.Run()
	if ctx.Err() != nil {
		p.t.Fatalf("talaria %s hangs: %s%s", strings.Join(args, " "), out.String(), errs.String())
	}
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	return exitCode(err), out.String(), errs.String()
}

// report is what -p --output json says.
type report struct {
	SessionID string               `json:"session_id"`
	Final     string               `json:"final_response"`
	Exit      engine.Exit          `json:"exit_reason"`
	Completed bool                 `json:"completed"`
	Messages  []engine.ChatMessage `json:"messages"`
	Usage     engine.Usage         `json:"usage"`
	APIMode   engine.APIMode       `json:"api_mode"`
	Error     *struct{ Reason, Message string }
}

func readReport(t testing.TB, stdout string) report {
	t.Helper()
	var r report
	if err := json.Unmarshal([]byte(stdout), &r); err != nil {
		t.Fatalf("%v in %q", err, stdout)
	}
	return r
}

// args are the arguments of a call.
func args(v any) string { return js(v) }
