// Package composer is the prompt: an editor of several lines that loses nothing. It keeps every byte that is pasted,
// never lets a pasted newline send, and never writes a control character to the terminal. Line is its one-line sibling
// for filters, reasons and keys.
//
// It refuses to know what a message is for: sending, queueing, slash commands and the draft's file are the owner's.
package composer

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/ui/style"
)

// Composer is the editor. Use New; a Composer is not safe for concurrent use, and View remembers the scroll position.
type Composer struct {
	buffer
	sheet       style.Sheet
	placeholder string
	pastes      pastes
	undo        timeline
	kills       kills
	recall      recall
	hold        hold
	window      window
	version     uint64
	led         bool // the text begins with something pasted
	foreign     bool // some of it may have been pasted, now or before
	vim         vim
}

// New returns an empty composer that draws with sheet.
func New(sheet style.Sheet) *Composer {
	return &Composer{sheet: sheet, pastes: pastes{byID: map[int]paste{}}, recall: recall{at: live}}
}

// SetSheet changes the theme.
func (c *Composer) SetSheet(sheet style.Sheet) { c.sheet = sheet }

// SetPlaceholder sets the text that is shown while the composer is empty.
func (c *Composer) SetPlaceholder(s string) { c.placeholder = s }

// Value returns the text with every paste in full.
func (c *Composer) Value() string { return c.pastes.expand(c.text) }

// Empty reports whether there is no text at all, blanks included.
func (c *Composer) Empty() bool { return c.text == "" }

// Pasted reports whether the first character came by a paste: such a text is a message, never a command.
func (c *Composer) Pasted() bool { return c.led }

// Foreign reports whether any of the text may have come by a paste, now or before it was a draft or was sent: nothing
// within it may then be run.
func (c *Composer) Foreign() bool { return c.foreign }

// Version changes with every change of the text; the owner saves the draft when it does.
func (c *Composer) Version() uint64 { return c.version }

// SetValue replaces the text, cursor at its end. Undo brings the former text back.
func (c *Composer) SetValue(s string) {
	s = clean(s)
	c.change(buffer{s, len(s)}, false)
	c.recall.at, c.led, c.foreign = live, false, true
	c.settle()
}

// Insert puts s at the cursor, as typing would. More may be typed behind it.
func (c *Composer) Insert(s string) {
	c.vim.normal, c.vim.typed = false, nil
	c.insertText(clean(s), false)
}

// Reset empties the composer for the next message: what was there is sent, or kept elsewhere. Undo does not reach back.
func (c *Composer) Reset() {
	c.buffer, c.undo, c.hold, c.led, c.foreign = buffer{}, timeline{}, hold{seq: c.hold.seq}, false, false
	c.recall.at, c.recall.draft = live, buffer{}
	c.window.top, c.window.goal = 0, -1
	c.vim.normal, c.vim.typed, c.vim.taping, c.vim.mark = false, nil, nil, freely
	c.pastes.forget(c.recall.ring, c.kills.texts, []string{c.vim.register})
	c.version++
}

// Clear empties the composer and keeps the draft in a ring that Up reaches first.
func (c *Composer) Clear() {
	c.recall.keep(c.text)
	c.Reset()
}

// Submit returns the text to send. It is not ok when there is nothing but blanks, or when a backslash stands at the
// end, which becomes a line break instead. The text stays until Reset, so a message that could not be taken is not lost.
func (c *Composer) Submit() (text string, ok bool) {
	if c.pos == len(c.text) && oddBackslashes(c.text) {
		t := c.text[:len(c.text)-1] + "\n"
		c.change(buffer{t, len(t)}, false)
		return "", false
	}
	if v := c.Value(); !blank(v) {
		return v, true
	}
	return "", false
}

// Update takes a key press or a paste. Handled is false for what is the owner's: Enter, Tab, Esc, Ctrl+C, Ctrl+D on an
// empty prompt, Up and Down when there is no history in that direction.
func (c *Composer) Update(msg tea.Msg) (handled bool, cmd tea.Cmd) {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		c.followed()
		c.tape(msg)
		c.paste(clean(msg.Content))
		c.settle()
		return true, nil
	case tea.KeyPressMsg:
		return c.press(msg)
	}
	return false, nil
}

func (c *Composer) press(k tea.KeyPressMsg) (handled bool, cmd tea.Cmd) {
	t := typed(k)
	if c.vim.normal && k.Keystroke() == "backspace" {
		t = "h"
	}
	if c.vim.normal && (t != "" || k.Keystroke() == "ctrl+r") {
		c.followed()
		c.normal(k, t)
		return true, nil
	}
	defer c.settle()
	c.tape(k)
	if t != "" {
		return true, c.typedOn(t)
	}
	stroke := k.Keystroke()
	switch stroke {
	case "shift+enter", "ctrl+j", "alt+enter":
		c.followed()
		c.insertText("\n", false)
	case "tab":
		if !c.Bursting(time.Now()) {
			return false, nil
		}
		return true, c.typedOn("\t")
	case "up", "ctrl+p":
		return c.vertical(-1), nil
	case "down", "ctrl+n":
		return c.vertical(+1), nil
	case "ctrl+y":
		c.yank()
	case "alt+y":
		return c.yankPop(), nil
	case "ctrl+_", "ctrl+/", "ctrl+shift+-", "ctrl+shift+_":
		c.replace(c.undo.back(c.buffer))
	case "alt+_", "alt+shift+-", "alt+shift+_":
		c.replace(c.undo.forth(c.buffer))
	default:
		c.followed() // a held Enter comes before what was pressed after it
		return c.edit(stroke), nil
	}
	return true, nil
}

// edit applies the keys that composer and Line share, with undo and the kill ring.
func (c *Composer) edit(stroke string) bool {
	if stroke == "ctrl+d" && c.Empty() {
		return false
	}
	next := c.buffer
	killed, ok := next.key(stroke)
	if !ok {
		return false
	}
	if next.text != c.text {
		chain := killed != "" && c.kills.open
		c.change(next, false)
		c.kills.add(killed, chain, stroke != "ctrl+k" && stroke != "alt+d")
		return true
	}
	c.buffer, c.window.goal, c.undo.typing, c.kills.open = next, -1, false, false
	return true
}

// insertText puts s at the cursor. Neighbouring typed characters are undone together, up to a blank.
func (c *Composer) insertText(s string, typing bool) {
	if c.pos == 0 {
		c.led = false
	}
	next := c.buffer
	next.insert(s)
	c.change(next, typing && !blank(s))
}

// change is the one way the text becomes another: it keeps undo, and a recalled text that is edited is the draft from
// then on (the former draft goes to the ring).
func (c *Composer) change(next buffer, typing bool) {
	c.undo.push(c.buffer, typing)
	if c.recall.at != live {
		c.recall.keep(c.recall.draft.text)
		c.recall.at, c.recall.draft = live, buffer{}
	}
	c.replace(next)
	c.undo.typing = typing
}

// replace shows another text without touching undo or history.
func (c *Composer) replace(next buffer) {
	if next.text != c.text {
		c.version++
	}
	if next.text == "" {
		c.led = false // foreign stays: undo may bring it back
	}
	c.buffer, c.window.goal = next, -1
	c.undo.typing, c.kills.open = false, false
}
