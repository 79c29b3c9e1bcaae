package engine

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
)

// SplitDoc splits a tool's Markdown into the description and the texts of its parameters, which stand as a list
// under the heading "## Parameters": one "- `name`: text" a line.
func SplitDoc(doc string) (string, map[string]string) {
	head, list, _ := strings.Cut(doc, "\n## Parameters")
	params := map[string]string{}
	for _, m := range paramLine.FindAllStringSubmatch(list, -1) {
		params[m[1]] = strings.TrimSpace(m[2])
	}
	return strings.TrimSpace(head), params
}

var paramLine = regexp.MustCompile("(?m)^- `([a-z_.]+)`: (.+)$")

// SchemaOf returns the JSON Schema of the struct In: an object with "properties" and "required" always present, since
// some servers refuse a schema without them (E18). A field of a nested struct takes its text from "outer.inner".
// The struct tag enum:"a,b" limits a string.
func SchemaOf[In any](params map[string]string) json.RawMessage {
	b, err := json.Marshal(schemaOf(reflect.TypeFor[In](), "", params))
	if err != nil {
		panic(err) // a map of strings always encodes
	}
	return b
}

func schemaOf(t reflect.Type, prefix string, params map[string]string) map[string]any {
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOf(t.Elem(), prefix, params)
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return map[string]any{"type": "integer"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.Slice:
		return map[string]any{"type": "array", "items": schemaOf(t.Elem(), prefix, params)}
	case reflect.Struct:
		return objectOf(t, prefix, params)
	}
	return map[string]any{}
}

func objectOf(t reflect.Type, prefix string, params map[string]string) map[string]any {
	props, required := map[string]any{}, []string{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, opts, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		p := schemaOf(f.Type, prefix+name+".", params)
		if text := params[prefix+name]; text != "" {
			p["description"] = text
		}
		if enum := f.Tag.Get("enum"); enum != "" {
			p["enum"] = strings.Split(enum, ",")
		}
		props[name] = p
		if !strings.Contains(opts, "omitempty") {
			required = append(required, name)
		}
	}
	return map[string]any{"type": "object", "properties": props, "required": required}
}
