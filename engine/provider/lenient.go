package provider

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// Lenient decodes raw into v; a field of another type than expected is left out rather than failing the whole. The error
// is that of text which is no JSON.
func Lenient(raw []byte, v any) error {
	err := json.Unmarshal(raw, v)
	var typ *json.UnmarshalTypeError
	if errors.As(err, &typ) {
		return nil
	}
	return err
}

// Present reports whether a raw field holds anything: not absent, null or empty.
func Present(raw json.RawMessage) bool {
	switch string(bytes.TrimSpace(raw)) {
	case "", "null", `""`, "{}", "[]", "false":
		return false
	}
	return true
}

// Arguments is the text of a call's arguments: a string, or an object as compact JSON.
func Arguments(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var b bytes.Buffer
	if !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) || json.Compact(&b, raw) != nil {
		return ""
	}
	return b.String()
}

// Truncated reports whether args are JSON that broke off: a string, object or list is still open at the end. What is
// wrong otherwise is for the tool layer to refuse. No arguments at all are none, not cut ones.
func Truncated(args string) bool {
	if strings.TrimSpace(args) == "" || json.Valid([]byte(args)) {
		return false
	}
	depth, inString := 0, false
	for i := 0; i < len(args); i++ {
		switch c := args[i]; {
		case inString && c == '\\':
			i++
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

// Count is a number of tokens in any spelling: 3, 3.0, "3"; anything else is 0.
type Count int

// UnmarshalJSON never fails: a count is not worth a reply.
func (c *Count) UnmarshalJSON(b []byte) error {
	f, err := strconv.ParseFloat(strings.Trim(string(b), `"`), 64)
	if err == nil && f > 0 && f < 1e15 {
		*c = Count(f)
	}
	return nil
}
