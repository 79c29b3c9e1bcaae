package composer

import (
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"talaria/ui/style"
)

// A collapsed paste stands in the text as pasteOpen, its number, pasteClose. Neither byte occurs in valid UTF-8, and
// all text that comes in is made valid first, so no text can be taken for a paste.
const (
	pasteOpen  = 0xff
	pasteClose = 0xfe
)

// longest bounds a grapheme cluster in bytes. Longer ones (stacked accents without end) are cut there, so that finding
// the next cluster stays cheap.
const longest = 256

// clean makes text fit to keep: valid UTF-8 with LF line ends. Nothing else is changed.
func clean(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if strings.IndexByte(s, '\r') < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }

func oddBackslashes(s string) bool {
	return (len(s)-len(strings.TrimRight(s, `\`)))%2 == 1
}

// typed returns the text of a key that prints, or "".
func typed(k tea.KeyPressMsg) string {
	if k.Mod&(tea.ModCtrl|tea.ModAlt|tea.ModMeta|tea.ModSuper|tea.ModHyper) != 0 {
		return ""
	}
	return k.Text
}

// next returns the length in bytes of the unit that s begins with: a grapheme cluster or a whole paste; 0 at the end.
func next(s string) int {
	switch {
	case s == "":
		return 0
	case s[0] == pasteOpen:
		return max(strings.IndexByte(s, pasteClose), 0) + 1
	case s[0] < utf8.RuneSelf && (len(s) == 1 || s[1] < utf8.RuneSelf || s[1] == pasteOpen):
		return 1
	}
	near := s
	if len(near) > longest {
		near = near[:longest]
		for !utf8.RuneStart(s[len(near)]) {
			near = near[:len(near)-1]
		}
	}
	if i := strings.IndexByte(near, pasteOpen); i > 0 {
		near = near[:i]
	}
	cluster, _ := ansi.FirstGraphemeCluster(near, ansi.GraphemeWidth)
	return max(len(cluster), 1)
}

// previous returns the length of the unit that ends at pos.
func previous(s string, pos int) int {
	if pos == 0 {
		return 0
	}
	if s[pos-1] < utf8.RuneSelf && (pos == 1 || s[pos-2] < utf8.RuneSelf) {
		return 1
	}
	at := strings.LastIndexByte(s[:pos-1], '\n') + 1
	for {
		n := next(s[at:])
		if at+n >= pos {
			return pos - at
		}
		at += n
	}
}

// isWord reports whether the unit belongs to a word; a paste is a word of its own.
func isWord(unit string) bool {
	if unit == "" {
		return false
	}
	r, _ := utf8.DecodeRuneInString(unit)
	return unit[0] == pasteOpen || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// shown is what the screen gets for a unit: itself, or a visible form of what would steer the terminal or be nothing.
func shown(unit string) string {
	w := ansi.StringWidth(unit)
	if w > 0 && style.Safe(unit) == unit && unit != "\t" {
		return unit
	}
	if s := style.Visible(unit); s != unit || w > 0 {
		return s
	}
	return "◌" + unit // a mark without a letter still needs a cell to stand in
}
