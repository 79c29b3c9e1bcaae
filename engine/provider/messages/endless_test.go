package messages_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/provider"
	"talaria/engine/provider/messages"
	pt "talaria/engine/provider/providertest"
)

// An endless body of any kind costs no more memory than one honest reply may.
func TestAnEndlessBodyIsRefusedInLittleMemory(t *testing.T) {
	bodies := pt.Bodies()
	long := strings.Repeat("x", 2000)
	for name, next := range map[string]func(int) string{
		"text": func(n int) string {
			return begin(n, `{"type":"text","text":""}`) + piece(n, `{"type":"text_delta","text":"`+long+`"}`)
		},
		"thinking":   pt.Again(piece(0, `{"type":"thinking_delta","thinking":"`+long+`"}`)),
		"signature":  pt.Again(piece(0, `{"type":"signature_delta","signature":"`+long+`"}`)),
		"arguments":  pt.Again(piece(1, `{"type":"input_json_delta","partial_json":"`+long+`"}`)),
		"calls":      func(n int) string { return use(n+2, fmt.Sprint("id", n), "f", "{}") },
		"open calls": func(n int) string { return begin(n+2, `{"type":"tool_use","id":"a","name":"f","input":{}}`) },
		"results": func(n int) string {
			return begin(n+2, `{"type":"web_search_tool_result","tool_use_id":"a","content":"`+long+`"}`)
		},
	} {
		head := opening + begin(0, `{"type":"thinking","thinking":""}`) + begin(1, `{"type":"tool_use","id":"a","name":"f","input":{}}`)
		bodies["endless "+name] = pt.Garbage{Type: "text/event-stream", Head: head, Next: next}
	}
	pt.Choke(t, func(hc *http.Client) engine.Provider {
		return messages.New(provider.Endpoint{BaseURL: "https://h.test", Key: "k", HTTP: hc})
	}, hello(), bodies)
}
