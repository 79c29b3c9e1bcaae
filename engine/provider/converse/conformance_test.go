package converse_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"
	"go.uber.org/goleak"

	"talaria/engine"
	"talaria/engine/provider"
	"talaria/engine/provider/converse"
	pt "talaria/engine/provider/providertest"
)

// TestMain keeps the developer's own AWS settings out of the tests.
func TestMain(m *testing.M) {
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "AWS_") {
			os.Unsetenv(name)
		}
	}
	none := filepath.Join(os.TempDir(), "talaria-no-such-aws-file")
	os.Setenv("AWS_CONFIG_FILE", none)
	os.Setenv("AWS_SHARED_CREDENTIALS_FILE", none)
	os.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	goleak.VerifyTestMain(m)
}

const streamType = "application/vnd.amazon.eventstream"

// message is a frame with these headers, each "name", "value".
func message(payload string, headers ...string) string {
	m := eventstream.Message{Payload: []byte(payload)}
	for i := 0; i < len(headers); i += 2 {
		m.Headers.Set(headers[i], eventstream.StringValue(headers[i+1]))
	}
	var b bytes.Buffer
	if err := eventstream.NewEncoder().Encode(&b, m); err != nil {
		panic(err)
	}
	return b.String()
}

// ev is an event of this type.
func ev(name, payload string) string {
	return message(payload, ":event-type", name, ":content-type", "application/json", ":message-type", "event")
}

// exc is an exception of this type.
func exc(name, payload string) string {
	return message(payload, ":exception-type", name, ":content-type", "application/json", ":message-type", "exception")
}

func text(i int, s string) string {
	return ev("contentBlockDelta", fmt.Sprintf(`{"contentBlockIndex":%d,"delta":{"text":%q},"p":"abc"}`, i, s))
}

func thought(i int, s string) string {
	return ev("contentBlockDelta", fmt.Sprintf(`{"contentBlockIndex":%d,"delta":{"reasoningContent":{"text":%q}}}`, i, s))
}

func callStart(i int, id, name string) string {
	return ev("contentBlockStart", fmt.Sprintf(`{"contentBlockIndex":%d,"start":{"toolUse":{"toolUseId":%q,"name":%q}}}`, i, id, name))
}

func callArgs(i int, s string) string {
	return ev("contentBlockDelta", fmt.Sprintf(`{"contentBlockIndex":%d,"delta":{"toolUse":{"input":%q}}}`, i, s))
}

func stop(i int) string {
	return ev("contentBlockStop", fmt.Sprintf(`{"contentBlockIndex":%d}`, i))
}

func end(reason string) string { return ev("messageStop", fmt.Sprintf(`{"stopReason":%q}`, reason)) }

func use(in, out int) string {
	return ev("metadata", fmt.Sprintf(`{"usage":{"inputTokens":%d,"outputTokens":%d,"totalTokens":%d},"metrics":{"latencyMs":1}}`, in, out, in+out))
}

const begin = "begin"

// frames joins pieces; begin stands for messageStart.
func frames(pieces ...string) pt.Answer {
	for i, p := range pieces {
		if p == begin {
			pieces[i] = ev("messageStart", `{"role":"assistant"}`)
		}
	}
	return pt.Answer{Type: streamType, Body: pt.Bytes(pieces...)}
}

func TestConformance(t *testing.T) {
	pt.Run(t, func(base string, hc *http.Client) engine.Provider {
		return converse.New(provider.Endpoint{BaseURL: base, Key: "key-test", HTTP: hc})
	}, pt.Wire{
		Type: streamType, Path: "/v1/model/m1/converse-stream", Tail: 1,
		Error: func(text string) string { return exc("throttlingException", fmt.Sprintf(`{"message":%q}`, text)) },
		Reply: func(s pt.Said) []string {
			out := []string{ev("messageStart", `{"role":"assistant"}`)}
			i := 0
			if s.Thought != "" {
				out = append(out, thought(i, s.Thought), stop(i))
				i++
			}
			for _, r := range s.Text {
				out = append(out, text(i, string(r)))
			}
			out = append(out, stop(i))
			for _, c := range s.Calls {
				i++
				half := len(c.Args) / 2
				for half > 0 && c.Args[half]&0xC0 == 0x80 {
					half--
				}
				out = append(out, callStart(i, c.ID, c.Name), callArgs(i, c.Args[:half]), callArgs(i, c.Args[half:]), stop(i))
			}
			fin := map[engine.Stop]string{engine.StopEnd: "end_turn", engine.StopCalls: "tool_use"}[s.Stop]
			return append(out, end(fin), use(s.Usage.Input, s.Usage.Output))
		},
	})
}
