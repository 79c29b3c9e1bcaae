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

// Menu is the list of commands over the prompt. It opens when the first character typed is a slash.
type Menu struct {
	list   *picker.Menu
	prompt *composer.Composer
	now    func() time.Time
}

// Open returns the menu for what stands in the prompt, nil when that is no beginning of a command.
func (t *Table) Open(sheet style.Sheet, prompt *composer.Composer, now func() time.Time) *Menu {
	if !begins(prompt) {
		return nil
	}
	m := &Menu{picker.NewMenu(sheet, t.items(prompt.Sent())), prompt, now}
	if !m.Refresh() {
		return nil
	}
	return m
}

// recently is how many commands stand first because they were used last.
const recently = 3

// items are the rows of the menu: what was used last, then the groups.
func (t *Table) items(sent []string) (items []picker.Item) {
	add := func(c Command, group string) {
		items = append(items, picker.Item{Name: "/" + c.Name, Help: c.Help, Why: t.Why(c), Group: group})
	}
	used := map[string]bool{}
	for _, line := range sent {
		name, _, ok := Split(line)
		c, known := t.Find(name)
		if !strings.HasPrefix(line, "/") || !ok || !known || used[c.Name] {
			continue
		}
		if used[c.Name] = true; len(used) <= recently {
			add(c, "Recent")
		}
		if len(used) == recently {
			break
		}
	}
	rest := slices.DeleteFunc(slices.Clone(t.all), func(c Command) bool { return used[c.Name] })
	slices.SortStableFunc(rest, func(a, b Command) int { return cmp.Compare(a.Group, b.Group) })
	for _, c := range rest {
		add(c, c.Group.String())
	}
	return items
}

func begins(prompt *composer.Composer) bool {
	text := prompt.Value()
	return strings.HasPrefix(text, "/") && !strings.ContainsAny(text, " \n") && !prompt.Pasted()
}

// Refresh narrows the menu to what is typed now; it reports whether the menu stays.
func (m *Menu) Refresh() bool {
	if !begins(m.prompt) {
		return false
	}
	m.list.Filter(m.prompt.Value())
	return m.list.Len() > 0
}

// Key is a key while the menu is open. Taken is false when it is for the prompt; the menu goes when stays is false.
func (m *Menu) Key(k tea.KeyPressMsg) (cmd tea.Cmd, taken, stays bool) {
	switch k.String() {
	case "up", "ctrl+p":
		m.list.Move(-1)
	case "down", "ctrl+n":
		m.list.Move(1)
	case "esc":
		return nil, true, false
	case "tab":
		item, ok := m.list.Selected()
		if !ok {
			return nil, true, true
		}
		m.prompt.SetValue(item.Name + " ")
		return nil, true, false
	case "enter": // held like any Enter: what follows at once makes it a pasted line, which is no command
		item, ok := m.list.Selected()
		if !ok {
			return nil, false, true
		}
		m.prompt.SetValue(item.Name)
		return m.prompt.Enter(m.now()), true, true
	default:
		return nil, false, true
	}
	return nil, true, true
}

// SetSheet changes the theme or the glyphs.
func (m *Menu) SetSheet(s style.Sheet) { m.list.SetSheet(s) }

// View draws at most most rows of w cells.
func (m *Menu) View(w, most int) []string { return m.list.View(w, most) }
