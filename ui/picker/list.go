// Package picker holds lists that narrow as you type: sessions, models, and the menu of slash commands. A list shows
// what it has at once and takes more when it arrives; what is chosen goes to a function of the owner's.
//
// It refuses to change anything before you choose, and never to load anything itself: it asks for commands.
package picker

import (
	tea "charm.land/bubbletea/v2"

	"talaria/ui/composer"
)

// list is a filter, what it leaves, and the row in use.
type list[T any] struct {
	all    []T
	text   func(T) string // what the filter looks at
	shown  []int          // indexes into all, best first
	filter composer.Line
	at     int
	top    int
}

// set replaces the items; same tells whether two are the same item, so that the row in use stays in use.
func (l *list[T]) set(all []T, same func(a, b T) bool) {
	old, had := l.current()
	l.all = all
	l.apply()
	for i, at := range l.shown {
		if had && same(old, l.all[at]) {
			l.at = i
		}
	}
}

// texts are what the filter looks at, one for each item.
func (l *list[T]) texts() []string {
	texts := make([]string, len(l.all))
	for i, one := range l.all {
		texts[i] = l.text(one)
	}
	return texts
}

// apply narrows the list to the filter.
func (l *list[T]) apply() {
	l.shown = rank(l.filter.Value(), l.texts())
	l.at = max(0, min(l.at, len(l.shown)-1))
}

func (l *list[T]) current() (one T, ok bool) {
	if l.at < len(l.shown) {
		return l.all[l.shown[l.at]], true
	}
	return one, false
}

func (l *list[T]) move(by int) { l.at = max(0, min(l.at+by, len(l.shown)-1)) }

// update moves, or edits the filter; changed reports whether what is shown may be other than before.
func (l *list[T]) update(msg tea.Msg, page int) (handled bool) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.Keystroke() {
		case "up", "ctrl+p":
			l.move(-1)
			return true
		case "down", "ctrl+n":
			l.move(1)
			return true
		case "pgup":
			l.move(-max(1, page))
			return true
		case "pgdown":
			l.move(max(1, page))
			return true
		}
	}
	before := l.filter.Value()
	if !l.filter.Update(msg) {
		return false
	}
	if l.filter.Value() != before {
		l.at, l.top = 0, 0
		l.apply()
	}
	return true
}

// window scrolls no further than it must to show the row in use among n, and returns the rows from and to.
func (l *list[T]) window(n int) (from, to int) {
	n = max(n, 1)
	l.top = max(l.at-n+1, min(l.top, l.at))
	l.top = max(0, min(l.top, len(l.shown)-n))
	return l.top, min(l.top+n, len(l.shown))
}
