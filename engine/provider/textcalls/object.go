package textcalls

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"talaria/engine"
)

// call is a call that was found. args is as the model wrote it.
type call struct{ name, args string }

// tools are the offered tools by name.
type tools map[string]engine.Spec

func offer(specs []engine.Spec) tools {
	ts := tools{}
	for _, s := range specs {
		ts[s.Name] = s
	}
	return ts
}

// begins reports whether a tool's name begins with s.
func (ts tools) begins(s string) bool {
	for name := range ts {
		if strings.HasPrefix(name, s) {
			return true
		}
	}
	return false
}

// keys are what a call written as a JSON object may have.
var keys = []string{"name", "arguments", "parameters", "function", "type", "id"}

// headed says whether a JSON object comes next that may be a call of an offered tool, by its first key.
func (c *cursor) headed() verdict {
	here := c.i
	defer func() { c.i = here }()
	if v := c.at("{"); v != yes {
		return v
	}
	key, v := c.short()
	if v != yes {
		return v
	}
	if !slices.Contains(keys, key) {
		return no
	}
	if key != "name" && key != "type" {
		return yes
	}
	c.blank()
	if v := c.at(":"); v != yes {
		return v
	}
	value, v := c.short()
	if v != yes {
		return v
	}
	if _, ok := c.tools[value]; ok && key == "name" || key == "type" && value == "function" {
		return yes
	}
	return no
}

// short reads a plain JSON string of at most maxName bytes behind whitespace.
func (c *cursor) short() (string, verdict) {
	c.blank()
	if v := c.at(`"`); v != yes {
		return "", v
	}
	look := c.look(1)
	i := strings.IndexAny(look, "\"\n\\")
	switch {
	case i < 0 && len(look) <= maxName:
		return "", maybe
	case i < 0 || look[i] != '"':
		return "", no
	}
	c.i += i + 1
	return look[:i], yes
}

// value reads a JSON object or array by its brackets and strings only: what is between them may be broken. Outside of
// strings a "<" or a backslash cannot be JSON at all.
func (c *cursor) value() (string, verdict) {
	var open []byte
	quoted := false
	for j := c.i; j < len(c.s); j++ {
		b := c.s[j]
		switch {
		case quoted && b == '\\':
			j++
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '{':
			open = append(open, '}')
		case b == '[':
			open = append(open, ']')
		case b == '}' || b == ']':
			if open[len(open)-1] != b {
				c.i = j
				return "", no
			}
			if open = open[:len(open)-1]; len(open) == 0 {
				raw := c.s[c.i : j+1]
				c.i = j + 1
				return raw, yes
			}
		case b == '<' || b == '\\':
			c.i = j
			return "", no
		}
	}
	return "", maybe
}

// shape says how much a JSON object must look like a call to be one.
type shape uint8

const (
	marked  shape = iota // the markup around it says that it is a call
	unasked              // nothing says so: it must have arguments and no other keys
)

// parse reads a call written as a JSON object.
func (ts tools) parse(raw string, as shape) (call, bool) {
	var m map[string]json.RawMessage
	if json.Unmarshal([]byte(raw), &m) != nil {
		return ts.broken(raw)
	}
	if as == unasked && !known(m) {
		return call{}, false
	}
	if inner := (map[string]json.RawMessage)(nil); json.Unmarshal(m["function"], &inner) == nil && inner != nil {
		if m = inner; as == unasked && !known(m) {
			return call{}, false
		}
	}
	var name string
	if json.Unmarshal(m["name"], &name) != nil {
		return call{}, false
	}
	spec, ok := ts[name]
	args, given := m["arguments"]
	if !given {
		if args, given = m["parameters"]; given && as == unasked && definition(args, spec) {
			return call{}, false
		}
	}
	return call{name, written(args)}, ok && (given || as == marked)
}

func known(m map[string]json.RawMessage) bool {
	for k := range m {
		if !slices.Contains(keys, k) {
			return false
		}
	}
	return true
}

// definition reports whether parameters are a JSON Schema: then the object describes the tool and does not call it.
func definition(parameters json.RawMessage, spec engine.Spec) bool {
	var p struct{ Properties map[string]any }
	return json.Unmarshal(parameters, &p) == nil && p.Properties != nil && property(spec, "properties") == nil
}

// written is the text of arguments: some models write the object, others a string that holds it.
func written(args json.RawMessage) string {
	var text string
	switch {
	case len(args) == 0 || string(args) == "null":
		return "{}"
	case args[0] == '"' && json.Unmarshal(args, &text) == nil:
		return text
	}
	return string(args)
}

// callHead is the beginning of a call whose JSON does not parse.
var callHead = regexp.MustCompile(`^\{\s*"name"\s*:\s*"([^"\\]+)"\s*,\s*"(?:arguments|parameters)"\s*:\s*`)

// broken reads a call whose JSON does not parse but whose markup is complete. The arguments are what stands before the
// last brace; with it, when only so they are JSON (the model left out a brace).
func (ts tools) broken(raw string) (call, bool) {
	raw = strings.TrimSpace(raw)
	m := callHead.FindStringSubmatch(raw)
	if m == nil {
		return call{}, false
	}
	if _, ok := ts[m[1]]; !ok {
		return call{}, false
	}
	args := raw[len(m[0]):]
	if less := strings.TrimSpace(strings.TrimSuffix(args, "}")); !json.Valid([]byte(args)) {
		args = less
	}
	return call{m[1], args}, strings.TrimSpace(args) != ""
}
