package ui

import (
	"reflect"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
)

// stray is the rest of a sequence of the terminal's that came so late that the toolkit had given up on its beginning: a
// mouse report or a colour reply over a slow line. It arrives as keys, and is dropped, never typed (U15).
type stray struct {
	body  string // what its bytes may be
	until time.Time
}

// strayTime is how long after the beginning the rest is waited for.
const strayTime = 300 * time.Millisecond

// cut takes note of a sequence without an end. The toolkit gives what it does not know as a type of its own, a string.
func (s *stray) cut(msg tea.Msg, now time.Time) {
	v := reflect.ValueOf(msg)
	if v.Kind() != reflect.String {
		return
	}
	kind, rest := "", v.String()
	for _, k := range []string{"\x1b[", "\x1b]"} {
		if after, ok := strings.CutPrefix(rest, k); ok {
			kind, rest = k, after
		}
	}
	body := map[string]string{"\x1b[": "0123456789;:<>?", "\x1b]": "0123456789abcdefABCDEFrg;:/?"}[kind]
	if body != "" && strings.Trim(rest, body) == "" {
		*s = stray{body, now.Add(strayTime)}
	}
}

// takes reports whether k belongs to the rest. The first key that ends it, or cannot be in it, is the last.
func (s *stray) takes(k tea.KeyPressMsg, now time.Time) bool {
	if s.body == "" {
		return false
	}
	body, name := s.body, k.String()
	if len(name) == 1 && strings.Contains(body, name) && now.Before(s.until) {
		return true
	}
	s.body = ""
	osc := strings.Contains(body, "/")
	ends := osc && (name == "ctrl+g" || name == `alt+\`) || !osc && len(name) == 1 && strings.Contains("MmRcunyt~", name)
	return ends && now.Before(s.until)
}
