package config

import (
	"reflect"
	"slices"
	"strings"
	"sync"
)

// A setting's key is the names on the way to it, joined by dots: "providers.mine.base_url". Lists have places for names.

func join(key, name string) string {
	if key == "" {
		return name
	}
	return key + "." + name
}

func contains(words []string, word string) bool { return slices.Contains(words, word) }

// fieldsOf maps the YAML names of t's fields to their places.
func fieldsOf(t reflect.Type) map[string]int {
	fields := make(map[string]int, t.NumField())
	for i := range t.NumField() {
		fields[t.Field(i).Tag.Get("yaml")] = i
	}
	return fields
}

func fieldNames(t reflect.Type) []string {
	names := make([]string, t.NumField())
	for i := range names {
		names[i] = t.Field(i).Tag.Get("yaml")
	}
	return names
}

func prefixed(key string, names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = join(key, n)
	}
	return out
}

// fixedKeys are all keys that hold no name of the user's, sections included.
var fixedKeys = sync.OnceValue(func() []string {
	var all []string
	var walk func(t reflect.Type, key string)
	walk = func(t reflect.Type, key string) {
		if key != "" {
			all = append(all, key)
		}
		if t.Kind() != reflect.Struct {
			return
		}
		for i := range t.NumField() {
			walk(t.Field(i).Type, join(key, t.Field(i).Tag.Get("yaml")))
		}
	}
	walk(reflect.TypeFor[Config](), "")
	return all
})

// ruleOf returns the rule of the most exact row that fits key.
func ruleOf(key string) rule {
	if r, ok := rules[key]; ok {
		return r
	}
	names := strings.Split(key, ".")
	best, stars := rule{}, len(names)+1
	for pattern, r := range rules {
		want := strings.Split(pattern, ".")
		if len(want) != len(names) {
			continue
		}
		n := 0
		for i, w := range want {
			if w == "*" {
				n++
			} else if w != names[i] {
				n = len(names) + 1
			}
		}
		if n < stars {
			best, stars = r, n
		}
	}
	return best
}

// find returns the setting that key names inside v, and its type even where a user's name is not there yet.
func find(v reflect.Value, key string) (reflect.Value, error) {
	done := ""
	for _, name := range strings.Split(key, ".") {
		done = join(done, name)
		switch v.Kind() {
		case reflect.Struct:
			i, ok := fieldsOf(v.Type())[name]
			if !ok {
				return v, unknownKey(key)
			}
			v = v.Field(i)
		case reflect.Map:
			e := v.MapIndex(reflect.ValueOf(name))
			if !e.IsValid() {
				e = reflect.Zero(v.Type().Elem())
			}
			v = e
		default:
			return v, unknownKey(key)
		}
	}
	return v, nil
}

func unknownKey(key string) *Fault {
	return &Fault{File: "config", Key: key, Problem: "unknown key", Expected: "a key of config.yaml", Nearest: nearest(key, fixedKeys())}
}
