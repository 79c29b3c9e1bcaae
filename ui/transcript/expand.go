package transcript

// ToggleLast expands or collapses the last block on screen that can show more, or else the last there is. It returns
// false when there is none.
func (t *Transcript) ToggleLast() bool {
	p, _, ok := t.top()
	if !ok {
		return false
	}
	bottom, _ := t.down(p, max(0, t.view.height-1))
	for i := bottom.block; i >= 0; i = t.before(i) {
		if !t.toggle(i) {
			continue
		}
		if i < p.block {
			t.anchor(t.place(i, 0)) // it is above the screen: show what was toggled
		}
		return true
	}
	return false
}

// Details shows or hides what the server said of a request that is made again. It is false when none waits.
func (t *Transcript) Details() bool { return t.feed.Details() }

// ToggleAt expands or collapses the block at row y of the view. It returns false when nothing is there, or nothing more.
func (t *Transcript) ToggleAt(y int) bool {
	p, short, ok := t.top()
	if !ok || y < 0 || y >= t.view.height {
		return false
	}
	if t.view.following {
		if y -= short; y < 0 {
			return false
		}
	}
	p, over := t.down(p, y)
	return over == 0 && t.toggle(p.block)
}

// toggle flips block i and keeps its first row where it is on screen. Following ends when that leaves the last row
// below the screen.
func (t *Transcript) toggle(i int) bool {
	top, short, _ := t.top()
	if !t.feed.Entries[i].Toggle() {
		return false
	}
	if !t.view.following {
		return true
	}
	if short > 0 { // the conversation was short and stood at the bottom
		if p, _, _ := t.top(); p.block > i || p.block == i && p.row > 0 {
			t.anchor(t.place(i, 0))
		}
		return true
	}
	if top.block == i && top.row > 0 {
		top = t.place(i, 0) // its head is above the screen: reading starts there
	}
	t.anchor(top)
	if !t.view.following {
		t.view.seen, _ = t.last()
	}
	return true
}
