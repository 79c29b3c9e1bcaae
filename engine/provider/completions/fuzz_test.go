package completions_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"talaria/engine/provider"
	pt "talaria/engine/provider/providertest"
)

// FuzzDecode: whatever a server sends, nothing panics, the sequence keeps its contract, the end is a Done or a Failure,
// and the way it is cut does not matter.
func FuzzDecode(f *testing.F) {
	f.Add(pt.Bytes(pt.RSN("hm"), pt.TXT("a"), pt.TC(`[{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}]`), pt.FIN("stop"), pt.USE(1, 2), pt.DONE), uint8(1))
	f.Add(pt.Bytes("\xef\xbb\xbf: x\r\n", "event: error\ndata: {\"error\":1}\n\n"), uint8(2))
	f.Add([]byte(`{"choices":[{"message":{"content":["a",{"type":"thinking","thinking":"b"}],"tool_calls":[{"function":{"name":"f","arguments":{"a":1}}}]},"finish_reason":"length"}]}`), uint8(3))
	f.Add([]byte("data: {\"choices\":[{\"delta\":{\"reasoning_details\":[{},{\"text\":1},{\"data\":\"x\"}]}}]}\ndata: [DONE]"), uint8(5))
	f.Add([]byte("<html><title>x</title>"), uint8(7))
	if all, err := filepath.Glob("../../../../shared/fixtures/recorded/cc-*error*-s-*.json"); err == nil {
		for _, path := range all {
			if b, err := os.ReadFile(path); err == nil && len(b) < 8000 {
				f.Add([]byte(strings.ReplaceAll(string(b), `\n`, "\n")), uint8(3))
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
	})
}
