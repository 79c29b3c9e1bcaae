package responses_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/provider"
	pt "talaria/engine/provider/providertest"
	"talaria/engine/provider/responses"
)

// FuzzDecode: whatever a server sends, nothing panics, the sequence keeps its contract, the end is a Done or a Failure,
// the way it is cut does not matter, and what was said can be sent back.
func FuzzDecode(f *testing.F) {
	f.Add(pt.Bytes(reply(pt.Said{Thought: "Hmm.", Text: "a", Calls: []engine.Call{{ID: "c", Name: "f", Args: `{"a":1}`}}})...), uint8(1))
	f.Add(pt.Bytes("\xef\xbb\xbf: x\r\n", "event: error\ndata: {\"error\":1}\n\n"), uint8(2))
	f.Add([]byte(`{"object":"response","output":[`+said("m", "hi", "commentary")+`,`+readA+`,{"type":"x"},{"type":"reasoning","content":"r","encrypted_content":"e"}],"status":"completed"}`), uint8(3))
	f.Add(pt.Bytes(added(0, readA), added(0, readA), ev("function_call_arguments.delta", `"delta":"{"`), ended("completed", readA+","+readA, "")), uint8(5))
	if all, err := filepath.Glob("../../../../shared/fixtures/recorded/resp-*.json"); err == nil {
		for _, path := range all {
			var rec recorded
			if b, err := os.ReadFile(path); err == nil && len(b) < 12_000 && json.Unmarshal(b, &rec) == nil {
				f.Add([]byte(rec.Body), uint8(3))
			}
		}
	}
	f.Fuzz(func(t *testing.T, body []byte, size uint8) {
		if len(body) > 1<<16 {
			t.Skip()
		}
		whole := ask(t, pt.SSE(string(body)))
		var bad *provider.Failure
		if whole.Done == nil && !errors.As(whole.Err, &bad) {
			t.Fatalf("ended in %v", whole.Err)
		}
		a := pt.SSE(string(body))
		a.Sizes = []int{int(size % 8), 0}
		cut := ask(t, a)
		if a, b := summary(whole), summary(cut); a != b {
			t.Errorf("whole %s\n  cut %s", a, b)
		}
		if whole.Done != nil {
			inputOf(t, user("q"), whole.Message, user("more"))
		}
	})
}

// BenchmarkDelta is the cost of one delta of text, from bytes to the consumer.
func BenchmarkDelta(b *testing.B) {
	const n = 2000
	body := pt.Bytes(strings.Repeat(ev("output_text.delta", `"content_index":0,"item_id":"msg_0aa12d9607ff97e3006977ce9869ec8195a771c518139aacfa","logprobs":[],"obfuscation":"ezbqrQFIJBv8BZy","output_index":1,"delta":" word","sequence_number":90`), n), ended("completed", "", ""))
	p := responses.New(provider.Endpoint{BaseURL: "https://h.test", HTTP: pt.Replay(pt.Answer{Type: "text/event-stream", Body: body})})
	b.ReportAllocs()
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
