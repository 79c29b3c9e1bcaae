package textcalls

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"talaria/engine"
)

// argument is one parameter as the XML forms write it: its value has no type.
type argument struct{ key, value string }

// object writes arguments as JSON, typed by the tool's schema.
func object(spec engine.Spec, all []argument) string {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, a := range all {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(quoted(a.key))
		b.WriteByte(':')
		b.Write(typed(a.value, kinds(property(spec, a.key))))
	}
	b.WriteByte('}')
	return b.String()
}

// property is the schema of one parameter, nil when the tool has none of that name.
func property(spec engine.Spec, key string) map[string]any {
	var schema struct {
		Properties map[string]map[string]any `json:"properties"`
	}
	if json.Unmarshal(spec.Schema, &schema) != nil {
		return nil
	}
	return schema.Properties[key]
}

// kinds are the JSON types that a schema allows, none when it does not say.
func kinds(schema map[string]any) (names []string) {
	switch t := schema["type"].(type) {
	case string:
		names = append(names, t)
	case []any:
		for _, one := range t {
			if s, ok := one.(string); ok {
				names = append(names, s)
			}
		}
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		some, _ := schema[key].([]any)
		for _, one := range some {
			if m, ok := one.(map[string]any); ok {
				names = append(names, kinds(m)...)
			}
		}
	}
	return names
}

// typed is value as the JSON of the first kind that it is a value of; a string when it is none, for the tool layer to
// judge. Where a string is allowed it is one, but for null.
func typed(value string, kinds []string) []byte {
	text := strings.TrimSpace(value)
	is := kindOf(text)
	switch {
	case is == "null" && slices.Contains(kinds, "null"):
		return []byte(text)
	case slices.Contains(kinds, "string"):
	case slices.Contains(kinds, "boolean") && (text == "True" || text == "False"): // as Python writes it
		return []byte(strings.ToLower(text))
	case is == "number" && slices.Contains(kinds, "integer"),
		slices.Contains(kinds, is),
		len(kinds) == 0 && (is == "object" || is == "array"):
		return []byte(text)
	}
	return quoted(value)
}

// kindOf is the JSON type of text, "" when it is no JSON.
func kindOf(text string) string {
	if !json.Valid([]byte(text)) {
		return ""
	}
	switch text[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

// quoted is s as a JSON string, without the escapes for HTML.
func quoted(s string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.Encode(s) // a string always encodes
	return bytes.TrimRight(b.Bytes(), "\n")
}
