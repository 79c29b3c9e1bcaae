package composer

import "strings"

// Word returns the word that ends at the cursor and where it begins: what stands between the last blank before the
// cursor and the cursor. It is "" behind a blank.
func (c *Composer) Word() (from int, word string) {
	from = strings.LastIndexAny(c.text[:c.pos], " \t\n\xfe") + 1
	return from, c.text[from:c.pos]
}

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
