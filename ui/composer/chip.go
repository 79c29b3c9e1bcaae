package composer

import "strings"

// Word returns the word that ends at the cursor and where it begins: what stands between the last blank before the
// cursor and the cursor. It is "" behind a blank.
func (c *Composer) Word() (from int, word string) {
	for from = c.pos; from > 0 && !ends(c.text[from-1]); from-- {
	}
	return from, c.text[from:c.pos]
}

// ends reports whether a word ends before byte b: at a blank, or at what was pasted.
func ends(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == pasteClose }

// Complete puts text in place of the word that ends at the cursor.
func (c *Composer) Complete(text string) {
	from, _ := c.Word()
	next := c.buffer
	next.cut(from, next.pos)
	next.insert(clean(text))
	c.change(next, false)
}

// Chip puts a piece in place of the word that ends at the cursor: it is sent as text and shown as label. The id is for
// Label.
func (c *Composer) Chip(text, label string) (id int) {
	c.pastes.lastID++
	id = c.pastes.lastID
	c.pastes.byID[id] = paste{text: clean(text), name: label}
	from, _ := c.Word()
	next := c.buffer
	next.cut(from, next.pos)
	next.insert(mark(id) + " ")
	c.change(next, false)
	return id
}

// Piece puts what was pasted at the cursor as a piece: it is sent as text and shown as label.
func (c *Composer) Piece(text, label string) (id int) {
	c.pastes.lastID++
	id = c.pastes.lastID
	c.pastes.byID[id] = paste{text: clean(text), name: label}
	first := c.pos == 0
	c.insertText(mark(id), false)
	c.led, c.foreign = c.led || first, true
	return id
}

// Become makes a piece another one, with a blank on both sides; one that is gone is no error.
func (c *Composer) Become(id int, text, label string) {
	if _, ok := c.pastes.byID[id]; !ok {
		return
	}
	c.pastes.byID[id] = paste{text: clean(text), name: label}
	c.window.memo.rows = nil
	at := strings.Index(c.text, mark(id))
	if at < 0 {
		return
	}
	b, end := c.buffer, at+len(mark(id))
	behind := c.pos >= end
	if end == len(b.text) || !blank(b.text[end:end+1]) {
		b.text = b.text[:end] + " " + b.text[end:]
		if behind {
			b.pos++
		}
	}
	if at > 0 && !blank(b.text[at-1:at]) {
		b.text = b.text[:at] + " " + b.text[at:]
		if c.pos >= at {
			b.pos++
		}
	}
	c.change(b, false)
	c.version++ // also where only the piece changed
}

// Unfold makes a piece the text that it stands for; one that is gone is no error.
func (c *Composer) Unfold(id int) {
	if at := strings.Index(c.text, mark(id)); at >= 0 {
		n := len(mark(id))
		was := c.pos
		if c.open(at, n); was < at {
			c.pos = was
		} else if was > at+n {
			c.pos += was - at - n
		}
	}
}

// Label changes what a chip is shown as; one that is gone is no error.
func (c *Composer) Label(id int, label string) {
	if one, ok := c.pastes.byID[id]; ok {
		one.name = label
		c.pastes.byID[id] = one
		c.window.memo.rows = nil
	}
}

// Drafts are the texts that Up reaches before the history, newest first: what was cleared or overwritten.
func (c *Composer) Drafts() []string {
	out := make([]string, 0, len(c.recall.ring))
	for _, s := range c.recall.ring {
		out = append(out, c.pastes.expand(s))
	}
	return out
}

// Overwrite replaces the text, and keeps the former one among the drafts.
func (c *Composer) Overwrite(s string) {
	c.recall.keep(c.text)
	c.SetValue(s)
}
