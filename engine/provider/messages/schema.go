package messages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"talaria/engine"
)

type tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"input_schema"`
	Cache       *cacheControl   `json:"cache_control,omitempty"`
}

// tools returns what the model is told of its tools, in order; of two with one name the first.
func tools(specs []engine.Spec) ([]tool, error) {
	var out []tool
	seen := map[string]bool{}
	for _, s := range specs {
		if seen[s.Name] {
			continue
		}
		seen[s.Name] = true
		schema, err := schemaObject(s.Schema)
		if err != nil {
			return nil, fmt.Errorf("the schema of tool %s: %w", s.Name, err)
		}
		out = append(out, tool{Name: s.Name, Description: s.Doc, Schema: schema})
	}
	return out, nil
}

// schemaObject returns the schema as the server takes it: an object with properties, without alternatives at its root
// and without null in unions (BEHAVIOUR 3.3). Its keys are sorted.
func schemaObject(raw json.RawMessage) (json.RawMessage, error) {
	schema := map[string]any{}
	if len(bytes.TrimSpace(raw)) > 0 {
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.UseNumber()
		if err := dec.Decode(&schema); err != nil {
			return nil, fmt.Errorf("it is no JSON object: %w", err)
		}
	}
	if schema == nil { // the JSON was null
		schema = map[string]any{}
	}
	for _, key := range []string{"oneOf", "anyOf", "allOf"} {
		delete(schema, key)
	}
	schema = withoutNull(schema).(map[string]any)
	schema["type"] = "object"
	if _, ok := schema["properties"].(map[string]any); !ok {
		schema["properties"] = map[string]any{}
	}
	if _, ok := schema["required"].([]any); !ok {
		delete(schema, "required")
	}
	return engine.Marshal(schema)
}

// withoutNull makes of every union of something and null the something alone.
func withoutNull(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = withoutNull(v[i])
		}
	case map[string]any:
		for key, inner := range v {
			v[key] = withoutNull(inner)
		}
		if kinds, ok := v["type"].([]any); ok {
			if kinds = slices.DeleteFunc(kinds, func(k any) bool { return k == "null" }); len(kinds) == 1 {
				v["type"] = kinds[0]
			}
		}
		for _, key := range []string{"anyOf", "oneOf"} {
			flatten(v, key)
		}
	}
	return v
}

// flatten puts the one choice that is not null into v itself; what v says wins.
func flatten(v map[string]any, key string) {
	choices, ok := v[key].([]any)
	if !ok {
		return
	}
	some := slices.DeleteFunc(slices.Clone(choices), isNull)
	if len(some) != 1 || len(some) == len(choices) {
		return
	}
	only, ok := some[0].(map[string]any)
	if !ok {
		return
	}
	delete(v, key)
	for k, inner := range only {
		if _, said := v[k]; !said {
			v[k] = inner
		}
	}
}

func isNull(v any) bool {
	m, ok := v.(map[string]any)
	return ok && m["type"] == "null"
}
