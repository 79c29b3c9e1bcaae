package provider_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"talaria/engine/provider"
)

// FuzzScan: what a Scan takes, encoding/json reads the same.
func FuzzScan(f *testing.F) {
	for _, s := range []string{
		`{"a":1,"b_2":[true,false,null,-1.5e+3,0],"c":{"D":"\u0041","e":"\n\"\\"}}`, `"plain"`, `"ä\t\/"`, `"\ud800"`, `"` + "\xff" + `"`, `"` + "\x01" + `"`,
		`01`, `-`, `1.`, `1e`, `123456789`, `1234567890`, `3.0`, `0`, `nul`, `null`, ` {} `, `[]`, `[1,]`, `{"a":}`, `{"a":1,}`, `"a`, `"\`, `{"A":1}`, "{\"\u017f\":1}",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s := provider.NewScan(b)
		if raw, ok := s.Raw(); ok && s.End() {
			if !json.Valid(b) || !bytes.Equal(raw, bytes.TrimSpace(b)) {
				t.Errorf("%q was taken as %q", b, raw)
			}
			if got, ok := provider.Unquote(raw); ok {
				var want string
				if err := json.Unmarshal(b, &want); err != nil || got != want {
					t.Errorf("%q: %q, want %q (%v)", b, got, want, err)
				}
			}
		}
		n, want := -1, -1
		if s := provider.NewScan(b); s.Int(&n) && s.End() {
			if err := json.Unmarshal(b, &want); err != nil || n != want {
				t.Errorf("%q: %d, want %d (%v)", b, n, want, err)
			}
		}
		for _, was := range []string{"", "plain"} {
			text, want := was, was
			if s := provider.NewScan(b); s.Text(&text) && s.End() {
				if err := json.Unmarshal(b, &want); err != nil || text != want {
					t.Errorf("%q: %q, want %q (%v)", b, text, want, err)
				}
			}
		}
		keys := map[string]json.RawMessage{}
		s = provider.NewScan(b)
		if s.Object(func(key []byte) bool {
			raw, ok := s.Raw()
			keys[string(key)] = raw
			return ok
		}) && s.End() {
			want := map[string]json.RawMessage{}
			if err := json.Unmarshal(b, &want); err != nil || len(want) != len(keys) {
				t.Errorf("%q has %d keys, want %d (%v)", b, len(keys), len(want), err)
			}
			for k, v := range want {
				if !bytes.Equal(keys[k], v) {
					t.Errorf("%q: %s is %s, want %s", b, k, keys[k], v)
				}
			}
		}
	})
}
