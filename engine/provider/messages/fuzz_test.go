package messages_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"talaria/engine"
	"talaria/engine/provider"
	"talaria/engine/provider/messages"
	pt "talaria/engine/provider/providertest"
)

// FuzzDecode: whatever a server sends, nothing panics, the sequence keeps its contract, the end is a Done or a Failure,
// and the way it is cut does not matter.
func FuzzDecode(f *testing.F) {
	f.Add(pt.Bytes(opening, words(0, "a"), use(1, "a", "f", "{"), fin("tool_use", told), over), uint8(1))
	f.Add(pt.Bytes("\xef\xbb\xbf: x\r\n", ev("error", `"error":1`)), uint8(2))
	f.Add(pt.Bytes(opening, begin(0, `{"type":"new","input":1}`), piece(0, `{"type":"input_json_delta","partial_json":"{}"}`), piece(0, `{"type":"x","input":"a"}`)), uint8(5))
	f.Add([]byte(`{"type":"message","content":[{"type":"text","text":1},{"type":"tool_use","input":[]},null,3]}`), uint8(3))
	f.Add([]byte("<html><title>x</title>"), uint8(7))
	if all, err := filepath.Glob("../../../../shared/fixtures/recorded/anth-*.json"); err == nil {
		for _, path := range all {
			var rec recorded
			if b, err := os.ReadFile(path); err == nil && json.Unmarshal(b, &rec) == nil && len(rec.Body) < 8000 {
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
		if a, b := summary(whole), summary(ask(t, a)); a != b {
			t.Errorf("whole %s\n  cut %s", a, b)
		}
	})
}

// FuzzHistory: whatever stands in a history, what is sent is a request that the server takes.
func FuzzHistory(f *testing.F) {
	f.Add([]byte("utcrd"), "a", `{"x":"\ud800"}`)
	f.Add([]byte("uaTOcccrrua"), "\xff", `null`)
	f.Fuzz(func(t *testing.T, script []byte, word, args string) {
		if len(script) > 64 {
			t.Skip()
		}
		req := asking("claude-sonnet-4-5", user("go"))
		req.Route.Effort = "low"
		for i, b := range script {
			id := fmt.Sprintf("%s%d", word, b%3)
			switch b % 8 {
			case 0:
				req.Messages = append(req.Messages, user(word))
			case 1:
				req.Messages = append(req.Messages, said("claude-sonnet-4-5", engine.Thought{Text: word, Signature: args}, engine.Call{ID: id, Name: "ls", Args: args}))
			case 2:
				req.Messages = append(req.Messages, result(id, word))
			case 3:
				req.Messages = append(req.Messages, said("claude-sonnet-4-5", redacted("x"), engine.Text{Text: word}))
			case 4:
				req.Messages = append(req.Messages, said("claude-sonnet-4-5", engine.Call{ID: id, Name: "a", Args: args}, engine.Call{ID: word + fmt.Sprint(i), Name: "b"}))
			case 5:
				req.Messages = append(req.Messages, say(engine.RoleTool, engine.Result{CallID: id, Text: word}, engine.Text{Text: word}))
			case 6:
				req.Messages = append(req.Messages, said("m"))
			case 7:
				req.Messages = append(req.Messages, say(engine.RoleUser, engine.Image{MIME: word}))
			}
		}
		sent(t, provider.Endpoint{BaseURL: direct}, req)
	})
}

// BenchmarkDelta is the cost of one delta of text, from the bytes of the connection to the consumer.
func BenchmarkDelta(b *testing.B) {
	const n = 2000
	pieces := []string{opening, begin(0, `{"type":"text","text":""}`)}
	for range n {
		pieces = append(pieces, piece(0, `{"type":"text_delta","text":" word"}`))
	}
	a := pt.SSE(append(pieces, closed(0), fin("end_turn", told), over)...)
	p := messages.New(provider.Endpoint{BaseURL: "https://h.test", HTTP: pt.Replay(a)})
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range p.Stream(b.Context(), hello()) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/delta")
}
