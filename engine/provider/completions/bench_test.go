package completions_test

import (
	"fmt"
	"strings"
	"testing"

	"talaria/engine/provider"
	"talaria/engine/provider/completions"
	pt "talaria/engine/provider/providertest"
)

// BenchmarkDelta is the cost of one delta of text, from the bytes of the connection to the consumer, in the shape that
// OpenAI sends.
func BenchmarkDelta(b *testing.B) {
	const n = 2000
	chunk := pt.DATA(`{"id":"chatcmpl-CtVZcQ3zmtfVLAQrWv7Rr6qPQPqJx","object":"chat.completion.chunk","created":1767366384,"model":"gpt-5-2025-08-07","service_tier":"default","system_fingerprint":"fp_9b2f8c2a11","choices":[{"index":0,"delta":{"content":" word"},"logprobs":null,"finish_reason":null}],"usage":null,"obfuscation":"ezbqrQFIJBv8BZy"}`)
	body := pt.Bytes(strings.Repeat(chunk, n), pt.FIN("stop"), pt.DONE)
	p := completions.New(provider.Endpoint{BaseURL: "https://h.test", HTTP: pt.Replay(pt.Answer{Type: "text/event-stream", Body: body})})
	b.ReportAllocs()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		got := 0
		for _, err := range p.Stream(b.Context(), hello()) {
			if err != nil {
				b.Fatal(err)
			}
			got++
		}
		if got != n+1 {
			b.Fatal(fmt.Sprint(got, " deltas"))
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/delta")
}
