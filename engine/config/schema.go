package config

import (
	"encoding/json"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Schema returns the JSON Schema of config.yaml, indented: editors complete and check by it. Its descriptions and
// defaults are those of defaults.yaml, its bounds those of the rules that loading applies.
func Schema() []byte {
	top := schemaOf(reflect.ValueOf(Defaults()), "", descriptions())
	top["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	top["title"] = "Talaria configuration"
	out, err := json.MarshalIndent(top, "", "  ")
	if err != nil {
		panic(err) // maps of strings and numbers always encode
	}
	return append(out, '\n')
}

// descriptions are the comments of defaults.yaml by key.
func descriptions() map[string]string {
	out := map[string]string{}
	root, err := parse("defaults.yaml", defaultsYAML)
	if err != nil {
		panic(err) // part of the program, and tested
	}
	var walk func(n *yaml.Node, key string)
	walk = func(n *yaml.Node, key string) {
		if n.Kind != yaml.MappingNode {
			return
		}
		for i := 0; i < len(n.Content); i += 2 {
			k, v := n.Content[i], n.Content[i+1]
			sub := join(key, k.Value)
			text := v.LineComment
			if text == "" {
				text = k.LineComment
			}
			out[sub] = strings.TrimSpace(strings.TrimPrefix(text, "#"))
			walk(v, sub)
		}
	}
	walk(root, "")
	return out
}

func schemaOf(v reflect.Value, key string, docs map[string]string) map[string]any {
	s := map[string]any{}
	if docs[key] != "" {
		s["description"] = docs[key]
	}
	switch v.Kind() {
	case reflect.Struct:
		props := map[string]any{}
		for name, i := range fieldsOf(v.Type()) {
			props[name] = schemaOf(v.Field(i), join(key, name), docs)
		}
		s["type"], s["properties"], s["additionalProperties"] = []string{"object", "null"}, props, false
	case reflect.Map:
		elem := schemaOf(reflect.Zero(v.Type().Elem()), join(key, "*"), docs)
		s["type"], s["additionalProperties"] = []string{"object", "null"}, elem
		if v.Type() == reflect.TypeFor[Models]() {
			s["type"] = []string{"object", "array", "null"}
		}
		if key == "hooks" {
			s["propertyNames"] = map[string]any{"enum": hookPoints}
		}
	case reflect.Slice:
		s["type"], s["items"] = []string{"array", "null"}, schemaOf(reflect.Zero(v.Type().Elem()), join(key, "*"), docs)
		if v.Type().Elem().Kind() == reflect.String {
			s["type"] = []string{"array", "string", "null"}
		}
	default:
		scalarSchema(s, v, ruleOf(key))
		if _, known := docs[key]; known {
			s["default"] = v.Interface()
		}
	}
	return s
}

func scalarSchema(s map[string]any, v reflect.Value, r rule) {
	switch v.Kind() {
	case reflect.Bool:
		s["type"] = "boolean"
	case reflect.String:
		s["type"] = "string"
		if r.words != nil {
			s["enum"] = r.words
		}
		return
	case reflect.Int:
		s["type"], s["minimum"] = "integer", r.lo
	default:
		s["type"], s["minimum"] = "number", r.lo
	}
	if r.hi != 0 {
		s["maximum"] = r.hi
	}
}
