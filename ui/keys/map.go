package keys

// Map is the table in force.
type Map struct {
	all   []Binding
	byKey map[string]int
}

// New returns the map of a table. Of two bindings with the same key in the same scope the first has it.
func New(table []Binding) *Map {
	m := &Map{all: table, byKey: map[string]int{}}
	for i, b := range table {
		for _, k := range b.Keys {
			if _, taken := m.byKey[k]; !taken && b.Do != nil && b.Scope == Everywhere {
				m.byKey[k] = i
			}
		}
	}
	return m
}

// All are the bindings in their order.
func (m *Map) All() []Binding { return m.all }

// Find returns the binding of a key that does something wherever it is pressed.
func (m *Map) Find(key string) (Binding, bool) {
	i, ok := m.byKey[key]
	if !ok {
		return Binding{}, false
	}
	return m.all[i], true
}
