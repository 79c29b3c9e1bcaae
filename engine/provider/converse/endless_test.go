package converse_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/provider"
	"talaria/engine/provider/converse"
	pt "talaria/engine/provider/providertest"
)

// An endless body of any kind costs no more memory than one honest reply may.
func TestAnEndlessBodyIsRefusedInLittleMemory(t *testing.T) {
	bodies := pt.Bodies()
	long := strings.Repeat("x", 2000)
	for name, next := range map[string]func(int) string{
		"text": pt.Again(text(0, long)), "reasoning": pt.Again(thought(0, long)),
		"signature":        pt.Again(ev("contentBlockDelta", `{"contentBlockIndex":0,"delta":{"reasoningContent":{"signature":"`+long+`"}}}`)),
		"arguments":        pt.Again(callArgs(1, long)),
		"calls":            func(n int) string { return callStart(n+2, fmt.Sprint("id", n), "f") },
		"frames":           pt.Again(ev("nobodyKnows", `{"x":"`+long+`"}`)),
		"noise in a frame": func(n int) string { return ev("contentBlockDelta", `{"contentBlockIndex":0,"delta":{"text":`) },
	} {
		bodies["endless "+name] = pt.Garbage{Type: streamType, Head: callStart(1, "id", "f"), Next: next}
	}
	bodies["a frame of 4 GB"] = pt.Garbage{Type: streamType, Head: "\xff\xff\xff\xff", Next: pt.Again(long)}
	pt.Choke(t, func(hc *http.Client) engine.Provider {
		return converse.New(provider.Endpoint{BaseURL: "https://h.test", Key: "k", HTTP: hc})
	}, hello(), bodies)
}
