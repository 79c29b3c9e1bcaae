package config

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

//go:embed defaults.yaml
var defaultsYAML []byte

// Layer is a kind of source; a later one outweighs those before it.
type Layer int

// The layers, lightest first.
const (
	Default Layer = iota
	User
	Project
	Environment
	Flag
)

func (l Layer) String() string {
	return [...]string{"default", "user file", "project file", "environment", "flag"}[l]
}

// Origin says where a value came from. Place is "path:line", "$VARIABLE" or "--flag"; "" for a default.
type Origin struct {
	Layer Layer
	Place string
}

func (o Origin) String() string {
	if o.Place == "" {
		return o.Layer.String()
	}
	return o.Layer.String() + " " + o.Place
}

// Origins holds the origin of every setting that is not at its default, by key.
type Origins map[string]Origin

// Of returns the origin of key; the zero Origin is the default.
func (o Origins) Of(key string) Origin { return o[key] }

// Set reports whether the user decided key, in whatever way. What the user set is taken as it is, also where a default
// would be scaled.
func (o Origins) Set(key string) bool { return o[key].Layer != Default }

// Warning is something that was ignored, in words for the user.
type Warning string

// Source is one place where settings come from: UserFile, ProjectFile or Values.
type Source struct {
	layer Layer
	read  func(*loading) error
}

type loading struct {
	cfg      *Config
	origins  Origins
	warnings []Warning
}

// Defaults returns the settings of somebody who decided nothing.
func Defaults() Config {
	cfg, _, _, err := Load()
	if err != nil {
		panic(err) // defaults.yaml is part of the program, and tested
	}
	return cfg
}

// Load puts the sources together, lightest layer first, on top of the defaults. The error holds every Fault that was
// found; the Config is then not to be used. Warnings tell what a project file asked for in vain.
func Load(sources ...Source) (Config, Origins, []Warning, error) {
	var cfg Config
	l := &loading{cfg: &cfg, origins: Origins{}}
	if err := l.yaml(&decoder{file: "defaults.yaml", origins: Origins{}}, defaultsYAML); err != nil {
		return cfg, nil, nil, err
	}
	slices.SortStableFunc(sources, func(a, b Source) int { return int(a.layer - b.layer) })
	var errs []error
	for _, s := range sources {
		errs = append(errs, s.read(l))
	}
	return cfg, l.origins, l.warnings, errors.Join(errs...)
}

func (l *loading) yaml(d *decoder, data []byte) error {
	root, err := parse(d.file, data)
	if err != nil || root == nil {
		return err
	}
	d.value(root, reflect.ValueOf(l.cfg).Elem(), "")
	return errors.Join(d.faults...)
}

// UserFile is the user's own config.yaml. A file that is not there is empty, unless it was named by the user. A model's
// name that begins with a provider is split by c, when the file names no provider.
func UserFile(path string, named bool, c Catalogue) Source {
	return Source{User, func(l *loading) error {
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) && !named {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read the configuration: %w", err)
		}
		if err := l.yaml(&decoder{layer: User, file: path, origins: l.origins}, data); err != nil {
			return err
		}
		if m := &l.cfg.Model; m.Provider == "" && m.Name != "" {
			return l.model(User, c, Value{l.origins.Of("model.name").Place, "model.name", m.Name})
		}
		return nil
	}}
}

// ProjectFile is the .talaria/config.yaml of dir, which the caller knows to be trusted. It may set only what
// projectKeys lists; the rest is ignored with a warning. It can lower the cap on iterations and take toolsets away, but
// never raise the one or give back the other.
func ProjectFile(dir string) Source {
	return Source{Project, func(l *loading) error {
		path := filepath.Join(dir, ".talaria", "config.yaml")
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read the project's configuration: %w", err)
		}
		turns, off := l.cfg.Agent.MaxTurns, l.cfg.Tools.DisabledToolsets
		from := l.origins["agent.max_turns"]
		d := &decoder{layer: Project, file: path, origins: l.origins}
		d.skip = func(key string, line int) bool { return l.forbidden(path, key, line) }
		if err := l.yaml(d, data); err != nil {
			return err
		}
		if now := l.cfg.Agent.MaxTurns; turns != 0 && (now == 0 || now > turns) {
			l.warn("%s: agent.max_turns: a project may only lower it (yours is %d); ignored", path, turns)
			l.cfg.Agent.MaxTurns, l.origins["agent.max_turns"] = turns, from
		}
		for _, name := range off {
			if !contains(l.cfg.Tools.DisabledToolsets, name) {
				l.cfg.Tools.DisabledToolsets = append(l.cfg.Tools.DisabledToolsets, name)
			}
		}
		return nil
	}}
}

