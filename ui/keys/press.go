package keys

import (
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

var mods = map[string]tea.KeyMod{"ctrl": tea.ModCtrl, "alt": tea.ModAlt, "shift": tea.ModShift}

// order is in which the toolkit writes modifiers.
var order = []string{"ctrl", "alt", "shift"}

var codes = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "space": tea.KeySpace, "backspace": tea.KeyBackspace, "delete": tea.KeyDelete,
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
	"home": tea.KeyHome, "end": tea.KeyEnd, "insert": tea.KeyInsert,
	"f1": tea.KeyF1, "f2": tea.KeyF2, "f3": tea.KeyF3, "f4": tea.KeyF4, "f5": tea.KeyF5, "f6": tea.KeyF6, "f7": tea.KeyF7, "f8": tea.KeyF8,
	"f9": tea.KeyF9, "f10": tea.KeyF10, "f11": tea.KeyF11, "f12": tea.KeyF12,
}

var aliases = map[string]string{"escape": "esc", "return": "enter", "pageup": "pgup", "pagedown": "pgdown", "del": "delete", "control": "ctrl", "option": "alt", "meta": "alt"}

// Parse brings a key as people write it ("Ctrl+X M", "PageUp") into the form of the table. It is not ok for what no key
// is called.
func Parse(text string) (key string, ok bool) {
	strokes := strings.Fields(text)
	for i, one := range strokes {
		if strokes[i], ok = parseStroke(one); !ok {
			return "", false
		}
	}
	return strings.Join(strokes, " "), len(strokes) > 0
}

func parseStroke(text string) (string, bool) {
	held, rest := map[string]bool{}, text
	for {
		mod, after, cut := strings.Cut(rest, "+")
		name := strings.ToLower(mod)
		if a, ok := aliases[name]; ok {
			name = a
		}
		if _, known := mods[name]; !cut || !known || after == "" {
			break
		}
		held[name], rest = true, after
	}
	name := strings.ToLower(rest)
	if a, ok := aliases[name]; ok {
		name = a
	}
	if _, named := codes[name]; !named {
		r, n := utf8.DecodeRuneInString(rest)
		if n != len(rest) || !unicode.IsPrint(r) || unicode.IsSpace(r) {
			return "", false
		}
		if name = rest; held["ctrl"] || held["alt"] {
			name = strings.ToLower(rest)
		}
	}
	var out []string
	for _, m := range order {
		if held[m] {
			out = append(out, m)
		}
	}
	return strings.Join(append(out, name), "+"), true
}

// Press is the press that one stroke of the table stands for.
func Press(stroke string) tea.KeyPressMsg {
	var k tea.Key
	rest := stroke
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
	k.Code, _ = utf8.DecodeRuneInString(rest)
	if k.Mod&^tea.ModShift == 0 {
		k.Text = rest
	}
	return tea.KeyPressMsg(k)
}

// types reports whether a stroke puts a character into a text.
func types(key string) bool {
	return utf8.RuneCountInString(key) == 1 || key == "space"
}
