package classify

import (
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"talaria/engine"
	"talaria/engine/provider"
)

// Whatever a server sends: a known reason, a bounded wait, one line without control characters, tags of a page or a key.
func FuzzAnyAnswerIsClassified(f *testing.F) {
	for _, b := range bodies {
		f.Add(b.status, "application/json", "30", b.text)
	}
	f.Add(502, "text/html", "", "<html><title>\x1b]0;x\x07</title>")
	f.Add(200, "", "-1", `{"error":{"message":{"a":1},"code":[1]}}`)
	f.Add(429, "application/json", "Wed, 21 Oct 2026 07:28:00 GMT", `{"resets_at":1e400,"retry_after":"NaN"}`)
	const key = "sk-test-AAAABBBBCCCCDDDD"
	f.Fuzz(func(t *testing.T, status int, kind, after, text string) {
		fail := &provider.Failure{Status: status, ContentType: kind, URL: "https://h.test/v1", Header: http.Header{"Retry-After": {after}}, Body: []byte(text + key)}
		for _, err := range Wrap(failing{fail}, "example", key).Stream(t.Context(), engine.Request{Estimate: 100_000}) {
			e := engine.AsError(err)
			if hints[e.Reason] == "" || e.Hint == "" || e.Message == "" {
				t.Errorf("reason %q, message %q, hint %q", e.Reason, e.Message, e.Hint)
			}
			if e.After < 0 || e.After > maxWait || e.Window < 0 || e.Room < 0 {
				t.Errorf("wait %v, window %d, room %d", e.After, e.Window, e.Room)
			}
			shown := e.Message + e.Hint + e.Code + e.Error()
			if strings.Contains(shown, key) || strings.ContainsAny(shown, "\n\r\x1b\x00") || !utf8.ValidString(shown) || utf8.RuneCountInString(e.Message) > maxMessage+200 {
				t.Errorf("shown %q", shown)
			}
		}
	})
}
