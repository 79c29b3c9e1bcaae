package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Get returns the setting that key names, as plain values: text, numbers, booleans, []any and map[string]any.
// An unknown key is a *Fault that names the nearest.
func Get(cfg Config, key string) (any, error) {
	v, err := find(reflect.ValueOf(cfg), key)
	if err != nil {
		return nil, err
	}
	var n yaml.Node
	var plain any
	if err := n.Encode(v.Interface()); err != nil {
		return nil, fmt.Errorf("read %s: %w", key, err)
	}
	if err := n.Decode(&plain); err != nil {
		return nil, fmt.Errorf("read %s: %w", key, err)
	}
	return plain, nil
}

// Set writes settings into the file at path, which need not exist, and keeps its comments and the order of its keys.
// A setting that would make the file invalid leaves it as it was. Text is as in Values; From is not used.
func Set(path string, values ...Value) error {
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read the configuration: %w", err)
	}
	doc := yaml.Node{Kind: yaml.DocumentNode}
	if len(bytes.TrimSpace(data)) > 0 {
		if err := yaml.Unmarshal(data, &doc); err != nil {
			return syntaxFault(path, err)
		}
	}
	if len(doc.Content) == 0 || doc.Content[0].Tag == "!!null" {
		doc.Kind, doc.Content = yaml.DocumentNode, []*yaml.Node{{Kind: yaml.MappingNode, Tag: "!!map"}}
	}
	for _, v := range values {
		target, err := find(reflect.ValueOf(Config{}), v.Key)
		if err != nil {
			return err
		}
		if err := put(doc.Content[0], strings.Split(v.Key, "."), textNode(target.Type(), v.Text)); err != nil {
			return &Fault{File: path, Key: v.Key, Problem: err.Error(), Expected: "a section on the way to it"}
		}
	}
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	if err := enc.Encode(&doc); err != nil {
		return fmt.Errorf("write the configuration: %w", err)
	}
	l := &loading{cfg: &Config{}, origins: Origins{}}
	if err := l.yaml(&decoder{layer: User, file: path, origins: l.origins}, out.Bytes()); err != nil {
		return err
	}
	return writeFile(path, out.Bytes())
}

// put sets the value at the end of names below the mapping n; comments beside an old value stay.
func put(n *yaml.Node, names []string, value *yaml.Node) error {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		n.Kind, n.Tag, n.Value = yaml.MappingNode, "!!map", ""
	}
	if n.Kind != yaml.MappingNode {
		return fmt.Errorf("%s, not a section", describe(n))
	}
	if len(n.Content) == 0 {
		n.Style = 0 // a "{}" that gets its first entry is written out
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value != names[0] {
			continue
		}
		old := n.Content[i+1]
		if len(names) > 1 {
			return put(old, names[1:], value)
		}
		value.HeadComment, value.LineComment, value.FootComment = old.HeadComment, old.LineComment, old.FootComment
		n.Content[i+1] = value
		return nil
	}
	key := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: names[0]}
	if len(names) == 1 {
		n.Content = append(n.Content, key, value)
		return nil
	}
	section := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	n.Content = append(n.Content, key, section)
	return put(section, names[1:], value)
}
