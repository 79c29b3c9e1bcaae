package responses_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/provider"
	pt "talaria/engine/provider/providertest"
	"talaria/engine/provider/responses"
)

// An endless body of any kind costs no more memory than one honest reply may.
func TestAnEndlessBodyIsRefusedInLittleMemory(t *testing.T) {
	bodies := pt.Bodies()
	long := strings.Repeat("x", 2000)
	for name, next := range map[string]func(int) string{
		"text":      pt.Again(ev("output_text.delta", `"output_index":0,"content_index":0,"delta":"`+long+`"`)),
		"reasoning": pt.Again(ev("reasoning_summary_text.delta", `"output_index":0,"summary_index":0,"delta":"`+long+`"`)),
		"arguments": pt.Again(ev("function_call_arguments.delta", `"output_index":0,"item_id":"fc","delta":"`+long+`"`)),
		"calls": func(n int) string {
			return added(n, fmt.Sprintf(`{"type":"function_call","id":"fc%d","call_id":"c%d","name":"f","arguments":""}`, n, n))
		},
		"items": func(n int) string {
			return itemDone(n, fmt.Sprintf(`{"type":"reasoning","id":"rs%d","encrypted_content":"%s"}`, n, long))
		},
		"parts": func(n int) string {
			return ev("reasoning_summary_text.delta", fmt.Sprintf(`"output_index":%d,"summary_index":%d,"delta":"x"`, n, n))
		},
	} {
		head := added(0, `{"type":"function_call","id":"fc","call_id":"c","name":"f","arguments":""}`)
		bodies["endless "+name] = pt.Garbage{Type: "text/event-stream", Head: head, Next: next}
	}
	pt.Choke(t, func(hc *http.Client) engine.Provider {
		return responses.New(provider.Endpoint{BaseURL: "https://h.test", Key: "k", HTTP: hc})
	}, hello(), bodies)
}
