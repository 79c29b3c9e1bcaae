package messages

import (
	"cmp"
	"fmt"

	"talaria/engine/provider"
)

// ids gives each call an id that the server takes and that no other call of the request has. The same history gives
// the same ids, and a longer one begins with them.
type ids struct{ used map[string]bool }

func (s *ids) wire(id string) string {
	id = cmp.Or(provider.Word(id), "tool_0")
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
	name = cmp.Or(provider.Word(name), "unnamed")
	return name[:min(len(name), maxName)]
}
