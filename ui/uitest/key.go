package uitest

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

var mods = map[string]tea.KeyMod{"ctrl": tea.ModCtrl, "alt": tea.ModAlt, "shift": tea.ModShift}

var codes = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "space": tea.KeySpace, "backspace": tea.KeyBackspace, "delete": tea.KeyDelete,
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
	"home": tea.KeyHome, "end": tea.KeyEnd, "f1": tea.KeyF1,
}

// Key is the press that a name stands for: "a", "?", "enter", "ctrl+c", "shift+tab".
func Key(name string) tea.KeyPressMsg {
	var k tea.Key
	rest := name
	for {
		mod, after, ok := strings.Cut(rest, "+")
		if _, known := mods[mod]; !ok || !known || after == "" {
			break
		}
		k.Mod |= mods[mod]
		rest = after
	}
	if code, ok := codes[rest]; ok {
		k.Code = code
		return tea.KeyPressMsg(k)
	}
	if utf8.RuneCountInString(rest) != 1 {
		panic("no such key: " + name)
	}
	k.Code, _ = utf8.DecodeRuneInString(rest)
	if k.Mod&^tea.ModShift == 0 {
		k.Text = rest
	}
	return tea.KeyPressMsg(k)
}