func (l *loading) warn(format string, args ...any) {
	l.warnings = append(l.warnings, Warning(fmt.Sprintf(format, args...)))
}

// forbidden reports whether a project file may not hold key; a section on the way to an allowed key may stand.
func (l *loading) forbidden(path, key string, line int) bool {
	for _, ok := range projectKeys {
		if key == ok || strings.HasPrefix(key+".", ok) || strings.HasPrefix(ok, key+".") || strings.HasPrefix(key, ok+".") {
			return false
		}
	}
	l.warn("%s:%d: %s: a project's file may not set this; ignored", path, line, key)
	return true
}

// Value is a setting as text, from a flag or a variable. A list is separated by commas.
type Value struct {
	From string // "--mode", "$TALARIA_MODE"
	Key  string
	Text string
}

// Variables returns the values of the TALARIA_* variables; a blank one is not set.
func Variables(getenv func(string) string) []Value {
	var out []Value
	for _, v := range variables {
		if text := strings.TrimSpace(getenv(v.name)); text != "" {
			out = append(out, Value{"$" + v.name, v.key, text})
		}
	}
	return out
}

// Values are settings from the environment or the flags. "model.name" is [PROVIDER/]MODEL[:EFFORT], split by c.
func Values(layer Layer, c Catalogue, values []Value) Source {
	return Source{layer, func(l *loading) error {
		var errs []error
		for _, v := range values {
			if v.Key != "model.name" {
				errs = append(errs, l.text(layer, v))
			}
		}
		for _, v := range values { // last, since it minds "--provider"
			if v.Key == "model.name" {
				errs = append(errs, l.model(layer, c, v))
			}
		}
		return errors.Join(errs...)
	}}
}

func (l *loading) model(layer Layer, c Catalogue, v Value) error {
	provider, name, effort := c.split(*l.cfg, v.Text)
	errs := []error{l.text(layer, Value{v.From, v.Key, name})}
	// "--provider" says more than the first word of "-m", which then is a part of the model's name.
	if provider != "" && l.origins.Of("model.provider").Layer == layer && l.cfg.Model.Provider != provider {
		provider, errs = "", []error{l.text(layer, Value{v.From, v.Key, provider + "/" + name})}
	}
	if provider != "" {
		errs = append(errs, l.text(layer, Value{v.From, "model.provider", provider}))
	}
	if effort != "" {
		errs = append(errs, l.text(layer, Value{v.From, "model.effort", effort}))
	}
	return errors.Join(errs...)
}

// text reads v with the rules of the file.
func (l *loading) text(layer Layer, v Value) error {
	target, err := find(reflect.ValueOf(l.cfg).Elem(), v.Key)
	if err != nil {
		return err
	}
	d := &decoder{layer: layer, file: v.From, origins: l.origins}
	d.value(textNode(target.Type(), v.Text), target, v.Key)
	return errors.Join(d.faults...)
}

// textNode makes the YAML node that text stands for where t is wanted.
func textNode(t reflect.Type, text string) *yaml.Node {
	switch t.Kind() {
	case reflect.String:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
	case reflect.Bool:
		switch strings.ToLower(text) {
		case "1", "yes", "on":
			text = "true"
		case "0", "no", "off":
			text = "false"
		}
	case reflect.Slice:
		if t.Elem().Kind() == reflect.String && !strings.HasPrefix(strings.TrimSpace(text), "[") {
			return wordList(text)
		}
	}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil || len(doc.Content) == 0 {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
	}
	clearLines(doc.Content[0])
	return doc.Content[0]
}

func wordList(text string) *yaml.Node {
	list := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Style: yaml.FlowStyle}
	for _, word := range strings.Split(text, ",") {
		if word = strings.TrimSpace(word); word != "" {
			list.Content = append(list.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: word})
		}
	}
	return list
}

// clearLines drops line numbers that count within a flag's text and would mislead.
func clearLines(n *yaml.Node) {
	n.Line, n.Column = 0, 0
	for _, c := range n.Content {
		clearLines(c)
	}
}
