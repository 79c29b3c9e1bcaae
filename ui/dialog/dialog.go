// Package dialog holds the boxes that ask or tell something over the transcript: approval, question, trust, connect,
// help. A dialog is built with its continuation: it gets the function that sends the answer, and is told messages until
// it says that it is closed. All share one frame, in which content gives way before choices do.
//
// It refuses to answer by accident: for 400 ms after opening, and while somebody is typing, only Esc and Ctrl+C count.
package dialog

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"talaria/ui/keys"
	"talaria/ui/style"
)

// Dialog is an overlay. View draws it in at most w by h cells; the block may be smaller, and the owner centres it. The
// cursor is relative to the block. Closed tells the owner to drop it; Esc closes, and Ctrl+C is the owner's.
type Dialog interface {
	Update(msg tea.Msg) (cmd tea.Cmd, closed bool)
	View(w, h int) (string, *tea.Cursor)
	Keys() []Binding
}

// Binding is a key that does something.
type Binding = keys.Binding

// KeyName writes a key as it is printed on keyboards.
func KeyName(key string) string { return keys.Name(key) }

func title(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return strings.ToUpper(s[:n]) + s[n:]
}

// Letter is the character that k stands for as a command. On a layout without Latin letters it is the one that a US
// keyboard has there, where the terminal tells.
func Letter(k tea.KeyPressMsg) string {
	if k.Mod&(tea.ModCtrl|tea.ModAlt|tea.ModMeta|tea.ModSuper) != 0 {
		return ""
	}
	if k.Text != "" && k.Text[0] >= utf8.RuneSelf && k.BaseCode != 0 {
		return string(k.BaseCode)
	}
	return k.Text
}

// OneLine shows text from outside on one line, with whatever cannot be seen made visible.
func OneLine(s string) string {
	return strings.ReplaceAll(style.Visible(strings.TrimSpace(s)), "\n", " ")
}
