package composer

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// The modes of a prompt with vim's keys, as the status bar says them.
const (
	Insert = "INSERT"
	Normal = "NORMAL"
)

// freely is the mark of an INSERT that a message begins in: undo goes through it word by word, since one step would take
// the whole message.
const freely = -1

// vim is the state of vim's modes. Every message begins in INSERT.
type vim struct {
	on, normal bool
	typed      []string // of a command that is not whole yet, a unit each
	sought     command  // the last f F t T
	register   string
	lines      bool      // the register holds whole lines
	mark       int       // where the steps of this INSERT begin in undo
	taping     []tea.Msg // what was pressed since the command began
	last       []tea.Msg // the last command that changed the text, for "."
	replays    bool
}

// SetModal turns vim's modes on or off.
func (c *Composer) SetModal(on bool) { c.vim = vim{on: on, mark: freely} }

// Mode is Insert or Normal, "" without vim's modes.
func (c *Composer) Mode() string {
	switch {
	case !c.vim.on:
		return ""
	case c.vim.normal:
		return Normal
	}
	return Insert
}

// Escape leaves INSERT, or a command that is not whole; it reports whether that is what an Esc did.
func (c *Composer) Escape() bool {
	v := &c.vim
	switch {
	case !v.on:
		return false
	case v.normal:
		open := len(v.typed) > 0
		v.typed = nil
		return open
	}
	v.normal, c.undo.typing, c.kills.open, c.window.goal = true, false, false, -1
	if v.mark != freely {
		c.undo.join(v.mark)
	}
	if len(v.taping) > 0 {
		v.last, v.taping = v.taping, nil
	}
	if c.pos > c.lineStart(c.pos) {
		c.pos -= previous(c.text, c.pos)
	}
	return true
}

// tape notes what is written in an INSERT that a command began.
func (c *Composer) tape(msg tea.Msg) {
	v := &c.vim
	if !v.on || v.normal || v.replays || v.mark == freely {
		return
	}
	if k, ok := msg.(tea.KeyPressMsg); ok && typed(k) == "" && !slices.Contains([]string{"backspace", "shift+enter", "ctrl+j", "alt+enter", "ctrl+w", "ctrl+u"}, k.Keystroke()) {
		return
	}
	v.taping = append(v.taping, msg)
}

// Commands reports whether a key is one of NORMAL, and not of the owner's table. On an empty prompt "?", "m" and
// "d" have no meaning there.
func (c *Composer) Commands(k tea.KeyPressMsg) bool {
	if !c.vim.normal {
		return false
	}
	t := typed(k)
	return k.Keystroke() == "ctrl+r" || t != "" && !(c.Empty() && len(c.vim.typed) == 0 && (t == "?" || t == "m" || t == "d"))
}

// command is what was pressed in NORMAL: an operator ("d", "c", "y" or none), what it works on, how often, and the
// character that f, t, r or an object takes. Count is 0 when none was given.
type command struct {
	op, key, arg string
	count        int
}

func (o command) times() int { return max(1, o.count) }

// most is the greatest count: more is a slip of the finger.
const most = 9999

// parse reads a command; whole is false while more is to come. One that means nothing is whole and has no key.
func parse(in []string) (o command, whole bool) {
	o.count, in = number(in)
	if len(in) > 0 && slices.Contains([]string{"d", "c", "y"}, in[0]) {
		o.op = in[0]
		n, rest := number(in[1:])
		if n > 0 {
			o.count = min(most, n*o.times())
		}
		in = rest
	}
	if len(in) == 0 {
		return o, false
	}
	o.key, in = in[0], in[1:]
	switch {
	case o.op == "" && o.key == "r", strings.Contains("fFtT", o.key), o.op != "" && (o.key == "i" || o.key == "a"):
		if len(in) == 0 {
			return o, false
		}
		o.arg = in[0]
	case o.key == "g":
		if len(in) == 0 {
			return o, false
		}
		o.key += in[0]
	case o.op != "" && o.key == o.op:
		o.key = "line"
	}
	return o, true
}

// number takes a count from the front; a 0 there is a motion.
func number(in []string) (n int, rest []string) {
	for len(in) > 0 && len(in[0]) == 1 && in[0][0] >= '0' && in[0][0] <= '9' && (n > 0 || in[0] != "0") {
		n, in = min(most, 10*n+int(in[0][0]-'0')), in[1:]
	}
	return n, in
}

// short are the commands that are another one's short form.
var short = map[string]command{
	"x": {op: "d", key: "l"}, "X": {op: "d", key: "h"}, "D": {op: "d", key: "$"}, "C": {op: "c", key: "$"}, "s": {op: "c", key: "l"},
	"S": {op: "c", key: "line"}, "Y": {op: "y", key: "line"},
}

