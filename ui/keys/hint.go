package keys

import (
	"slices"
	"strings"
)

// Tell takes what the terminal told about its keys.
func (m *Map) Tell(modern bool) { m.o.Modern = modern }

// works reports whether a key reaches the program in this terminal.
func (m *Map) works(key string) bool {
	first, _, _ := strings.Cut(key, " ")
	return !taken[m.o.Inside][first] && (m.o.Modern || !modern[first])
}

// Shown are the keys of b, those that work in this terminal first, as they are to be written. What does not work is left
// out where something else does.
func (m *Map) Shown(b Binding) []string {
	keys := slices.DeleteFunc(slices.Clone(b.Keys), func(k string) bool { return !m.works(k) })
	if len(keys) == 0 {
		keys = slices.Clone(b.Keys)
	}
	for i, k := range keys {
		if rest, ok := strings.CutPrefix(k, Lead+" "); ok {
			keys[i] = m.lead + " " + rest
		}
	}
	return keys
}

// Hint writes the best key of an action, "" when it has none: "Ctrl+X s".
func (m *Map) Hint(id string) string {
	i := m.at(id)
	if i < 0 {
		return ""
	}
	if keys := m.Shown(m.all[i]); len(keys) > 0 {
		return Name(keys[0])
	}
	return ""
}

func (m *Map) write(keys []string) string {
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = Name(k)
	}
	return strings.Join(out, ", ")
}
