package args

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// decodeArgs decodes a JSON object with its numbers as they are written.
func decodeArgs(args string) (map[string]any, error) {
	dec := json.NewDecoder(strings.NewReader(args))
	dec.UseNumber()
	var v map[string]any
	err := dec.Decode(&v)
	return v, err
}

// coerce returns v as the schema wants it, where the meaning is plain (BEHAVIOUR 8.2), and whether that changed it.
// What cannot be converted stays, for the tool to report.
func coerce(v any, schema map[string]any) (any, bool) {
	for _, key := range []string{"anyOf", "oneOf"} {
		if options, ok := schema[key].([]any); ok {
			return coerceUnion(v, options)
		}
	}
	types := typesOf(schema)
	if len(types) == 0 || v == nil || fits(v, types) {
		return inside(v, schema)
	}
	if s, ok := v.(string); ok && slices.Contains(types, "null") && (s == "" || s == "null") {
		return nil, true
	}
	for _, t := range types {
		if got, ok := convert(v, t, schema); ok {
			return got, true
		}
	}
	return v, false
}

func coerceUnion(v any, options []any) (any, bool) {
	for _, fit := range []bool{true, false} { // an option that fits as it is goes before one that needs a conversion
		for _, o := range options {
			s, ok := o.(map[string]any)
			if !ok || fit != fits(v, typesOf(s)) {
				continue
			}
			if got, changed := coerce(v, s); fits(got, typesOf(s)) {
				return got, changed
			}
		}
	}
	return v, false
}

// inside coerces the elements of an array and the properties of an object. An empty word or "null" for a property that
// is not required, and not a string, means that it was left out.
func inside(v any, schema map[string]any) (any, bool) {
	changed := false
	switch v := v.(type) {
	case []any:
		items, _ := schema["items"].(map[string]any)
		out := slices.Clone(v)
		for i := range out {
			got, c := coerce(out[i], items)
			out[i], changed = got, changed || c
		}
		return out, changed
	case map[string]any:
		props, _ := schema["properties"].(map[string]any)
		required := stringsOf(schema["required"])
		out := maps.Clone(v)
		for name, x := range v {
			p, ok := props[name].(map[string]any)
			if !ok {
				continue
			}
			got, c := coerce(x, p)
			if s, ok := got.(string); ok && (s == "" || s == "null") && !slices.Contains(required, name) && !fits(got, typesOf(p)) {
				got, c = nil, true
			}
			out[name], changed = got, changed || c
		}
		return out, changed
	}
	return v, false
}

// convert turns v into the JSON type t.
func convert(v any, t string, schema map[string]any) (any, bool) {
	switch t {
	case "integer", "number":
		return toNumber(v, t == "integer")
	case "boolean":
		s, _ := v.(string)
		low := strings.ToLower(strings.TrimSpace(s))
		return low == "true", low == "true" || low == "false"
	case "string":
		switch v := v.(type) {
		case json.Number:
			return v.String(), true
		case bool:
			return map[bool]string{true: "true", false: "false"}[v], true
		}
	case "array":
		return toArray(v, schema)
	case "object":
		if got, ok := decoded(v).(map[string]any); ok {
			out, _ := inside(got, schema)
			return out, true
		}
	}
	return nil, false
}

func toNumber(v any, whole bool) (any, bool) {
	text := ""
	switch v := v.(type) {
	case string:
		text = strings.TrimSpace(v)
	case json.Number:
		text = v.String()
	}
	f, err := json.Number(text).Float64()
	if err != nil || !json.Valid([]byte(text)) {
		return nil, false
	}
	if !whole {
		return json.Number(text), true
	}
	if f != math.Trunc(f) || math.Abs(f) > 1<<53 { // beyond that a float no longer tells whole numbers apart
		return nil, false
	}
	return json.Number(strconv.FormatInt(int64(f), 10)), true
}

func toArray(v any, schema map[string]any) (any, bool) {
	if got, ok := decoded(v).([]any); ok {
		out, _ := inside(got, schema)
		return out, true
	}
	if _, isObject := v.(map[string]any); isObject {
		if items, _ := schema["items"].(map[string]any); !slices.Contains(typesOf(items), "object") {
			return nil, false
		}
	}
	out, _ := inside([]any{v}, schema)
	return out, true
}

// decoded returns the value that the string v holds as JSON, or nil.
func decoded(v any) any {
	s, ok := v.(string)
	if !ok {
		return nil
	}
	dec := json.NewDecoder(strings.NewReader(s))
	dec.UseNumber()
	var out any
	if !json.Valid([]byte(s)) || dec.Decode(&out) != nil {
		return nil
	}
	return out
}

func typesOf(schema map[string]any) []string {
	if t, ok := schema["type"].(string); ok {
		return []string{t}
	}
	return stringsOf(schema["type"])
}

// fits reports whether v has one of the types; no type at all takes everything.
func fits(v any, types []string) bool {
	return len(types) == 0 || slices.ContainsFunc(types, func(t string) bool {
		switch v := v.(type) {
		case nil:
			return t == "null"
		case string:
			return t == "string"
		case bool:
			return t == "boolean"
		case json.Number:
			return t == "number" || t == "integer" && !strings.ContainsAny(v.String(), ".eE")
		case []any:
			return t == "array"
		case map[string]any:
			return t == "object"
		}
		return false
	})
}
