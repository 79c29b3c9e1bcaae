package converse_test

import (
	"errors"
	"testing"

	"talaria/engine/provider"
	pt "talaria/engine/provider/providertest"
)

// FuzzDecode: whatever a server sends, nothing panics, the sequence keeps its contract, the end is a Done or a Failure,
// and the way it is cut does not matter. The second input is put into a valid frame, since no fuzzer guesses a checksum.
func FuzzDecode(f *testing.F) {
	f.Add(pt.Bytes(full()...), "contentBlockDelta", `{"contentBlockIndex":3,"delta":{"toolUse":{"input":{"a":1}}}}`, uint8(1))
	f.Add([]byte(`{"output":{"message":{"content":[{"text":"a"}]}},"stopReason":"end_turn"}`), "metadata", `{"usage":{"inputTokens":-1.5}}`, uint8(3))
	f.Add([]byte("<html>"), "contentBlockStart", `{"contentBlockIndex":-1,"start":{"toolUse":{"name":1}}}`, uint8(2))
	f.Add([]byte{0, 0, 0, 16, 0, 0, 0, 0}, "messageStop", `{"stopReason":null}`, uint8(5))
	f.Fuzz(func(t *testing.T, body []byte, name, payload string, size uint8) {
		if len(body)+len(payload) > 1<<16 || len(name) > 1000 {
			t.Skip()
		}
		framed := []byte(ev(name, payload) + ev(name, payload) + end("tool_use"))
		for _, b := range [][]byte{body, framed} {
			a := pt.Answer{Type: streamType, Body: b}
			whole := ask(t, a)
			var bad *provider.Failure
			if whole.Done == nil && !errors.As(whole.Err, &bad) {
				t.Fatalf("ended in %v", whole.Err)
			}
			a.Sizes = []int{int(size % 8), 0}
			if x, y := summary(whole), summary(ask(t, a)); x != y {
				t.Errorf("whole %s\n  cut %s", x, y)
			}
		}
	})
}
