// Package keys is the table of keys: what each does, how it is written, which key leads to which binding after the
// preset and the user's own changes, and the leader with its second keys. It refuses to know what a binding does.
package keys

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// Binding is a key that does something. ID is what ui.keys calls it, "" for one that cannot be changed. Keys are named
// as the toolkit names them, the best first; the second key of a pair is written after Lead ("ctrl+x h"). Name is a few
// words, Help a sentence. Scope says where it counts. Can returns why it cannot be done now, "" if it can; nil means
// always. Do may be nil where another place decides what the key means, and the binding only names it.
type Binding struct {
	ID         string
	Keys       []string
	Name, Help string
	Scope      Scope
	Can        func() string
	Do         func() tea.Cmd
}

// Scope is where a binding counts. Two bindings of different scopes may have the same key.
type Scope uint8

// Everywhere is the zero value. Prompt keys count while what is typed goes to the prompt, Running ones only while the
// agent works.
const (
	Everywhere Scope = iota
	Prompt
	Running
)

// Why returns why b cannot be used now, "" if it can.
func (b Binding) Why() string {
	if b.Can == nil {
		return ""
	}
	return b.Can()
}

var names = map[string]string{
	"pgup": "PgUp", "pgdown": "PgDn", "up": "↑", "down": "↓", "left": "←", "right": "→", "esc": "Esc", "enter": "Enter",
}

// Name writes a key as it is printed on keyboards: "ctrl+x h" becomes "Ctrl+X h".
func Name(key string) string {
	strokes := strings.Fields(key)
	for i, stroke := range strokes {
		parts := strings.Split(stroke, "+")
		for j, p := range parts {
			switch name, ok := names[p]; {
			case ok:
				parts[j] = name
			case len(parts) > 1 || utf8.RuneCountInString(p) > 1:
				parts[j] = upper(p)
			}
		}
		strokes[i] = strings.Join(parts, "+")
	}
	return strings.Join(strokes, " ")
}

func upper(s string) string {
	if s == "" {
		return s
	}
	_, n := utf8.DecodeRuneInString(s)
	return strings.ToUpper(s[:n]) + s[n:]
}
