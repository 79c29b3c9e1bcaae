package command

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/ui/composer"
	"talaria/ui/picker"
	"talaria/ui/style"
)

// Arguments is the list of what may follow the name of a command.
type Arguments struct {
	list   *picker.Menu
	prompt *composer.Composer
	now    func() time.Time
	name   string
	closed bool // there are no other values
	moved  bool
}

// OpenArguments returns the list for a command that stands in the prompt with a blank behind it, nil when that has none.
func (t *Table) OpenArguments(sheet style.Sheet, prompt *composer.Composer, now func() time.Time) *Arguments {
	name, _, ok := argument(prompt)
	c, known := t.Find(name)
	if !ok || !known {
		return nil
	}
	values, closed := c.values()
	if len(values) == 0 {
		return nil
	}
	var items []picker.Item
	for _, v := range values {
		items = append(items, picker.Item{Name: v})
	}
	a := &Arguments{list: picker.NewMenu(sheet, items), prompt: prompt, now: now, name: name, closed: closed}
	if !a.Refresh() {
		return nil
	}
	return a
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

// argument parts what is typed; it is not ok without a blank behind the name, or with a second one.
func argument(prompt *composer.Composer) (name, typed string, ok bool) {
	text := prompt.Value()
	if !strings.HasPrefix(text, "/") || strings.Contains(text, "\n") || prompt.Pasted() {
		return "", "", false
	}
	name, typed, ok = strings.Cut(text[1:], " ")
	return name, typed, ok && !strings.Contains(typed, " ")
}

// Refresh narrows the list to what is typed now; it reports whether the list stays.
func (a *Arguments) Refresh() bool {
	name, typed, ok := argument(a.prompt)
	if !ok || name != a.name {
		return false
	}
	a.list.Filter(typed)
	only, _ := a.list.Selected()
	return a.list.Len() > 1 || a.list.Len() == 1 && only.Name != typed
}

// Key is a key while the list is open. Tab completes, and so does Enter where the row was chosen or begun: a name that is
// not in the list, or none, is taken as it is.
func (a *Arguments) Key(k tea.KeyPressMsg) (cmd tea.Cmd, taken, stays bool) {
	item, ok := a.list.Selected()
	_, typed, _ := argument(a.prompt)
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
			a.prompt.SetValue("/" + a.name + " " + item.Name)
		}
		return nil, true, false
	case "enter":
		if ok && (a.moved || a.closed && typed != "") {
			a.prompt.SetValue("/" + a.name + " " + item.Name)
		}
		return a.prompt.Enter(a.now()), true, true
	default:
		return nil, false, true
	}
	return nil, true, true
}

// SetSheet changes the theme or the glyphs.
func (a *Arguments) SetSheet(s style.Sheet) { a.list.SetSheet(s) }

// View draws at most most rows of w cells.
func (a *Arguments) View(w, most int) []string { return a.list.View(w, most) }
