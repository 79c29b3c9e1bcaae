package keys

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Options are the user's settings of keys. Inside is the program that the terminal runs in ("zellij", "vscode"), ""
// for none; Modern says that the terminal tells Ctrl+Enter from Enter.
type Options struct {
	Preset string
	Own    map[string][]string // ui.keys: by action
	Inside string
	Modern bool
}

// Map is the table in force: the defaults, then the preset, then the user's own.
type Map struct {
	o    Options
	base []Binding // the defaults
	all  []Binding // keys as they are now, second keys after Lead
	lead string
	in   [Running + 1]map[string]int
	was  map[string]bool // keys that the editor had and lost
}

// New returns the map of a table, and what is to be told about the user's changes. Of two bindings with the same key in
// the same scope the user's has it, else the first.
func New(table []Binding, o Options) (*Map, []string) {
	m := &Map{o: o, base: table, lead: Lead, was: map[string]bool{}}
	for _, b := range table {
		b.Keys = slices.Clone(b.Keys)
		m.all = append(m.all, b)
	}
	for id, keys := range presets[o.Preset] {
		if i := m.at(id); i >= 0 {
			m.all[i].Keys = slices.Clone(keys)
		}
	}
	var told []string
	given := map[string]string{}                                       // by scope and key: the action of ui.keys that has it
	ids := slices.SortedFunc(maps.Keys(o.Own), func(a, b string) int { // the leader first: the others may be written with it
		return cmp.Or(cmp.Compare(btoi(b == "leader"), btoi(a == "leader")), cmp.Compare(a, b))
	})
	for _, id := range ids {
		told = append(told, m.rebind(id, o.Own[id], given)...)
	}
	m.index()
	return m, told
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (m *Map) at(id string) int {
	return slices.IndexFunc(m.all, func(b Binding) bool { return b.ID == id && id != "" })
}

// rebind gives an action the user's keys, and says what that changed beside it.
func (m *Map) rebind(id string, own []string, given map[string]string) (told []string) {
	i := m.at(id)
	if i < 0 {
		return []string{fmt.Sprintf("ui.keys: there is no action %q. /keys lists them.", id)}
	}
	keys := []string{}
	for _, text := range own {
		key, why := m.Allowed(id, text)
		if why == "" && given[key] != "" && overlap(m.all[i].Scope, m.all[m.at(given[key])].Scope) {
			why = "it is given to " + given[key] + " already"
		}
		if why != "" {
			told = append(told, fmt.Sprintf("ui.keys: %s cannot have %s: %s.", id, text, why))
			continue
		}
		given[key] = id
		if key == m.lead {
			key = Lead
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 && len(own) > 0 {
		return told // all were refused: it keeps what it had
	}
	for _, key := range keys {
		if j := m.Clash(id, key); j >= 0 && given[key] == id {
			m.all[j].Keys = slices.DeleteFunc(m.all[j].Keys, func(k string) bool { return k == key })
			left := "has no key now"
			if n := m.all[j].Keys; len(n) > 0 {
				left = "keeps " + m.write(n)
			}
			told = append(told, fmt.Sprintf("ui.keys: %s is %s now; %s %s.", Name(key), m.all[i].Name, m.all[j].Name, left))
		}
	}
	if id == "leader" && len(keys) > 0 {
		m.lead = keys[0]
		keys = keys[:1]
	}
	m.all[i].Keys = keys
	return told
}

// Clash is the place of another binding that has the key where id counts too, -1 without one.
func (m *Map) Clash(id, key string) int {
	i := m.at(id)
	return slices.IndexFunc(m.all, func(b Binding) bool {
		return b.ID != id && i >= 0 && overlap(b.Scope, m.all[i].Scope) && slices.Contains(b.Keys, key)
	})
}

// Owner is the name of the action that would lose the key to id, "" for none.
func (m *Map) Owner(id, key string) string {
	if i := m.Clash(id, key); i >= 0 {
		return m.all[i].Name
	}
	return ""
}

// Allowed brings a key into the form of the table; why says why the action cannot have it, "" if it can.
func (m *Map) Allowed(id, text string) (key, why string) {
	key, ok := Parse(text)
	strokes := strings.Fields(key)
	switch {
	case !ok:
		return text, "no key is called that"
	case len(strokes) == 2 && strokes[0] == m.lead:
		return Lead + " " + strokes[1], ""
	case len(strokes) == 2 && strokes[0] == Lead:
		return key, ""
	case len(strokes) > 1:
		return key, "a pair begins with the leader"
	case fixed[key]:
		return key, "it belongs to the screen"
	case never[key] != "":
		return key, never[key]
	case only[key] != "" && only[key] != id:
		return key, "lists and terminals need it"
	case types(key):
		return key, "it types a character"
	}
	return key, ""
}

// overlap reports whether one press may mean both.
func overlap(a, b Scope) bool {
	return a == b || a == Everywhere || b == Everywhere || a+b == Prompt+Running
}

func (m *Map) index() {
	for scope := range m.in {
		m.in[scope] = map[string]int{}
	}
	for i, b := range m.all {
		for _, k := range b.Keys {
			if _, is := m.in[b.Scope][k]; !is && !types(k) && (b.Do != nil || b.Scope != Everywhere) {
				m.in[b.Scope][k] = i
			}
		}
	}
	for i, b := range m.base {
		for _, k := range b.Keys {
			if b.Scope == Prompt && b.Do == nil && !slices.Contains(m.all[i].Keys, k) {
				m.was[k] = true
			}
		}
	}
}

// Options are what the map was made with, and what the terminal told since.
func (m *Map) Options() Options { return m.o }

// All are the bindings in their order, with the keys they have now as they are to be shown.
func (m *Map) All() []Binding {
	out := slices.Clone(m.all)
	for i := range out {
		out[i].Keys = m.Shown(out[i])
	}
	return out
}

// hintOrder is how the leader's hints stand (frame 17); what is not in it comes after.
const hintOrder = "emsnurycdabqtovwgpkxzhlfi[/<>1"

// Second are the bindings that have a second key, which is the first of Keys.
func (m *Map) Second() (out []Binding) {
	for _, b := range m.all {
		if key, ok := b.Second(); ok {
			b.Keys = []string{key}
			out = append(out, b)
		}
	}
	place := func(b Binding) int {
		if i := strings.Index(hintOrder, b.Keys[0]); i >= 0 {
			return i
		}
		return len(hintOrder)
	}
	slices.SortStableFunc(out, func(a, b Binding) int { return place(a) - place(b) })
	return out
}

// Lead is the leader now.
func (m *Map) Lead() string { return m.lead }

// Find returns the binding of a key that does something wherever it is pressed. A pair begins with Lead, whatever the
// leader is.
func (m *Map) Find(key string) (Binding, bool) { return m.find(Everywhere, key) }

// Prompting returns the binding of a key that goes to the prompt; its ID is "" when the table does not know it. Running
// says that the agent works.
func (m *Map) Prompting(key string, running bool) Binding {
	if running {
		if b, ok := m.find(Running, key); ok {
			return b
		}
	}
	b, _ := m.find(Prompt, key)
	return b
}

// Pair returns the binding of a second key.
func (m *Map) Pair(second string) (Binding, bool) {
	for _, b := range m.all {
		if b.Do != nil && contains(b.Keys, Lead+" "+second) {
			return b, true
		}
	}
	return Binding{}, false
}

func (m *Map) find(in Scope, key string) (Binding, bool) {
	i, ok := m.in[in][key]
	if !ok {
		return Binding{}, false
	}
	return m.all[i], true
}

// Edits is the key that the editor is given for a key that was pressed: the one it knows for the same action. It is not
// ok for one that the user took away from it.
func (m *Map) Edits(key string) (stroke string, ok bool) {
	i, has := m.in[Prompt][key]
	if !has || m.all[i].Do != nil {
		return key, !m.was[key]
	}
	if slices.Contains(m.base[i].Keys, key) {
		return key, true
	}
	return m.base[i].Keys[0], true
}
