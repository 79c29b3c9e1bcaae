package config

import (
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// decoder reads YAML nodes into a Config and remembers where each value came from. It goes on after a fault, so that
// all of them can be mended in one go.
type decoder struct {
	layer   Layer
	file    string
	origins Origins
	faults  []error
	skip    func(key string, line int) bool // reports, and notes, a key that this source may not set; nil: none
}

// parse returns the top node of the YAML in data, nil when it holds nothing.
func parse(file string, data []byte) (*yaml.Node, error) {
	dec := yaml.NewDecoder(strings.NewReader(string(data)))
	var doc, more yaml.Node
	if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, syntaxFault(file, err)
	}
	if err := dec.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, &Fault{File: file, Line: more.Line, Problem: "a second document follows", Expected: "one YAML document"}
	}
	return doc.Content[0], nil
}

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

func syntaxFault(file string, err error) *Fault {
	text := err.Error()
	m := yamlLine.FindStringSubmatch(text)
	f := &Fault{File: file, Problem: "not valid YAML: " + text, Expected: "spaces for indentation and \"key: value\" lines"}
	if m != nil {
		f.Line, _ = strconv.Atoi(m[1])
		f.Problem = "not valid YAML: " + text[len(m[0]):]
	}
	return f
}

func (d *decoder) fault(n *yaml.Node, key, expected string) *Fault {
	f := &Fault{File: d.file, Line: n.Line, Key: key, Expected: expected, Problem: describe(n)}
	d.faults = append(d.faults, f)
	return f
}

// describe says what stands at n, shortened.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a section stands here"
	case yaml.SequenceNode:
		return "a list stands here"
	}
	text := n.Value
	if r := []rune(text); len(r) > 40 {
		text = string(r[:40]) + "…"
	}
	return fmt.Sprintf("%q stands here", text)
}

// value reads n into v, which is the setting named key ("" for the whole file).
func (d *decoder) value(n *yaml.Node, v reflect.Value, key string) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return // a key without a value, its lines commented out perhaps: as if it were not there
	}
	switch v.Kind() {
	case reflect.Struct:
		d.section(n, v, key)
	case reflect.Map:
		d.names(n, v, key)
	case reflect.Slice:
		d.list(n, v, key)
	default:
		d.scalar(n, v, key)
	}
}

// section reads a mapping whose keys are fixed.
func (d *decoder) section(n *yaml.Node, v reflect.Value, key string) {
	fields := fieldsOf(v.Type())
	d.pairs(n, key, "a section with the keys "+strings.Join(fieldNames(v.Type()), ", "), func(k, val *yaml.Node, sub string) {
		i, ok := fields[k.Value]
		if !ok {
			f := &Fault{File: d.file, Line: k.Line, Key: sub, Problem: "unknown key", Expected: "one of " + strings.Join(fieldNames(v.Type()), ", ")}
			f.Nearest = nearest(sub, append(prefixed(key, fieldNames(v.Type())), fixedKeys()...))
			d.faults = append(d.faults, f)
			return
		}
		d.value(val, v.Field(i), sub)
	})
}

// names reads a mapping whose keys the user chose. A later source replaces the whole of it.
func (d *decoder) names(n *yaml.Node, v reflect.Value, key string) {
	out := reflect.MakeMap(v.Type())
	if n.Kind == yaml.SequenceNode && v.Type() == reflect.TypeFor[Models]() {
		for _, item := range n.Content {
			name := reflect.New(v.Type().Key()).Elem()
			d.scalar(item, name, key)
			out.SetMapIndex(name, reflect.Zero(v.Type().Elem()))
		}
		v.Set(out)
		return
	}
	d.pairs(n, key, "a section of names", func(k, val *yaml.Node, sub string) {
		if key == "hooks" && !contains(hookPoints, k.Value) {
			d.faults = append(d.faults, &Fault{d.file, k.Line, sub, "unknown lifecycle point",
				"one of " + strings.Join(hookPoints, ", "), nearest(k.Value, hookPoints)})
			return
		}
		elem := reflect.New(v.Type().Elem()).Elem()
		d.value(val, elem, sub)
		out.SetMapIndex(reflect.ValueOf(k.Value), elem)
	})
	v.Set(out)
}

