package messages

import (
	"cmp"
	"fmt"
	"strings"
)

// ids gives each call an id that the server takes and that no other call of the request has. The same history gives
// the same ids, and a longer one begins with them.
type ids struct{ used map[string]bool }

func (s *ids) wire(id string) string {
	id = cmp.Or(plainWord(id), "tool_0")
	if s.used == nil {
		s.used = map[string]bool{}
	}
	one := id
	for n := 2; s.used[one]; n++ {
		one = fmt.Sprintf("%s_%d", id, n)
	}
	s.used[one] = true
	return one
}

// maxName is the longest name of a tool that the server takes (platform.claude.com, define tools).
const maxName = 128

// toolName is the name of a call as the server takes it: another model may have called what no tool can be named, and
// was told so; the history must be readable all the same.
func toolName(name string) string {
	name = cmp.Or(plainWord(name), "unnamed")
	return name[:min(len(name), maxName)]
}

// plainWord is s with everything but letters, digits, _ and - made _.
func plainWord(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, s)
}
