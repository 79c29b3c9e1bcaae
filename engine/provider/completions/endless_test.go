package completions_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/provider"
	"talaria/engine/provider/completions"
	pt "talaria/engine/provider/providertest"
)

// An endless body of any kind costs no more memory than one honest reply may.
func TestAnEndlessBodyIsRefusedInLittleMemory(t *testing.T) {
	bodies := pt.Bodies()
	long := strings.Repeat("x", 2000)
	for name, next := range map[string]func(int) string{
		"text": pt.Again(pt.TXT(long)), "reasoning": pt.Again(pt.RSN(long)),
		"arguments": pt.Again(pt.TC(`[{"index":0,"id":"a","function":{"name":"f","arguments":"` + long + `"}}]`)),
		"calls": func(n int) string {
			return pt.TC(fmt.Sprintf(`[{"index":%d,"id":"id%d","function":{"name":"f","arguments":"{}"}}]`, n, n))
		},
		"details": pt.Again(pt.DATA(`{"choices":[{"delta":{"reasoning_details":[{"type":"reasoning.encrypted","data":"` + long + `"}]}}]}`)),
		"empty":   pt.Again(pt.DATA(`{"choices":[]}`)),
	} {
		bodies["endless "+name] = pt.Garbage{Type: "text/event-stream", Next: next}
	}
	pt.Choke(t, func(hc *http.Client) engine.Provider {
		return completions.New(provider.Endpoint{BaseURL: "https://h.test", Key: "k", HTTP: hc})
	}, hello(), bodies)
}
