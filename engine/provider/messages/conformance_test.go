package messages_test

import (
	"fmt"
	"net/http"
	"testing"

	"go.uber.org/goleak"

	"talaria/engine"
	"talaria/engine/provider"
	"talaria/engine/provider/messages"
	pt "talaria/engine/provider/providertest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// ev is one event of a stream, named as the server names it.
func ev(kind, fields string) string {
	if fields != "" {
		fields = "," + fields
	}
	return "event: " + kind + "\n" + pt.DATA(fmt.Sprintf(`{"type":%q%s}`, kind, fields))
}

const (
	ping = "event: ping\n" + `data: {"type": "ping"}` + "\n\n"
	over = "event: message_stop\n" + `data: {"type":"message_stop"}` + "\n\n"
)

func head(usage string) string {
	return ev("message_start", `"message":{"id":"msg_1","type":"message","role":"assistant","model":"m1","content":[],"stop_reason":null,"usage":`+usage+`}`)
}

func begin(i int, block string) string {
	return ev("content_block_start", fmt.Sprintf(`"index":%d,"content_block":%s`, i, block))
}

func piece(i int, delta string) string {
	return ev("content_block_delta", fmt.Sprintf(`"index":%d,"delta":%s`, i, delta))
}

func closed(i int) string { return ev("content_block_stop", fmt.Sprintf(`"index":%d`, i)) }

func fin(reason, usage string) string {
	return ev("message_delta", fmt.Sprintf(`"delta":{"stop_reason":%q,"stop_sequence":null},"usage":%s`, reason, usage))
}

// words is a whole text block.
func words(i int, text string) string {
	return begin(i, `{"type":"text","text":""}`) + piece(i, fmt.Sprintf(`{"type":"text_delta","text":%q}`, text)) + closed(i)
}

// use is a whole tool_use block whose input comes in these pieces.
func use(i int, id, name string, args ...string) string {
	out := begin(i, fmt.Sprintf(`{"type":"tool_use","id":%q,"name":%q,"input":{}}`, id, name))
	for _, a := range args {
		out += piece(i, fmt.Sprintf(`{"type":"input_json_delta","partial_json":%q}`, a))
	}
	return out + closed(i)
}

func TestConformance(t *testing.T) {
	pt.Run(t, func(base string, hc *http.Client) engine.Provider {
		return messages.New(provider.Endpoint{BaseURL: base, Key: "sk-test-key", HTTP: hc})
	}, pt.Wire{
		Type: "text/event-stream", Path: "/v1/messages", Quiet: ping,
		Error: func(text string) string {
			return ev("error", fmt.Sprintf(`"error":{"type":"overloaded_error","message":%q}`, text))
		},
		Reply: func(s pt.Said) []string {
			out, i := []string{head(fmt.Sprintf(`{"input_tokens":%d,"output_tokens":1}`, s.Usage.Input))}, 0
			if s.Thought != "" {
				out = append(out, begin(i, `{"type":"thinking","thinking":"","signature":""}`),
					piece(i, fmt.Sprintf(`{"type":"thinking_delta","thinking":%q}`, s.Thought)),
					piece(i, `{"type":"signature_delta","signature":"c2ln"}`), closed(i))
				i++
			}
			out = append(out, begin(i, `{"type":"text","text":""}`), ping)
			for _, r := range s.Text {
				out = append(out, piece(i, fmt.Sprintf(`{"type":"text_delta","text":%q}`, string(r))))
			}
			out = append(out, closed(i))
			for _, c := range s.Calls {
				i++
				half := len(c.Args) / 2
				out = append(out, begin(i, fmt.Sprintf(`{"type":"tool_use","id":%q,"name":%q,"input":{}}`, c.ID, c.Name)),
					piece(i, `{"type":"input_json_delta","partial_json":""}`),
					piece(i, fmt.Sprintf(`{"type":"input_json_delta","partial_json":%q}`, c.Args[:half])),
					piece(i, fmt.Sprintf(`{"type":"input_json_delta","partial_json":%q}`, c.Args[half:])), closed(i))
			}
			why := map[engine.Stop]string{engine.StopEnd: "end_turn", engine.StopCalls: "tool_use"}[s.Stop]
			return append(out, fin(why, fmt.Sprintf(`{"output_tokens":%d}`, s.Usage.Output)), over)
		},
	})
}
