package composer

// live is the place in recall of the text that is being written.
const live = -1

// ringSize is how many cleared drafts are kept.
const ringSize = 20

// recall is what Up walks: cleared drafts, newest first, then what was sent, newest first.
type recall struct {
	ring  []string // with marks of pastes
	sent  []string
	at    int    // live, or an index into ring then sent
	draft buffer // the live text while something else is shown
}

func (r *recall) keep(draft string) {
	if blank(draft) {
		return
	}
	ring := []string{draft}
	for _, old := range r.ring {
		if old != draft && len(ring) < ringSize {
			ring = append(ring, old)
		}
	}
	r.ring = ring
}

func (r *recall) get(i int) (string, bool) {
	if i < len(r.ring) {
		return r.ring[i], true
	}
	if i -= len(r.ring); i < len(r.sent) {
		return r.sent[i], true
	}
	return "", false
}

// SetHistory gives the messages that were sent, newest first.
func (c *Composer) SetHistory(newestFirst []string) {
	c.recall.sent = make([]string, 0, len(newestFirst))
	for _, s := range newestFirst {
		c.recall.sent = append(c.recall.sent, clean(s))
	}
	if c.recall.at != live {
		c.recall.at, c.recall.draft = live, buffer{}
	}
}

// Recalls reports whether a text of the history is shown that was not edited.
func (c *Composer) Recalls() bool { return c.recall.at != live }

// Sent are the messages and commands that were sent, newest first.
func (c *Composer) Sent() []string { return c.recall.sent }

// Remember puts a message in front of the history; the same message twice in a row is kept once.
func (c *Composer) Remember(s string) {
	s = clean(s)
	if blank(s) || len(c.recall.sent) > 0 && c.recall.sent[0] == s {
		return
	}
	c.recall.sent = append([]string{s}, c.recall.sent...)
}

// older shows the next older text, its cursor at the end of the first row so that Up goes on.
func (c *Composer) older() bool {
	r := &c.recall
	s, ok := r.get(r.at + 1)
	for ok && s == c.text { // what is on screen already is no step
		r.at++
		s, ok = r.get(r.at + 1)
	}
	if !ok {
		return false
	}
	if r.at == live {
		r.draft = c.buffer
	}
	r.at++
	c.show(buffer{s, 0})
	c.pos = c.rowAt(0).end
	return true
}

// newer goes back towards the draft.
func (c *Composer) newer() bool {
	r := &c.recall
	switch {
	case r.at == live:
		return false
	case r.at == 0:
		c.show(r.draft)
		r.at, r.draft = live, buffer{}
	default:
		r.at--
		s, _ := r.get(r.at)
		c.show(buffer{s, len(s)})
	}
	return true
}

// show displays a recalled text. Undo starts afresh there: it edits a text, it does not walk the history.
func (c *Composer) show(b buffer) {
	c.undo = timeline{}
	c.replace(b)
	c.foreign = true
}
