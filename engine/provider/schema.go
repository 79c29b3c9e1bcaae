package provider

import (
	"encoding/json"
	"errors"

	"talaria/engine"
)

// ToolSchema returns the schema of a tool's arguments with what strict servers demand of every tool: type object,
// properties, and required as a list (E18); and without the words that must not stand at its root. Its keys are sorted.
func ToolSchema(raw json.RawMessage, without ...string) (json.RawMessage, error) {
	schema := map[string]json.RawMessage{}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &schema); err != nil {
			return nil, errors.New("a tool's schema is no JSON object: " + err.Error())
		}
	}
	if schema == nil { // the JSON was null
		schema = map[string]json.RawMessage{}
	}
	for _, word := range without {
		delete(schema, word)
	}
	schema["type"] = json.RawMessage(`"object"`)
	for key, none := range map[string]string{"properties": "{}", "required": "[]"} {
		if v, ok := schema[key]; !ok || string(v) == "null" {
			schema[key] = json.RawMessage(none)
		}
	}
	return engine.Marshal(schema)
}
