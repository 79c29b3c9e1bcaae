package responses_test

import (
	"fmt"
	"net/http"
	"testing"

	"go.uber.org/goleak"

	"talaria/engine"
	"talaria/engine/provider"
	pt "talaria/engine/provider/providertest"
	"talaria/engine/provider/responses"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// ev is one event as servers write it: named, and with its type inside.
func ev(kind, fields string) string {
	return fmt.Sprintf("event: response.%s\ndata: {\"type\":\"response.%s\",%s}\n\n", kind, kind, fields)
}

func added(index int, item string) string {
	return ev("output_item.added", fmt.Sprintf(`"output_index":%d,"item":%s`, index, item))
}

func itemDone(index int, item string) string {
	return ev("output_item.done", fmt.Sprintf(`"output_index":%d,"item":%s`, index, item))
}

func delta(kind string, index int, id, text string) string {
	return ev(kind+".delta", fmt.Sprintf(`"output_index":%d,"item_id":%q,"content_index":0,"summary_index":0,"delta":%q`, index, id, text))
}

// ended is the terminal event; output is the JSON of its items.
func ended(status, output, more string) string {
	return ev(status, fmt.Sprintf(`"response":{"object":"response","model":"m-1-dated","status":%q,"output":[%s]%s}`, status, output, more))
}

func call(id, callID, name, args, status string) string {
	return fmt.Sprintf(`{"type":"function_call","id":%q,"call_id":%q,"name":%q,"arguments":%q,"status":%q}`, id, callID, name, args, status)
}

func said(id, text, phase string) string {
	return fmt.Sprintf(`{"type":"message","id":%q,"role":"assistant","status":"completed","phase":%q,"content":[{"type":"output_text","text":%q,"annotations":[]}]}`, id, phase, text)
}

func sealed(id, seal, summary string) string {
	return fmt.Sprintf(`{"type":"reasoning","id":%q,"summary":[{"type":"summary_text","text":%q}],"encrypted_content":%q}`, id, summary, seal)
}

const created = "event: response.created\ndata: {\"type\":\"response.created\",\"response\":{\"status\":\"in_progress\",\"model\":\"m-1-dated\",\"output\":[]}}\n\n"

func TestConformance(t *testing.T) {
	pt.Run(t, func(base string, hc *http.Client) engine.Provider {
		return responses.New(provider.Endpoint{BaseURL: base, Key: "sk-test-key", HTTP: hc})
	}, pt.Wire{
		Type: "text/event-stream", Path: "/v1/responses", Quiet: ": OPENROUTER PROCESSING\n\n",
		Error: func(text string) string {
			return fmt.Sprintf("event: error\ndata: {\"type\":\"error\",\"code\":\"server_error\",\"message\":%q,\"param\":null}\n\n", text)
		},
		Reply: reply,
	})
}

// reply writes s as a server streams it.
func reply(s pt.Said) []string {
	out, n := []string{created}, 0
	if s.Thought != "" {
		out = append(out, added(n, `{"type":"reasoning","id":"rs_1","summary":[]}`),
			delta("reasoning_summary_text", n, "rs_1", s.Thought[:3]), delta("reasoning_summary_text", n, "rs_1", s.Thought[3:]),
			itemDone(n, sealed("rs_1", "SEAL", s.Thought)))
		n++
	}
	if s.Text != "" {
		out = append(out, added(n, `{"type":"message","id":"msg_1","role":"assistant","content":[],"status":"in_progress"}`))
		for _, r := range s.Text {
			out = append(out, delta("output_text", n, "msg_1", string(r)))
		}
		out = append(out, itemDone(n, said("msg_1", s.Text, "")))
		n++
	}
	for i, c := range s.Calls {
		id, half := fmt.Sprintf("fc_%d", i), len(c.Args)/2
		out = append(out, added(n, call(id, c.ID, c.Name, "", "in_progress")),
			delta("function_call_arguments", n, id, c.Args[:half]), delta("function_call_arguments", n, id, c.Args[half:]),
			itemDone(n, call(id, c.ID, c.Name, c.Args, "completed")))
		n++
	}
	return append(out, ended("completed", "", fmt.Sprintf(`,"usage":{"input_tokens":%d,"output_tokens":%d}`, s.Usage.Input, s.Usage.Output)))
}
