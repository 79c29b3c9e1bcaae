package command

import (
	"cmp"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/ui/composer"
	"talaria/ui/picker"
	"talaria/ui/style"
)

// Value is what may follow the name of a command: the text that is typed for it, how the list calls it ("" for the text
// itself), and a word on what it is.
type Value struct{ Text, Name, Help string }

// Loaded is values that Command.Ask brings; there may be several. Only says that nothing else may follow the name.
type Loaded struct {
	Command string
	Values  []Value
	Only    bool
}

// Arguments is the list of what may follow the name of a command.
type Arguments struct {
	sheet  style.Sheet
	list   *picker.Menu
	values []Value
	prompt *composer.Composer
	now    func() time.Time
	name   string
	ask    func() tea.Cmd // brings the values; nil when they were there at once
	closed bool           // there are no other values
	moved  bool
}

// OpenArguments returns the list for a command that stands in the prompt with a blank behind it, nil when that has none.
func (t *Table) OpenArguments(sheet style.Sheet, prompt *composer.Composer, now func() time.Time) *Arguments {
	name, _, ok := argument(prompt)
	c, known := t.Find(name)
	if !ok || !known {
		return nil
	}
	a := &Arguments{sheet: sheet, prompt: prompt, now: now, name: name, ask: c.Ask}
	words, closed := c.values()
	if len(words) == 0 && a.ask == nil {
		return nil
	}
	var values []Value
	for _, w := range words {
		values = append(values, Value{Text: w})
	}
	if !a.Fill(Loaded{Command: name, Values: values, Only: closed}) {
		return nil
	}
	return a
}

// Init asks for the values.
func (a *Arguments) Init() tea.Cmd {
	if a.ask == nil {
		return nil
	}
	return a.ask()
}

// Fill adds values, each once; it reports whether the list stays.
func (a *Arguments) Fill(l Loaded) bool {
	if l.Command != a.name {
		return true
	}
	a.closed = l.Only
	for _, v := range l.Values {
		if !slices.ContainsFunc(a.values, func(one Value) bool { return one.Text == v.Text }) {
			a.values = append(a.values, v)
		}
	}
	var items []picker.Item
	for _, v := range a.values {
		items = append(items, picker.Item{Name: cmp.Or(v.Name, v.Text), Help: v.Help})
	}
	at := 0
	if a.list != nil && a.moved {
		at = a.list.At()
	}
	a.list = picker.NewMenu(a.sheet, items)
	stays := a.Refresh()
	if at < a.list.Len() {
		a.list.Move(at)
	}
	return stays
}

// values are what may follow the name; closed says that nothing else may.
func (c Command) values() (_ []string, closed bool) {
	if c.Values != nil {
		return c.Values(), false
	}
	first, _, _ := strings.Cut(c.Args, " ")
	words := strings.Split(strings.Trim(first, "[]"), "|")
	if len(words) < 2 {
		return nil, false
	}
	return slices.DeleteFunc(words, func(w string) bool { return w == "$" || w == "" }), true
}

// argument parts what is typed; it is not ok without a blank behind the name.
func argument(prompt *composer.Composer) (name, typed string, ok bool) {
	text := prompt.Value()
	if !strings.HasPrefix(text, "/") || strings.Contains(text, "\n") || prompt.Pasted() {
		return "", "", false
	}
	name, typed, ok = strings.Cut(text[1:], " ")
	return name, typed, ok
}

// Refresh narrows the list to what is typed now; it reports whether the list stays. One that is asked for stays, unseen
// while nothing fits: more may come.
func (a *Arguments) Refresh() bool {
	name, typed, ok := argument(a.prompt)
	if !ok || name != a.name || a.ask == nil && strings.Contains(typed, " ") {
		return false
	}
	a.list.Filter(typed)
	return a.ask != nil || a.seen()
}

// seen reports whether there is anything to choose: not what stands in the prompt already.
func (a *Arguments) seen() bool {
	_, typed, _ := argument(a.prompt)
	only, _ := a.selected()
	return a.list.Len() > 1 || a.list.Len() == 1 && only.Text != typed
}

// selected is the value of the row in use.
func (a *Arguments) selected() (Value, bool) {
	i, ok := a.list.Index()
	if !ok {
		return Value{}, false
	}
	return a.values[i], true
}

// Key is a key while the list is open. Tab completes, and so does Enter where the row was chosen or begun: a name that is
// not in the list, or none, is taken as it is.
func (a *Arguments) Key(k tea.KeyPressMsg) (cmd tea.Cmd, taken, stays bool) {
	if !a.seen() {
		return nil, false, true
	}
	value, ok := a.selected()
	_, typed, _ := argument(a.prompt)
	line := "/" + a.name + " " + value.Text
	switch k.String() {
	case "up", "ctrl+p":
		a.list.Move(-1)
		a.moved = true
	case "down", "ctrl+n":
		if a.list.Move(1); !a.moved && typed == "" {
			a.list.Move(-1) // the first Down takes the first row
		}
		a.moved = true
	case "esc":
		return nil, true, false
	case "tab":
		if ok {
			a.prompt.SetValue(line)
		}
		return nil, true, a.ask != nil && a.Refresh()
	case "enter":
		if ok && (a.moved || a.closed && typed != "") {
			a.prompt.SetValue(line)
		}
		return a.prompt.Enter(a.now()), true, true
	default:
		return nil, false, true
	}
	return nil, true, true
}

// SetSheet changes the theme or the glyphs.
func (a *Arguments) SetSheet(s style.Sheet) {
	a.sheet = s
	a.list.SetSheet(s)
}

// View draws at most most rows of w cells.
func (a *Arguments) View(w, most int) []string {
	switch {
	case !a.seen():
		return nil
	case a.ask != nil: // titles and names of models are long
		return a.list.Wide(w, most)
	}
	return a.list.View(w, most)
}
