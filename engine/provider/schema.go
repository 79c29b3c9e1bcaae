package provider

import (
	"bytes"
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

// narrowing are the words of a schema that only narrow or describe what its structure says. Servers that make a grammar of
// a schema (llama.cpp) or know a part of the language refuse one or another of them.
var narrowing = []string{"$schema", "$id", "$comment", "title", "default", "examples", "pattern", "format", "additionalProperties",
	"minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}

// plainSchema is the schema without those words; what is no JSON object comes back as it is.
func plainSchema(raw json.RawMessage) json.RawMessage {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var schema map[string]any
	if dec.Decode(&schema) != nil || schema == nil {
		return raw
	}
	if !widen(schema) {
		return raw
	}
	out, err := engine.Marshal(schema)
	if err != nil {
		return raw
	}
	return out
}

// widen takes the narrowing words out of a schema and all below it, and reports whether there were any. The keys of
// "properties" are names, not words.
func widen(v any) bool {
	changed := false
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			changed = widen(one) || changed
		}
	case map[string]any:
		for _, word := range narrowing {
			if _, ok := v[word]; ok {
				delete(v, word)
				changed = true
			}
		}
		for key, below := range v {
			named, ok := below.(map[string]any)
			if !ok || key != "properties" && key != "$defs" && key != "definitions" {
				changed = widen(below) || changed
				continue
			}
			for _, one := range named {
				changed = widen(one) || changed
			}
		}
	}
	return changed
}