// normal is a key in NORMAL; in is the text of one that prints.
func (c *Composer) normal(k tea.KeyPressMsg, in string) {
	v := &c.vim
	if k.Keystroke() == "ctrl+r" {
		v.typed = nil
		c.replace(c.undo.forth(c.buffer))
		c.settle()
		return
	}
	if len(v.typed) == 0 && !v.replays {
		v.taping = nil
	}
	v.typed = append(v.typed, in)
	if !v.replays {
		v.taping = append(v.taping, k)
	}
	o, whole := parse(v.typed)
	if !whole {
		return
	}
	v.typed = nil
	before := c.version
	v.mark = c.undo.steps()
	if long, ok := short[o.key]; ok && o.op == "" {
		long.count = o.count
		o = long
	}
	c.obey(o)
	if v.normal {
		c.settle()
		if c.version != before && o.op != "y" && !slices.Contains([]string{"u", "."}, o.key) && !v.replays {
			v.last = v.taping
		}
		v.taping = nil
	}
}

// settle puts the cursor on a unit: in NORMAL it never stands behind the last one of a line.
func (c *Composer) settle() {
	if c.vim.normal && c.pos == c.lineEnd(c.pos) && c.pos > c.lineStart(c.pos) {
		c.pos -= previous(c.text, c.pos)
	}
}

// obey does a whole command.
func (c *Composer) obey(o command) {
	switch {
	case o.op != "":
		c.operate(o)
	case c.inserts(o.key):
		c.vim.normal = false
	case o.key == "j" || o.key == "k":
		c.rowwise(o)
	case c.edits(o):
	default:
		if s, ok := c.motion(o); ok {
			c.pos = s.to
			c.window.goal, c.kills.open = -1, false
		}
	}
}

// rowwise moves by rows of the screen; past the first and the last one it walks the history, as Up and Down do.
func (c *Composer) rowwise(o command) {
	by := 1
	if o.key == "k" {
		by = -1
	}
	c.vertical(by)
	for i := 1; i < o.times() && c.recall.at == live; i++ {
		c.vertical(by)
	}
}

// inserts moves to where a text is to be written; ok is false for what does not begin INSERT.
func (c *Composer) inserts(key string) bool {
	switch key {
	case "i":
	case "a":
		if c.pos < c.lineEnd(c.pos) {
			c.pos += next(c.text[c.pos:])
		}
	case "I":
		c.pos = c.firstInk(c.pos)
	case "A":
		c.pos = c.lineEnd(c.pos)
	case "o":
		c.pos = c.lineEnd(c.pos)
		c.insertText("\n", false)
	case "O":
		at := c.lineStart(c.pos)
		c.pos = at
		c.insertText("\n", false)
		c.pos = at
	case "/": // only where it cannot be taken for a search: a command begins with it
		if !c.Empty() {
			return false
		}
		c.insertText("/", true)
	default:
		return false
	}
	return true
}

// edits does what is neither a motion nor has an operator; ok is false for a motion.
func (c *Composer) edits(o command) bool {
	switch o.key {
	case "u":
		for range min(o.times(), depth) {
			c.replace(c.undo.back(c.buffer))
		}
	case "p", "P":
		c.put(o.key == "p", min(o.times(), 100))
	case "r", "~":
		c.retype(o)
	case "J":
		c.joinLines(o.times())
	case ".":
		c.again()
	default:
		return false
	}
	return true
}

// again presses the last change once more.
func (c *Composer) again() {
	v := &c.vim
	v.replays, v.taping = true, nil
	for _, msg := range v.last {
		c.Update(msg)
	}
	if !v.normal {
		c.Escape()
	}
	v.replays = false
}

// retype writes another character over those under the cursor, or changes their case.
func (c *Composer) retype(o command) {
	from, b := c.pos, c.buffer
	for range o.times() {
		n := next(b.text[b.pos:b.lineEnd(b.pos)])
		if n == 0 {
			break
		}
		unit := b.cut(b.pos, b.pos+n)
		if o.key == "~" {
			b.insert(swapCase(unit))
		} else {
			b.insert(clean(o.arg))
		}
	}
	if o.key == "r" && b.pos > from {
		b.pos -= previous(b.text, b.pos)
	}
	if b.text != c.text {
		c.change(b, false)
	} else {
		c.pos = b.pos
	}
}

func swapCase(unit string) string {
	r, n := utf8.DecodeRuneInString(unit)
	switch {
	case unit[0] == pasteOpen:
		return unit
	case unicode.IsUpper(r):
		return string(unicode.ToLower(r)) + unit[n:]
	}
	return string(unicode.ToUpper(r)) + unit[n:]
}

// joinLines takes line ends away, with the blanks around them.
func (c *Composer) joinLines(n int) {
	b := c.buffer
	for range max(1, n-1) {
		end := b.lineEnd(b.pos)
		if end == len(b.text) {
			break
		}
		rest := strings.TrimLeft(b.text[end+1:], " \t")
		head := strings.TrimRight(b.text[:end], " \t")
		if head != "" && rest != "" && rest[0] != '\n' {
			b.text, b.pos = head+" "+rest, len(head)
		} else {
			b.text, b.pos = head+rest, len(head)
		}
	}
	if b.text != c.text {
		c.change(b, false)
	}
}