// pairs calls do for each key of the mapping n; a key that stands twice is a fault.
func (d *decoder) pairs(n *yaml.Node, key, expected string, do func(k, val *yaml.Node, sub string)) {
	if n.Kind != yaml.MappingNode {
		d.fault(n, key, expected)
		return
	}
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, val := n.Content[i], n.Content[i+1]
		sub := join(key, k.Value)
		if first, twice := seen[k.Value]; twice {
			d.faults = append(d.faults, &Fault{File: d.file, Line: k.Line, Key: sub, Problem: fmt.Sprintf("stands twice (first in line %d)", first), Expected: "each key once"})
			continue
		}
		seen[k.Value] = k.Line
		if d.skip != nil && d.skip(sub, k.Line) {
			continue
		}
		do(k, val, sub)
	}
}

// list reads a sequence; where a list of words is wanted, one word will do.
func (d *decoder) list(n *yaml.Node, v reflect.Value, key string) {
	words := v.Type().Elem().Kind() == reflect.String
	items := n.Content
	if n.Kind == yaml.ScalarNode && words {
		items = []*yaml.Node{n}
	} else if n.Kind != yaml.SequenceNode {
		d.fault(n, key, "a list")
		return
	}
	out := reflect.MakeSlice(v.Type(), len(items), len(items))
	for i, item := range items {
		d.value(item, out.Index(i), join(key, strconv.Itoa(i)))
	}
	v.Set(out)
	d.origins[key] = Origin{d.layer, place(d.file, n.Line)}
}

// scalar reads one value and checks it against its rule.
func (d *decoder) scalar(n *yaml.Node, v reflect.Value, key string) {
	r := ruleOf(key)
	bad := func() {
		f := d.fault(n, key, expectation(v.Kind(), r))
		if r.hide {
			f.Problem = "what stands here cannot be that"
		}
		if r.words != nil {
			f.Nearest = nearest(n.Value, r.words)
		}
	}
	if n.Kind != yaml.ScalarNode || !tagFits(v.Kind(), n.Tag) {
		bad()
		return
	}
	out := reflect.New(v.Type())
	if err := n.Decode(out.Interface()); err != nil || !fits(out.Elem(), r) {
		bad()
		return
	}
	v.Set(out.Elem())
	d.origins[key] = Origin{d.layer, place(d.file, n.Line)}
}

func tagFits(k reflect.Kind, tag string) bool {
	switch k {
	case reflect.String:
		return tag == "!!str"
	case reflect.Bool:
		return tag == "!!bool"
	case reflect.Int:
		return tag == "!!int"
	case reflect.Float64:
		return tag == "!!int" || tag == "!!float"
	}
	return false
}

func fits(v reflect.Value, r rule) bool {
	switch v.Kind() {
	case reflect.String:
		return (r.words == nil || contains(r.words, v.String())) && (r.shape == nil || r.shape(v.String()))
	case reflect.Int:
		return between(float64(v.Int()), r)
	case reflect.Float64:
		return !math.IsInf(v.Float(), 0) && between(v.Float(), r) // NaN is between nothing
	}
	return true
}

func between(f float64, r rule) bool { return f >= r.lo && (r.hi == 0 || f <= r.hi) }

// expectation says in words what a value of kind k under r is.
func expectation(k reflect.Kind, r rule) string {
	if r.words != nil {
		words := make([]string, len(r.words))
		for i, w := range r.words {
			if words[i] = w; w == "" {
				words[i] = `""`
			}
		}
		return "one of " + strings.Join(words, ", ")
	}
	note := r.note
	switch k {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		if note == "" {
			note = "text"
		}
		if r.shape != nil {
			return note
		}
		return note + `, in quotes where it looks like a number or a boolean`
	}
	if note == "" {
		note = "a number"
	}
	if k == reflect.Int {
		note += " (whole)"
	}
	if r.hi == 0 {
		return fmt.Sprintf("%s, %s or more", note, number(r.lo))
	}
	return fmt.Sprintf("%s from %s to %s", note, number(r.lo), number(r.hi))
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

func place(file string, line int) string {
	if line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, line)
}
