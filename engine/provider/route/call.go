package route

import (
	"encoding/json"
	"time"

	"talaria/engine"
)

// calls are the tool calls that the consumer holds.
func (x *exchange) calls() []engine.Call { return x.said.Message(time.Time{}).Calls() }

// unclosed reports whether args are JSON that broke off: a string, object or list is still open at the end.
func unclosed(args string) bool {
	if json.Valid([]byte(args)) {
		return false
	}
	depth, inString, escaped := 0, false, false
	for i := range len(args) {
		switch c := args[i]; {
		case escaped:
			escaped = false
		case inString && c == '\\':
			escaped = true
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
	}
	return inString || depth > 0
}
