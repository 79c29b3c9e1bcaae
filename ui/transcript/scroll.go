package transcript

// place is a row of the conversation: row counts inside the block, -1 is the blank row before it. rows and width are
// what the block had when the place was taken, so that the place survives a change of width and is exact when the
// width comes back.
type place struct {
	block, row  int
	rows, width int
}

// view is the part of the conversation that is on screen. Following, its last row is the last there is. Otherwise at is
// the first row on screen, whatever happens elsewhere (UX 4.10).
type view struct {
	height    int
	following bool
	at        place
	seen      place // the last row that was on screen
	shown     []int // the entry that each row of the last View shows, -1 for none
}

func (t *Transcript) place(block, row int) place {
	return place{block, row, len(t.rows(block)), t.layout.width}
}

// find returns where p is now: at another width, the row as far into its block as it was; when the block is gone, the
// nearest after it, else before it.
func (t *Transcript) find(p place) (place, bool) {
	n := 0
	if p.block < len(t.feed.Entries) {
		n = len(t.rows(p.block))
	}
	if n == 0 {
		if i := t.after(min(p.block, len(t.feed.Entries)-1)); i >= 0 {
			return t.place(i, -t.gap(i)), true
		}
		i := t.before(min(p.block, len(t.feed.Entries)))
		if i < 0 {
			return place{}, false
		}
		return t.place(i, len(t.rows(i))-1), true
	}
	row := p.row
	if p.width != t.layout.width && p.rows > 0 && row > 0 {
		row = row * n / p.rows
	}
	return t.place(p.block, max(-t.gap(p.block), min(row, n-1))), true
}

// last is the last row there is.
func (t *Transcript) last() (place, bool) {
	i := t.before(len(t.feed.Entries))
	if i < 0 {
		return place{}, false
	}
	return t.place(i, len(t.rows(i))-1), true
}

// up goes at most n rows up from p and returns how many it could not go.
func (t *Transcript) up(p place, n int) (place, int) {
	for {
		if room := p.row + t.gap(p.block); n <= room {
			return t.place(p.block, p.row-n), 0
		} else if i := t.before(p.block); i < 0 {
			return t.place(p.block, -t.gap(p.block)), n - room
		} else {
			n -= room + 1
			p = place{block: i, row: len(t.rows(i)) - 1}
		}
	}
}

// down goes at most n rows down from p and returns how many it could not go.
func (t *Transcript) down(p place, n int) (place, int) {
	for {
		if room := len(t.rows(p.block)) - 1 - p.row; n <= room {
			return t.place(p.block, p.row+n), 0
		} else if i := t.after(p.block); i < 0 {
			return t.place(p.block, len(t.rows(p.block))-1), n - room
		} else {
			n -= room + 1
			p = place{block: i, row: -t.gap(i)}
		}
	}
}

// top is the first row on screen; short counts the rows that stay blank, at the top when following, else at the bottom.
func (t *Transcript) top() (p place, short int, ok bool) {
	if t.view.following {
		if p, ok = t.last(); !ok {
			return p, 0, false
		}
		p, short = t.up(p, t.view.height-1)
		return p, short, true
	}
	if p, ok = t.find(t.view.at); !ok {
		return p, 0, false
	}
	_, short = t.down(p, t.view.height-1)
	return p, short, true
}

// follow goes to the last row and stays there.
func (t *Transcript) follow() { t.view.following = true }

// anchor makes p the first row on screen. Reaching the last row follows.
func (t *Transcript) anchor(p place) {
	bottom, short := t.down(p, t.view.height-1)
	if short > 0 {
		t.follow()
		return
	}
	if end, ok := t.last(); ok && end.block == bottom.block && end.row == bottom.row {
		t.follow()
		return
	}
	if t.view.following {
		t.view.seen, _ = t.last()
	} else if t.later(bottom, t.view.seen) {
		t.view.seen = bottom
	}
	t.view.following, t.view.at = false, p
}

func (t *Transcript) later(a, b place) bool {
	return a.block > b.block || a.block == b.block && a.row > b.row
}

// ScrollBy moves the view by n rows, down when n is positive. Any way up stops following; reaching the last row
// follows again.
func (t *Transcript) ScrollBy(n int) {
	p, short, ok := t.top()
	if !ok || n == 0 || t.view.height <= 0 || t.view.following && (n > 0 || short > 0) {
		return
	}
	t.older.top, t.older.step = false, ""
	if n < 0 {
		p, _ = t.up(p, -n)
	} else {
		p, _ = t.down(p, n)
	}
	t.anchor(p)
}

// ScrollSideways moves what is too wide to be seen, which is code, by n columns; prose stays where it is.
func (t *Transcript) ScrollSideways(n int) {
	t.layout.shift = min(max(0, t.layout.shift+n), maxShift)
	t.feed.Shift(t.layout.shift)
}

// maxShift keeps a held key from scrolling code out of reach.
const maxShift = 2000

// PageUp and PageDown move by a screen, less two rows that stay for the eye to hold on to.
func (t *Transcript) PageUp() { t.ScrollBy(-max(1, t.view.height-2)) }

// PageDown moves a screen down.
func (t *Transcript) PageDown() { t.ScrollBy(max(1, t.view.height-2)) }

// Top goes to the first row. When there is more before it, it goes on with what Prepend brings.
func (t *Transcript) Top() {
	t.older.top = t.older.more
	t.toTop()
}

func (t *Transcript) toTop() {
	if i := t.after(-1); i >= 0 && t.view.height > 0 {
		t.anchor(t.place(i, 0))
	}
}

// Bottom goes to the last row and follows.
func (t *Transcript) Bottom() {
	t.older.top, t.older.step = false, ""
	t.follow()
}

// Following reports whether the last row is held in view.
func (t *Transcript) Following() bool { return t.view.following }

// NewLines is how many rows came below what was on screen since the view stopped following.
func (t *Transcript) NewLines() int {
	if t.view.following {
		return 0
	}
	seen, ok := t.find(t.view.seen)
	if !ok {
		return 0
	}
	n := len(t.rows(seen.block)) - 1 - seen.row
	for i := t.after(seen.block); i >= 0; i = t.after(i) {
		n += t.gap(i) + len(t.rows(i))
	}
	return n
}
