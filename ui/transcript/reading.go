package transcript

import "talaria/ui/transcript/feed"

// SetReading changes how much is shown; what was opened or closed by hand stays the other way round. Mode and place stay.
func (t *Transcript) SetReading(r feed.Reading) {
	if r == t.feed.Reading() {
		return
	}
	p, short, ok := t.top()
	t.feed.SetReading(r)
	t.layout.laid = 0
	if ok && !t.view.following && short == 0 {
		t.anchor(p)
	}
}

// Reading is how much is shown now.
func (t *Transcript) Reading() feed.Reading { return t.feed.Reading() }

// hold stops following when the first row of an answer that is still new reaches the top: it is read from its
// beginning while the rest arrives (UX 4.10). Once for each answer.
func (t *Transcript) hold() {
	if !t.feed.Reading().Head || !t.view.following || t.view.height <= 0 {
		return
	}
	i := t.before(len(t.feed.Entries))
	if i < 0 {
		return
	}
	e := t.feed.Entries[i]
	if !e.New() || len(t.rows(i)) < t.view.height {
		return
	}
	at := t.place(i, 0)
	seen, short := t.down(at, t.view.height-1)
	if end, _ := t.last(); short > 0 || seen.row == end.row {
		return // all of it is in view
	}
	e.Held()
	t.view.following, t.view.at, t.view.seen = false, at, seen
}
